#include <fmt/format.h>
#include <gtest/gtest.h>

#include "gnomon/data/csv.hpp"
#include "temp_file.hpp"

namespace gnomon::csv_errors_test {
namespace {

using testing::gzipped;
using testing::message_of;
using testing::TempFile;

/// The complaint about a file, the same whether it is read whole or in blocks, with the file called FILE.
std::string complaint(const std::string& bytes, const CsvOptions& options = {}) {
  const TempFile file(bytes);
  std::string whole = message_of([&] { read_table(file.path(), options); });
  const std::string blocks = message_of([&] {
    TableReader reader(file.path(), options);
    Table block;
    while (reader.next(block, 2)) {
    }
  });
  EXPECT_EQ(whole, blocks);
  EXPECT_EQ(whole.find('\n'), std::string::npos);
  const auto at = whole.find(file.path());
  if (at != std::string::npos) whole.replace(at, file.path().size(), "FILE");
  return whole;
}

TEST(CsvErrors, FilesThatCannotBeRead) {
  EXPECT_EQ(message_of([] { read_table("no-such-file.csv"); }),
            "no-such-file.csv: cannot be opened: No such file or directory");
  EXPECT_EQ(message_of([] { TableReader("no-such-file.csv"); }),
            "no-such-file.csv: cannot be opened: No such file or directory");
  const std::string folder = std::filesystem::temp_directory_path().string();
  EXPECT_EQ(message_of([&] { read_table(folder); }), folder + ": is a directory; give a file");
}

TEST(CsvErrors, EmptyOrBinary) {
  EXPECT_EQ(complaint(""), "FILE: is empty; give a file with a header row and rows of data");
  EXPECT_EQ(complaint("\n \r\n\n"), "FILE: is empty; give a file with a header row and rows of data");
  EXPECT_EQ(complaint(gzipped("")), "FILE: is empty; give a file with a header row and rows of data");
  EXPECT_EQ(complaint(std::string("a,b\n1,\0,2\n", 10)),
            "FILE: holds NUL bytes, so it is not a text file; save it as CSV in UTF-8");
  std::string late = "a,b\n";
  while (late.size() < 200000) late += "1,2\n";
  late[150000] = '\0';
  EXPECT_NE(message_of([&] {
              const TempFile file(late);
              read_table(file.path());
            }).find("holds NUL bytes"),
            std::string::npos);
}

TEST(CsvErrors, Header) {
  EXPECT_EQ(complaint("a,b\n"), "FILE: has a header but no rows of data; add some");
  EXPECT_EQ(complaint("a,b"), "FILE: has a header but no rows of data; add some");
  EXPECT_EQ(complaint("a,b\n\n\n"), "FILE: has a header but no rows of data; add some");
  EXPECT_EQ(complaint("1,2\n3,4\n"),
            "first row of FILE holds only numbers; add a header row with column names");
  EXPECT_EQ(complaint("a,b,a\n1,2,3\n"), "FILE: header: two columns are called 'a'; rename one");
  EXPECT_EQ(complaint("a,,c\n1,2,3\n"), "FILE: header: column 2 of 3 has no name");
  EXPECT_EQ(complaint("a,\xE9\n1,2\n"), "FILE: header: the name of column 2 is not UTF-8; convert the file");
  EXPECT_EQ(complaint("a,\"b\n1,2\n"), "FILE: row 1: a quote is opened and never closed");
}

TEST(CsvErrors, Rows) {
  EXPECT_EQ(complaint("a,b,c\n1,2,3\n4,5\n"),
            "FILE: row 3 has 2 cells, but the header has 3; add what is missing, empty cells too");
  EXPECT_EQ(complaint("a,b\n1,2\n\n4,5,6,7\n"),
            "FILE: row 4 has 4 cells, but the header has 2; quote cells that contain the separator, or take "
            "out the rest");
  EXPECT_EQ(complaint("a,b,t\n1,2,x\n4\n"),
            "FILE: row 3 has 1 cell, but the header has 3; add what is missing, empty cells too");
  EXPECT_EQ(complaint("a,b\n1,2\n3,\"4\n5,6\n"), "FILE: row 3: a quote is opened and never closed");
  EXPECT_EQ(
      complaint("a,b\n1,2\n3,\"4\"5\n5,6\n"),
      "FILE: row 3, column 'b': text after the closing quote; write a quote inside a quoted cell twice");
  EXPECT_EQ(complaint("a,b\n1,2\n3,x\n", {.delimiter = 0, .text_columns = {}, .numeric_columns = {"b"}}),
            "FILE: row 3, column 'b': 'x' is not a number");
}

TEST(CsvErrors, TheFirstTroubleIsReportedWhateverTheThreads) {
  std::string bytes = "a,b\n";
  for (int i = 0; i < 600000; ++i) bytes += i == 1000 || i == 590000 ? "1\n" : "1,2\n";
  const TempFile file(bytes);
  for (int repeat = 0; repeat < 5; ++repeat)
    EXPECT_EQ(
        message_of([&] { read_table(file.path()); }),
        file.path() + ": row 1002 has 1 cell, but the header has 2; add what is missing, empty cells too");
}

TEST(CsvErrors, DamagedGzip) {
  std::string text = "a,b\n";
  for (int i = 0; i < 20000; ++i) text += fmt::format("{},{}\n", i * 0.37, i * i);
  std::string packed = gzipped(text);
  EXPECT_EQ(complaint(packed.substr(0, packed.size() / 2)),
            "FILE: damaged gzip file (it ends too early); make or fetch it again");
  packed[packed.size() / 2] = static_cast<char>(packed[packed.size() / 2] ^ 0x55);
  EXPECT_NE(complaint(packed).find("FILE: damaged gzip file"), std::string::npos);
}

}  // namespace
}  // namespace gnomon::csv_errors_test
