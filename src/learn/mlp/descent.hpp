#pragma once

#include <functional>

#include "cost.hpp"
#include "gnomon/learn/mlp_train.hpp"

namespace gnomon::mlp {

/// A point on the way down.
struct Iterate {
  Vector w, gradient;
  double cost = 0;
  int iterations = 0;

  double norm() const { return gradient.lpNorm<Eigen::Infinity>(); }
  bool certified(double tolerance) const { return norm() <= tolerance * std::max(1.0, cost); }
  bool unbounded() const { return !(w.lpNorm<Eigen::Infinity>() < 1e7); }
};

/// Every step of training comes by here, and stops here if it is asked to.
Iterate iterate_at(const MlpCost& cost, Vector w);

/// Backtracking from `step` along `direction` until Armijo's rule, shortened by the parabola through what is known; false
/// if the direction does not go down or no step does.
bool search_line(const MlpCost& cost, const Vector& direction, double step, Iterate& at);

/// At most `steps` steps of L-BFGS whose first guess of the inverse Hessian is `inverse`, down to the certificate. Returns
/// how many were made before the certificate or a direction that does not go down.
int descend_around(const MlpCost& cost, const std::function<Vector(const Vector&)>& inverse, int steps,
                   double tolerance, Iterate& at);

/// Levenberg–Marquardt, then Newton; stops at the certificate, at the iteration limit or at unbounded weights.
void descend_dense(const MlpCost& cost, const MlpTrainOptions& options, Iterate& at);
/// L-BFGS around factorised Hessians, for more than a hundred weights; may stop short of the certificate.
void descend_factored(const MlpCost& cost, const MlpTrainOptions& options, Iterate& at);
/// The same ends with L-BFGS and Newton–CG, both around a Gauss–Newton inverse.
void descend_large(const MlpCost& cost, const MlpTrainOptions& options, Iterate& at);
/// L-BFGS until |∇C|∞ ≤ target or no further descent.
void descend_lbfgs(const MlpCost& cost, double target, int max_iterations, Iterate& at);

/// The curvature of C at a stationary point.
struct LeastCurvature {
  bool positive_definite = false;
  double value = 0;  ///< least eigenvalue (or a negative Rayleigh quotient) where not positive definite
  double scale = 0;  ///< size of the largest
  Vector direction;
};
LeastCurvature least_curvature_dense(const MlpCost& cost, const Vector& w);
LeastCurvature least_curvature_large(const MlpCost& cost, const Vector& w);

/// Moves downhill along ± the direction; false if the cost falls nowhere.
bool escape(const MlpCost& cost, const LeastCurvature& curvature, Iterate& at);

}  // namespace gnomon::mlp
