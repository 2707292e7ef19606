#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "add_flag.hpp"
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
  std::optional<double> interval;
  bool mark_outside = false, quiet = false;
  int threads = 0;
};

/// Names of the columns that are written.
std::string header_of(const SavedModel& model, const PredictFlags& flags) {
  std::vector<std::string> names;
  const bool one = model.target_names.size() == 1;
  if (!model.classes.empty()) {
    names.emplace_back("prediction");
    for (const auto& name : model.classes) names.push_back("probability_" + name);
  } else if (flags.interval) {
    for (const auto& target : model.target_names)
      for (const char* what : {"prediction", "lower", "upper"})
        names.push_back(one ? what : target + "_" + what);
  } else {
    for (const auto& target : model.target_names)
      names.push_back(one ? "prediction" : "prediction_" + target);
  }
  if (flags.mark_outside) names.emplace_back("outside");
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ",") + quoted(name);
  return text + "\n";
}

/// Half-widths of the intervals asked for, by target.
Vector half_widths(const SavedModel& model, const PredictFlags& flags) {
  if (!flags.interval) return {};
  const double level = *flags.interval;
  require(model.classes.empty(),
          "--interval is for numbers; this model tells classes apart, with probabilities");
  require(model.held_out && model.held_out->deviation.rows() > 0,
          "{}: the model holds no held-out rows for --interval; make it again with gnomon select --model",
          flags.model);
  const Vector half = model.held_out->half_widths(level);
  require(half.allFinite(),
          "--interval {} needs more held-out rows than the {} of the model; give a lower level", level,
          model.held_out->deviation.rows());
  return half;
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

std::string lines_of(const SavedModel::Judged& rows, const SavedModel& model, const PredictFlags& flags,
                     const Vector& half_width) {
  std::string text;
  const Matrix& y = rows.value;
  for (Index i = 0; i < y.rows(); ++i) {
    if (!model.classes.empty()) text += class_of(y.row(i), model) + ",";
    for (Index t = 0; t < y.cols(); ++t) {
      if (t) text += ',';
      append_number(text, y(i, t), model);
      if (half_width.size() == 0) continue;
      for (const double end : {y(i, t) - half_width[t], y(i, t) + half_width[t]}) {
        text += ',';
        append_number(text, end, model);
      }
    }
    if (flags.mark_outside) text += rows.outside[static_cast<std::size_t>(i)] ? ",1" : ",0";
    text += '\n';
  }
  return text;
}

void run(const PredictFlags& flags) {
  if (flags.threads < 0)
    throw UsageError(fmt::format("--threads {} is not allowed; give 0 (all cores) or more", flags.threads));
  set_threads(flags.threads);
  check_files({{"the model", flags.model}, {"the data", flags.data}}, {{"-o", flags.output}});
  const Progress progress = terminal_progress(flags.quiet);
  const SavedModel model = read_model(flags.model);
  TableReader reader(flags.data, model.csv_options());
  PendingFile out(flags.output);
  Table block;
  SeriesPast past;
  const Vector half_width = half_widths(model, flags);
  Index rows = 0, outside = 0;
  // The header goes out with the first predictions: a file that cannot be served leaves no half an answer.
  for (std::string header = header_of(model, flags); reader.next(block, block_rows); header.clear()) {
    progress("predicting", 0);
    const SavedModel::Judged judged = model.predict_and_judge(block, past);
    rows += judged.value.rows();
    outside += std::count(judged.outside.begin(), judged.outside.end(), true);
    out.write(header + lines_of(judged, model, flags, half_width));
  }
  out.commit();
  if (outside > 0)
    fmt::print(stderr,
               "gnomon: warning: {} of {} rows lie outside the range of the training inputs, where the model "
               "is a guess{}\n",
               outside, rows, flags.mark_outside ? "" : " (--mark-outside says which)");
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
  command
      ->add_option("--interval", flags->interval,
                   "columns lower and upper too: intervals that hold a new value with this probability")
      ->check([](const std::string& text) {
        double level = 0;
        const bool read = CLI::detail::lexical_cast(text, level) && level > 0 && level < 1;
        return read ? std::string() : fmt::format("{} is not between 0 and 1", text);
      });
  command->add_flag("--mark-outside", flags->mark_outside,
                    "a column outside: 1 where an input lies outside the range of the training inputs");
  command->add_flag("--quiet", flags->quiet, "no progress bar");
  command->add_option("--threads", flags->threads, "threads, 0 = all cores")
      ->check(trouble_of_whole<int>)
      ->capture_default_str();
  command->callback([flags, &action] { action = [flags] { run(*flags); }; });
}

}  // namespace gnomon::app
