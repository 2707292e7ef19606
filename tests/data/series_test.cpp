#include "gnomon/data/series.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "gnomon/core/random.hpp"
#include "temp_file.hpp"

namespace gnomon::series_test {
namespace {

using testing::message_of;
using testing::TempFile;

/// A table with one numeric column, whose first row is at this line of the file.
Table series_table(const std::vector<double>& y, Index line = 2) {
  Table table;
  table.line_jumps.push_back({0, line});
  table.source = "s.csv";
  table.columns.push_back({.name = "y"});
  table.numbers = Eigen::Map<const Vector>(y.data(), static_cast<Index>(y.size()));
  return table;
}

/// Equal in shape and in every number; Eigen's == does not look at the shape.
void expect_same(const Matrix& got, const Matrix& wanted) {
  ASSERT_EQ(got.rows(), wanted.rows());
  ASSERT_EQ(got.cols(), wanted.cols());
  EXPECT_EQ(got, wanted);
}

SeriesPlan plan_of(Index lags, Index horizon) { return {"y", lags, horizon}; }

Table windows_of(const Table& table, const SeriesPlan& plan, Missing missing = Missing::error,
                 Index least = 1) {
  std::vector<std::string> notes;
  return plan.windows(table, missing, least, notes);
}

std::vector<Index> lines_of(const Table& table) {
  std::vector<Index> lines;
  for (Index row = 0; row < table.rows(); ++row) lines.push_back(table.line(row));
  return lines;
}

/// The same windows, looked up one by one.
Matrix slow_windows(const std::vector<double>& y, Index lags, Index horizon) {
  std::vector<std::vector<double>> rows;
  for (std::size_t s = 0; s < y.size(); ++s) {
    std::vector<double> row;
    for (Index back = horizon; back < horizon + lags; ++back)
      if (static_cast<Index>(s) >= back) row.push_back(y[s - static_cast<std::size_t>(back)]);
    row.push_back(y[s]);
    bool whole = static_cast<Index>(row.size()) == lags + 1;
    for (const double value : row) whole = whole && !std::isnan(value);
    if (whole) rows.push_back(row);
  }
  Matrix out(static_cast<Index>(rows.size()), lags + 1);
  for (Index i = 0; i < out.rows(); ++i)
    for (Index j = 0; j <= lags; ++j)
      out(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  return out;
}

TEST(Series, WindowsByHand) {
  const Table table = series_table({10, 20, 30, 40, 50});
  const Table one = windows_of(table, plan_of(2, 1));
  EXPECT_EQ(one.names(), (std::vector<std::string>{"y lag 1", "y lag 2", "y"}));
  expect_same(one.numbers, (Matrix(3, 3) << 20, 10, 30, 30, 20, 40, 40, 30, 50).finished());
  EXPECT_EQ(one.source, "s.csv");
  EXPECT_EQ(lines_of(one), (std::vector<Index>{4, 5, 6}));

  const Table three = windows_of(table, plan_of(2, 3));
  EXPECT_EQ(three.names(), (std::vector<std::string>{"y lag 3", "y lag 4", "y"}));
  expect_same(three.numbers, (Matrix(1, 3) << 20, 10, 50).finished());
  EXPECT_EQ(lines_of(three), (std::vector<Index>{6}));
}

TEST(Series, MissingValuesTakeTheirWindowsAlong) {
  const Table table = series_table({1, 2, 3, undefined, 5, 6, 7, 8, undefined});
  const Table two = windows_of(table, plan_of(2, 1), Missing::drop);
  expect_same(two.numbers, (Matrix(3, 3) << 2, 1, 3, 6, 5, 7, 7, 6, 8).finished());
  EXPECT_EQ(lines_of(two), (std::vector<Index>{4, 8, 9}));
  // A value between the window and the one to predict plays no part, so it may be missing.
  const Table far = windows_of(table, plan_of(2, 3), Missing::drop);
  expect_same(far.numbers, (Matrix(2, 3) << 2, 1, 5, 3, 2, 6).finished());
}

TEST(Series, AgreesWithTheSlowWay) {
  Random random(3);
  std::vector<double> y;
  for (int t = 0; t < 60; ++t) y.push_back(random.uniform() < 0.1 ? undefined : random.normal());
  for (const Index lags : {1, 2, 5})
    for (const Index horizon : {1, 2, 4})
      expect_same(windows_of(series_table(y), plan_of(lags, horizon), Missing::drop).numbers,
                  slow_windows(y, lags, horizon));
}

TEST(Series, LinesOfTheFileAreKept) {
  // A blank line, a cell over two lines, a missing value.
  const TempFile file("y,what\n1,a\n2,b\n\n3,\"two\nlines\"\n4,c\n,d\n6,e\n7,f\n8,g\n");
  const Table table = read_table(file.path());
  const Table windows = windows_of(table, plan_of(1, 1), Missing::drop);
  expect_same(windows.numbers.col(1), (Vector(5) << 2, 3, 4, 7, 8).finished());
  EXPECT_EQ(lines_of(windows), (std::vector<Index>{3, 5, 7, 10, 11}));
  EXPECT_EQ(windows.place(1, windows.columns[1]), file.path() + ": row 5, column 'y'");
}

TEST(Series, NotesSayWhatBecameOfTheRows) {
  std::vector<std::string> notes;
  plan_of(2, 3).windows(series_table({1, 2, 3, 4, 5, 6, 7, undefined}), Missing::drop, 1, notes);
  EXPECT_EQ(notes, (std::vector<std::string>{"series 'y' of s.csv: 3 windows (2 lags, horizon 3) from 8 rows",
                                             "1 window of s.csv left out for missing values"}));
}

TEST(Series, Refusals) {
  const Table table = series_table({1, 2, undefined, 4, 5, 6});
  EXPECT_EQ(
      message_of([&] { windows_of(table, plan_of(1, 1)); }),
      "s.csv: row 4, column 'y': the series has no value here; fill it in, or train with `missing` drop, "
      "which leaves out all windows that touch it");
  EXPECT_NE(message_of([&] { windows_of(table, plan_of(1, 1), Missing::mean); }).find("`missing` drop"),
            std::string::npos);
  EXPECT_EQ(message_of([&] { windows_of(table, plan_of(4, 1), Missing::drop); }),
            "s.csv: missing values of 'y' leave 0 of 2 windows, 1 needed; fill values in, or use fewer lags");
  EXPECT_EQ(message_of([] {
              windows_of(series_table({1, HUGE_VAL, 3}), plan_of(1, 1), Missing::drop);
            }),
            "s.csv: row 3, column 'y': the number is not finite; correct the cell");
  EXPECT_EQ(message_of([&] {
              windows_of(table, {"yy", 1, 1});
            }),
            "s.csv: no column 'yy' (the series) among y; did you mean 'y'?");
  EXPECT_NE(message_of([&] { windows_of(table, plan_of(0, 1)); }).find("at least 1 lag"), std::string::npos);
  EXPECT_NE(message_of([&] { windows_of(table, plan_of(1, 0)); }).find("at least 1 step"), std::string::npos);

  const TempFile text("y\n1\nhigh\n3\n");
  EXPECT_EQ(message_of([&] { windows_of(read_table(text.path()), plan_of(1, 1)); }),
            text.path() + ": row 3, column 'y': 'high' is not a number; a series must be numeric");
}

TEST(Series, RowsThatAreJustEnough) {
  const Table five = series_table({1, 2, 3, 4, 5});
  EXPECT_EQ(windows_of(five, plan_of(2, 2), Missing::error, 2).rows(), 2);
  EXPECT_EQ(message_of([&] { windows_of(five, plan_of(2, 3), Missing::error, 2); }),
            "s.csv: 5 rows of 'y' are too few for `lags` 2 `horizon` 3; 6 are needed, or fewer lags");
  EXPECT_EQ(windows_of(five, plan_of(2, 3), Missing::error, 1).rows(), 1);
  constexpr Index huge = std::numeric_limits<Index>::max();
  for (const auto& plan : {plan_of(huge, huge), plan_of(huge, 1), plan_of(1, huge)})
    EXPECT_NE(message_of([&] { windows_of(five, plan, Missing::error, 2); }).find("too few"),
              std::string::npos);
}

TEST(Series, NewestWindowsByHand) {
  SeriesPast past;
  const Matrix x = plan_of(3, 2).newest_windows(series_table({10, 20, 30, 40}), Missing::error, past);
  ASSERT_EQ(x.rows(), 4);
  EXPECT_TRUE(x.topRows(2).array().isNaN().all());
  expect_same(x.bottomRows(2), (Matrix(2, 3) << 30, 20, 10, 40, 30, 20).finished());
  expect_same(past.values, (Vector(2) << 30, 40).finished());
}

TEST(Series, NewestWindowsAreThoseOfTraining) {
  Random random(5);
  const Vector y = random.normal_vector(20);
  const Table table = series_table({y.begin(), y.end()});
  for (const Index horizon : {1, 3}) {
    const SeriesPlan plan = plan_of(4, horizon);
    const Table windows = windows_of(table, plan);
    SeriesPast past;
    const Matrix newest = plan.newest_windows(table, Missing::error, past);
    expect_same(newest.middleRows(3, windows.rows()), windows.numbers.leftCols(4));
  }
}

TEST(Series, NewestWindowsDoNotDependOnTheBlocks) {
  Random random(7);
  std::vector<double> y;
  for (int t = 0; t < 50; ++t) y.push_back(random.uniform() < 0.08 ? undefined : random.normal());
  for (const Index lags : {1, 4, 9}) {
    const SeriesPlan plan = plan_of(lags, 1);
    SeriesPast past;
    const Matrix whole = plan.newest_windows(series_table(y), Missing::drop, past);
    for (const std::size_t size : {1, 3, 7, 49}) {
      past = {};
      for (std::size_t first = 0; first < y.size(); first += size) {
        const std::size_t last = std::min(first + size, y.size());
        const std::vector<double> rows(y.begin() + static_cast<long>(first),
                                       y.begin() + static_cast<long>(last));
        const Matrix part =
            plan.newest_windows(series_table(rows, 2 + static_cast<Index>(first)), Missing::drop, past);
        for (Index i = 0; i < part.rows(); ++i)
          for (Index j = 0; j < lags; ++j) {
            const double wanted = whole(static_cast<Index>(first) + i, j);
            EXPECT_TRUE(part(i, j) == wanted || (std::isnan(part(i, j)) && std::isnan(wanted)));
          }
      }
    }
  }
}

TEST(Series, AMissingValueInANewSeries) {
  const Table table = series_table({1, 2, undefined, 4, 5});
  SeriesPast past;
  EXPECT_NE(message_of([&] {
              plan_of(2, 1).newest_windows(table, Missing::error, past);
            }).find("row 4, column 'y'"),
            std::string::npos);
  const Matrix x = plan_of(2, 1).newest_windows(table, Missing::drop, past);
  for (const Index row : {0, 2, 3}) EXPECT_TRUE(x.row(row).array().isNaN().all()) << row;
  EXPECT_EQ(x.row(1), (Eigen::RowVector2d(2, 1)));
  EXPECT_EQ(x.row(4), (Eigen::RowVector2d(5, 4)));
}

TEST(Series, ABlankLineMayBeAMissingValue) {
  const TempFile one("y\n1\n2\n\n4\n5\n6\n");
  const std::string complaint =
      ": row 4 is blank, which may be a missing value of 'y'; write NA there, or "
      "delete the line";
  EXPECT_EQ(message_of([&] { windows_of(read_table(one.path()), plan_of(1, 1), Missing::drop); }),
            one.path() + complaint);
  for (const Index size : {1, 2, 3, 9}) {
    TableReader reader(one.path());
    Table block;
    SeriesPast past;
    EXPECT_EQ(message_of([&] {
                while (reader.next(block, size)) plan_of(2, 1).newest_windows(block, Missing::drop, past);
              }),
              one.path() + complaint)
        << size;
  }
  // Beside other columns, before the first row and after the last one it is no row.
  const TempFile two("t,y\n1,1\n2,2\n\n4,4\n");
  EXPECT_EQ(windows_of(read_table(two.path()), plan_of(1, 1)).rows(), 2);
  const TempFile around("\ny\n\n1\n2\n3\n\n\n");
  EXPECT_EQ(windows_of(read_table(around.path()), plan_of(1, 1)).rows(), 2);
}

TEST(Series, JsonRoundTrip) {
  const SeriesPlan plan{"price, EUR", 12, 3};
  EXPECT_EQ(series_plan_from_json(to_json(plan)), plan);
  for (const char* damaged : {R"({"column": "y", "lags": 2})", R"({"column": "y", "lags": 0, "horizon": 1})",
                              R"({"column": "y", "lags": "two", "horizon": 1})", R"([])"})
    EXPECT_NE(message_of([&] { series_plan_from_json(nlohmann::json::parse(damaged)); }), "") << damaged;
}

}  // namespace
}  // namespace gnomon::series_test
