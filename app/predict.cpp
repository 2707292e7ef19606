#include <cmath>
#include <memory>

#include "commands.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "gnomon/learn/model_file.hpp"
#include "output.hpp"
#include "terminal.hpp"

namespace gnomon::app {
namespace {

constexpr Index block_rows = 4096;

struct PredictFlags {
  std::string model, data, output = "-";
  bool quiet = false;
  int threads = 0;
};

/// Names of the columns that are written.
std::string header_of(const SavedModel& model) {
  std::string text = "prediction";
  for (const auto& name : model.classes) text += "," + quoted("probability_" + name);
  if (!model.classes.empty() || model.target_names.size() == 1) return text + "\n";
  text.clear();
  for (const auto& name : model.target_names)
    text += (text.empty() ? "" : ",") + quoted("prediction_" + name);
  return text + "\n";
}

/// A number; a forecast that a series does not allow is an empty cell. Its quotes keep a row of one empty cell
/// from being a blank line, which readers skip.
void append_number(std::string& text, double value, const SavedModel& model) {
  if (model.series && std::isnan(value))
    text += "\"\"";
  else
    fmt::format_to(std::back_inserter(text), "{}", value);
}

/// The most probable class of a row of probabilities; of equals the first.
std::string class_of(const Eigen::Ref<const Eigen::RowVectorXd, 0, Eigen::InnerStride<>>& probability,
                     const SavedModel& model) {
  if (probability.hasNaN()) return "\"\"";
  Index best = 0;
  probability.maxCoeff(&best);
  return quoted(model.classes[static_cast<std::size_t>(best)]);
}

std::string lines_of(const Matrix& y, const SavedModel& model) {
  std::string text;
  for (Index i = 0; i < y.rows(); ++i) {
    if (!model.classes.empty()) text += class_of(y.row(i), model) + ",";
    for (Index t = 0; t < y.cols(); ++t) {
      if (t) text += ',';
      append_number(text, y(i, t), model);
    }
    text += '\n';
  }
  return text;
}

void run(const PredictFlags& flags) {
  require(flags.threads >= 0, "--threads {} is not allowed; give 0 (all cores) or more", flags.threads);
  set_threads(flags.threads);
  check_files({{"the model", flags.model}, {"the data", flags.data}}, {{"-o", flags.output}});
  const Progress progress = terminal_progress(flags.quiet);
  const SavedModel model = read_model(flags.model);
  TableReader reader(flags.data, model.csv_options());
  PendingFile out(flags.output);
  Table block;
  SeriesPast past;
  // The header goes out with the first predictions: a file that cannot be served leaves no half an answer.
  for (std::string header = header_of(model); reader.next(block, block_rows); header.clear()) {
    progress("predicting", 0);
    out.write(header + lines_of(model.predict(block, past), model));
  }
  out.commit();
}

}  // namespace

void add_predict(CLI::App& app, Action& action) {
  auto flags = std::make_shared<PredictFlags>();
  auto* command = app.add_subcommand("predict", "Predictions of a saved model for new rows");
  command->add_option("model", flags->model, "model file written by gnomon select --model")->required();
  command->add_option("data", flags->data, "CSV or TSV with the model's columns, in any order; - for stdin")
      ->required();
  command->add_option("-o,--output", flags->output, "CSV of predictions; - for stdout")
      ->capture_default_str();
  command->add_flag("--quiet", flags->quiet, "no progress bar");
  command->add_option("--threads", flags->threads, "threads, 0 = all cores")->capture_default_str();
  command->callback([flags, &action] { action = [flags] { run(*flags); }; });
}

}  // namespace gnomon::app
