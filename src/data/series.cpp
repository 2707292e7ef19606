#include "gnomon/data/series.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/json.hpp"
#include "core/text.hpp"
#include "gnomon/core/error.hpp"

namespace gnomon {
namespace {

/// The column of the series, which must be there and be numeric.
const Column& column_of(const SeriesPlan& plan, const Table& table) {
  const Column* const column = table.find(plan.column);
  if (!column)
    fail("{}: no column '{}' (the series) among {}{}", table.source, plan.column, join(table.names()),
         suggestion(plan.column, table.names()));
  if (column->numeric) return *column;
  const auto& text = table.texts[static_cast<std::size_t>(column->index)];
  const Index row = text.first_text_row;
  require(row >= 0, "{}: column '{}' was read as text; a series must be numeric", table.source, column->name);
  fail("{}: '{}' is not a number; a series must be numeric", table.place(row, *column),
       shortened(text.levels[static_cast<std::size_t>(text.codes[static_cast<std::size_t>(row)])]));
}

/// Refuses values that are not finite, and missing ones unless windows that touch them may be left out.
void check_values(const Table& table, const Column& column, Missing missing) {
  require(
      missing != Missing::mean,
      "missing values of a series cannot be filled with its mean, which knows nothing of their time; fill "
      "them in, or use `missing` drop");
  const auto y = table.numbers.col(column.index);
  for (Index row = 0; row < y.size(); ++row) {
    if (std::isfinite(y[row])) continue;
    if (!std::isnan(y[row])) fail("{}: the number is not finite; correct the cell", table.place(row, column));
    if (missing != Missing::drop)
      fail(
          "{}: the series has no value here; fill it in, or train with `missing` drop, which leaves out all "
          "windows that touch it",
          table.place(row, column));
  }
}

/// A reader skips blank lines. In a file of one column they may be missing values, and without them the rows
/// around would pass for neighbours. `last_line` is the line of the row before the table; 0 = there is none.
void check_blank_lines(const Table& table, Index last_line) {
  if (table.columns.size() != 1) return;
  for (Index row = 0; row < table.rows(); ++row) {
    const Index line = table.line(row);
    require(last_line == 0 || line == last_line + 1,
            "{}: row {} is blank, which may be a missing value of '{}'; write NA there, or delete the line",
            table.source, last_line + 1, table.columns.front().name);
    last_line = line;
  }
}

/// For each row how many values without a gap end with it.
std::vector<Index> run_lengths(const VectorView& y) {
  Index length = 0;
  std::vector<Index> run(static_cast<std::size_t>(y.size()));
  for (Index row = 0; row < y.size(); ++row)
    run[static_cast<std::size_t>(row)] = length = std::isnan(y[row]) ? 0 : length + 1;
  return run;
}

}  // namespace

void SeriesPlan::check() const {
  require(lags >= 1, "a series needs at least 1 lag, not {}", lags);
  require(horizon >= 1, "a series is predicted at least 1 step ahead, not {}", horizon);
}

std::vector<std::string> SeriesPlan::lag_names() const {
  std::vector<std::string> names;
  for (Index j = 0; j < lags; ++j) names.push_back(fmt::format("{} lag {}", column, horizon + j));
  return names;
}

CsvOptions SeriesPlan::csv_options() const {
  CsvOptions options;
  options.numeric_columns.push_back(column);
  return options;
}

Table SeriesPlan::windows(const Table& table, Missing missing, Index least,
                          std::vector<std::string>& notes) const {
  check();
  const Column& series = column_of(*this, table);
  check_blank_lines(table, 0);
  check_values(table, series, missing);
  const Index n = table.rows();
  // Written so that no sum can overflow: n ≥ K + H + least − 1.
  if (lags > n || horizon > n - lags || least - 1 > n - lags - horizon)
    fail("{}: {} of '{}' are too few for `lags` {} `horizon` {}; {} are needed, or fewer lags", table.source,
         counted(n, "row"), column, lags, horizon,
         static_cast<double>(lags) + static_cast<double>(horizon) + static_cast<double>(least - 1));

  const auto y = table.numbers.col(series.index);
  const std::vector<Index> run = run_lengths(y);
  std::vector<Index> predicted;  // rows whose value has its window
  for (Index row = lags + horizon - 1; row < n; ++row) {
    const Index newest = row - horizon;
    if (!std::isnan(y[row]) && run[static_cast<std::size_t>(newest)] >= lags) predicted.push_back(row);
  }
  const auto kept = static_cast<Index>(predicted.size());
  const Index possible = n - lags - horizon + 1;
  if (kept < least)
    fail("{}: missing values of '{}' leave {} of {}, {} needed; fill values in, or use fewer lags",
         table.source, column, kept, counted(possible, "window"), least);

  Table out;
  out.source = table.source;
  for (const auto& name : lag_names())
    out.columns.push_back({.name = name, .index = static_cast<Index>(out.columns.size())});
  out.columns.push_back({.name = column, .index = lags});
  out.numbers.resize(kept, lags + 1);
  for (Index i = 0; i < kept; ++i) {
    const Index row = predicted[static_cast<std::size_t>(i)], line = table.line(row);
    if (i == 0 || line != out.line(i - 1) + 1) out.line_jumps.push_back({i, line});
  }
  for (Index j = 0; j < lags; ++j)
    for (Index i = 0; i < kept; ++i)
      out.numbers(i, j) = y[predicted[static_cast<std::size_t>(i)] - horizon - j];
  out.numbers.col(lags) = y(predicted);

  notes.push_back(fmt::format("series '{}' of {}: {} ({}, horizon {}) from {}", column, table.source,
                              counted(kept, "window"), counted(lags, "lag"), horizon, counted(n, "row")));
  if (kept < possible)
    notes.push_back(fmt::format("{} of {} left out for missing values", counted(possible - kept, "window"),
                                table.source));
  return out;
}

Matrix SeriesPlan::newest_windows(const Table& block, Missing missing, SeriesPast& past) const {
  check();
  const Column& series = column_of(*this, block);
  check_blank_lines(block, past.last_line);
  check_values(block, series, missing);
  const Index before = past.values.size(), n = block.rows();
  Vector y(before + n);
  y.head(before) = past.values;
  y.tail(n) = block.numbers.col(series.index);
  const std::vector<Index> run = run_lengths(y);
  Matrix x = Matrix::Constant(n, lags, undefined);
  for (Index row = 0; row < n; ++row) {
    const Index newest = before + row;
    if (run[static_cast<std::size_t>(newest)] >= lags)
      for (Index j = 0; j < lags; ++j) x(row, j) = y[newest - j];
  }
  past.values = y.tail(std::min(lags - 1, y.size()));
  if (n > 0) past.last_line = block.line(n - 1);
  return x;
}

nlohmann::json to_json(const SeriesPlan& plan) {
  return {{"column", plan.column}, {"lags", plan.lags}, {"horizon", plan.horizon}};
}

SeriesPlan series_plan_from_json(const nlohmann::json& json) {
  try {
    SeriesPlan plan;
    plan.column = json.at("column").get<std::string>();
    plan.lags = whole_from_json(json.at("lags"));
    plan.horizon = whole_from_json(json.at("horizon"));
    plan.check();
    constexpr Index most = Index{1} << 40;  // rows of any series, and far from overflow
    require(plan.lags <= most && plan.horizon <= most, "the series of the model has {} lags and horizon {}",
            plan.lags, plan.horizon);
    return plan;
  } catch (const nlohmann::json::exception& problem) {
    fail("the series of the model is damaged: {}", problem.what());
  }
}

}  // namespace gnomon
