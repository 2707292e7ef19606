#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "gnomon/criteria/aic.hpp"
#include "gnomon/criteria/aicc.hpp"
#include "gnomon/criteria/basic.hpp"
#include "gnomon/criteria/bic.hpp"
#include "gnomon/criteria/cp.hpp"
#include "gnomon/criteria/cv.hpp"
#include "gnomon/criteria/cv_blocked.hpp"
#include "gnomon/criteria/evidence.hpp"
#include "gnomon/criteria/fpe.hpp"
#include "gnomon/criteria/fper.hpp"
#include "gnomon/criteria/gcv.hpp"
#include "gnomon/criteria/gen.hpp"
#include "gnomon/criteria/gpe.hpp"
#include "gnomon/criteria/iwcv.hpp"
#include "gnomon/criteria/loo.hpp"
#include "gnomon/criteria/nic.hpp"
#include "gnomon/criteria/rsic.hpp"
#include "gnomon/criteria/sic.hpp"
#include "gnomon/criteria/sure.hpp"
#include "gnomon/learn/filters/coefficient_tikhonov.hpp"
#include "gnomon/learn/filters/landweber.hpp"
#include "gnomon/learn/filters/spectral_cutoff.hpp"
#include "gnomon/learn/filters/tikhonov.hpp"
#include "gnomon/represent/basis.hpp"
#include "gnomon/represent/kernel.hpp"

namespace gnomon {

/// Everything that can be named on the command line is listed here once. (Kernels: represent/kernel.hpp,
/// bases: represent/basis.hpp, noise methods: noise/noise.hpp.)
inline constexpr std::array criteria_catalog{sic, rsic, basic, sure, cp,  gcv, loo,  cv,  iwcv,    cv_blocked,
                                             fpe, fper, gpe,   gen,  nic, aic, aicc, bic, evidence};

/// What a learner works on.
enum class Inputs { basis, kernel, either, network };

/// A learner and its tuning parameter beside λ, which is the name of a flag and of an axis in results.
struct LearnerEntry {
  std::string_view name;
  Inputs inputs;  ///< kernels take --kernel and --width, bases take --basis; either: a kernel by default;
                  ///< network: the inputs themselves, and --hidden
  bool linear;    ///< linear in y: a filter on a spectrum
  std::string_view tuning{};  ///< empty if λ is all
};

inline constexpr std::array learner_catalog{LearnerEntry{"ridge", Inputs::basis, true},
                                            LearnerEntry{"kernel-ridge", Inputs::kernel, true},
                                            LearnerEntry{"spectral-cutoff", Inputs::kernel, true},
                                            LearnerEntry{"landweber", Inputs::kernel, true},
                                            LearnerEntry{"lasso", Inputs::basis, false},
                                            LearnerEntry{"elastic-net", Inputs::basis, false, "mix"},
                                            LearnerEntry{"huber", Inputs::basis, false, "tau"},
                                            LearnerEntry{"svr", Inputs::either, false, "epsilon"},
                                            LearnerEntry{"additive", Inputs::basis, false, "amplitude"},
                                            LearnerEntry{"iwls", Inputs::basis, false, "flattening"},
                                            LearnerEntry{"mlp", Inputs::network, false}};

/// Names of a catalogue, for lists and messages.
template <class Catalog>
std::vector<std::string> names_of(const Catalog& catalog) {
  std::vector<std::string> names;
  for (const auto& entry : catalog) names.emplace_back(entry.name);
  return names;
}

/// The filter of a learner; `penalty` ("function" or "coefficients") matters to kernel-ridge.
Filter find_filter(std::string_view learner, std::string_view penalty);
const LearnerEntry& find_learner(std::string_view name);

/// A criterion as asked for: "cv:5" is {cv, folds 5}, "gen:3" is {gen, lags 3}.
struct CriterionRequest {
  Criterion criterion;
  std::string label;
  int folds = 10;
  int lags = 0;

  /// The number of folds where the label says one, else 0.
  int named_folds() const {
    return criterion.argument == Criterion::Argument::folds && label != criterion.name ? folds : 0;
  }
};
CriterionRequest find_criterion(std::string_view spec);
}  // namespace gnomon
