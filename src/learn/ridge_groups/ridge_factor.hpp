#pragma once

// B = R'R/N + D of one output at one κ, factorised, and the fit.

#include <optional>

#include "compressed_rows.hpp"
#include "decompose/positive_definite.hpp"
#include "dual_by_rows.hpp"
#include "grouped_penalty.hpp"

namespace gnomon {

class RidgeFactor {
 public:
  /// Throws where B is singular (an unpenalised weight without data to fix it).
  RidgeFactor(const CompressedRows& rows, const GroupedPenalty& penalty, const Vector& kappa, Index output);

  const Vector& weights() const { return weights_; }
  /// c − Rŵ, the residual in compressed space; of the rows themselves where the factor is dual.
  const Vector& residual() const { return residual_; }
  /// N·S.
  double squared_residual() const { return residual_.squaredNorm() + rows_.rest[output_]; }
  double log_determinant() const;
  bool dual() const { return dual_.has_value(); }
  /// The Cholesky factor of B; primal only.
  const PositiveDefinite& primal() const { return *primal_; }

  Vector solve(const Vector& u) const;
  /// B⁻¹R'v. The dual form does not cancel as κ → 0, where B⁻¹ of an arbitrary vector grows like 1/κ.
  Vector solve_transposed(const Vector& v) const;
  /// B⁻¹Dŵ = B⁻¹R'e/N.
  Vector shrinkage() const;
  /// R B⁻¹, k×p.
  Matrix solved_rows() const;
  /// I − R B⁻¹R'/N, k×k; the dual form does not cancel.
  Matrix complement() const;

 private:
  void solve_primal();
  void solve_dual();
  bool dual_by_products();
  Matrix dual_solve(const Matrix& b) const;
  /// D⁻¹R'K⁻¹b.
  Vector gain_times(const Vector& b) const;

  const CompressedRows& rows_;
  const GroupedPenalty& penalty_;
  Vector kappa_;
  Index output_;
  Vector decay_;  // the diagonal of D, for the dual
  std::optional<PositiveDefinite> primal_, dual_;
  std::optional<DualByRows> by_rows_;  // where K is ill-conditioned; dual_ is then its factor, in its order
  Matrix gain_;                        // D⁻¹R'K⁻¹ of by_rows_
  Vector weights_, residual_;
};

}  // namespace gnomon
