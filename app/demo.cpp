#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

#include "add_flag.hpp"
#include "commands.hpp"
#include "core/text.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "gnomon/data/synthetic.hpp"
#include "output.hpp"
#include "run_study.hpp"
#include "terminal.hpp"

namespace gnomon::app {
namespace {

struct DemoFlags {
  std::string folder = "gnomon-demo", problem = "sinc";
  Index rows = 100;
  double noise = 0.04;  ///< its variance
  std::uint64_t seed = 1;
  bool quiet = false;
};

std::string csv_of(const Synthetic& data) {
  std::string text;
  for (Index j = 0; j < data.x.cols(); ++j) text += data.x.cols() == 1 ? "x," : fmt::format("x{},", j + 1);
  text += "y\n";
  for (Index i = 0; i < data.x.rows(); ++i) {
    for (Index j = 0; j < data.x.cols(); ++j) text += fmt::format("{},", data.x(i, j));
    text += fmt::format("{}\n", data.y[i]);
  }
  return text;
}

/// What the result of a demo says of its truth, and no other result.
constexpr const char* of_demo = "fresh inputs, noise variance";

std::string content_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// A table of the user's own is not written over: only the same one, or one beside the result of an earlier demo.
void check_not_the_users(const std::string& csv, const std::string& text, const std::string& result) {
  if (!std::filesystem::exists(csv) || content_of(csv) == text) return;
  require(content_of(result).find(of_demo) != std::string::npos,
          "'{}' exists and was not made by gnomon demo; choose another folder with -o, or remove it", csv);
}

/// The truth, which only a simulation knows: the mean squared error of each fit of the path on fresh noisy
/// data.
TruthCurve true_error(const FinishedStudy& finished, const Synthetic& fresh) {
  const auto& lambda = finished.study.selection.targets.front().path()->lambda;
  const auto& model = finished.model;
  Matrix train = finished.study.x, test = fresh.x;
  model.scaling.apply(train);
  model.scaling.apply(test);
  const Smoother smoother(train, finished.study.y, Vector(),
                          {.representation = model.model.linear()->representation,
                           .filter = finished.study.selection.filter,
                           .intercept = finished.study.selection.request.intercept,
                           .strategy = Strategy::full});
  TruthCurve truth;
  truth.noise_variance = fresh.noise_variance;
  truth.description = fmt::format("true mean squared error on {} {} {} included", fresh.x.rows(), of_demo,
                                  pretty(fresh.noise_variance));
  truth.value.resize(static_cast<Index>(lambda.size()));
  for (Index k = 0; k < truth.value.size(); ++k) {
    const Vector f = smoother.fit({&lambda[static_cast<std::size_t>(k)], 1}).predict(test);
    truth.value[k] = (f - fresh.truth).squaredNorm() / static_cast<double>(f.size()) + fresh.noise_variance;
  }
  return truth;
}

void run(const DemoFlags& flags) {
  if (flags.rows < 5) throw UsageError(fmt::format("--rows {} is too few; give at least 5", flags.rows));
  if (!(flags.noise >= 0 && std::isfinite(flags.noise)))
    throw UsageError(fmt::format("--noise {} is not allowed; give a variance ≥ 0", flags.noise));
  Random random(flags.seed);
  const Synthetic data = make_synthetic(flags.problem, flags.rows, std::sqrt(flags.noise), random);
  std::error_code failure;
  std::filesystem::create_directories(flags.folder, failure);
  const std::filesystem::path folder(flags.folder);
  require(!failure && std::filesystem::is_directory(folder),
          "cannot make the folder '{}'; choose another with -o", flags.folder);
  const std::string csv = (folder / "data.csv").string();
  const Outputs outputs{(folder / "result.json").string(), (folder / "report.html").string(),
                        (folder / "model.gnomon").string(), flags.quiet};
  check_files({}, {{"the data", csv},
                   {"the JSON", outputs.json},
                   {"the report", outputs.report},
                   {"the model", outputs.model}});
  const std::string text = csv_of(data);
  check_not_the_users(csv, text, outputs.json);
  write_file(csv, text);
  StudyOptions options;
  options.data = csv;
  options.target = "y";
  options.request.keep_held_out = true;
  options.request.criteria = {"auto", "gcv", "cp", "evidence"};
  options.request.chosen_error = true;
  FinishedStudy finished = run_study(options, terminal_progress(flags.quiet));
  Random fresh(flags.seed, 1);
  finished.study.truth =
      true_error(finished, make_synthetic(flags.problem, 2000, std::sqrt(flags.noise), fresh));
  write_outputs(finished, outputs);
  const auto& truth = *finished.study.truth;
  Index best;
  const double least = truth.value.minCoeff(&best);
  fmt::print(
      "\nThe truth (known here, since the data were made up): the least error on the\npath is {} at λ = "
      "{}.\n",
      pretty(least),
      pretty(finished.study.selection.targets.front().path()->lambda[static_cast<std::size_t>(best)]));
  fmt::print(
      "\nWritten: {0}/data.csv, result.json, model.gnomon, and\n{0}/report.html (open it in a browser)\n",
      flags.folder);
  fmt::print("Try:  gnomon select {} --target y --criterion all\n", csv);
}

}  // namespace

void add_demo(CLI::App& app, Action& action) {
  auto flags = std::make_shared<DemoFlags>();
  auto* command = app.add_subcommand(
      "demo", "Toy data made on the spot, select on them, and the true error beside the estimates");
  command->add_option("-o,--output", flags->folder, "folder for data, report, JSON and model")
      ->capture_default_str();
  command->add_option("--problem", flags->problem, join(synthetic_names()))->capture_default_str();
  command->add_option("--rows", flags->rows, "number of samples")
      ->check(trouble_of_whole<Index>)
      ->capture_default_str();
  auto* noise = command->add_option("--noise", flags->noise, "variance of the noise")
                    ->check(trouble_of_number)
                    ->capture_default_str();
  command
      ->add_option_function<double>(
          "--sigma",
          [flags](double sigma) {
            if (!(sigma >= 0))
              throw UsageError(
                  fmt::format("--sigma {} is not allowed; give a standard deviation ≥ 0", sigma));
            flags->noise = sigma * sigma;
          },
          "standard deviation of the noise, in place of --noise")
      ->check(trouble_of_number)
      ->excludes(noise);
  command->add_option("--seed", flags->seed, "of the random numbers")
      ->check(trouble_of_counter)
      ->capture_default_str();
  command->add_flag("--quiet", flags->quiet, "no progress bar");
  command->callback([flags, &action] { action = [flags] { run(*flags); }; });
}

}  // namespace gnomon::app
