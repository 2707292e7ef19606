#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "report/panel.hpp"
#include "report/words.hpp"

namespace gnomon {

std::vector<Block> criteria_panel(const Study& study, Index target) {
  const TargetSelection& t = target_of(study, target);
  const bool widths = !t.width.empty();
  const bool one_lambda = !t.tuned || std::isfinite(t.chosen_lambda);
  TableBlock table{{"criterion"}, {}};
  if (one_lambda) table.header.emplace_back("λ");
  if (widths) table.header.emplace_back("width");
  if (!t.tuning.empty()) table.header.push_back(t.tuning_name);
  table.header.insert(table.header.end(), {"value", "df", ""});

  bool any_edge = false;
  for (const Quantity quantity : all_quantities) {
    bool first = true;
    for (const CriterionOutcome& c : t.criteria) {
      if (quantity_of(c) != quantity) continue;
      if (first) table.rows.push_back({{text_cell(std::string(title_of(quantity)))}, false, true});
      first = false;
      const bool chosen = &c == &t.chosen();
      TableRow row{{text_cell(c.label)}, chosen};
      const auto add = [&](double value) {
        row.cells.push_back(number_cell(c.selected ? pretty(value) : std::string("–")));
      };
      if (one_lambda) add(c.selected ? c.selected->lambda : undefined);
      if (widths) add(c.width);
      if (!t.tuning.empty()) add(c.tuning);
      row.cells.push_back(number_cell(c.selected ? with_error(c.selected->value, c.selected->standard_error)
                                                 : std::string("undefined")));
      add(t.tuned      ? c.df
          : c.selected ? df_at(study, target, c.selected->lambda, c.width, c.tuning)
                       : undefined);
      const bool edge = c.selected && c.selected->at_edge && !t.tuned;
      any_edge |= edge;
      row.cells.push_back(text_cell(chosen && edge ? "chosen, edge"
                                    : chosen       ? "chosen"
                                    : edge         ? "edge"
                                                   : ""));
      table.rows.push_back(std::move(row));
    }
  }
  std::vector<Block> blocks{table};
  if (any_edge) blocks.emplace_back(Paragraph{"edge: the least value lies at an end of the grid."});
  return blocks;
}

}  // namespace gnomon
