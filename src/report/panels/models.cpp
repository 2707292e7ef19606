#include "core/text.hpp"
#include "report/best_models.hpp"
#include "report/panel.hpp"
#include "report/words.hpp"

namespace gnomon {
namespace {

constexpr std::size_t most_models = 10;

}  // namespace

std::vector<Block> models_panel(const Study& study, Index target) {
  const TargetSelection& t = target_of(study, target);
  const SelectionPath* path = t.path();
  if (!path || model_count(*path) < 2) return {};
  const PathOutcome& c = path->chosen();
  const bool several_lambdas = path_axis(*path).is_lambda();
  TableBlock table{{path->representation_name}, {}};
  if (several_lambdas) table.header.emplace_back("λ");
  table.header.insert(table.header.end(), {c.label, "df", "training error"});
  const auto add = [&](const std::string& name, double lambda, double value, double df, double training) {
    TableRow row{{text_cell(name)}, table.rows.empty()};
    if (several_lambdas) row.cells.push_back(number_cell(pretty(lambda)));
    // Digits in which models differ; their common standard error hides them.
    for (std::string& text : std::vector{pretty(value, 6), pretty(df), pretty(training)})
      row.cells.push_back(number_cell(std::move(text)));
    table.rows.push_back(std::move(row));
  };
  add(c.representation, c.lambda, c.selected->value, t.chosen_df, t.chosen_train_error);
  const auto best = best_models(study, *path);
  for (std::size_t i = 1; i < std::min(best.size(), most_models); ++i) {
    const Index k = best[i];
    const auto place = static_cast<std::size_t>(k);
    add(path->representation[place], path->lambda[place], c.curve.value[k], path->df[k],
        path->train_error[k]);
  }
  const Index tried = model_count(*path);
  const std::string which = tried <= static_cast<Index>(most_models)
                                ? fmt::format("All {}", tried)
                                : fmt::format("The {} best of {}", table.rows.size(), tried);
  return {table, Paragraph{fmt::format("{} that were tried, by {}{}.", which, c.label,
                                       several_lambdas ? ", each at its best λ" : "")}};
}

}  // namespace gnomon
