#include "grouped_ridge.hpp"

#include <cmath>
#include <numbers>

#include "decompose/lapack.hpp"
#include "gnomon/core/error.hpp"
#include "ridge_factor.hpp"

namespace gnomon {

GroupedRidge::GroupedRidge(std::shared_ptr<const Matrix> x, const MatrixView& y, GroupedPenalty penalty,
                           SlopesBy slopes_by)
    : x_(std::move(x)), y_(y), penalty_(std::move(penalty)), slopes_by_(slopes_by) {
  require(x_->rows() == y.rows() && x_->rows() > 0,
          "ridge: {} rows of inputs and {} of targets; they must agree", x_->rows(), y.rows());
  require(penalty_.weights() == x_->cols() * y.cols(),
          "ridge: the penalty covers {} weights, the model has {} inputs x {} outputs", penalty_.weights(),
          x_->cols(), y.cols());
  require(x_->allFinite() && y_.allFinite(),
          "ridge: a value is not finite; drop or impute missing values first");
  for (Index o = 0; o < y.cols(); ++o) parts_.push_back(penalty_.part(o * x_->cols(), x_->cols()));
  const bool dual_only = samples() <= inputs() && penalty_.is_decay() && penalty_.unpenalised() == 0;
  rows_ = std::make_shared<const CompressedRows>(compress(*x_, y_, !dual_only));
}

RidgeFit GroupedRidge::fit(const VectorView& kappa) const {
  check_kappa(penalty_, kappa);
  RidgeFit fit;
  fit.weights.resize(penalty_.weights());
  fit.training_error = 0;
  for (Index o = 0; o < outputs(); ++o) {
    const RidgeFactor factor(*rows_, penalty_of_output(o), kappa, o);
    fit.weights.segment(o * inputs(), inputs()) = factor.weights();
    fit.training_error += factor.squared_residual() / rows_->samples;
  }
  fit.penalty = kappa.dot(penalty_.values(fit.weights));
  fit.cost = fit.training_error + fit.penalty;
  return fit;
}

// With Z = RB⁻¹ and A = ZR'/N in compressed space:  dA/dκ_g = −Z P_g Z'/N,  dS/dκ_g = 2(B⁻¹Dŵ)'P_gŵ.
Counts GroupedRidge::counts(const VectorView& kappa, bool gradient, bool squares) const {
  check_kappa(penalty_, kappa);
  const double n = rows_->samples;
  const Index k = rows_->r.rows();
  Counts c;
  c.n = n * static_cast<double>(outputs());
  c.rss = c.left = c.df = 0;
  if (squares) c.left_squared = 0;
  const Vector unit = slope_unit(slopes_by_, kappa);
  Matrix d = Matrix::Zero(penalty_.groups(), Counts::fields);
  double rounding = 0;  // of what is left of n as a difference; the dual forms none
  for (Index o = 0; o < outputs(); ++o) {
    const GroupedPenalty& penalty = penalty_of_output(o);
    const RidgeFactor factor(*rows_, penalty, kappa, o);
    c.rss += factor.squared_residual();
    const double beyond = n - static_cast<double>(k);
    if (!factor.dual()) rounding = 1e-14;
    const Matrix half =
        factor.dual() ? Matrix() : factor.primal().half_solve_rows(rows_->r);  // A = half·half'/N
    const Matrix z = factor.dual() || gradient ? factor.solved_rows() : Matrix();
    Matrix complement = factor.dual() ? factor.complement() : Matrix();
    const double count = (factor.dual() ? z.cwiseProduct(rows_->r).sum() : half.squaredNorm()) / n;
    c.df += count;
    c.left += beyond + (factor.dual() ? complement.trace() : static_cast<double>(k) - count);
    if (squares) {
      if (!factor.dual())
        complement = Matrix::Identity(k, k) - lapack::product(half, false, half, true, 1 / n);
      c.left_squared += beyond + complement.squaredNorm();
    }
    if (!gradient) continue;
    d.col(0) += 2 * n * unit.cwiseProduct(penalty.pairs(factor.shrinkage(), factor.weights()));
    d.col(1) -= unit.cwiseProduct(penalty.row_pairs(z, z)) / n;
    if (squares) {
      const Matrix reduced = lapack::product(complement, false, z, false);
      d.col(2) += 2 / n * unit.cwiseProduct(penalty.row_pairs(z, reduced));
    }
  }
  if (!(c.left > rounding * c.n)) c.left = 0;
  if (!(c.left_squared > rounding * c.n)) c.left_squared = squares ? 0 : undefined;
  if (gradient) c.slopes = slopes_from(std::move(d));
  return c;
}

Vector slope_unit(SlopesBy by, const VectorView& kappa) {
  return by == SlopesBy::kappa ? Vector::Ones(kappa.size()) : Vector(kappa);
}

void match_total(Vector& slopes, const VectorView& kappa, const Vector& size, double total) {
  const double sum = kappa.dot(size);
  if (sum > 0) slopes += (total - kappa.dot(slopes)) / sum * size;
}

DecayEvidence GroupedRidge::evidence(const VectorView& kappa, bool gamma) const {
  check_kappa(penalty_, kappa);
  require(penalty_.is_decay(),
          "evidence: the prior of overlapping quadratic penalties is not supported; use decays");
  const double n = rows_->samples;
  DecayEvidence e;
  e.samples = n;
  e.observations = n * static_cast<double>(outputs());
  e.weights = static_cast<double>(penalty_.weights());
  e.unpenalised = static_cast<double>(penalty_.unpenalised());
  e.kappa = kappa;
  e.group_size = penalty_.sizes();
  e.training_error = 0;
  e.log_determinant = e.weights * std::numbers::ln2;
  e.squared_norm = Vector::Zero(penalty_.groups());
  if (gamma) e.gamma = Vector::Zero(penalty_.groups()), e.left = 0;
  for (Index o = 0; o < outputs(); ++o) {
    const GroupedPenalty& penalty = penalty_of_output(o);
    const RidgeFactor factor(*rows_, penalty, kappa, o);
    e.training_error += factor.squared_residual() / n;
    e.log_determinant += factor.log_determinant();
    e.squared_norm += penalty.values(factor.weights());
    if (!gamma) continue;
    if (factor.dual()) {
      e.gamma += penalty.row_pairs(factor.solved_rows(), rows_->r) / n;
      e.left += factor.complement().trace();
    } else {
      const Matrix inverse = factor.primal().inverse();
      e.gamma += penalty.row_pairs(inverse, rows_->gram) / n;
      e.left += n - static_cast<double>(inputs()) + kappa.dot(penalty.traces(inverse));
    }
  }
  e.cost = e.training_error + kappa.dot(e.squared_norm);
  if (gamma) e.gamma_total = e.gamma.sum() + e.unpenalised;
  return e;
}

}  // namespace gnomon
