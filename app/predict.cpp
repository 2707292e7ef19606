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

/// A column name as a CSV cell.
std::string quoted(const std::string& name) {
  if (name.find_first_of(",\"\n\r") == std::string::npos) return name;
  std::string out = "\"";
  for (const char c : name) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

void run(const PredictFlags& flags) {
  require(flags.threads >= 0, "--threads {} is not allowed; give 0 (all cores) or more", flags.threads);
  set_threads(flags.threads);
  check_writable(flags.output);
  const Progress progress = terminal_progress(flags.quiet);
  const SavedModel model = read_model(flags.model);
  TableReader reader(flags.data, model.plan.csv_options());
  PendingFile out(flags.output);
  std::string text;
  for (std::size_t t = 0; t < model.target_names.size(); ++t) {
    text += (t ? "," : "") +
            quoted(model.target_names.size() == 1 ? "prediction" : "prediction_" + model.target_names[t]);
  }
  out.write(text + "\n");
  Table block;
  while (reader.next(block, block_rows)) {
    progress("predicting", 0);
    const Matrix y = model.predict(block);
    text.clear();
    for (Index i = 0; i < y.rows(); ++i) {
      for (Index t = 0; t < y.cols(); ++t)
        fmt::format_to(std::back_inserter(text), "{}{}", t ? "," : "", y(i, t));
      text += '\n';
    }
    out.write(text);
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
