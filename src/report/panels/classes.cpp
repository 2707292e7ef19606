#include "core/text.hpp"
#include "gnomon/core/error.hpp"
#include "report/panel.hpp"
#include "report/words.hpp"

namespace gnomon {

/// Rows by true and by predicted class, at the training rows.
std::vector<Block> classes_panel(const Study& study, Index) {
  const Matrix& probabilities = study.selection.probabilities;
  constexpr std::size_t most_columns = 12;
  if (study.classes.empty() || probabilities.rows() != study.y.rows()) return {};
  const Index classes = static_cast<Index>(study.classes.size());
  Matrix count = Matrix::Zero(classes, classes);
  Index wrong = 0;
  for (Index i = 0; i < study.y.rows(); ++i) {
    Index truth = 0, predicted = 0;
    study.y.row(i).maxCoeff(&truth);
    probabilities.row(i).maxCoeff(&predicted);
    count(truth, predicted) += 1;
    wrong += truth != predicted;
  }
  TableBlock table{{"true class"}, {}};
  for (const auto& name : study.classes) table.header.push_back("as " + name);
  for (Index a = 0; a < classes; ++a) {
    TableRow row{{text_cell(study.classes[static_cast<std::size_t>(a)])}};
    for (Index b = 0; b < classes; ++b) row.cells.push_back(number_cell(pretty(count(a, b), 9)));
    table.rows.push_back(std::move(row));
  }
  const Paragraph summary{fmt::format(
      "{} of {} training rows are put into another class than their own ({} %).", wrong, study.y.rows(),
      pretty(100.0 * static_cast<double>(wrong) / static_cast<double>(study.y.rows()), 3))};
  if (study.classes.size() > most_columns) return {summary};
  return {table, summary};
}

}  // namespace gnomon
