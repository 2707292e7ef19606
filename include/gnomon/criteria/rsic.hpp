#pragma once

#include "gnomon/criteria/sic.hpp"

namespace gnomon {

/// SIC with a regularised reference: the gain at a pilot λ (the GCV choice) in place of 1/d. Biased, and far
/// less variable where the Gram is ill conditioned.
///   function space   Σ [ d x² z² − 2x·d·x_c (z² − σ²) ]
///   training inputs  (1/n) Σ [ h² z² − 2h h_c (z² − σ²) ]
CriterionCurve regularised_subspace_information(const CriterionContext&);

inline constexpr Criterion rsic{
    .name = "rsic",
    .estimates =
        "squared error of the fitted function in the metric, less a constant; noise excluded (biased)",
    .kind = sic_kind,
    .needs_noise = true,
    .needs_leave_one_out = false,
    .undefined_for = [](const Learner& learner, const Metric& metric) -> std::string {
      if (!learner.linear())
        return "its pilot reference is made for ridge and its relatives without importance weights; use sic";
      if (metric.kind == Metric::Kind::points)
        return "the pilot reference is made for function-space and train metrics";
      return sic_undefined(learner, metric);
    },
    .evaluate = regularised_subspace_information};

}  // namespace gnomon
