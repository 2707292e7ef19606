#pragma once

// The experiments of `gnomon reproduce`, one per file. To add one, write <name>.cpp, declare its function below and list
// it in `experiment_catalog`.

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "../result_table.hpp"
#include "gnomon/report/writers.hpp"
#include "trial_store.hpp"

namespace gnomon::app {

struct ExperimentOptions {
  std::uint64_t seed = 1;
  Index trials = 0;
  std::string data;  ///< file given with --data; empty = the experiment's own source
};

struct ExperimentResult {
  std::string lead;   ///< what was found, in a sentence or two
  ResultTable table;  ///< ours beside the expected and the published numbers
  std::vector<Section> figures;
  std::vector<std::string> notes;  ///< definitions and judgements, one sentence each
  nlohmann::ordered_json json;
};

using ExperimentFunction = ExperimentResult (*)(const ExperimentOptions&, TrialStore&);

struct Experiment {
  std::string_view name, title;
  Index trials;  ///< unless --trials is given
  ExperimentFunction run;
  bool keeps_trials = true;  ///< in trials.csv, for --resume; one that takes seconds starts afresh
};

ExperimentResult shift_toy(const ExperimentOptions&, TrialStore&);
ExperimentResult shift_abalone(const ExperimentOptions&, TrialStore&);
ExperimentResult adaptive_linear(const ExperimentOptions&, TrialStore&);
ExperimentResult adaptive_mlp(const ExperimentOptions&, TrialStore&);

inline constexpr std::array experiment_catalog{
    Experiment{"shift-toy", "covariate shift, a line fitted to sinc (Sugiyama & Müller 2005, figure 1)", 3000,
               shift_toy},
    Experiment{"shift-abalone", "covariate shift, Abalone (Sugiyama & Müller 2005, figure 2 and table 1)",
               300, shift_abalone},
    Experiment{"adaptive-linear",
               "κ of ridge regression by GEN, LOO and evidence (Sigurdsson, Larsen & Hansen 2000)", 5000,
               adaptive_linear, false},
    Experiment{"adaptive-mlp",
               "two decays of a network by GEN, FPER, 5-fold and evidence (Sigurdsson, Larsen & Hansen 2000)",
               30, adaptive_mlp}};

}  // namespace gnomon::app
