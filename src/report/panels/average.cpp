#include <cmath>

#include "core/text.hpp"
#include "report/panel.hpp"
#include "report/words.hpp"

namespace gnomon {

std::vector<Block> average_panel(const Study& study, Index target) {
  const SelectionPath* path = target_of(study, target).path();
  if (!path || path->combined.empty()) return {};
  const auto& combined = path->combined;
  const bool widths = std::isfinite(combined.front().width), several = !path->representation.empty();
  TableBlock table{{}, {}};
  if (several) table.header.push_back(path->representation_name);
  if (widths) table.header.emplace_back("width");
  table.header.insert(table.header.end(), {"weight", "mean λ", "fits"});
  for (const CombinedFits& fits : combined) {
    TableRow row;
    if (several) row.cells.push_back(text_cell(fits.representation));
    if (widths) row.cells.push_back(number_cell(pretty(fits.width)));
    row.cells.push_back(number_cell(pretty(fits.total_weight(), 3)));
    row.cells.push_back(number_cell(pretty(fits.mean_lambda(), 3)));
    row.cells.push_back(number_cell(std::to_string(fits.lambda.size())));
    table.rows.push_back(std::move(row));
  }
  return {table};
}

}  // namespace gnomon
