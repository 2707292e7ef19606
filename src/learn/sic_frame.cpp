#include "sic_frame.hpp"

#include "held_out_moments.hpp"
#include "moments_ridge.hpp"
#include "point_moments.hpp"

#include "decompose/design_svd.hpp"

namespace gnomon {

SicFrame::SicFrame(const PathLearner& learner, Index target, const Metric& metric)
    : learner_(learner),
      target_(target),
      without_constant_(learner.intercept() && learner.importance().size() == 0),
      mean_(without_constant_ ? learner.weighted_mean(target) : 0),
      metric_kind_(metric.kind) {
  if (train()) return;
  by_moments_ = from_moments(metric.points);
  if (!by_moments_) from_rows(metric.points);
}

bool SicFrame::from_moments(const MetricPoints& points) {
  if (!learner_.from_moments()) return false;
  const HeldOutMoments& moments = *learner_.options().held_out;
  if (!moments.paired(learner_.options().flattening)) return false;
  const bool intercept = learner_.intercept();
  const Index p = learner_.columns(), q = p + (intercept ? 1 : 0);
  const CentredGram whole = moments.under(1)->total(intercept);
  const auto eigen = lapack::symmetric_eigen(Matrix(whole.xx));
  if (!(eigen.values[p - 1] > well_conditioned_moments * eigen.values[0])) return false;
  const auto solve = [&](const MatrixView& right) -> Matrix {
    return eigen.vectors * (eigen.values.cwiseInverse().asDiagonal() * (eigen.vectors.transpose() * right));
  };
  centre_ = whole.x_mean;
  best_.resize(q);
  best_.head(p) = solve(whole.xy.col(target_));
  if (intercept) best_[p] = whole.y_mean[target_];

  // The products with the target 1 are the sums.
  const auto& judged_at = learner_.options().judged_at;
  const Vector zero = Vector::Zero(1);
  const CentredGram u =
      judged_at && judged_at->points == &points
          ? judged_at->moments.total_about(centre_, zero)
          : moments_at(points, std::get<Basis>(learner_.options().representation)).total_about(centre_, zero);
  metric_.resize(q, q);
  metric_.topLeftCorner(p, p) = u.xx;
  paired_.resize(q, q);
  if (intercept) {
    metric_.col(p) << u.xy.col(0), u.yy[0];
    metric_.row(p) = metric_.col(p).transpose();
    paired_.row(p) = metric_.row(p) / whole.weight;
  }
  paired_.topRows(p) = solve(metric_.topRows(p));
  return true;
}

void SicFrame::from_rows(const MetricPoints& points) {
  const PathLearner& learner = learner_;
  const bool intercept = learner.intercept();
  const Index n = learner.rows(), p = learner.columns();
  // The reference is least squares weighted by the counts, or by the whole density ratio under a shift: then it is
  // unbiased for the best parameters under the test inputs.
  const Vector& given = learner.importance().size() ? learner.importance() : learner.weight();
  const Vector weight = given.size() ? given : Vector::Ones(n);
  const Vector root = weight.cwiseSqrt();
  omega_ = points.weight;

  Matrix at_points = learner.features_at(points.x);
  features_.resize(at_points.rows(), p + (intercept ? 1 : 0));
  features_.leftCols(p) = at_points;
  if (intercept) features_.col(p).setOnes();

  // Least squares about the means, so that the constant does not spoil the conditioning.
  Matrix design = root.asDiagonal() * learner.features();
  Vector before;
  if (intercept) {
    before = design.colwise().norm().transpose();
    const Vector means = design.transpose() * root / weight.sum();
    design -= root * means.transpose();
    at_points.rowwise() -= means.transpose();
  }
  const lapack::ThinSvd svd = design_svd(std::move(design), before);
  const Index rank = svd.s.size();
  // Values of the reference at the points are  (Φ_U − 1φ̄ᵀ) V S⁻¹ (√W Q)ᵀ e + 1 wᵀe/Σw.
  left_.resize(n, rank + (intercept ? 1 : 0));
  left_.leftCols(rank) = root.asDiagonal() * svd.u;
  Matrix values(at_points.rows(), left_.cols());
  values.leftCols(rank) = lapack::product(at_points, false, svd.v * svd.s.cwiseInverse().asDiagonal(), false);
  if (intercept) {
    left_.col(rank) = weight / weight.sum();
    values.col(rank).setOnes();
  }
  reference_ = (values * (left_.transpose() * learner.target(target_))).array() - mean_;
  map_ = lapack::product(values, true, omega_.asDiagonal() * features_, false);
}

double SicFrame::distance(const PathFit& fit) const {
  if (train()) return (fit.rss - learner_.total(target_)) / learner_.count();
  if (by_moments_) {
    Vector theta = learner_.parameters_of(fit);
    if (learner_.intercept()) theta.tail(1)[0] += centre_.dot(fit.coefficients);
    return theta.dot(metric_ * (theta - 2 * best_));
  }
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
  if (by_moments_) {
    return [this](const Vector& e) {
      Vector sums = learner_.adjoint(learner_.importance().cwiseProduct(e));
      const Index p = centre_.size();
      if (learner_.intercept()) sums.head(p) -= sums[p] * centre_;
      Vector out = paired_.transpose() * sums;
      if (learner_.intercept()) out.head(p) += out[p] * centre_;
      return out;
    };
  }
  return [this](const Vector& e) { return Vector(map_.transpose() * (left_.transpose() * e)); };
}

double SicFrame::divergence(const PathFit& fit, double df) const {
  const double own = without_constant_ ? 1 : 0;
  if (train()) return (df - own) / learner_.count();
  if (by_moments_) {
    if (const auto known = learner_.divergence_by_moments(fit, centre_, paired_)) return *known;
    return learner_.divergence(fit, target_, pairing(), {});
  }
  const auto matrix = [this] {
    Matrix m = lapack::product(left_, false, map_, false);
    if (learner_.weight().size()) m = learner_.weight().cwiseInverse().asDiagonal() * m;
    return m;
  };
  return learner_.divergence(fit, target_, pairing(), matrix) - own / learner_.count();
}

}  // namespace gnomon
