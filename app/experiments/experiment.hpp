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
#include "finding.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/report/writers.hpp"
#include "trial_store.hpp"

namespace gnomon::app {

struct ExperimentOptions {
  std::uint64_t seed = 1;
  Index trials = 0;  ///< 0: as many as the experiment says
  std::string data;  ///< file or folder given with --data; empty = the experiment's own source
};

/// Data that an experiment cannot do without are not there; `reproduce all` skips it.
class MissingData : public Error {
 public:
  using Error::Error;
};

struct ExperimentResult {
  std::string lead;               ///< what was found, in a sentence or two
  std::vector<Finding> findings;  ///< ours beside what is expected: table.csv
  ResultTable table;              ///< more than fits into findings: details.csv; may be empty
  std::vector<Section> figures;
  std::vector<std::string> notes;  ///< definitions and judgements, one sentence each
  nlohmann::ordered_json json;
};

using ExperimentFunction = ExperimentResult (*)(const ExperimentOptions&, TrialStore&);

struct Experiment {
  std::string_view name, title;
  Index trials;        ///< unless --trials is given
  Index quick_trials;  ///< with --quick: under a minute on two cores
  ExperimentFunction run;
  bool takes_data = false;   ///< --data is for it; without, it makes its own
  bool keeps_trials = true;  ///< in trials.csv, for --resume; one that takes seconds starts afresh
};

ExperimentResult shift_toy(const ExperimentOptions&, TrialStore&);
ExperimentResult shift_abalone(const ExperimentOptions&, TrialStore&);
ExperimentResult adaptive_linear(const ExperimentOptions&, TrialStore&);
ExperimentResult adaptive_mlp(const ExperimentOptions&, TrialStore&);
ExperimentResult adaptive_cost(const ExperimentOptions&, TrialStore&);
ExperimentResult sic_toy(const ExperimentOptions&, TrialStore&);
ExperimentResult sic_delve(const ExperimentOptions&, TrialStore&);
ExperimentResult nonlinear(const ExperimentOptions&, TrialStore&);

inline constexpr std::array experiment_catalog{
    Experiment{.name = "shift-toy",
               .title = "covariate shift, a line fitted to sinc (Sugiyama & Müller 2005, figure 1)",
               .trials = 3000,
               .quick_trials = 3000,
               .run = shift_toy},
    Experiment{.name = "shift-abalone",
               .title = "covariate shift, Abalone (Sugiyama & Müller 2005, figure 2 and table 1)",
               .trials = 300,
               .quick_trials = 300,
               .run = shift_abalone,
               .takes_data = true},
    Experiment{.name = "adaptive-linear",
               .title = "κ of ridge regression by GEN, LOO and evidence (Sigurdsson, Larsen & Hansen 2000)",
               .trials = 5000,
               .quick_trials = 5000,
               .run = adaptive_linear,
               .keeps_trials = false},
    Experiment{
        .name = "adaptive-mlp",
        .title =
            "two decays of a network by GEN, FPER, 5-fold and evidence (Sigurdsson, Larsen & Hansen 2000)",
        .trials = 30,
        .quick_trials = 30,
        .run = adaptive_mlp,
        .takes_data = true},
    Experiment{.name = "adaptive-cost",
               .title = "what a step of GEN, LOO and evidence costs (Sigurdsson, Larsen & Hansen 2000)",
               .trials = 100,
               .quick_trials = 10,
               .run = adaptive_cost},
    Experiment{.name = "sic-toy",
               .title = "SIC for kernel ridge, sinc targets (Sugiyama & Müller 2002)",
               .trials = 2000,
               .quick_trials = 1000,
               .run = sic_toy},
    Experiment{.name = "sic-delve",
               .title = "SIC, LOOCV and ABIC on DELVE sets (Sugiyama & Müller 2002)",
               .trials = 100,
               .quick_trials = 100,
               .run = sic_delve,
               .takes_data = true},
    Experiment{.name = "nonlinear",
               .title = "SIC and BASIC of learners that are not linear in y (Sugiyama 2007)",
               .trials = 8000,
               .quick_trials = 8000,
               .run = nonlinear}};

}  // namespace gnomon::app
