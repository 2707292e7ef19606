#include "ridge_factor.hpp"

#include <cblas.h>
#include <lapacke.h>

#include <cmath>

#include "decompose/lapack.hpp"
#include "gnomon/core/error.hpp"

namespace gnomon {
namespace {

constexpr double worst_condition = 1e-10;
/// Of K, below which the Cholesky factor loses more than QR costs.
constexpr double worst_dual_condition = 1e-6;

[[noreturn]] void singular() {
  fail(
      "ridge: the normal equations are singular to rounding; give larger `lambda`, put the columns on one "
      "footing with "
      "`scale` standard, or drop linearly dependent ones");
}

/// D^½ as rows: diagonal for decays, by eigenvectors otherwise.
Matrix root_of_penalty(const GroupedPenalty& penalty, const Vector& kappa) {
  const Index p = penalty.weights();
  if (penalty.is_decay()) return penalty.decay_of_weight(kappa).cwiseSqrt().asDiagonal();
  Matrix d = Matrix::Zero(p, p);
  penalty.add_to(d, kappa);
  const auto eigen = lapack::symmetric_eigen(std::move(d));
  return eigen.values.cwiseMax(0).cwiseSqrt().asDiagonal() * eigen.vectors.transpose();
}

PositiveDefinite by_rows(const CompressedRows& rows, const GroupedPenalty& penalty, const Vector& kappa) {
  const Index k = rows.r.rows(), p = rows.r.cols();
  Matrix stack(k + p, p);
  stack.topRows(k) = rows.r / std::sqrt(rows.samples);
  stack.bottomRows(p) = root_of_penalty(penalty, kappa);
  Vector tau(p);
  LAPACKE_dgeqrf(LAPACK_COL_MAJOR, static_cast<int>(k + p), static_cast<int>(p), stack.data(),
                 static_cast<int>(k + p), tau.data());
  const Vector pivots = stack.topRows(p).diagonal().cwiseAbs();
  if (!(pivots.minCoeff() > 1e-15 * pivots.maxCoeff())) singular();
  return PositiveDefinite::of_factor(stack.topRows(p));
}

}  // namespace

RidgeFactor::RidgeFactor(const CompressedRows& rows, const GroupedPenalty& penalty, const Vector& kappa,
                         Index output)
    : rows_(rows), penalty_(penalty), kappa_(kappa), output_(output) {
  const bool wide = rows.r.rows() <= rows.r.cols() && rows.rest.isZero(0) &&
                    rows.samples <= static_cast<double>(rows.r.cols());
  if (wide && penalty.is_decay()) decay_ = penalty.decay_of_weight(kappa);
  if (decay_.size() && decay_.minCoeff() > 0) {
    solve_dual();
  } else {
    solve_primal();
  }
}

void RidgeFactor::solve_primal() {
  const double n = rows_.samples;
  Matrix b = rows_.gram;
  if (b.size() == 0) b = lapack::product(rows_.r, true, rows_.r, false);
  b /= n;
  penalty_.add_to(b, kappa_);
  const double norm = symmetric_norm1(b);
  primal_ = PositiveDefinite::factorise(std::move(b));
  if (!primal_ || !(primal_->reciprocal_condition(norm) > worst_condition))
    primal_ = by_rows(rows_, penalty_, kappa_);
  const auto& r = rows_.r;
  weights_ = primal_->solve(r.transpose() * rows_.c.col(output_) / n);
  residual_ = rows_.c.col(output_) - r * weights_;
  // One step of refinement undoes what the normal equations lose.
  weights_ += primal_->solve(r.transpose() * residual_ / n - penalty_.weighted(kappa_, weights_)).col(0);
  residual_ = rows_.c.col(output_) - r * weights_;
}

void RidgeFactor::solve_dual() {
  if (!dual_by_products()) {
    by_rows_.emplace(rows_.r, decay_, rows_.samples);
    dual_ = by_rows_->factor();
    gain_ = by_rows_->gain();
  }
  const Vector c = rows_.c.col(output_);
  residual_ = rows_.samples * dual_solve(c);
  weights_ = gain_times(c);
}

/// K = N·I + RD⁻¹R' by Cholesky. False where that would lose digits: κ far apart, or rows nearly alike with small κ.
bool RidgeFactor::dual_by_products() {
  const Matrix scaled = rows_.r * decay_.cwiseInverse().cwiseSqrt().asDiagonal();
  Matrix k = lapack::product(scaled, false, scaled, true);
  k.diagonal().array() += rows_.samples;
  require(k.allFinite(), "ridge: the dual system is not positive definite; a value is not finite");
  const double norm = symmetric_norm1(k);
  dual_ = PositiveDefinite::factorise(std::move(k));
  return dual_ && dual_->reciprocal_condition(norm) > worst_dual_condition;
}

Matrix RidgeFactor::dual_solve(const Matrix& b) const {
  if (!by_rows_) return dual_->solve(b);
  const std::vector<Index>& order = by_rows_->order();
  Matrix out(b.rows(), b.cols());
  out(order, Eigen::all) = dual_->solve(b(order, Eigen::all));
  return out;
}

Vector RidgeFactor::gain_times(const Vector& b) const {
  if (by_rows_) return gain_ * b;
  return (rows_.r.transpose() * dual_solve(b)).cwiseQuotient(decay_);
}

double RidgeFactor::log_determinant() const {
  if (!dual()) return primal_->log_determinant();
  return dual_->log_determinant() - static_cast<double>(dual_->size()) * std::log(rows_.samples) +
         decay_.array().log().sum();
}

Vector RidgeFactor::solve(const Vector& u) const {
  if (!dual()) return primal_->solve(u);
  if (by_rows_) return by_rows_->solve(u);
  const Vector scaled = u.cwiseQuotient(decay_);
  return scaled - gain_times(rows_.r * scaled);
}

// B⁻¹R' = N D⁻¹R'K⁻¹.
Vector RidgeFactor::solve_transposed(const Vector& v) const {
  return dual() ? Vector(rows_.samples * gain_times(v)) : Vector(primal_->solve(rows_.r.transpose() * v));
}

Vector RidgeFactor::shrinkage() const {
  return dual() ? gain_times(residual_) : Vector(primal_->solve(penalty_.weighted(kappa_, weights_)));
}

Matrix RidgeFactor::solved_rows() const {
  if (!dual()) return primal_->solve_rows(rows_.r);
  if (by_rows_) return rows_.samples * gain_.transpose();
  return rows_.samples * dual_->solve(rows_.r * decay_.cwiseInverse().asDiagonal());
}

Matrix RidgeFactor::complement() const {
  if (dual()) {
    Matrix c = rows_.samples * dual_->inverse();
    if (!by_rows_) return c;
    Matrix of_rows(c.rows(), c.cols());
    of_rows(by_rows_->order(), by_rows_->order()) = c;
    return of_rows;
  }
  const Matrix half = primal_->half_solve_rows(rows_.r);
  Matrix c = lapack::product(half, false, half, true, -1 / rows_.samples);
  c.diagonal().array() += 1;
  return c;
}

}  // namespace gnomon
