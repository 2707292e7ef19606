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
#include "gnomon/select/learner_entry.hpp"
#include "gnomon/select/names.hpp"

namespace gnomon {

/// Everything that can be named on the command line is listed here once. (Kernels: represent/kernel.hpp,
/// bases: represent/basis.hpp, noise methods: noise/noise.hpp.)
inline constexpr std::array criteria_catalog{sic, rsic, basic, sure, cp,  gcv, loo,  cv,  iwcv,    cv_blocked,
                                             fpe, fper, gpe,   gen,  nic, aic, aicc, bic, evidence};

/// The learners that have a name, in the order of lists and messages.
const std::vector<LearnerEntry>& learner_catalog();

/// Names of a catalogue, for lists and messages.
template <class Catalog>
std::vector<std::string> names_of(const Catalog& catalog) {
  std::vector<std::string> names;
  for (const auto& entry : catalog) names.emplace_back(entry.name);
  return names;
}

/// The learner of a name; an unknown one is a UsageError.
const LearnerEntry& find_learner(std::string_view name);
/// The filter of a learner that is linear in y; the penalty matters to kernel-ridge.
Filter find_filter(std::string_view learner, Named<Penalty> penalty);

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
