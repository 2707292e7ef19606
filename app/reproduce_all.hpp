#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "experiments/experiment.hpp"
#include "reproduce_run.hpp"

namespace gnomon::app {

/// How one experiment of `reproduce all` ended.
struct ExperimentOutcome {
  const Experiment* experiment;
  Index trials;
  std::string lead;
  std::vector<Finding> findings;
  std::string skipped = {};  ///< why, where data are missing
};

/// "12 agree, 1 differs", or why it was skipped.
std::string in_words(const ExperimentOutcome& outcome);

/// Every experiment, in the order of the catalogue, each into a folder of its name; one whose data are missing is skipped. Then
/// result.json and summary.md. Returns the summary. `progress` makes one for each experiment, `told` hears as each ends.
std::string reproduce_all(const ReproduceFlags& flags, const std::function<Progress()>& progress,
                          const std::function<void(const ExperimentOutcome&)>& told);

}  // namespace gnomon::app
