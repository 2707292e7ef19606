#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "experiments/experiment.hpp"

namespace gnomon::app {

/// How one experiment of `reproduce all` ended.
struct ExperimentOutcome {
  const Experiment* experiment;
  Index trials;
  std::string lead;
  std::vector<Finding> findings;
  std::string skipped = {};  ///< why, where data are missing
};

/// Every experiment by `run`, in the order of the catalogue; one whose data are missing is skipped. A line on standard output
/// as each ends.
std::vector<ExperimentOutcome> run_all(const std::function<ExperimentOutcome(const Experiment&)>& run);

/// Writes result.json and summary.md into the folder; returns the summary. `options` says what held for all: seed and data.
std::string write_summary(const std::filesystem::path& folder, const ExperimentOptions& options, bool quick,
                          const std::vector<ExperimentOutcome>& outcomes);

}  // namespace gnomon::app
