#include "followed_minimum.hpp"

#include "gnomon/core/random.hpp"

namespace gnomon::app {

MlpFit FollowedMinimum::train_to_minimum(const MlpCost& cost, const Vector& start) const {
  MlpFit fit = mlp_train_from(cost, start, options_);
  Random random(options_.seed, 1u << 20);
  for (int again = 0; again < 3 && fit.outcome != MlpOutcome::minimum; ++again)
    fit = mlp_train_from(cost, fit.model.w + 0.01 * random.normal_vector(cost.weights()), options_);
  return fit;
}

const FollowedMinimum::Point& FollowedMinimum::at(const Vector& theta, const Vector& first_start) {
  const Point* nearest = nullptr;
  for (const auto& seen : points_) {
    if (!nearest || (seen->theta - theta).norm() < (nearest->theta - theta).norm()) nearest = seen.get();
  }
  if (nearest && nearest->theta == theta) return *nearest;
  auto point = std::make_unique<Point>(Point{theta, cost_.with_kappa(theta.array().exp().matrix()), {}});
  if (nearest) {
    point->fit = train_to_minimum(point->cost, nearest->fit.model.w);
  } else if (first_start.size()) {
    point->fit = train_to_minimum(point->cost, first_start);
  } else {
    point->fit = mlp_train(point->cost, options_);
    if (!point->is_minimum()) point->fit = train_to_minimum(point->cost, point->fit.model.w);
  }
  points_.push_back(std::move(point));
  return *points_.back();
}

}  // namespace gnomon::app
