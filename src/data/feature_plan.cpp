#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/json.hpp"
#include "core/text.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/data/dataset.hpp"
#include "truths.hpp"

namespace gnomon {
namespace {

constexpr std::pair<Missing, std::string_view> missing_names[] = {
    {Missing::error, "error"}, {Missing::drop, "drop"}, {Missing::mean, "mean"}};

void check_columns(const FeaturePlan& plan, const Table& table) {
  std::vector<std::string> absent;
  for (const auto& source : plan.sources)
    if (!table.find(source.column)) absent.push_back(source.column);
  if (absent.empty()) return;
  // Only columns that the plan has no use for can be misspelt ones.
  std::vector<std::string> spare;
  for (const auto& name : table.names())
    if (std::none_of(plan.sources.begin(), plan.sources.end(),
                     [&](const auto& s) { return s.column == name; }))
      spare.push_back(name);
  fail("{}: column{} '{}' of the training rows {} missing{}", table.source, absent.size() > 1 ? "s" : "",
       join(absent, "', '"), absent.size() > 1 ? "are" : "is", suggestion(absent.front(), spare));
}

[[noreturn]] void refuse_missing(const Table& table, Index row, const Column& column, Missing policy) {
  fail("{}: the cell is missing; {}", table.place(row, column),
       policy == Missing::drop
           ? "rows cannot be left out here: fill in the cell, or train with `missing` mean"
           : "fill it in, or train with `missing` mean");
}

void encode_number(const FeatureSource& source, const Table& table, const Column& column, Missing policy,
                   Eigen::Ref<Vector> out) {
  const auto truths =
      column.numeric ? std::nullopt : truths_in(table.texts[static_cast<std::size_t>(column.index)]);
  if (!column.numeric && !truths) {
    const auto& text = table.texts[static_cast<std::size_t>(column.index)];
    if (text.first_text_row < 0) fail("{}: column '{}' was read as text", table.source, column.name);
    fail("{}: '{}' is not a number; correct the cell", table.place(text.first_text_row, column),
         shortened(text.levels[static_cast<std::size_t>(
             text.codes[static_cast<std::size_t>(text.first_text_row)])]));
  }
  if (truths)
    out = *truths;
  else
    out = table.numbers.col(column.index);
  for (Index row = 0; row < out.size(); ++row) {
    if (std::isnan(out[row])) {
      if (policy != Missing::mean) refuse_missing(table, row, column, policy);
      out[row] = source.fill[0];
    }
    if (!std::isfinite(out[row]))
      fail("{}: the number is not finite; correct the cell", table.place(row, column));
  }
}

void encode_levels(const FeatureSource& source, const Table& table, const Column& column, Missing policy,
                   Eigen::Ref<Matrix> out) {
  std::vector<Index> feature_of_level;
  if (!column.numeric)
    for (const auto& level : table.texts[static_cast<std::size_t>(column.index)].levels) {
      const auto at = std::lower_bound(source.levels.begin(), source.levels.end(), level);
      const bool known = at != source.levels.end() && *at == level;
      feature_of_level.push_back(known ? at - source.levels.begin() : -1);
    }
  out.setZero();
  for (Index row = 0; row < out.rows(); ++row) {
    const bool absent =
        column.numeric
            ? std::isnan(table.numbers(row, column.index))
            : table.texts[static_cast<std::size_t>(column.index)].codes[static_cast<std::size_t>(row)] < 0;
    if (absent) {
      if (policy != Missing::mean) refuse_missing(table, row, column, policy);
      out.row(row) = source.fill.transpose();
      continue;
    }
    if (column.numeric)
      fail("{}: a number, but the model knows the texts {}; correct the cell", table.place(row, column),
           join(source.levels));
    const auto& text = table.texts[static_cast<std::size_t>(column.index)];
    const auto code = static_cast<std::size_t>(text.codes[static_cast<std::size_t>(row)]);
    if (feature_of_level[code] < 0)
      fail("{}: the value '{}' did not occur in training; give one of {}, or train with rows of it",
           table.place(row, column), text.levels[code], join(source.levels));
    out(row, feature_of_level[code]) = 1;
  }
}

}  // namespace

std::string_view name_of(Missing missing) {
  for (const auto& [value, name] : missing_names)
    if (value == missing) return name;
  return {};
}

Missing missing_from_name(std::string_view name) {
  for (const auto& [value, known] : missing_names)
    if (known == name) return value;
  throw UsageError(fmt::format("unknown treatment of missing cells '{}'; choose error, drop or mean", name));
}

Index FeaturePlan::features() const {
  Index count = 0;
  for (const auto& source : sources) count += source.numeric() ? 1 : static_cast<Index>(source.levels.size());
  return count;
}

std::vector<std::string> FeaturePlan::names() const {
  std::vector<std::string> all;
  for (const auto& source : sources) {
    if (source.numeric()) all.push_back(source.column);
    for (const auto& level : source.levels) all.push_back(source.column + "=" + level);
  }
  return all;
}

CsvOptions FeaturePlan::csv_options() const {
  CsvOptions options;
  for (const auto& source : sources)
    (source.numeric() ? options.numeric_columns : options.text_columns).push_back(source.column);
  return options;
}

Matrix FeaturePlan::encode(const Table& table) const {
  check_columns(*this, table);
  Matrix x(table.rows(), features());
  Index feature = 0;
  for (const auto& source : sources) {
    const Column& column = *table.find(source.column);
    if (source.numeric())
      encode_number(source, table, column, missing, x.col(feature++));
    else {
      const auto width = static_cast<Index>(source.levels.size());
      encode_levels(source, table, column, missing, x.middleCols(feature, width));
      feature += width;
    }
  }
  return x;
}

nlohmann::json to_json(const FeaturePlan& plan) {
  auto sources = nlohmann::json::array();
  for (const auto& source : plan.sources) {
    nlohmann::json entry = {{"column", source.column}};
    if (!source.numeric()) entry["levels"] = source.levels;
    if (source.fill.size() > 0) entry["fill"] = vector_to_json(source.fill);
    sources.push_back(entry);
  }
  return {{"missing", name_of(plan.missing)}, {"sources", sources}};
}

FeaturePlan feature_plan_from_json(const nlohmann::json& json) {
  try {
    FeaturePlan plan;
    plan.missing = missing_from_name(json.at("missing").get<std::string>());
    for (const auto& entry : json.at("sources")) {
      FeatureSource source{.column = entry.at("column").get<std::string>(), .levels = {}, .fill = {}};
      if (entry.contains("levels")) source.levels = entry["levels"].get<std::vector<std::string>>();
      if (entry.contains("fill")) source.fill = vector_from_json(entry["fill"]);
      const auto width = source.numeric() ? 1 : static_cast<Index>(source.levels.size());
      const bool filled = source.fill.size() == width && source.fill.allFinite();
      require(filled || (plan.missing != Missing::mean && source.fill.size() == 0),
              "the feature plan of the model is damaged: column '{}' lacks its means", source.column);
      require(std::is_sorted(source.levels.begin(), source.levels.end()),
              "the feature plan of the model is damaged: levels of '{}' are out of order", source.column);
      plan.sources.push_back(std::move(source));
    }
    return plan;
  } catch (const nlohmann::json::exception& problem) {
    fail("the feature plan of the model is damaged: {}", problem.what());
  }
}

}  // namespace gnomon
