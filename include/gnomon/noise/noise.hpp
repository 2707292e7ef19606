#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gnomon/learn/smoother.hpp"

namespace gnomon {

/// σ² along a path: one value for all λ, or one per λ. NaN where the method does not define it.
struct NoiseVariance {
  std::string method;
  std::string reason;  ///< why this method, in words
  Vector value;        ///< one entry, or one per λ

  double at(Index k) const { return value.size() == 1 ? value[0] : value[k]; }
  bool per_lambda() const { return value.size() > 1; }
};

/// What estimates may look at: a prepared learner, its path, and the inputs.
struct NoiseContext {
  const Learner& learner;
  const std::vector<SpectralSums>& sums;
  Index target;
  MatrixView x;
  VectorView y, weight;
  std::uint64_t seed = 0;  ///< of the folds of method cv
};

/// n rss/(n − tr H)² as a guide to a point of the path; undefined where less than a millionth of n is left over, since
/// the quotient of two vanishing sums guides nowhere.
double gcv_score(const SpectralSums&, double count);

/// Estimates from the path (math: rss = Σ g²z², n − tr H = Σ g).
double residual_variance(const SpectralSums&);           ///< rss/(n − tr H)
double residual_variance_unbiased(const SpectralSums&);  ///< rss/Σ g², unbiased where (I−H)f = 0
double gcv_variance(const std::vector<SpectralSums>&,
                    double count);  ///< residual variance at the GCV minimiser
/// s² of the evidence at its minimiser over the path; restricted (REML) where an intercept was projected out.
double evidence_variance(const std::vector<SpectralSums>&, double count, double fixed);
/// Least squares on the whole design: what lies outside its span over the directions outside; NaN if there
/// are none.
double least_squares_variance(const Spectrum&, Index target);

/// Residual variance at the point of the path where ten-fold cross-validation is least (Reid, Tibshirani & Friedman
/// 2016): the one estimate that stays honest where there are more columns than rows.
double cross_validated_variance(const NoiseContext&);

/// "auto", "residual", "gcv", "cv", "ml", "reml", "difference", "rice", "gsj", "nearest", "pure-error", "ols", or a
/// number. `auto` takes one value for the whole path: least squares where a basis leaves enough directions
/// over, else the residual variance at the minimiser of GCV (of cross-validation where the learner is not linear in y),
/// else the evidence's.
NoiseVariance estimate_noise(std::string_view method, const NoiseContext&);
std::vector<std::string> noise_methods();
/// Checks the name or number before any work is done.
void check_noise_method(std::string_view method);

}  // namespace gnomon
