#pragma once

#include "gnomon/criteria/sic.hpp"

namespace gnomon {

/// SIC with a regularised reference: the gain at a pilot λ (the GCV choice) in place of 1/d. Biased, and far
/// less variable where the Gram is ill conditioned.
///   function space   Σ [ d x² z² − 2x·d·x_c (z² − σ²) ]
///   training inputs  (1/n) Σ [ h² z² − 2h h_c (z² − σ²) ]
inline constexpr Criterion rsic{
    .name = "rsic",
    .words = "the regularised subspace information criterion",
    .estimates =
        "squared error of the fitted function in the metric, less a constant; noise excluded (biased)",
    .target = sic.target,
    .formula = sic.formula,
    .needs_noise = true,
    .rests_on_divergence = true,
    .reference = Criterion::Reference::pilot,
    .refuses = [](const Learner& learner, const Metric& metric) -> std::string {
      if (!learner.linear())
        return "its pilot reference is made for ridge and its relatives without importance weights; use sic";
      if (metric.kind == Metric::Kind::points)
        return "the pilot reference is made for function-space and train metrics";
      return "";
    }};

}  // namespace gnomon
