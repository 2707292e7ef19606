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
      metric_kind_(metric.kind),
      points_(metric.points) {
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

Vector SicFrame::reference_weight() const {
  const Vector& given = learner_.importance().size() ? learner_.importance() : learner_.weight();
  return given.size() ? given : Vector::Ones(learner_.rows());
}

// Least squares about the means, so that the constant does not spoil the conditioning. Values at the points are
//   (Φ_U − 1φ̄ᵀ) V diag(s/(s² + λ)) (√W Q)ᵀ e + 1 wᵀe/Σw.
SicFrame::LinearMap SicFrame::ridge_map(const Vector& weight, double lambda) const {
  const bool intercept = learner_.intercept();
  const Vector root = weight.cwiseSqrt();
  Matrix at_points = learner_.features_at(points_.x);
  Matrix design = root.asDiagonal() * learner_.features();
  Vector before;
  if (intercept) {
    before = design.colwise().norm().transpose();
    const Vector means = design.transpose() * root / weight.sum();
    design -= root * means.transpose();
    at_points.rowwise() -= means.transpose();
  }
  const lapack::ThinSvd svd = design_svd(std::move(design), before);
  const Index rank = svd.s.size();
  const Vector gain =
      lambda > 0 ? Vector(svd.s.array() / (svd.s.array().square() + lambda)) : Vector(svd.s.cwiseInverse());
  LinearMap map{Matrix(weight.size(), rank + (intercept ? 1 : 0)),
                Matrix(at_points.rows(), rank + (intercept ? 1 : 0))};
  map.left.leftCols(rank) = root.asDiagonal() * svd.u;
  map.values.leftCols(rank) = lapack::product(at_points, false, svd.v * gain.asDiagonal(), false);
  if (intercept) {
    map.left.col(rank) = weight / weight.sum();
    map.values.col(rank).setOnes();
  }
  return map;
}

void SicFrame::from_rows(const MetricPoints& points) {
  const PathLearner& learner = learner_;
  const Index p = learner.columns();
  omega_ = points.weight;
  features_.resize(points.x.rows(), p + (learner.intercept() ? 1 : 0));
  features_.leftCols(p) = learner.features_at(points.x);
  if (learner.intercept()) features_.col(p).setOnes();
  // Weighted by the whole density ratio under a shift: then it is unbiased for the best parameters under the test inputs.
  LinearMap map = ridge_map(reference_weight(), 0);
  left_ = std::move(map.left);
  reference_ = (map.values * (left_.transpose() * learner.target(target_))).array() - mean_;
  map_ = lapack::product(map.values, true, omega_.asDiagonal() * features_, false);
}

double SicFrame::QuadraticForm::product(const QuadraticForm& other) const {
  const Matrix shared = factor.transpose() * other.factor;
  return (core * shared).cwiseProduct(shared * other.core).sum();
}

// With L = values·leftᵀ for the fit and L_u for the reference, B = LᵀUL − LᵀUL_u − L_uᵀUL; everything is in products of the
// narrow factors, S = valuesᵀΩ values and R = valuesᵀΩ values_u: factor = [left, left_u], core = [S, −R; −Rᵀ, 0], and
// ½∇ = LᵀU(f − r) − L_uᵀU f.
std::optional<SicFrame::QuadraticForm> SicFrame::quadratic_form(const PathFit& fit) const {
  constexpr double most_products = 5e6;  // for each exponent
  const double q = static_cast<double>(learner_.columns() + 1),
               rows = static_cast<double>(learner_.rows() + points_.x.rows());
  const bool affine = learner_.solver().dependence() == Dependence::affine;
  if (train() || !affine || learner_.is_kernel() || rows * q * q > most_products) return std::nullopt;
  const Index dropped = without_constant_ ? 1 : 0;
  const auto narrowed = [&](LinearMap map) {
    const Index kept = map.left.cols() - dropped;
    map.left.conservativeResize(Eigen::NoChange, kept);
    map.values.conservativeResize(Eigen::NoChange, kept);
    return map;
  };
  if (!reference_map_) reference_map_ = narrowed(ridge_map(reference_weight(), 0));
  const Vector& own = learner_.fit_weight();
  const LinearMap map = narrowed(ridge_map(own.size() ? own : Vector::Ones(learner_.rows()), fit.lambda));
  // Row i has noise of variance σ²/w_i under counts.
  const Vector deviation =
      learner_.weight().size() ? Vector(learner_.weight().cwiseSqrt().cwiseInverse()) : Vector();
  const auto noisy = [&](const Matrix& left) -> Matrix {
    return deviation.size() ? Matrix(deviation.asDiagonal() * left) : left;
  };
  const Matrix left = noisy(map.left), left_u = noisy(reference_map_->left);
  const Matrix &v = map.values, &u = reference_map_->values;
  const Matrix s = v.transpose() * points_.weight.asDiagonal() * v,
               r = v.transpose() * points_.weight.asDiagonal() * u;
  const Index own_columns = v.cols(), columns = own_columns + u.cols();
  QuadraticForm form{Matrix(learner_.rows(), columns), Matrix::Zero(columns, columns), {}, 0};
  form.factor << left, left_u;
  form.core.topLeftCorner(own_columns, own_columns) = s;
  form.core.topRightCorner(own_columns, u.cols()) = -r;
  form.core.bottomLeftCorner(u.cols(), own_columns) = -r.transpose();
  form.spread = (s * (left.transpose() * left)).trace();
  const Vector y = learner_.target(target_);
  const Vector f = ((learner_.features_at(points_.x) * fit.coefficients).array() + fit.offset - mean_),
               reference = u * (reference_map_->left.transpose() * y);
  form.half_gradient = left * (v.transpose() * points_.weight.cwiseProduct(f - reference)) -
                       left_u * (u.transpose() * points_.weight.cwiseProduct(f));
  return form;
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
