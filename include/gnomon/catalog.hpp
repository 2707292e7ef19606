#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "gnomon/criteria/aic.hpp"
#include "gnomon/criteria/aicc.hpp"
#include "gnomon/criteria/bic.hpp"
#include "gnomon/criteria/cp.hpp"
#include "gnomon/criteria/cv.hpp"
#include "gnomon/criteria/evidence.hpp"
#include "gnomon/criteria/fpe.hpp"
#include "gnomon/criteria/gcv.hpp"
#include "gnomon/criteria/loo.hpp"
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
inline constexpr std::array criteria_catalog{sic, rsic, sure, cp,   gcv, loo,
                                             cv,  fpe,  aic,  aicc, bic, evidence};

struct LearnerEntry {
  std::string_view name;
  bool kernel;  ///< takes --kernel and --width; the others take --basis
};

inline constexpr std::array learner_catalog{LearnerEntry{"ridge", false}, LearnerEntry{"kernel-ridge", true},
                                            LearnerEntry{"spectral-cutoff", true},
                                            LearnerEntry{"landweber", true}};

/// The filter of a learner; `penalty` ("function" or "coefficients") matters to kernel-ridge.
Filter find_filter(std::string_view learner, std::string_view penalty);
const LearnerEntry& find_learner(std::string_view name);

/// A criterion as asked for: "cv:5" is {cv, 5}.
struct CriterionRequest {
  Criterion criterion;
  std::string label;
  int folds = 10;
};
CriterionRequest find_criterion(std::string_view spec);

}  // namespace gnomon
