#include <map>
#include <memory>

#include "commands.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "gnomon/core/text.hpp"
#include "run_study.hpp"
#include "terminal.hpp"

namespace gnomon::app {
namespace {

/// A flag whose value is one of a few names.
template <class Value>
Value one_of(const std::string& flag, const std::string& name,
             const std::vector<std::pair<std::string, Value>>& allowed) {
  std::vector<std::string> names;
  for (const auto& [known, value] : allowed) {
    if (known == name) return value;
    names.push_back(known);
  }
  throw UsageError(
      fmt::format("{} '{}' is unknown; allowed: {}{}", flag, name, join(names), suggestion(name, names)));
}

struct SelectFlags {
  StudyOptions study;
  Outputs outputs;
  std::string criterion = "auto", search = "refine", rule = "min", strategy = "auto";
  int threads = 0;
};

/// A flag that the learner does not take would be ignored without a word; say so instead.
void refuse_flags_of_others(const CLI::App& command, const SelectionRequest& request) {
  const bool kernel = find_learner(request.learner).kernel;
  const auto refuse = [&](const char* flag, const char* owner) {
    if (command.count(flag) == 0) return;
    throw UsageError(fmt::format("{} belongs to {}, not to --learner {}", flag, owner, request.learner));
  };
  if (kernel) {
    refuse("--basis", "--learner ridge");
  } else {
    refuse("--kernel", "learners with a kernel");
    refuse("--width", "learners with a kernel");
  }
  if (request.learner != "kernel-ridge") refuse("--penalty", "--learner kernel-ridge");
}

void run(SelectFlags flags) {
  SelectionRequest& request = flags.study.request;
  request.criteria = split(flags.criterion, ',');
  request.search =
      one_of<Search>("--search", flags.search, {{"grid", Search::grid}, {"refine", Search::refine}});
  request.rule =
      one_of<Rule>("--rule", flags.rule, {{"min", Rule::minimum}, {"1se", Rule::one_standard_error}});
  request.strategy = one_of<Strategy>("--strategy", flags.strategy,
                                      {{"auto", Strategy::automatic},
                                       {"full", Strategy::full},
                                       {"tridiagonal", Strategy::tridiagonal},
                                       {"pivoted-cholesky", Strategy::pivoted_cholesky},
                                       {"gram", Strategy::gram}});
  require(flags.threads >= 0, "--threads {} is not allowed; give 0 (all cores) or more", flags.threads);

  set_threads(flags.threads);
  check_outputs(flags.outputs);
  request.keep_spectrum = !flags.outputs.report.empty();
  write_outputs(run_study(flags.study, terminal_progress(flags.outputs.quiet)), flags.outputs);
}

}  // namespace

void add_select(CLI::App& app, Action& action) {
  auto flags = std::make_shared<SelectFlags>();
  auto* command = app.add_subcommand(
      "select", "Estimate the error along the path, choose the regularization, refit, report");
  StudyOptions& study = flags->study;
  SelectionRequest& request = study.request;
  command->add_option("data", study.data, "CSV or TSV with a header row; .gz and - (stdin) too")->required();
  command->add_option("--target", study.target, "column to predict; several separated by commas");
  command->add_option("--test", study.test,
                      "test inputs; a target column in them only serves to report the true error");

  const char* model = "Model";
  command->add_option("--learner", request.learner, "ridge, kernel-ridge, spectral-cutoff, landweber")
      ->capture_default_str()
      ->group(model);
  command
      ->add_option("--kernel", request.kernel, "gaussian, laplace, matern32, matern52, polynomial:D, linear")
      ->capture_default_str()
      ->group(model);
  command
      ->add_option("--width", request.width,
                   "kernel width: median, a number, or several (a,b,c or lo:hi:count) to choose from")
      ->capture_default_str()
      ->group(model);
  command->add_option("--basis", request.basis, "for ridge: linear, polynomial:D, fourier:D, gaussian:M")
      ->capture_default_str()
      ->group(model);
  command->add_option("--penalty", request.penalty, "kernel ridge: function or coefficients")
      ->capture_default_str()
      ->group(model);
  command->add_flag("--intercept,!--no-intercept", request.intercept, "fit an unpenalised constant [on]")
      ->group(model);

  const char* choice = "Choice";
  command->add_option("--lambda", request.lambda, "auto, lo:hi:count (log-spaced), or a,b,c")
      ->capture_default_str()
      ->group(choice);
  command
      ->add_option("--criterion", flags->criterion,
                   "comma list, the first one chooses: auto, all, sic, rsic, sure, cp, gcv, loo, cv[:K], "
                   "fpe, aic, aicc, bic, evidence")
      ->capture_default_str()
      ->group(choice);
  command->add_option("--noise", request.noise, "noise variance: " + join(noise_methods()) + ", or a number")
      ->capture_default_str()
      ->group(choice);
  command
      ->add_option("--metric", study.metric,
                   "where sic measures the error: function-space, train, test, uniform:a:b, normal:mean:sd, "
                   "or a CSV of inputs")
      ->group(choice);
  command->add_option("--search", flags->search, "grid, or refine (continuous minimum)")
      ->capture_default_str()
      ->group(choice);
  command->add_option("--rule", flags->rule, "min, or 1se (most regularized within one standard error)")
      ->capture_default_str()
      ->group(choice);
  command->add_option("--repeats", request.repeats, "repeats of cross-validation")
      ->capture_default_str()
      ->group(choice);
  command
      ->add_option("--seed", request.seed, "of the random folds")

      ->check([](const std::string& text) {
        return text.starts_with('-') ? "--seed must be 0 or more, not " + text : std::string();
      })
      ->capture_default_str()
      ->group(choice);

  const char* data = "Data";
  command
      ->add_option("--features", study.features,
                   "columns to learn from [all but target, weights and dropped ones]")
      ->group(data);
  command->add_option("--drop", study.drop, "columns to leave out")->group(data);
  command->add_option("--missing", study.missing, "missing cells: error, drop (the row), mean")
      ->capture_default_str()
      ->group(data);
  command
      ->add_option("--weights", study.weights,
                   "none, or a column of row weights (weight k = row repeated k times)")
      ->capture_default_str()
      ->group(data);
  command->add_option("--scale", study.scale, "inputs: none, standard, unit")
      ->capture_default_str()
      ->group(data);

  const char* output = "Output";
  command->add_option("--json", flags->outputs.json, "write all results as JSON (- for stdout)")
      ->group(output);
  command->add_option("--report", flags->outputs.report, "write a self-contained HTML report")->group(output);
  command->add_option("--model", flags->outputs.model, "write the fitted model for gnomon predict")
      ->group(output);
  command->add_flag("--quiet", flags->outputs.quiet, "no progress bar")->group(output);
  command
      ->add_option("--threads", flags->threads, "threads, 0 = all cores; changes no answer beyond rounding")
      ->capture_default_str()
      ->group(output);
  command
      ->add_option("--strategy", flags->strategy,
                   "decomposition: auto, full, tridiagonal, pivoted-cholesky, gram")
      ->capture_default_str()
      ->group(output);

  command->callback([flags, command, &action] {
    refuse_flags_of_others(*command, flags->study.request);
    action = [flags] { run(*flags); };
  });
}

}  // namespace gnomon::app
