#include <algorithm>
#include <numeric>

#include "core/text.hpp"
#include "learn/equation.hpp"
#include "report/panel.hpp"
#include "report/words.hpp"

namespace gnomon {
namespace {

constexpr std::size_t most_terms = 20;

/// What a coefficient is multiplied by to compare inputs of different units.
std::string_view spread_of(Scale scale) { return scale == Scale::unit ? "× range" : "× standard deviation"; }

}  // namespace

std::vector<Block> equation_panel(const Study& study, Index target) {
  const auto equation = equation_of(study, target);
  if (!equation) return {};
  const Vector& a = equation->coefficients;
  const Scaling scaling = scaling_of(study);
  const Vector effect = a.cwiseQuotient(scaling.factor);
  std::vector<Index> order(static_cast<std::size_t>(a.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index i, Index k) { return std::abs(effect[i]) > std::abs(effect[k]); });

  const bool scaled = study.scale != Scale::none;
  TableBlock table{{"column", "coefficient"}, {}};
  if (scaled) table.header.emplace_back(spread_of(study.scale));
  std::size_t left_out = 0, zero = 0;
  const auto add = [&](std::string name, std::string value, std::string beside) {
    TableRow row{{text_cell(std::move(name)), number_cell(std::move(value))}};
    if (scaled) row.cells.push_back(number_cell(std::move(beside)));
    table.rows.push_back(std::move(row));
  };
  add("offset", pretty(equation->offset, 6), "");
  for (const Index j : order) {
    if (a[j] == 0)
      ++zero;
    else if (table.rows.size() > most_terms)
      ++left_out;
    else
      add(study.feature_names[static_cast<std::size_t>(j)], pretty(a[j], 6), pretty(effect[j], 4));
  }
  if (left_out) add(fmt::format("and {} smaller ones", left_out), "", "");
  if (zero) add(counted(static_cast<std::ptrdiff_t>(zero), "column"), "0", "");
  return {Paragraph{fmt::format("{} = offset + the sum of coefficient × column, in the units of the data.",
                                target_of(study, target).target)},
          table};
}

}  // namespace gnomon
