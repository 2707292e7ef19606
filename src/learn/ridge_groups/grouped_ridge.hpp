#pragma once

#include <memory>
#include <vector>

#include "gnomon/learn/decay_evidence.hpp"
#include "grouped_penalty.hpp"

namespace gnomon {

struct CompressedRows;

/// What slopes are by. By κ they are finite and defined where a κ_g is 0.
enum class SlopesBy { log_kappa, kappa };

struct RidgeFit {
  Vector weights;  ///< output-major: all weights of output 0, then output 1, …
  double training_error = undefined, penalty = undefined, cost = undefined;  ///< S, R, C
};

/// Linear least squares with one decay per group of weights, and every criterion of it with exact gradients:
///
///     C(w) = (1/N) Σ_k ‖y_k − W'x_k‖² + Σ_g κ_g w'P_g w,    B = X'X/N + D,  ŵ = B⁻¹X'y/N
///
/// (on the scale of the sum of squares λ = N κ). The rows are compressed once by an orthogonal factorisation, [X y] = Q·[R c; 0 ρ],
/// O(Np²); then S, γ, GCV, Cp, FPER and the evidence with the gradients of all groups cost O(p³ + groups·p²) an
/// evaluation, LOO and GEN O(Np²), where all gradients add one more triangular solve of the rows. Cholesky of B, or QR of
/// [R/√N; D^½] where cond B > 1e10. For N ≤ p with every weight penalised by decays the N×N dual K = N·I + XD⁻¹X' is used, whose
/// residuals and complements keep their digits as κ → 0; QR of [D^−½X'; √N·I] where cond K > 1e6, as with κ far apart. There slopes
/// of folds and of leave-one-out vanish like κ beside terms that do not. Their sum over the groups, the derivative by one factor of
/// all κ, is known without these terms, and they are made to agree with it; with one group they are then exact.
/// Several outputs share X; B is then block diagonal, and so must be a quadratic penalty.
class GroupedRidge {
 public:
  /// The penalty covers x.cols() × y.cols() weights. No intercept: append a column of ones in group −1.
  GroupedRidge(std::shared_ptr<const Matrix> x, const MatrixView& y, GroupedPenalty penalty,
               SlopesBy slopes_by = SlopesBy::log_kappa);
  GroupedRidge(const MatrixView& x, const MatrixView& y, GroupedPenalty penalty,
               SlopesBy slopes_by = SlopesBy::log_kappa)
      : GroupedRidge(std::make_shared<const Matrix>(x), y, std::move(penalty), slopes_by) {}

  Index samples() const { return x_->rows(); }
  Index inputs() const { return x_->cols(); }
  Index outputs() const { return y_.cols(); }
  const Matrix& x() const { return *x_; }
  const Matrix& y() const { return y_; }
  const GroupedPenalty& penalty() const { return penalty_; }
  const GroupedPenalty& penalty_of_output(Index o) const { return parts_[static_cast<std::size_t>(o)]; }
  SlopesBy slopes_by() const { return slopes_by_; }
  /// tr(H_gg)/(2m_g) of every group: the mean of the diagonal of X'X/N over the group's weights, the natural unit of κ_g.
  Vector group_scale() const;

  RidgeFit fit(const VectorView& kappa) const;
  /// `squares` = also m₂ (FPER needs it). n counts every output, rss is their sum.
  Counts counts(const VectorView& kappa, bool gradient = true, bool squares = true) const;
  /// Closed form leave-one-out: each row held out, training on N−1 rows with the cost normalised by N−1. Undefined where a
  /// row has leverage 1.
  LeftOut left_out(const VectorView& kappa, bool gradient = true) const;
  /// Rows up to `lags` apart may depend on each other.
  Scores scores(const VectorView& kappa, Index lags = 0, bool gradient = true) const;
  /// `gamma` = also what the gradient and MacKay's update need.
  DecayEvidence evidence(const VectorView& kappa, bool gamma = true) const;
  /// γ_g = tr(P_g B⁻¹ X'X/N) of every group, between 0 (dropped) and m_g (not regularized). Decays only.
  Vector gamma(const VectorView& kappa) const { return evidence(kappa).gamma; }

 private:
  std::shared_ptr<const Matrix> x_;
  Matrix y_;
  GroupedPenalty penalty_;
  SlopesBy slopes_by_;
  std::vector<GroupedPenalty> parts_;  // of each output
  std::shared_ptr<const CompressedRows> rows_;
};

/// What a slope by κ_g is multiplied with: κ_g where slopes are by log κ.
Vector slope_unit(SlopesBy, const VectorView& kappa);

/// Slopes by κ_g whose sum Σ κ_g d_g is known to more digits: the difference is shared out by `size`, of the terms of each.
void match_total(Vector& slopes, const VectorView& kappa, const Vector& size, double total);

}  // namespace gnomon
