#include "reproduce_run.hpp"

#include "core/text.hpp"
#include "experiments/result_files.hpp"
#include "gnomon/core/error.hpp"

namespace gnomon::app {
namespace {

ExperimentOptions options_of(const Experiment& experiment, const ReproduceFlags& flags) {
  ExperimentOptions options = flags.options;
  if (options.trials == 0) options.trials = flags.quick ? experiment.quick_trials : experiment.trials;
  if (!experiment.takes_data) options.data.clear();
  return options;
}

}  // namespace

std::vector<std::string> experiment_names() {
  std::vector<std::string> names;
  for (const auto& e : experiment_catalog) names.emplace_back(e.name);
  return names;
}

const Experiment& find_experiment(const std::string& name) {
  auto names = experiment_names();
  names.emplace_back(every_experiment);
  if (name.empty()) throw UsageError(fmt::format("name an experiment: {}", join(names)));
  for (const auto& e : experiment_catalog) {
    if (e.name == name) return e;
  }
  throw UsageError(
      fmt::format("unknown experiment '{}'; experiments: {}{}", name, join(names), suggestion(name, names)));
}

void check_flags(const Experiment& experiment, const ReproduceFlags& flags) {
  if (flags.options.trials != 0 && flags.options.trials < 2)
    throw UsageError(fmt::format("--trials {} is too few; a spread needs 2 or more", flags.options.trials));
  require(experiment.takes_data || flags.options.data.empty(), "{} makes its own data; leave --data out",
          experiment.name);
}

ExperimentRun run_experiment(const Experiment& experiment, const ReproduceFlags& flags,
                             const std::filesystem::path& folder, const Progress& progress) {
  ExperimentRun run{options_of(experiment, flags), {}, {}};
  check_not_the_data(run.options.data, folder, {result_names.begin(), result_names.end()});
  TrialStore store(folder.string(), flags.resume, progress);
  run.result = experiment.run(run.options, store);
  run.files = write_results(folder, experiment, run.options, run.result);
  if (experiment.keeps_trials) run.files.emplace_back("trials.csv");
  return run;
}

}  // namespace gnomon::app
