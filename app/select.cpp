#include <cmath>
#include <map>
#include <memory>

#include "commands.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "gnomon/core/text.hpp"
#include "gnomon/learn/additive.hpp"
#include "gnomon/select/candidates.hpp"
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
  std::string criterion = "auto", search = "refine", rule = "min", strategy = "auto", divergence = "best",
              residuals = "raw";
  int threads = 0;
};

/// A flag that the learner does not take would be ignored without a word; say so instead.
void refuse_flags_of_others(const CLI::App& command, const SelectionRequest& request) {
  const LearnerEntry& learner = find_learner(request.learner);
  const auto refuse = [&](const char* flag, const char* owner) {
    if (command.count(flag) == 0) return;
    throw UsageError(fmt::format("{} belongs to {}, not to --learner {}", flag, owner, request.learner));
  };
  if (learner.inputs == Inputs::network) refuse("--basis", "learners on a basis, such as ridge or lasso");
  if (!is_tuned(request)) refuse("--start", "a search over several parameters (--search gradient)");
  if (is_tuned(request)) {
    for (const char* flag :
         {"--divergence", "--bootstrap", "--bootstrap-residuals", "--strategy", "--metric", "--rule"}) {
      if (command.count(flag))
        throw UsageError(
            fmt::format("{} belongs to a path of one lambda, not to a search over several parameters", flag));
    }
  }
  if (learner.inputs == Inputs::kernel) refuse("--basis", "learners on a basis, such as ridge or lasso");
  if (!uses_kernel(request)) {
    for (const char* flag : {"--kernel", "--width"}) {
      if (learner.inputs == Inputs::either && command.count(flag))
        throw UsageError(
            fmt::format("{} and --basis cannot go together: give {} one of them", flag, request.learner));
      refuse(flag, "learners with a kernel");
    }
  }
  for (const auto& entry : learner_catalog()) {
    const std::string owner = "--learner " + entry.name;
    if (entry.tuning && !entry.tunes_exponent() && !learner.takes(entry.tuning->name))
      refuse(("--" + entry.tuning->name).c_str(), owner.c_str());
    for (const std::string& option : entry.options) {
      if (!learner.takes(option)) refuse(("--" + option).c_str(), owner.c_str());
    }
  }
  if (learner.linear()) {
    refuse("--divergence", "learners that are not linear in y");
    refuse("--bootstrap",
           "learners that are not linear in y (for the others basic has all replications in closed form)");
  } else {
    refuse("--strategy", "learners that are linear in y");
  }
  if (command.count("--lags") == 0 && command.count("--horizon"))
    throw UsageError("--horizon belongs to a time series; give --lags too");
}

/// best, exact, mc or mc:PROBES.
void read_divergence(const std::string& text, SelectionRequest& request) {
  const auto parts = split(text, ':');
  request.divergence = one_of<Divergence>(
      "--divergence", parts.empty() ? text : parts[0],
      {{"best", Divergence::best}, {"exact", Divergence::exact}, {"mc", Divergence::monte_carlo}});
  if (parts.size() < 2) return;
  const auto probes = parse_number(parts[1]);
  if (parts.size() > 2 || request.divergence != Divergence::monte_carlo || !probes || *probes < 1 ||
      *probes > 1e6 || *probes != std::floor(*probes))
    throw UsageError(
        fmt::format("--divergence '{}' is not understood; give best, exact, mc or mc:PROBES", text));
  request.probes = static_cast<int>(*probes);
}

Search search_named(const std::string& name) {
  return one_of<Search>("--search", name,
                        {{"grid", Search::grid},
                         {"refine", Search::refine},
                         {"gradient", Search::gradient},
                         {"mackay", Search::mackay}});
}

void run(SelectFlags flags) {
  SelectionRequest& request = flags.study.request;
  request.criteria = split(flags.criterion, ',');
  request.search = search_named(flags.search);
  request.rule =
      one_of<Rule>("--rule", flags.rule, {{"min", Rule::minimum}, {"1se", Rule::one_standard_error}});
  request.strategy = one_of<Strategy>("--strategy", flags.strategy,
                                      {{"auto", Strategy::automatic},
                                       {"full", Strategy::full},
                                       {"tridiagonal", Strategy::tridiagonal},
                                       {"pivoted-cholesky", Strategy::pivoted_cholesky},
                                       {"gram", Strategy::gram}});
  read_divergence(flags.divergence, request);
  const int treatment =
      one_of<int>("--bootstrap-residuals", flags.residuals, {{"raw", 0}, {"centred", 1}, {"scaled", 2}});
  request.bootstrap.centred = treatment >= 1;
  request.bootstrap.rescaled = treatment == 2;
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
  command->add_option("--learner", request.learner, join(names_of(learner_catalog())))
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
  command
      ->add_option("--basis", request.basis,
                   "for learners on a basis: linear, polynomial:D, fourier:D, gaussian:M [linear]; svr takes "
                   "a kernel without")
      ->group(model);
  command->add_option("--penalty", request.penalty, "kernel ridge: function or coefficients")
      ->capture_default_str()
      ->group(model);
  command
      ->add_option("--mix", request.mix,
                   "elastic-net: share of the absolute penalty, 0 to 1; auto or several")
      ->capture_default_str()
      ->group(model);
  command
      ->add_option("--tau", request.tau,
                   "huber: where the loss turns linear, in units of the target; auto or several")
      ->capture_default_str()
      ->group(model);
  command
      ->add_option("--epsilon", request.epsilon,
                   "svr: half-width of the tube, in units of the target; auto or several")
      ->capture_default_str()
      ->group(model);
  command->add_option("--shift", request.shift, "additive: family of the shift: " + join(shift_families()))
      ->capture_default_str()
      ->group(model);
  command
      ->add_option("--amplitude", request.amplitude,
                   "additive: sizes of the shift in units of the target, auto or a,b,c")
      ->capture_default_str()
      ->group(model);
  command
      ->add_option("--flattening", request.flattening,
                   "exponents of importance weights in [0,1]: lo:hi:count (evenly spaced) or a,b,c; iwls "
                   "chooses among them "
                   "[0:1:21], other learners take one [1]")
      ->group(model);
  command
      ->add_option(
          "--groups", request.groups,
          "inputs that share a regularization parameter, a,b;c, each or all: a decay (ridge), a width "
          "(kernel-ridge) or, with --decay-groups input, a decay of mlp; searched by gradient")
      ->group(model);
  command->add_option("--hidden", request.hidden, "mlp: tanh units; a,b for two layers; 0 for none")
      ->capture_default_str()
      ->group(model);
  command
      ->add_option("--decay-groups", request.decay_groups,
                   "mlp: one decay per layer, or per input and one for the rest (input)")
      ->capture_default_str()
      ->group(model);
  command->add_option("--restarts", request.restarts, "mlp: random starts of training")
      ->capture_default_str()
      ->group(model);
  command->add_flag("--classify", study.classify, "mlp: the target names classes (a text target always does)")
      ->group(model);
  command->add_flag("--intercept,!--no-intercept", request.intercept, "fit an unpenalised constant [on]")
      ->group(model);

  const char* choice = "Choice";
  command->add_option("--lambda", request.lambda, "auto, lo:hi:count (log-spaced), or a,b,c")
      ->capture_default_str()
      ->group(choice);
  command
      ->add_option(
          "--criterion", flags->criterion,
          "comma list, the first one chooses: auto, all, sic, rsic, basic, sure, cp, gcv, loo, cv[:K], "
          "iwcv[:K], cv-blocked[:K], gen[:M], nic, fpe, fper, gpe, aic, aicc, bic, evidence")
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
  command
      ->add_option("--divergence", flags->divergence,
                   "Stein term of learners not linear in y: best, exact, or mc[:PROBES] (Monte Carlo)")
      ->capture_default_str()
      ->group(choice);
  command->add_option("--bootstrap", request.bootstrap.replications, "replications of basic")
      ->capture_default_str()
      ->group(choice);
  command
      ->add_option(
          "--bootstrap-residuals", flags->residuals,
          "residuals that basic draws from: raw (as published), centred, or scaled (centred and rescaled)")
      ->capture_default_str()
      ->group(choice);
  command
      ->add_option("--search", flags->search,
                   "grid; refine (continuous minimum along a path); gradient (all parameters at once: "
                   "ridge, kernel-ridge, mlp); mackay (updates that raise the evidence)")
      ->capture_default_str()
      ->group(choice);
  command
      ->add_option("--start", study.start,
                   "go on from the parameters that an earlier search wrote with --json")
      ->group(choice);
  command->add_option("--rule", flags->rule, "min, or 1se (most regularized within one standard error)")
      ->capture_default_str()
      ->group(choice);
  command->add_option("--repeats", request.repeats, "repeats of cross-validation")
      ->capture_default_str()
      ->group(choice);
  command
      ->add_option("--seed", request.seed, "of random folds, bootstrap and probes")

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
  command
      ->add_option(
          "--lags", study.lags,
          "time series, rows in order of time: predict the target from this many of its own newest values")
      ->group(data);
  command->add_option("--horizon", study.horizon, "with --lags: how many rows ahead to predict")
      ->capture_default_str()
      ->group(data);
  command->add_option("--missing", study.missing, "missing cells: error, drop (the row), mean")
      ->capture_default_str()
      ->group(data);
  command
      ->add_option("--weights", study.weights,
                   "none; a column of row weights (weight k = row repeated k times; density ratios for "
                   "iwls); or, with --test, "
                   "importance weights by " +
                       join(ratio_methods()))
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
    flags->study.request.search = search_named(flags->search);
    refuse_flags_of_others(*command, flags->study.request);
    action = [flags] { run(*flags); };
  });
}

}  // namespace gnomon::app
