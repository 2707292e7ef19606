#pragma once

#include "gnomon/learn/smoother.hpp"

namespace gnomon::compare {

/// The truths in the spectral coordinates of a smoother.
struct SpectralTruths {
  Matrix coordinates;  ///< rank × truths
  Vector outside;      ///< per truth, what lies in none of the directions
};

/// (1/n) Σ (f̂ − f)² at every λ for the first target of the smoother, O(rank) each: in spectral coordinates
///   Σ (h z − t)² + ‖f outside the span‖² + constant_part,
/// the last one from the intercept, (Σ (y − f))²/n.
Vector spectral_errors(const Smoother& smoother, const std::vector<double>& lambdas,
                       const SpectralTruths& truths, std::size_t which, double constant_part);

/// The same from the fits themselves.
Vector fitted_errors(const Learner& learner, const std::vector<double>& lambdas, const Vector& truth);

}  // namespace gnomon::compare
