#pragma once

#include <optional>

#include "gnomon/core/types.hpp"
#include "tridiagonal.hpp"
#include "two_stage.hpp"

namespace gnomon {

/// A = Q T Qᵀ with b = ‖b‖ Q e₁, Q orthogonal, T tridiagonal. Since bᵀ f(A) b = ‖b‖² e₁ᵀ f(T) e₁ and
/// tr f(A) = tr f(T), everything a trace criterion asks of A and b is read off T in O(n) for each λ.
/// Cost 4/3 n³ flops; memory beyond the consumed matrix O(n · band), or n²/2 where several threads make a rotation that is kept.
class RotatedTridiagonal {
 public:
  enum class Rotation { discard, keep };  // keep: Q can be formed later

  /// `a` is symmetric; only its lower triangle is read, and its storage is reused. b = 0 gives Q e₁ = e₁.
  RotatedTridiagonal(Matrix&& a, const VectorView& b, Rotation rotation);

  const Tridiagonal& t() const { return t_; }
  double norm() const { return norm_; }  // ‖b‖

  Matrix
  form_q() &&;  // Q in the storage of the consumed matrix, 4/3 n³ flops, in two stages 10/3 n³; needs Rotation::keep

 private:
  void reduce_in_one_stage();
  void reduce_in_two_stages();

  Tridiagonal t_;
  double norm_ = 0;
  Rotation rotation_;
  Matrix reflectors_;  // of the reduction to T, or to a band (keep only)
  Vector scales_;      // their τ in one stage
  Matrix factors_;     // their triangular factors in two stages
  std::optional<ChaseReflectors> chase_;
  Vector first_;          // v of the reflector I − τ v vᵀ that takes b to ‖b‖ e₁
  double first_tau_ = 0;  // its τ; 0 = identity
};

}  // namespace gnomon
