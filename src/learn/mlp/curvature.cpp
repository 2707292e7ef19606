#include "curvature.hpp"

#include <lapacke.h>

#include <cmath>

#include "gnomon/core/error.hpp"

namespace gnomon {

MlpCurvature::MlpCurvature(const MlpCost& cost, const VectorView& w, MlpHessian kind)
    : kind_(kind), h_(cost.error_hessian(w, kind)), j_(h_) {
  cost.add_penalty(j_);
  const int p = static_cast<int>(h_.rows());
  require(j_.allFinite(), "the Hessian of the network's cost is not finite; train the network first");
  const double norm = j_.cwiseAbs().colwise().sum().maxCoeff();
  idle_ = mlp_idle_weights(cost, j_);
  if (const Vector& u = cost.gauge(); u.size()) gauge_curvature_ = u.dot(j_ * u);
  Matrix active = j_;
  for (const Index i : idle_) active.row(i).setZero(), active.col(i).setZero(), active(i, i) = norm;
  factor_ = active;
  positive_definite_ = LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', p, factor_.data(), p) == 0;
  bool factored = positive_definite_;
  if (positive_definite_) {
    LAPACKE_dpocon(LAPACK_COL_MAJOR, 'L', p, factor_.data(), p, norm, &reciprocal_condition_);
  } else {
    factor_ = active;
    pivots_.resize(std::size_t(p));
    factored = LAPACKE_dsytrf(LAPACK_COL_MAJOR, 'L', p, factor_.data(), p, pivots_.data()) == 0;
    if (factored)
      LAPACKE_dsycon(LAPACK_COL_MAJOR, 'L', p, factor_.data(), p, pivots_.data(), norm,
                     &reciprocal_condition_);
  }
  regular_ = factored && reciprocal_condition_ > 1e-15;
  positive_definite_ = positive_definite_ && regular_;
}

std::optional<double> MlpCurvature::log_determinant() const {
  if (!positive_definite_) return std::nullopt;
  double sum = factor_.diagonal().array().log().sum();
  for (const Index i : idle_) sum -= std::log(factor_(i, i));
  return 2 * sum - (gauge_curvature_ > 0 ? std::log(gauge_curvature_) : 0);
}

Index MlpCurvature::parameters() const {
  return h_.rows() - static_cast<Index>(idle_.size()) - (gauge_curvature_ > 0 ? 1 : 0);
}

Matrix MlpCurvature::solve(Matrix b) const {
  require(regular_, "the Hessian of the network's cost is singular; use more weight decay");
  for (const Index i : idle_) b.row(i).setZero();
  const int p = static_cast<int>(b.rows()), columns = static_cast<int>(b.cols());
  if (pivots_.empty()) {
    LAPACKE_dpotrs(LAPACK_COL_MAJOR, 'L', p, columns, factor_.data(), p, b.data(), p);
  } else {
    LAPACKE_dsytrs(LAPACK_COL_MAJOR, 'L', p, columns, factor_.data(), p, pivots_.data(), b.data(), p);
  }
  return b;
}

Matrix MlpCurvature::inverse() const {
  require(regular_, "the Hessian of the network's cost is singular; use more weight decay");
  Matrix out = factor_;
  const int p = static_cast<int>(out.rows());
  if (pivots_.empty()) {
    LAPACKE_dpotri(LAPACK_COL_MAJOR, 'L', p, out.data(), p);
  } else {
    LAPACKE_dsytri(LAPACK_COL_MAJOR, 'L', p, out.data(), p, pivots_.data());
  }
  out.triangularView<Eigen::StrictlyUpper>() = out.transpose();
  for (const Index i : idle_) out(i, i) = 0;
  return out;
}

std::vector<Index> mlp_idle_weights(const MlpCost& cost, const Matrix& j) {
  const double norm = j.cwiseAbs().colwise().sum().maxCoeff();
  std::vector<Index> idle;
  for (const Index i : cost.undecayed())
    if (j.col(i).lpNorm<1>() <= 1e-11 * norm) idle.push_back(i);
  return idle;
}

std::string MlpCurvature::trouble() const {
  if (!regular_)
    return "the Hessian of the cost is singular: the data and the decay do not determine all weights";
  if (!positive_definite_) return "the Hessian of the cost is not positive definite: not at a minimum";
  if (reciprocal_condition_ < 1e-12)
    return fmt::format("the Hessian of the cost is nearly singular (condition {:.0e})",
                       1 / reciprocal_condition_);
  return "";
}

Matrix mlp_weights_along_log_kappa(const MlpCost& cost, const VectorView& w, const MlpCurvature& exact) {
  require(exact.kind() == MlpHessian::exact, "derivatives of the weights need the exact Hessian");
  Matrix b(w.size(), cost.decay().groups());
  for (Index g = 0; g < b.cols(); ++g) b.col(g) = -2 * cost.decay().kappa[g] * cost.decay().restricted(w, g);
  return exact.solve(std::move(b));
}

}  // namespace gnomon
