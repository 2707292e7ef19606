#pragma once

#include <span>
#include <vector>

#include "gnomon/core/types.hpp"
#include "gnomon/decompose/filter.hpp"

namespace gnomon {

/// One design and its targets in the eigenbasis of the Gram matrix. Every trace criterion is a sum over it,
/// so once it is there a further λ costs O(rank).
struct Spectrum {
  Vector values;               ///< eigenvalues d_i of the (weighted, centred) Gram, descending, ≥ 0
  Matrix squared;              ///< z_i² per target: squared coordinates of y in the eigendirections
  Vector outside;              ///< per target, the part of ‖y‖² in none of the directions
  double count = 0;            ///< number of observations n (the sum of the weights)
  double fixed = 0;            ///< directions fitted without penalty: 1 with an intercept
  double range_tolerance = 0;  ///< directions with d ≤ range_tolerance·d₁ are not range: gain 0, complement 1
  bool resolved =
      false;  ///< all directions are range, down to λ = 0: they come from the design, not from its Gram

  double top() const { return values.size() ? values[0] : 0; }
  /// Directions of the data space that the design does not reach; the residual lives there untouched.
  double outside_directions() const { return count - fixed - static_cast<double>(values.size()); }
};

/// How large and how small the eigenvalues are: enough to place a grid of λ.
struct SpectrumScales {
  double top;            ///< d₁
  double trace;          ///< Σ d
  double inverse_trace;  ///< Σ 1/(d + n ε d₁): its reciprocal is below every eigenvalue that rounding leaves
      ///< standing; (n ε)² d₁ where the spectrum comes from the design, not from its Gram
};
SpectrumScales spectrum_scales(const Spectrum&);

/// The sums from which criteria are made, at one λ and for one target. x = gain, g = complement, a = d x² −
/// 2x.
struct SpectralSums {
  double lambda = 0;
  double df = 0;               ///< degrees of freedom tr H, the intercept included
  double g = 0;                ///< Σ g = n − tr H
  double g2 = 0;               ///< Σ g²
  double g4 = 0;               ///< Σ g⁴
  double z2g = 0;              ///< Σ g z² = yᵀ(I − H)y
  double z2g2 = 0;             ///< Σ g² z² = residual sum of squares
  double z2g4 = 0;             ///< Σ g⁴ z²
  double log_prior_ratio = 0;  ///< Σ log(1 + m/λ); NaN where the learner has no Gaussian prior
  // Over the range R of the Gram only (the function-space metric):
  double x = 0;      ///< Σ x
  double xz2 = 0;    ///< Σ x z²
  double dx2z2 = 0;  ///< Σ d x² z² = ‖f̂‖² in the RKHS
  double a2 = 0;     ///< Σ a²
  double a2z2 = 0;   ///< Σ a² z²
};

/// The filter in a direction of this spectrum: the learner's own inside the range, nothing fitted outside.
/// `range_tolerance` < 0 takes every direction as range.
FilterValue filter_at(const Spectrum&, const Filter&, double d, double lambda);
bool in_range(const Spectrum&, const Filter&, double d, double lambda);

/// The sums by their definition, O(rank) per λ.
std::vector<SpectralSums> spectral_sums(const Spectrum&, const Filter&, std::span<const double> lambdas,
                                        Index target);

/// The range tolerance that rounding imposes on an n×n Gram: n·ε.
double default_range_tolerance(Index n);

}  // namespace gnomon
