#include <cmath>
#include <span>

#include "core/text.hpp"
#include "gnomon/core/error.hpp"
#include "report/panel.hpp"
#include "report/words.hpp"

namespace gnomon {
namespace {

/// "1.9 of 2": how many of its weights the data determine.
std::string determined(const TunedSearch& tuned, Index i) {
  const Parameter& p = tuned.parameters[static_cast<std::size_t>(i)];
  if (p.kind != Parameter::Kind::decay || !std::isfinite(tuned.gamma[i])) return "";
  return fmt::format("{} of {}", pretty(tuned.gamma[i], 3), p.weights);
}

}  // namespace

std::vector<Block> parameters_panel(const Study& study, Index target) {
  const TunedSearch* found = target_of(study, target).search();
  if (!found) return {};
  const TunedSearch& tuned = *found;
  const std::span others = std::span(tuned.criteria).subspan(1);
  TableBlock table{{"parameter", "chosen", "weights determined"}, {}};
  for (const SearchOutcome& c : others) table.header.push_back("by " + c.label);
  for (Index i = 0; i < tuned.chosen.size(); ++i) {
    TableRow row{{text_cell(tuned.parameters[static_cast<std::size_t>(i)].name),
                  number_cell(parameter_in_words(tuned, i)), number_cell(determined(tuned, i))}};
    for (const SearchOutcome& c : others) {
      const bool dropped = c.search.verdicts[static_cast<std::size_t>(i)] == Verdict::dropped;
      row.cells.push_back(number_cell(dropped ? "∞" : pretty(std::exp(c.search.parameters[i]))));
    }
    table.rows.push_back(std::move(row));
  }
  std::vector<Block> blocks{table};
  const std::string dropped = dropped_in_words(tuned);
  if (!dropped.empty())
    blocks.emplace_back(Paragraph{
        fmt::format("{}: the parameter ran to infinity, which means that the model does without.", dropped)});
  return blocks;
}

}  // namespace gnomon
