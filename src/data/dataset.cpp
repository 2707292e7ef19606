#include "gnomon/data/dataset.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "cell.hpp"
#include "core/text.hpp"
#include "gnomon/core/error.hpp"
#include "truths.hpp"

namespace gnomon {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t most_levels = 100;

const TextColumn& text_of(const Table& table, const Column& column) {
  return table.texts[static_cast<std::size_t>(column.index)];
}

bool is_missing(const Table& table, const Column& column, Index row) {
  return column.numeric ? std::isnan(table.numbers(row, column.index))
                        : text_of(table, column).codes[static_cast<std::size_t>(row)] < 0;
}

bool is_in(const std::string& name, const std::vector<std::string>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The parts the columns play, checked against the table.
struct Roles {
  std::vector<const Column*> features, targets;
  const Column *weight = nullptr, *group = nullptr;
  bool group_is_fold = false;
  std::set<const Column*> finite;  ///< features and targets without a missing or infinite cell
};

const Column& find_column(const Table& table, const std::string& name, std::string_view role) {
  const Column* const column = table.find(name);
  if (!column)
    fail("{}: no column '{}' (given as {}) among {}{}", table.source, name, role, join(table.names()),
         suggestion(name, table.names()));
  return *column;
}

/// Whether every cell of a column is a finite number: x·0 is 0 then, and otherwise not a number.
bool all_finite(const Table& table, const Column& column) {
  return column.numeric && (table.numbers.col(column.index).array() * 0).sum() == 0;
}

Roles assign_roles(const Table& table, const DatasetOptions& options) {
  Roles roles;
  if (options.targets.empty()) fail("{}: no target given; columns: {}", table.source, join(table.names()));
  for (const auto& name : options.drop) find_column(table, name, "`drop`");
  for (const auto& name : options.targets) {
    const Column& column = find_column(table, name, "target");
    require(!is_in(name, options.features), "column '{}' cannot be both target and feature", name);
    require(!is_in(name, options.drop), "column '{}' cannot be both target and dropped", name);
    require(name != options.weight_column, "column '{}' cannot be both target and weight", name);
    require(std::find(roles.targets.begin(), roles.targets.end(), &column) == roles.targets.end(),
            "target '{}' is given twice", name);
    roles.targets.push_back(&column);
  }
  if (!options.weight_column.empty()) roles.weight = &find_column(table, options.weight_column, "weights");
  if (!options.group_column.empty()) {
    roles.group_is_fold = options.groups_are_folds;
    const std::string_view role = roles.group_is_fold ? "`fold-column`" : "`fold-groups`";
    roles.group = &find_column(table, options.group_column, role);
    require(!is_in(options.group_column, options.targets), "column '{}' cannot be both target and {}",
            options.group_column, role);
    require(roles.group != roles.weight, "column '{}' cannot be both weight and {}", options.group_column,
            role);
    require(!is_in(options.group_column, options.features),
            "column '{}' cannot be both feature and {}: a fit would know where the rows held out come from",
            options.group_column, role);
  }
  const auto candidates = options.features.empty() ? table.names() : options.features;
  for (const auto& name : candidates) {
    const Column& column = find_column(table, name, "feature");
    if (&column == roles.weight || &column == roles.group || is_in(name, options.targets) ||
        is_in(name, options.drop))
      continue;
    require(std::find(roles.features.begin(), roles.features.end(), &column) == roles.features.end(),
            "feature '{}' is given twice", name);
    roles.features.push_back(&column);
  }
  if (roles.features.empty())
    fail("{}: no feature column is left; columns: {}", table.source, join(table.names()));
  for (const auto* columns : {&roles.targets, &roles.features})
    std::copy_if(columns->begin(), columns->end(), std::inserter(roles.finite, roles.finite.end()),
                 [&](const Column* column) { return all_finite(table, *column); });
  return roles;
}

[[noreturn]] void refuse_text_cell(const Table& table, const Column& column, std::string_view advice) {
  const auto& text = text_of(table, column);
  const Index row = text.first_text_row;
  require(row >= 0, "{}: column '{}' was read as text; it must be numeric", table.source, column.name);
  fail("{}: '{}' is not a number; {}", table.place(row, column),
       shortened(text.levels[static_cast<std::size_t>(text.codes[static_cast<std::size_t>(row)])]), advice);
}

void check_numeric(const Table& table, const Column& column, std::string_view role) {
  if (!column.numeric) refuse_text_cell(table, column, fmt::format("a {} must be numeric", role));
}

void check_finite(const Table& table, const Column& column, const std::vector<Index>& rows) {
  if (!column.numeric) return;
  for (const Index row : rows)
    if (std::isinf(table.numbers(row, column.index)))
      fail("{}: the number is not finite; correct the cell or leave the row out", table.place(row, column));
}

/// Checks the weights and returns the rows that count: density ratios keep those of weight zero.
std::vector<Index> rows_with_weight(const Table& table, const Roles& roles, bool ratios,
                                    std::vector<std::string>& notes) {
  std::vector<Index> rows(static_cast<std::size_t>(table.rows()));
  std::iota(rows.begin(), rows.end(), Index{0});
  if (!roles.weight) return rows;
  check_numeric(table, *roles.weight, "weight");
  const auto weight = table.numbers.col(roles.weight->index);
  for (const Index row : rows) {
    const auto place = [&] { return table.place(row, *roles.weight); };
    if (std::isnan(weight[row]))
      fail("{}: the weight is missing; fill it in, or give the row weight 0", place());
    if (weight[row] < 0)
      fail("{}: the weight {} is negative; {}", place(), weight[row],
           ratios ? "a density ratio is 0 or more" : "a weight counts how often a row occurs");
    if (std::isinf(weight[row])) fail("{}: the weight is not finite; correct the cell", place());
  }
  const bool all_zero = std::all_of(rows.begin(), rows.end(), [&](Index row) { return weight[row] == 0; });
  if (!ratios) std::erase_if(rows, [&](Index row) { return weight[row] == 0; });
  require(!all_zero, "{}: all weights in column '{}' are zero (rows {} to {}); at least two rows must count",
          table.source, roles.weight->name, table.line(0), table.line(table.rows() - 1));
  const Index absent = table.rows() - static_cast<Index>(rows.size());
  if (absent > 0) notes.push_back(fmt::format("{} of weight zero left out", counted(absent, "row")));
  return rows;
}

/// Applies the policy to rows with missing cells: refuses, or leaves the rows out.
void treat_missing(const Table& table, const Roles& roles, Missing policy, std::vector<Index>& rows,
                   std::vector<std::string>& notes) {
  Index cells = 0, affected = 0;
  std::string first;
  std::vector<char> incomplete(static_cast<std::size_t>(table.rows()), 0);
  auto look = [&](const Column& column) {
    if (roles.finite.contains(&column)) return;
    Index found = 0;
    for (const Index row : rows)
      if (is_missing(table, column, row)) {
        if (cells + found == 0) first = table.place(row, column);
        ++found;
        affected += !std::exchange(incomplete[static_cast<std::size_t>(row)], 1);
      }
    cells += found;
  };
  for (const Column* column : roles.targets) {
    const bool any = rows.empty() || std::any_of(rows.begin(), rows.end(),
                                                 [&](Index row) { return !is_missing(table, *column, row); });
    if (!any) fail("{}: target '{}' has no values", table.source, column->name);
    look(*column);
  }
  if (cells > 0 && policy != Missing::drop)
    fail("{}: the target is missing ({} in all); use `missing` drop", first, counted(cells, "cell"));
  if (const Index before = cells; roles.group) {
    look(*roles.group);
    if (cells > before && policy != Missing::drop)
      fail("{}: the {} is missing ({} in all); use `missing` drop", first,
           roles.group_is_fold ? "fold" : "group", counted(cells, "cell"));
  }
  if (policy == Missing::mean) return;
  for (const Column* column : roles.features) look(*column);
  if (cells == 0) return;
  if (policy != Missing::drop)
    fail("{}: the cell is missing ({} in {}); use `missing` drop or `missing` mean", first,
         counted(cells, "cell"), counted(affected, "row"));
  std::erase_if(rows, [&](Index row) { return incomplete[static_cast<std::size_t>(row)] != 0; });
  require(!rows.empty(),
          "{}: every row has a missing cell; `drop` the emptiest columns or use `missing` mean",
          table.source);
  notes.push_back(fmt::format("{} with missing cells dropped", counted(affected, "row")));
}

/// "1,5", and "2" beside it.
bool is_number_with_comma(std::string text) {
  std::replace(text.begin(), text.end(), ',', '.');
  return parse_number(text).has_value();
}

/// The levels of a text column among the rows that count; refuses columns that are no categories.
std::vector<std::string> levels_of(const Table& table, const Column& column, const std::vector<Index>& rows) {
  const auto& text = text_of(table, column);
  const Index cells = text.numeric_cells + text.text_cells;
  const bool mostly_numbers = 2 * text.numeric_cells > cells;
  constexpr std::string_view advice = "fix the cell, or `drop` the column";
  const bool few = text.text_cells <= 20 && (20 * text.text_cells <= cells || text.text_cells == 1);
  if (mostly_numbers && few && text.text_cells > 0) refuse_text_cell(table, column, advice);
  std::vector<char> used(text.levels.size(), 0);
  Index present = 0;
  for (const Index row : rows) {
    const int code = text.codes[static_cast<std::size_t>(row)];
    if (code < 0) continue;
    used[static_cast<std::size_t>(code)] = 1;
    ++present;
  }
  std::vector<std::string> levels;
  for (std::size_t level = 0; level < used.size(); ++level)
    if (used[level]) levels.push_back(text.levels[level]);
  require(!levels.empty(), "{}: column '{}' has no values; `drop` it", table.source, column.name);
  const bool is_id = levels.size() > 1 && static_cast<Index>(levels.size()) == present;
  const bool no_categories = is_id || levels.size() > most_levels;
  if (mostly_numbers && no_categories) refuse_text_cell(table, column, advice);
  if (no_categories && std::all_of(levels.begin(), levels.end(), is_number_with_comma))
    fail("{}: column '{}' has numbers with commas, such as '{}'; write decimal points", table.source,
         column.name, levels.front());
  require(!is_id, "{}: text column '{}' has a different value in every row, like an identifier; `drop` it",
          table.source, column.name);
  require(levels.size() <= most_levels,
          "{}: text column '{}' has {} different values, more than {}; `drop` it", table.source, column.name,
          levels.size(), most_levels);
  for (const auto& level : levels)
    require(detail::is_utf8(level), "{}: column '{}' holds text that is not UTF-8; convert the file",
            table.source, column.name);
  return levels;
}

/// The groups of the rows, in the order in which they first come.
RowGroups groups_in(const Table& table, const Column& column, const std::vector<Index>& rows,
                    bool are_folds) {
  RowGroups groups{{}, are_folds};
  std::map<double, int> by_number;
  std::vector<int> by_code(column.numeric ? 0 : text_of(table, column).levels.size(), -1);
  int next = 0;
  for (const Index row : rows) {
    if (column.numeric) {
      const auto [at, is_new] = by_number.try_emplace(table.numbers(row, column.index), next);
      next += is_new;
      groups.of_row.push_back(at->second);
      continue;
    }
    int& own = by_code[static_cast<std::size_t>(text_of(table, column).codes[static_cast<std::size_t>(row)])];
    if (own < 0) own = next++;
    groups.of_row.push_back(own);
  }
  return groups;
}

/// Writes the features of one source, missing cells as NaN.
void write_features(const Table& table, const Column& column, const FeatureSource& source,
                    const std::vector<Index>& rows, Eigen::Ref<Matrix> out) {
  if (column.numeric) {
    for (std::size_t i = 0; i < rows.size(); ++i)
      out(static_cast<Index>(i), 0) = table.numbers(rows[i], column.index);
    return;
  }
  const auto& text = text_of(table, column);
  if (source.numeric()) {
    out = (*truths_in(text))(rows);
    return;
  }
  std::vector<Index> feature(text.levels.size(), 0);
  for (std::size_t level = 0; level < feature.size(); ++level)
    feature[level] = std::lower_bound(source.levels.begin(), source.levels.end(), text.levels[level]) -
                     source.levels.begin();
  out.setZero();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const int code = text.codes[static_cast<std::size_t>(rows[i])];
    if (code < 0)
      out.row(static_cast<Index>(i)).setConstant(nan);
    else
      out(static_cast<Index>(i), feature[static_cast<std::size_t>(code)]) = 1;
  }
}

/// Weighted mean of the cells that are there, and that mean put in for the others. Returns how many were
/// filled.
Index fill_with_mean(Eigen::Ref<Vector> feature, const Vector& weight, double& mean) {
  double total = 0, offset = nan, sum = 0;
  Index filled = 0;
  for (Index i = 0; i < feature.size(); ++i) {
    if (std::isnan(feature[i])) continue;
    if (std::isnan(offset)) offset = feature[i];
    const double w = weight.size() ? weight[i] : 1;
    total += w;
    sum += w * (feature[i] - offset);
  }
  mean = offset + sum / total;
  for (double& value : feature)
    if (std::isnan(value)) value = mean, ++filled;
  return filled;
}

/// Can x be the front part of the table's own matrix, columns only moved to the left?
bool can_stay(const Table& table, const Roles& roles, const std::vector<Index>& rows) {
  return static_cast<Index>(rows.size()) == table.rows() &&
         std::all_of(roles.features.begin(), roles.features.end(),
                     [](const Column* c) { return c->numeric; }) &&
         std::is_sorted(roles.features.begin(), roles.features.end());
}

Dataset build(const Table& table, Matrix* numbers_to_take, const DatasetOptions& options,
              FeaturePlan* plan_out) {
  Dataset data;
  const Roles roles = assign_roles(table, options);
  for (const Column* target : roles.targets) check_numeric(table, *target, "target");
  std::vector<Index> rows = rows_with_weight(table, roles, options.weights_are_ratios, data.notes);
  treat_missing(table, roles, options.missing, rows, data.notes);
  for (const auto* columns : {&roles.targets, &roles.features})
    for (const Column* column : *columns)
      if (!roles.finite.contains(column)) check_finite(table, *column, rows);

  FeaturePlan plan;
  plan.missing = options.missing;
  for (const Column* column : roles.features) {
    plan.sources.push_back({.column = column->name, .levels = {}, .fill = {}});
    if (column->numeric) continue;
    if (truths_in(text_of(table, *column)))
      data.notes.push_back(fmt::format("column '{}': true is 1, false is 0", column->name));
    else
      plan.sources.back().levels = levels_of(table, *column, rows);
  }
  data.feature_names = plan.names();

  const auto n = static_cast<Index>(rows.size());
  data.y.resize(n, static_cast<Index>(roles.targets.size()));
  for (std::size_t t = 0; t < roles.targets.size(); ++t) {
    data.target_names.push_back(roles.targets[t]->name);
    data.y.col(static_cast<Index>(t)) = table.numbers(rows, roles.targets[t]->index);
  }
  if (roles.weight) data.weight = table.numbers(rows, roles.weight->index);
  if (roles.group) data.groups = groups_in(table, *roles.group, rows, options.groups_are_folds);

  if (numbers_to_take && can_stay(table, roles, rows)) {
    Index kept = 0;
    for (const Column* column : roles.features) {
      if (kept != column->index) numbers_to_take->col(kept) = numbers_to_take->col(column->index);
      ++kept;
    }
    numbers_to_take->conservativeResize(Eigen::NoChange, kept);
    data.x = std::move(*numbers_to_take);
  } else {
    data.x.resize(n, plan.features());
    for (Index s = 0, feature = 0; s < static_cast<Index>(plan.sources.size()); ++s) {
      const auto& source = plan.sources[static_cast<std::size_t>(s)];
      const Index width = source.numeric() ? 1 : static_cast<Index>(source.levels.size());
      write_features(table, *roles.features[static_cast<std::size_t>(s)], source, rows,
                     data.x.middleCols(feature, width));
      feature += width;
    }
  }

  Index feature = 0;
  std::vector<std::string> constant;
  for (auto& source : plan.sources) {
    const Index width = source.numeric() ? 1 : static_cast<Index>(source.levels.size());
    if (!source.numeric())
      data.notes.push_back(fmt::format("text column '{}' one-hot encoded as {}={}", source.column,
                                       source.column, join(source.levels, ", " + source.column + "=")));
    if (options.missing == Missing::mean) {
      source.fill.resize(width);
      Index filled = 0;
      for (Index k = 0; k < width; ++k)
        filled = fill_with_mean(data.x.col(feature + k), data.weight, source.fill[k]);
      require(std::isfinite(source.fill[0]), "{}: column '{}' has no values; `drop` it", table.source,
              source.column);
      if (filled > 0)
        data.notes.push_back(fmt::format("{} of column '{}' filled with its mean",
                                         counted(filled, "missing cell"), source.column));
    }
    for (Index k = 0; k < width; ++k, ++feature)
      if ((data.x.col(feature).array() == data.x(0, feature)).all())
        constant.push_back(data.feature_names[static_cast<std::size_t>(feature)]);
  }
  if (!constant.empty() && n > 1)
    data.notes.push_back(
        fmt::format("constant feature{} {}", constant.size() > 1 ? "s" : "", join(constant)));
  if (plan_out) *plan_out = std::move(plan);
  return data;
}

}  // namespace

Dataset make_dataset(const Table& table, const DatasetOptions& options, FeaturePlan* plan_out) {
  return build(table, nullptr, options, plan_out);
}

Dataset make_dataset(Table&& table, const DatasetOptions& options, FeaturePlan* plan_out) {
  return build(table, &table.numbers, options, plan_out);
}

}  // namespace gnomon
