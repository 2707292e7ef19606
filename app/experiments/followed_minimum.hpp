#pragma once

#include <memory>
#include <vector>

#include "gnomon/learn/mlp_train.hpp"
#include "learn/mlp/cost.hpp"

namespace gnomon::app {

/// A network trained along a path of decays κ = exp θ. The first fit is the best of several random starts, or starts from given
/// weights; every other starts from the weights at the nearest θ so far, and so follows one minimum of the cost while it lasts.
class FollowedMinimum {
 public:
  FollowedMinimum(MlpCost cost, const MlpTrainOptions& options) : cost_(std::move(cost)), options_(options) {}

  struct Point {
    Vector theta;
    MlpCost cost;
    MlpFit fit;

    bool is_minimum() const { return fit.outcome == MlpOutcome::minimum; }
  };

  /// The fit at θ; kept, so that asking again is free and gives the same.
  const Point& at(const Vector& theta, const Vector& first_start = {});
  /// Values of θ asked for.
  std::size_t fits() const { return points_.size(); }

 private:
  /// Where training ends elsewhere than at a minimum (a saddle, a unit just switched off), it goes on from weights moved a little
  /// at random.
  MlpFit train_to_minimum(const MlpCost& cost, const Vector& start) const;

  MlpCost cost_;
  MlpTrainOptions options_;
  std::vector<std::unique_ptr<Point>> points_;
};

}  // namespace gnomon::app
