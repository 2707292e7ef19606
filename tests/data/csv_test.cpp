#include "gnomon/data/csv.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "gnomon/core/parallel.hpp"
#include "gnomon/core/random.hpp"
#include "temp_file.hpp"

namespace gnomon::csv_test {
namespace {

using testing::gzipped;
using testing::TempFile;

Table read(const std::string& bytes, const CsvOptions& options = {}) {
  const TempFile file(bytes);
  return read_table(file.path(), options);
}

std::string cell(const Table& table, const std::string& name, Index row) {
  const Column& column = *table.find(name);
  if (column.numeric) return fmt::format("{}", table.numbers(row, column.index));
  const auto& text = table.texts[static_cast<std::size_t>(column.index)];
  const int code = text.codes[static_cast<std::size_t>(row)];
  return code < 0 ? "missing" : text.levels[static_cast<std::size_t>(code)];
}

void expect_same(const Table& a, const Table& b) {
  ASSERT_EQ(a.rows(), b.rows());
  ASSERT_EQ(a.names(), b.names());
  ASSERT_EQ(a.numbers.cols(), b.numbers.cols());
  EXPECT_EQ(std::memcmp(a.numbers.data(), b.numbers.data(),
                        sizeof(double) * static_cast<std::size_t>(a.numbers.size())),
            0);
  ASSERT_EQ(a.texts.size(), b.texts.size());
  for (std::size_t t = 0; t < a.texts.size(); ++t) {
    EXPECT_EQ(a.texts[t].levels, b.texts[t].levels);
    EXPECT_EQ(a.texts[t].codes, b.texts[t].codes);
    EXPECT_EQ(a.texts[t].numeric_cells, b.texts[t].numeric_cells);
    EXPECT_EQ(a.texts[t].first_text_row, b.texts[t].first_text_row);
  }
  EXPECT_EQ(a.line_jumps, b.line_jumps);
}

TEST(ReadTable, NumbersAndTextInFileOrder) {
  const Table t = read("a,sex,b\n1,M,2.5\n-3,F,4e2\n");
  ASSERT_EQ(t.rows(), 2);
  EXPECT_EQ(t.names(), (std::vector<std::string>{"a", "sex", "b"}));
  EXPECT_EQ(t.numbers, (Matrix(2, 2) << 1, 2.5, -3, 400).finished());
  EXPECT_EQ(t.texts[0].levels, (std::vector<std::string>{"F", "M"}));
  EXPECT_EQ(t.texts[0].codes, (std::vector<int>{1, 0}));
}

TEST(ReadTable, TheSameTableInEveryDress) {
  const std::string plain = "a,b,name\n1,2,x\n3,4,y\n";
  const Table expected = read(plain);
  expect_same(read("a,b,name\r\n1,2,x\r\n3,4,y\r\n"), expected);
  expect_same(read("\xEF\xBB\xBF" + plain), expected);
  expect_same(read("a,b,name\n1,2,x\n3,4,y"), expected);
  expect_same(read("a,b,name\r\n1,2,x\r\n3,4,y\r"), expected);
  expect_same(read(gzipped(plain)), expected);
  expect_same(read("a;b;name\n1;2;x\n3;4;y\n"), expected);
  expect_same(read("a\tb\tname\n1\t2\tx\n3\t4\ty\n"), expected);
  expect_same(read("a|b|name\n1|2|x\n3|4|y\n"), expected);
  expect_same(read("  a   b name\n 1 2    x \n 3  4 y\n"), expected);
  expect_same(read("\"a\",\"b\",\"name\"\n\"1\",\"2\",\"x\"\n\"3\",\"4\",\"y\"\n"), expected);
  expect_same(read("a , b, name\n 1 , 2, x\n+3, 4 ,y  \n"), expected);
  expect_same(read(plain + "\n\n  \n"), expected);
  expect_same(read("a:b:name\n1:2:x\n3:4:y\n", {.delimiter = ':', .text_columns = {}, .numeric_columns = {}}),
              expected);
}

TEST(ReadTable, QuotesHoldDelimitersLineBreaksAndQuotes) {
  const Table t = read("name,v\n\"Doe, \"\"J\"\"\nJr\",1\n5\" pipe,2\n\"\",3\n");
  EXPECT_EQ(cell(t, "name", 0), "Doe, \"J\"\nJr");
  EXPECT_EQ(cell(t, "name", 1), "5\" pipe");
  EXPECT_EQ(cell(t, "name", 2), "missing");
  EXPECT_EQ(cell(t, "v", 2), "3");
  EXPECT_EQ(t.line(0), 2);
  EXPECT_EQ(t.line(1), 4);
  EXPECT_EQ(t.line(2), 5);
}

TEST(ReadTable, LineNumbersSkipBlankLines) {
  const Table t = read("\na,b\n\n1,2\n3,4\n\r\n\n5,6\n");
  ASSERT_EQ(t.rows(), 3);
  EXPECT_EQ(t.line(0), 4);
  EXPECT_EQ(t.line(1), 5);
  EXPECT_EQ(t.line(2), 8);
}

TEST(ReadTable, MissingAndInfiniteCells) {
  const Table t = read("a,b\n,1\nNA,1\nn/a,1\nNaN,1\nNULL,1\n?,1\ninf,1\n-Infinity,1\n1e999,1\n\"NA\",1\n");
  ASSERT_TRUE(t.columns[0].numeric);
  for (const Index row : {0, 1, 2, 3, 4, 5, 9}) EXPECT_TRUE(std::isnan(t.numbers(row, 0))) << row;
  EXPECT_EQ(t.numbers(6, 0), INFINITY);
  EXPECT_EQ(t.numbers(7, 0), -INFINITY);
  EXPECT_EQ(t.numbers(8, 0), INFINITY);
}

TEST(ReadTable, OneTextCellMakesAColumnTextHoweverLate) {
  std::string bytes = "a,b,c\n";
  for (int i = 0; i < 500; ++i) bytes += fmt::format("{},{},{}\n", i, i == 400 ? "oops" : "1.50", 2 * i);
  const Table t = read(bytes);
  EXPECT_FALSE(t.columns[1].numeric);
  EXPECT_EQ(t.texts[0].levels, (std::vector<std::string>{"1.50", "oops"}));
  EXPECT_EQ(t.texts[0].numeric_cells, 499);
  EXPECT_EQ(t.texts[0].text_cells, 1);
  EXPECT_EQ(t.texts[0].first_text_row, 400);
  EXPECT_EQ(t.line(400), 402);
  ASSERT_EQ(t.numbers.cols(), 2);
  for (Index i = 0; i < 500; ++i) EXPECT_EQ(t.numbers(i, 1), 2.0 * static_cast<double>(i));
}

TEST(ReadTable, ForcedTypes) {
  const Table t =
      read("code,x\n01,1\n1,2\n", {.delimiter = 0, .text_columns = {"code"}, .numeric_columns = {"x"}});
  EXPECT_EQ(t.texts[0].levels, (std::vector<std::string>{"01", "1"}));
  EXPECT_EQ(t.texts[0].first_text_row, -1);
  EXPECT_TRUE(t.find("x")->numeric);
}

TEST(ReadTable, DoublesComeBackBitForBitFromManyChunks) {
  Random random(3);
  Matrix truth(30000, 7);
  for (double& value : truth.reshaped()) value = random.normal() * std::exp(30 * random.normal());
  std::string bytes = "a,b,c,d,e,f,g\n";
  for (Index i = 0; i < truth.rows(); ++i)
    for (Index j = 0; j < 7; ++j) bytes += fmt::format("{:.17g}{}", truth(i, j), j < 6 ? ',' : '\n');
  ASSERT_GT(bytes.size(), 4u << 20);
  const Table t = read(bytes);
  ASSERT_EQ(t.rows(), truth.rows());
  EXPECT_EQ(
      std::memcmp(t.numbers.data(), truth.data(), sizeof(double) * static_cast<std::size_t>(truth.size())),
      0);
  expect_same(read(gzipped(bytes)), t);
}

TEST(ReadTable, WideAndNarrow) {
  std::string header, row;
  for (int j = 0; j < 5000; ++j) {
    header += fmt::format("{}c{}", j ? "," : "", j);
    row += fmt::format("{}{}", j ? "," : "", j * 0.5);
  }
  const Table wide = read(header + "\n" + row + "\n" + row + "\n");
  ASSERT_EQ(wide.numbers.cols(), 5000);
  for (Index j = 0; j < 5000; ++j) EXPECT_EQ(wide.numbers(1, j), 0.5 * static_cast<double>(j));
  const Table narrow = read("my column\n1\n2\n");
  EXPECT_EQ(narrow.columns[0].name, "my column");
  EXPECT_EQ(narrow.numbers, (Matrix(2, 1) << 1, 2).finished());
  EXPECT_EQ(read("a,b\n5,6\n").numbers, (Matrix(1, 2) << 5, 6).finished());
}

/// Rows of very different lengths, so that chunks are cut inside and between quoted cells with line breaks.
std::string quoted_rows(int rows) {
  Random random(11);
  std::string bytes = "id,text,v\n";
  for (int i = 0; i < rows; ++i) {
    std::string text(random.below(300), 'x');
    for (char& c : text) {
      const auto pick = random.below(12);
      if (pick == 0) c = '\n';
      if (pick == 1) c = ',';
    }
    bytes += fmt::format("{},\"{}\"\"{}\",{}\n", i, text, random.below(50), 0.25 * i);
  }
  return bytes;
}

TEST(ReadTable, ChunksCutOutsideQuotes) {
  const std::string bytes = quoted_rows(20000);
  ASSERT_GT(bytes.size(), 2u << 20);
  const Table t = read(bytes);
  ASSERT_EQ(t.rows(), 20000);
  Index line = 2;
  std::size_t at = bytes.find('\n') + 1;
  for (Index i = 0; i < t.rows(); ++i) {
    EXPECT_EQ(t.numbers(i, 0), static_cast<double>(i));
    EXPECT_EQ(t.numbers(i, 1), 0.25 * static_cast<double>(i));
    EXPECT_EQ(t.line(i), line);
    const std::string start = fmt::format("{},\"", i),
                      stop = fmt::format("\",{}\n", 0.25 * static_cast<double>(i));
    const std::size_t end = bytes.find(stop, at);
    std::string raw = bytes.substr(at + start.size(), end - at - start.size());
    const auto pair = raw.find("\"\"");
    raw.erase(pair, 1);
    ASSERT_EQ(cell(t, "text", i), raw);
    line += std::count(raw.begin(), raw.end(), '\n') + 1;
    at = end + stop.size();
  }
}

TEST(ReadTable, ThreadsDoNotChangeTheTable) {
  const TempFile file(quoted_rows(20000));
  set_threads(1);
  const Table one = read_table(file.path());
  set_threads(2);
  const Table two = read_table(file.path());
  set_threads(0);
  expect_same(one, two);
}

TEST(ReadTable, StreamingInBlocksEqualsTheWhole) {
  std::string bytes = quoted_rows(3000);
  bytes.insert(bytes.find('\n') + 1, "\n\n");
  for (const std::string& dressed : {bytes, gzipped(bytes)}) {
    const TempFile file(dressed);
    const CsvOptions types{.delimiter = 0, .text_columns = {"text"}, .numeric_columns = {"id", "v"}};
    const Table whole = read_table(file.path(), types);
    for (const Index size : {1, 7, 1000, 100000}) {
      TableReader reader(file.path(), types);
      EXPECT_EQ(reader.names(), whole.names());
      Table block;
      Index row = 0;
      while (reader.next(block, size)) {
        ASSERT_EQ(block.rows(), std::min(size, whole.rows() - row));
        for (Index i = 0; i < block.rows(); ++i, ++row) {
          ASSERT_EQ(block.numbers.row(i), whole.numbers.row(row));
          ASSERT_EQ(cell(block, "text", i), cell(whole, "text", row));
          ASSERT_EQ(block.line(i), whole.line(row));
        }
      }
      EXPECT_EQ(row, whole.rows());
      EXPECT_FALSE(reader.next(block, size));
    }
  }
}

TEST(ReadTable, StreamingEndsCleanlyOnTrailingBlankLines) {
  const TempFile file("a,b\n1,2\n3,4\n\n  \n");
  TableReader reader(file.path());
  Table block;
  ASSERT_TRUE(reader.next(block, 2));
  EXPECT_FALSE(reader.next(block, 2));
}

}  // namespace
}  // namespace gnomon::csv_test
