#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "report/equal_criteria.hpp"
#include "report/panel.hpp"
#include "report/words.hpp"

namespace gnomon {
namespace {

/// Where the criteria have their minima: what varies between them, and one row of it for each.
struct Minima {
  std::vector<std::string> axes{};
  std::vector<std::vector<TableCell>> at{};
  std::vector<double> df{};
  bool on_grid = true;  ///< so that it has edges
};

Minima minima_of(const Study& study, Index target, const SelectionPath& path) {
  Minima minima{.axes = {"λ"}};
  if (!path.width.empty()) minima.axes.emplace_back("width");
  if (!path.tuning.empty()) minima.axes.push_back(path.tuning_name);
  if (!path.representation.empty()) minima.axes.push_back(path.representation_name);
  for (const PathOutcome& c : path.criteria) {
    std::vector<TableCell> at{number_cell(pretty(c.lambda))};
    if (!path.width.empty()) at.push_back(number_cell(pretty(c.width)));
    if (!path.tuning.empty()) at.push_back(number_cell(pretty(c.tuning)));
    if (!path.representation.empty()) at.push_back(text_cell(c.representation));
    minima.at.push_back(std::move(at));
    minima.df.push_back(df_of(study, target, c));
  }
  return minima;
}

/// Several parameters have a panel of their own.
Minima minima_of(const Study&, Index, const TunedSearch& tuned) {
  Minima minima{.on_grid = false};
  const std::optional<Index> decay = only_decay(tuned);
  if (decay) minima.axes.emplace_back("λ");
  for (const SearchOutcome& c : tuned.criteria) {
    minima.at.emplace_back();
    if (decay) minima.at.back().push_back(number_cell(pretty(std::exp(c.search.parameters[*decay]))));
    minima.df.push_back(c.df);
  }
  return minima;
}

/// Criteria that make one choice, the one whose number says most first.
struct CriteriaRow {
  std::vector<std::size_t> members{};
  bool chosen = false;
};

std::vector<CriteriaRow> rows_of(const Study& study, const TargetSelection& t) {
  const auto criteria = t.criteria();
  std::vector<CriteriaRow> rows;
  for (std::vector<std::size_t>& members : by_choice(study, t)) {
    const bool chosen = members.front() == 0;
    std::stable_sort(members.begin(), members.end(), [&](std::size_t a, std::size_t b) {
      return quantity_of(*criteria[a]) < quantity_of(*criteria[b]);
    });
    rows.push_back({std::move(members), chosen});
  }
  return rows;
}

std::string label_of(const CriteriaRow& row, const std::vector<const CriterionOutcome*>& criteria) {
  std::vector<std::string> labels;
  for (const std::size_t k : row.members) labels.push_back(criteria[k]->label);
  return join(labels, " = ");
}

}  // namespace

std::vector<Block> criteria_panel(const Study& study, Index target) {
  const TargetSelection& t = target_of(study, target);
  const Minima minima =
      std::visit([&](const auto& found) { return minima_of(study, target, found); }, t.found);
  const auto criteria = t.criteria();
  const char* first_choice = t.path() && !t.path()->combined.empty() ? "best alone" : "chosen";
  TableBlock table{{"criterion"}, {}};
  table.header.insert(table.header.end(), minima.axes.begin(), minima.axes.end());
  table.header.insert(table.header.end(), {"value", "df", ""});

  bool any_edge = false, any_equal = false;
  const std::vector<CriteriaRow> choices = rows_of(study, t);
  for (const Quantity quantity : all_quantities) {
    bool first = true;
    for (const CriteriaRow& choice : choices) {
      const std::size_t k = choice.members.front();
      const CriterionOutcome& c = *criteria[k];
      if (quantity_of(c) != quantity) continue;
      if (first) table.rows.push_back({{text_cell(std::string(title_of(quantity)))}, false, true});
      first = false;
      any_equal |= choice.members.size() > 1;
      const bool chosen = choice.chosen;
      TableRow row{{text_cell(label_of(choice, criteria))}, chosen};
      const TableCell nothing = number_cell("–");
      for (const TableCell& coordinate : minima.at[k]) row.cells.push_back(c.selected ? coordinate : nothing);
      row.cells.push_back(number_cell(c.selected ? with_error(c.selected->value, c.selected->standard_error)
                                                 : std::string("undefined")));
      row.cells.push_back(c.selected ? number_cell(pretty(minima.df[k])) : nothing);
      const bool edge = minima.on_grid && c.selected && c.selected->at_edge;
      any_edge |= edge;
      std::vector<std::string> remarks;
      if (chosen) remarks.emplace_back(first_choice);
      if (edge) remarks.emplace_back("edge");
      row.cells.push_back(text_cell(join(remarks)));
      table.rows.push_back(std::move(row));
    }
  }
  std::vector<Block> blocks{table};
  if (any_equal)
    blocks.emplace_back(
        Paragraph{"a = b: one criterion under several names, the same up to a constant on these data and so "
                  "one choice; the value is "
                  "that of the first."});
  if (any_edge) blocks.emplace_back(Paragraph{"edge: the least value lies at an end of the grid."});
  return blocks;
}

}  // namespace gnomon
