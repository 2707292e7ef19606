#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cost.hpp"

namespace gnomon {

/// The Hessians H = ∇²S and J = H + 2D at w with a factorisation of J: Cholesky where J is positive definite,
/// Bunch–Kaufman otherwise. Weights that neither a decay nor the data act on (a free bias of a dead unit: a row of
/// zeros in J) are idle: they are left out, their part of any solution is 0. The gauge u of a classifier's free output
/// biases is no parameter either: Hu = 0 and Ju = 2u by the term that fixes it, so it falls out of every trace with H and
/// is left out of the determinant. Cost: one dense Hessian and p³/3 flops.
class MlpCurvature {
 public:
  MlpCurvature(const MlpCost& cost, const VectorView& w, MlpHessian kind);

  MlpHessian kind() const { return kind_; }
  const Matrix& h() const { return h_; }
  const Matrix& j() const { return j_; }
  const std::vector<Index>& idle() const { return idle_; }
  /// Weights that are parameters of the model: all but the idle ones and the gauge.
  Index parameters() const;
  bool positive_definite() const { return positive_definite_; }
  /// J⁻¹ exists to working precision.
  bool regular() const { return regular_; }
  /// 1/cond₁(J), estimated.
  double reciprocal_condition() const { return reciprocal_condition_; }
  /// log|J| over the parameters; nothing where J is not positive definite.
  std::optional<double> log_determinant() const;
  /// J⁻¹ b.
  Matrix solve(Matrix b) const;
  /// J⁻¹ itself, for traces against it; idle rows and columns are 0.
  Matrix inverse() const;
  /// "J is …", empty if there is nothing to say.
  std::string trouble() const;

 private:
  MlpHessian kind_;
  Matrix h_, j_, factor_;
  std::vector<Index> idle_;
  double gauge_curvature_ = 0;  ///< uᵀJu; 0 without a gauge
  std::vector<int> pivots_;
  bool positive_definite_ = false, regular_ = false;
  double reciprocal_condition_ = 0;
};

/// The idle weights of J.
std::vector<Index> mlp_idle_weights(const MlpCost& cost, const Matrix& j);

/// dŵ/dlog κ_g = −J⁻¹ 2κ_g P_g ŵ, one column per group, J the exact Hessian of C at a minimum ŵ.
Matrix mlp_weights_along_log_kappa(const MlpCost& cost, const VectorView& w, const MlpCurvature& exact);

}  // namespace gnomon
