#include "gnomon/criteria/sic_frame.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "../decompose/lapack.hpp"

namespace gnomon {

SicFrame::SicFrame(const PathLearner& learner, Index target, const Metric& metric)
    : learner_(learner),
      target_(target),
      without_constant_(learner.intercept() && learner.importance().size() == 0),
      mean_(without_constant_ ? learner.weighted_mean(target) : 0) {
  if (metric.kind != Metric::Kind::points) return;
  const bool intercept = learner.intercept();
  const Index n = learner.rows(), p = learner.parameters();
  // The reference is least squares weighted by the counts, or by the whole density ratio under a shift: then it is
  // unbiased for the best parameters under the test inputs.
  const Vector& given = learner.importance().size() ? learner.importance() : learner.weight();
  const Vector weight = given.size() ? given : Vector::Ones(n);
  const Vector root = weight.cwiseSqrt();
  omega_ = metric.points.weight;

  Matrix at_points = learner.features_at(metric.points.x);
  features_.resize(at_points.rows(), p + (intercept ? 1 : 0));
  features_.leftCols(p) = at_points;
  if (intercept) features_.col(p).setOnes();

  // Least squares about the means, so that the constant does not spoil the conditioning.
  Matrix design = learner.features();
  const Vector means = design.transpose() * weight / weight.sum();
  if (intercept) {
    design.rowwise() -= means.transpose();
    at_points.rowwise() -= means.transpose();
  }
  lapack::ThinSvd svd = lapack::thin_svd(root.asDiagonal() * design);
  const double tolerance = static_cast<double>(std::max(n, p)) * std::numeric_limits<double>::epsilon();
  Index rank = svd.s.size();
  while (rank > 0 && !(svd.s[rank - 1] > tolerance * svd.s[0])) --rank;
  // Values of the reference at the points are  (Φ_U − 1φ̄ᵀ) V S⁻¹ (√W Q)ᵀ e + 1 wᵀe/Σw.
  left_.resize(n, rank + (intercept ? 1 : 0));
  left_.leftCols(rank) = root.asDiagonal() * svd.u.leftCols(rank);
  Matrix values(at_points.rows(), left_.cols());
  values.leftCols(rank) = lapack::product(
      at_points, false, svd.v.leftCols(rank) * svd.s.head(rank).cwiseInverse().asDiagonal(), false);
  if (intercept) {
    left_.col(rank) = weight / weight.sum();
    values.col(rank).setOnes();
  }
  reference_ = (values * (left_.transpose() * learner.target(target))).array() - mean_;
  map_ = lapack::product(values, true, omega_.asDiagonal() * features_, false);
}

double SicFrame::distance(const PathFit& fit) const {
  if (train()) return (fit.rss - learner_.total(target_)) / learner_.count();
  const Vector f = (features_ * learner_.parameters_of(fit)).array() - mean_;
  return (omega_.array() * f.array() * (f - 2 * reference_).array()).sum();
}

Pairing SicFrame::pairing() const {
  if (train()) {
    return [this](const Vector& e) {
      const Vector& w = learner_.weight();
      return Vector(learner_.adjoint(w.size() ? Vector(w.cwiseProduct(e)) : e) / learner_.count());
    };
  }
  return [this](const Vector& e) { return Vector(map_.transpose() * (left_.transpose() * e)); };
}

double SicFrame::divergence(const PathFit& fit, double df) const {
  const double own = without_constant_ ? 1 : 0;
  if (train()) return (df - own) / learner_.count();
  const auto matrix = [this] {
    Matrix m = lapack::product(left_, false, map_, false);
    if (learner_.weight().size()) m = learner_.weight().cwiseInverse().asDiagonal() * m;
    return m;
  };
  return learner_.divergence(fit, target_, pairing(), matrix) - own / learner_.count();
}

}  // namespace gnomon
