#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gnomon/data/folds.hpp"
#include "gnomon/learn/noise_variance.hpp"
#include "gnomon/learn/smoother.hpp"

namespace gnomon {

struct Replicates;

/// What estimates may look at: a prepared learner, its path, and the inputs.
struct NoiseContext {
  const Learner& learner;
  const std::vector<double>& lambdas;
  const std::vector<Counts>& counts;  ///< one per λ
  Index target;
  MatrixView x;
  VectorView y, weight;
  std::uint64_t seed = 0;               ///< of the folds of method cv
  const Replicates* repeats = nullptr;  ///< rows that repeat others, where they were searched for already
  RowGroups groups{};                   ///< of method cv: rows that are held out together
};

/// A way to estimate σ². The catalogue lists ours; one of your own goes to `estimate_noise` in the same way.
struct NoiseMethod {
  std::string name;
  std::string words;  ///< what it takes, for reports
  /// The estimate. An empty `method` or `reason` of the answer is filled in from `name` and `words`.
  std::function<NoiseVariance(const NoiseContext&)> estimate;
  /// "" or what this learner or these data lack for it, as the end of a sentence; empty = it needs nothing.
  std::function<std::string(const NoiseContext&)> lacks{};
  bool follows_path = false;  ///< one value per λ, which only a path of one λ has
};

/// One value for all λ; NaN if there is none. The usual answer of `NoiseMethod::estimate`.
NoiseVariance one_variance(std::optional<double>);

/// n rss/(n − tr H)² as a guide to a point of the path; undefined where less than a millionth of n is left over, since
/// the quotient of two vanishing sums guides nowhere.
double gcv_score(const Counts&);

/// Estimates from the path.
double residual_variance(const Counts&);          ///< rss/(n − tr H)
double gcv_variance(const std::vector<Counts>&);  ///< residual variance at the GCV minimiser
/// s² of the evidence at its minimiser over the path; restricted (REML) where an intercept was projected out.
double evidence_variance(const std::vector<EvidenceParts>&);
/// Least squares on the whole design: what lies outside its span over the directions outside; NaN if there
/// are none.
double least_squares_variance(const Spectrum&, Index target);

/// Residual variance at the point of the path where ten-fold cross-validation is least (Reid, Tibshirani & Friedman
/// 2016): the one estimate that stays honest where there are more columns than rows.
double cross_validated_variance(const NoiseContext&);

/// Every method that has a name: auto, residual, gcv, cv, ml, reml, difference, rice, gsj, nearest, pure-error, ols.
/// `auto` takes one value for the whole path: least squares where a basis leaves enough directions over, else the
/// residual variance at the minimiser of GCV (of cross-validation where the learner is not linear in y), else the
/// evidence's.
const std::vector<NoiseMethod>& noise_catalog();
std::vector<std::string> noise_methods();  ///< their names
/// The method of that name; a number is the method that answers with it. Anything else is a UsageError.
NoiseMethod find_noise_method(std::string_view name_or_number);

NoiseVariance estimate_noise(const NoiseMethod&, const NoiseContext&);
NoiseVariance estimate_noise(std::string_view name_or_number, const NoiseContext&);

}  // namespace gnomon
