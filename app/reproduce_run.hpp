#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/experiment.hpp"
#include "gnomon/core/progress.hpp"

namespace gnomon::app {

/// What `gnomon reproduce` was told.
struct ReproduceFlags {
  std::string name, folder;
  ExperimentOptions options;
  int threads = 0;
  bool list = false, quick = false, resume = false, quiet = false;
};

/// Names of the experiments, in the order of the catalogue.
std::vector<std::string> experiment_names();
/// The experiment of that name; a UsageError where there is none.
const Experiment& find_experiment(const std::string& name);

/// One experiment that has run: with what, what was found, and the files that were written.
struct ExperimentRun {
  ExperimentOptions options;
  ExperimentResult result;
  std::vector<std::string> files;
};

/// Fails where the flags do not fit the experiment, or name data that it would not read.
void check_flags(const Experiment& experiment, const ReproduceFlags& flags);
/// Runs it and writes its results into the folder.
ExperimentRun run_experiment(const Experiment& experiment, const ReproduceFlags& flags,
                             const std::filesystem::path& folder, const Progress& progress);

/// The name that stands for every experiment.
inline constexpr const char* every_experiment = "all";

}  // namespace gnomon::app
