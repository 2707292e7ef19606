#pragma once

#include <vector>

#include "gnomon/select/selection.hpp"

namespace gnomon {

/// How the value of a criterion at a point moves with the mean m of the squared errors of held-out rows there, all else at that
/// point being kept. Only criteria that move with it can be asked again on other draws of the rows without a refit.
struct MovesWithError {
  enum class How {
    not_at_all,
    is_the_mean,  ///< the criterion is m itself: loo, cv
    by_logarithm  ///< it adds share·n·log m to what is kept: blends with a −2 log likelihood
  };
  How how = How::not_at_all;
  double share = 0;
};
MovesWithError moves_with_error(const Criterion& criterion);

/// Weights of the rows in the error on new data; empty = ones.
Vector judging_weight(const TrainingData& data);
/// Those in the errors that a choice goes by. A criterion of no held-out rows is taken to go by the errors that are judged.
Vector choosing_weight(const TrainingData& data, const Criterion& criterion);

/// The choice among the points of one or several paths, to be made again from other means of the same rows' errors.
struct RepeatedChoice {
  std::vector<Index> first_of_path{0};  ///< where each path begins among the points; λ ascends inside a path
  Vector value;                         ///< of the criterion on all rows; NaN where it must not choose
  Vector standard_error{};  ///< of it, or of its differences from the least, where the rule asks for them
  Vector mean;              ///< of the squared errors of all rows
  MovesWithError moves{};
  Rule rule = Rule::minimum;
  double count = 1;  ///< n, the scale of logarithms
  /// What chose the path before λ was chosen on it, at every point; it adds share·n·log m to what is kept, as a blend does. Empty: the
  /// paths compare by `value`.
  Vector before{};
  double before_share = 0;
  bool averages = false;  ///< all points are averaged (averaging.hpp), rather than one chosen

  /// The weights of the average by these means.
  Vector weights_from(const Vector& resampled) const;
  /// The place of the choice by these means; −1 where nothing can be chosen.
  Index from(const Vector& resampled) const;

 private:
  double value_at(Index point, double resampled) const;
  double before_at(Index point, double resampled) const;
};

}  // namespace gnomon
