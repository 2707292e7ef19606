#include "gnomon/core/error.hpp"

#include <gtest/gtest.h>

#include "../data/temp_file.hpp"
#include "gnomon/data/csv.hpp"
#include "gnomon/data/dataset.hpp"
#include "gnomon/data/series.hpp"

namespace gnomon::error_test {
namespace {

/// Texts formed for messages while it runs.
template <class Work>
std::int64_t messages_of(const Work& work) {
  const std::int64_t before = detail::messages_formed;
  work();
  return detail::messages_formed - before;
}

/// Reads a file, makes a dataset of it, and encodes the rows once more as predict does.
void read_all(const std::string& text) {
  const testing::TempFile file(text);
  const Table table = read_table(file.path());
  FeaturePlan plan;
  make_dataset(table,
               {.targets = {table.columns.front().name}, .features = {}, .drop = {}, .weight_column = ""},
               &plan);
  plan.encode(read_table(file.path(), plan.csv_options()));
}

/// Columns a0, a1, … and rows of numbers without a pattern.
std::string numbers_text(int rows, int columns) {
  std::string text;
  for (int j = 0; j < columns; ++j) text += fmt::format("{}a{}", j ? "," : "", j);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) text += fmt::format("{}{}", j ? "," : "\n", (i * 7919 + j * 31) % 1009);
  return text + "\n";
}

TEST(Messages, AreFormedByChecksThatFail) {
  EXPECT_EQ(messages_of([] { require(true, "never said: {}", 1); }), 0);
  EXPECT_EQ(messages_of([] { EXPECT_THROW(require(false, "said: {}", 1), Error); }), 1);
  EXPECT_EQ(messages_of([] { EXPECT_THROW(fail("said"), Error); }), 1);
}

TEST(Messages, ArgumentsOfAChecksMessageExistAlready) {
  static_assert(detail::ReadyMade<const std::string&> && detail::ReadyMade<double> &&
                detail::ReadyMade<std::string_view> && detail::ReadyMade<const char*>);
  static_assert(!detail::ReadyMade<std::string> && !detail::ReadyMade<std::vector<std::string>>);
}

TEST(Messages, NoneForAWideFile) {
  EXPECT_EQ(messages_of([] { read_all(numbers_text(10, 5000)); }), 0);
}

TEST(Messages, NoneForALongNameInTheHeader) {
  const std::string name(20000, 'n');
  EXPECT_EQ(messages_of([&] { read_all("y," + name + ",b\n1,2,3\n2,5,7\n4,1,1\n"); }), 0);
}

TEST(Messages, NoneForATallFile) {
  EXPECT_EQ(messages_of([] { read_all(numbers_text(20000, 3)); }), 0);
}

TEST(Messages, NoneForTextCellsAndASeries) {
  EXPECT_EQ(messages_of([] {
              std::string text = "y,kind\n";
              for (int i = 0; i < 500; ++i) text += fmt::format("{},{}\n", i % 17, i % 3 ? "red" : "blue");
              read_all(text);
              const testing::TempFile file(text);
              std::vector<std::string> notes;
              SeriesPlan{"y", 3, 1}.windows(read_table(file.path()), Missing::error, 2, notes);
            }),
            0);
}

}  // namespace
}  // namespace gnomon::error_test
