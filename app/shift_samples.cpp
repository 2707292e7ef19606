#include "shift_samples.hpp"

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/data/dataset.hpp"
#include "gnomon/data/scaling.hpp"

namespace gnomon::app {
namespace {

void check_names(const Table& table, const std::vector<std::string>& names, std::string_view flag) {
  for (const auto& name : names)
    if (!table.find(name))
      fail("{}: no column '{}' (given as {}) among {}{}", table.source, name, flag, join(table.names()),
           suggestion(name, table.names()));
}

/// A column of row numbers, so that the rows that are left out can be told from the others.
std::string add_row_numbers(Table& table) {
  std::string name = "row number";
  while (table.find(name)) name += '\'';
  const Index at = table.numbers.cols();
  table.numbers.conservativeResize(Eigen::NoChange, at + 1);
  table.numbers.col(at).setLinSpaced(0, static_cast<double>(table.rows() - 1));
  table.columns.push_back({name, true, at});
  return name;
}

/// The test inputs; under --missing drop without their incomplete rows.
Matrix encode_test(const Table& table, FeaturePlan plan, std::vector<std::string>& notes) {
  if (plan.missing != Missing::drop) return plan.encode(table);
  plan.missing = Missing::mean;  // any number serves: these rows are taken out below
  for (auto& source : plan.sources)
    source.fill = Vector::Zero(source.numeric() ? 1 : static_cast<Index>(source.levels.size()));
  Matrix x = plan.encode(table);
  std::vector<Index> complete;
  for (Index row = 0; row < table.rows(); ++row) {
    const bool whole = std::none_of(
        plan.sources.begin(), plan.sources.end(),
        [&](const FeatureSource& source) { return is_missing(table, *table.find(source.column), row); });
    if (whole) complete.push_back(row);
  }
  const Index absent = table.rows() - static_cast<Index>(complete.size());
  if (absent == 0) return x;
  require(!complete.empty(),
          "{}: every row has a missing cell; `drop` the emptiest columns or use `missing` mean",
          table.source);
  notes.push_back(fmt::format("{} test row{} with missing cells dropped", absent, absent == 1 ? "" : "s"));
  return x(complete, Eigen::all);
}

/// A column that only the training rows have is most often the target; say how to name it.
void check_test_columns(const Table& train, const Table& test, const FeaturePlan& plan,
                        const std::vector<std::string>& targets, std::vector<std::string>& notes) {
  std::vector<std::string> extra;
  for (const auto& column : test.columns) {
    const bool wanted = std::any_of(plan.sources.begin(), plan.sources.end(),
                                    [&](const FeatureSource& s) { return s.column == column.name; });
    if (!wanted && !train.find(column.name) &&
        std::find(targets.begin(), targets.end(), column.name) == targets.end())
      extra.push_back(column.name);
  }
  if (!extra.empty())
    notes.push_back(fmt::format("{}: column{} {} not in {}, ignored", test.source,
                                extra.size() > 1 ? "s" : "", join(extra), train.source));
  if (!targets.empty()) return;
  for (const auto& source : plan.sources)
    if (!test.find(source.column))
      fail(
          "{}: column '{}' of {} is missing; name it with `target` if it is the target, or `drop` "
          "it{}",
          test.source, source.column, train.source, suggestion(source.column, extra));
}

}  // namespace

bool is_missing(const Table& table, const Column& column, Index row) {
  return column.numeric
             ? std::isnan(table.numbers(row, column.index))
             : table.texts[static_cast<std::size_t>(column.index)].codes[static_cast<std::size_t>(row)] < 0;
}

Samples read_samples(const SampleOptions& given) {
  return make_samples(
      read_table(given.train),
      [&](const FeaturePlan& plan) { return read_table(given.test, plan.csv_options()); }, given);
}

Samples make_samples(Table&& train, const std::function<Table(const FeaturePlan&)>& read_test,
                     const SampleOptions& given) {
  const Missing missing = missing_from_name(given.missing);
  const Scale scale = scale_from_name(given.scale);
  Samples out;
  Table& table = out.train_table;
  table = std::move(train);
  // A name may itself hold a comma: the whole text is tried as one name first.
  const auto names = [&](const std::string& text) {
    return table.find(text) ? std::vector<std::string>{text} : split(text, ',');
  };
  const auto targets = names(given.target), features = names(given.features);
  auto drop = names(given.drop);
  check_names(table, features, "`features`");
  check_names(table, drop, "`drop`");
  for (const auto& target : targets) {  // TRAIN may come without it
    require(std::find(features.begin(), features.end(), target) == features.end(),
            "column '{}' cannot be both target and feature", target);
    if (table.find(target))
      drop.push_back(target);
    else
      out.notes.push_back(fmt::format("{}: no column '{}' (given as `target`); nothing to leave out{}",
                                      table.source, target, suggestion(target, table.names())));
  }
  require(table.rows() > 0, "{}: there are no rows below the header", table.source);
  if (drop.size() >= table.columns.size() && features.empty())
    fail("{}: no input column is left; columns: {}", table.source, join(table.names()));

  FeaturePlan plan;
  const DatasetOptions options{.targets = {add_row_numbers(table)},
                               .features = features,
                               .drop = drop,
                               .weight_column = "",
                               .missing = missing};
  Dataset data =
      given.keep_table ? make_dataset(table, options, &plan) : make_dataset(std::move(table), options, &plan);
  table.columns.pop_back();  // NOLINT(bugprone-use-after-move): only its numbers were
  for (const double row : data.y.col(0)) out.row.push_back(static_cast<Index>(row));
  out.notes.insert(out.notes.end(), data.notes.begin(), data.notes.end());
  out.input_names = std::move(data.feature_names);
  out.train = std::move(data.x);

  const Table test = read_test(plan);
  out.test_source = test.source;
  check_test_columns(table, test, plan, targets, out.notes);
  out.test = encode_test(test, plan, out.notes);
  out.plan = std::move(plan);
  out.scaling = Scaling::fit(out.train, Vector(), scale);
  out.scaling.apply(out.train);
  out.scaling.apply(out.test);
  return out;
}

WeighedSamples weigh(const Matrix& train, const Matrix& test, const std::vector<std::string>& input_names,
                     const std::string& method, std::uint64_t seed, const Progress& progress) {
  WeighedSamples out{estimate_density_ratio(method, train, test, {.seed = seed}, progress), {}};
  out.shift = {method, out.ratio.parameters, out.ratio.train_weight, std::nullopt, {}};
  out.shift.verdict = judge_shift(train, test, out.shift.weight,
                                  {.test = {.seed = seed}, .input_names = input_names}, progress);
  auto& warnings = out.shift.verdict->warnings;
  warnings.insert(warnings.end(), out.ratio.warnings.begin(), out.ratio.warnings.end());
  return out;
}

}  // namespace gnomon::app
