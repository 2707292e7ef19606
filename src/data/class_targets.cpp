#include "gnomon/data/class_targets.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/text.hpp"
#include "gnomon/core/error.hpp"

namespace gnomon {
namespace {

constexpr std::size_t most_classes = 100;

/// The class of a cell; empty for a missing one.
std::string class_at(const Table& table, const Column& column, Index row) {
  if (column.numeric) {
    const double value = table.numbers(row, column.index);
    return std::isnan(value) ? "" : fmt::format("{}", value);
  }
  const TextColumn& text = table.texts[static_cast<std::size_t>(column.index)];
  const int code = text.codes[static_cast<std::size_t>(row)];
  return code < 0 ? "" : text.levels[static_cast<std::size_t>(code)];
}

}  // namespace

std::vector<std::string> ClassTargets::indicators() const {
  std::vector<std::string> names;
  for (const auto& name : classes) names.push_back(column + "=" + name);
  return names;
}

ClassTargets find_classes(const Table& table, const std::string& name) {
  const Column* column = table.find(name);
  if (!column)
    fail("{}: no column '{}' (given as target) among {}{}", table.source, name, join(table.names()),
         suggestion(name, table.names()));
  ClassTargets found{name, {}};
  std::set<std::string> seen;
  for (Index row = 0; row < table.rows(); ++row) {
    std::string value = class_at(table, *column, row);
    if (value.empty() || !seen.insert(value).second) continue;
    found.classes.push_back(std::move(value));
    require(found.classes.size() <= most_classes,
            "{}: target '{}' has more than {} different values; that is no list of classes", table.source,
            name, most_classes);
  }
  Index labelled = 0;
  for (Index row = 0; row < table.rows(); ++row) labelled += !class_at(table, *column, row).empty();
  require(2 * static_cast<Index>(found.classes.size()) <= labelled,
          "{}: target '{}' has {} different values in {} rows; that is no list of classes", table.source,
          name, found.classes.size(), labelled);
  if (column->numeric)
    std::sort(found.classes.begin(), found.classes.end(),
              [](const auto& a, const auto& b) { return *parse_number(a) < *parse_number(b); });
  else
    std::sort(found.classes.begin(), found.classes.end());
  require(found.classes.size() >= 2, "{}: target '{}' has {} class; at least two are needed to tell apart",
          table.source, name, found.classes.size());
  return found;
}

Table ClassTargets::apply(Table table) const {
  const Column* found = table.find(column);
  require(found != nullptr, "{}: no column '{}' with the classes", table.source, column);
  const Column target = *found;
  const Index first = table.numbers.cols(), count = static_cast<Index>(classes.size());
  Matrix indicator = Matrix::Zero(table.rows(), count);
  for (Index row = 0; row < table.rows(); ++row) {
    const std::string value = class_at(table, target, row);
    const auto at = std::find(classes.begin(), classes.end(), value);
    if (!value.empty() && at == classes.end())
      fail("{}: class '{}' is not among {}", table.place(row, target), value, join(classes));
    if (value.empty())
      indicator.row(row).setConstant(undefined);
    else
      indicator(row, at - classes.begin()) = 1;
  }
  table.numbers.conservativeResize(Eigen::NoChange, first + count);
  table.numbers.rightCols(count) = indicator;
  std::erase_if(table.columns, [&](const Column& c) { return c.name == column; });
  Index next = first;
  for (auto& name : indicators()) table.columns.push_back({std::move(name), true, next++});
  return table;
}

}  // namespace gnomon
