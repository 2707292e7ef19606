#pragma once

#include <optional>

#include "gnomon/core/types.hpp"
#include "tridiagonal.hpp"
#include "two_stage.hpp"

namespace gnomon {

/// A = Q T Qᵀ with b = ‖b‖ Q e₁, Q orthogonal, T tridiagonal. Since bᵀ f(A) b = ‖b‖² e₁ᵀ f(T) e₁ and
/// tr f(A) = tr f(T), everything a trace criterion asks of A and b is read off T in O(n) for each λ.
/// Cost 4/3 n³ flops; memory beyond the consumed matrix O(n · band), or n²/2 where a rotation is kept in two stages.
///
/// Half of the way, A = Q₁ B Q₁ᵀ with a band matrix B, is enough for what asks little of every λ, and Q₁ costs 4/3 n³ flops where Q takes 10/3.
class RotatedTridiagonal {
 public:
  enum class Rotation {
    discard,
    keep,    // Q can be formed later
    to_band  // Q₁ can
  };

  /// `a` is symmetric; only its lower triangle is read, and its storage is reused. b = 0 gives Q e₁ = e₁.
  RotatedTridiagonal(Matrix&& a, const VectorView& b, Rotation rotation);

  const Tridiagonal& t() const { return t_; }
  double norm() const { return norm_; }  // ‖b‖

  /// What form_q() rotates to, in lower band storage: T, or B under Rotation::to_band.
  Matrix band() const;
  /// Q in the storage of the consumed matrix, 4/3 n³ flops, in two stages 10/3 n³; Q₁ under Rotation::to_band, 4/3 n³.
  Matrix form_q() &&;

  /// The rotation that rows held out by folds are cheapest from.
  static Rotation for_folds(Index n);

 private:
  void reduce_in_one_stage();
  void reduce_in_two_stages();

  Tridiagonal t_;
  double norm_ = 0;
  Rotation rotation_;
  Matrix reflectors_;  // of the reduction to T, or to a band (keep only)
  Vector scales_;      // their τ in one stage
  Matrix factors_;     // their triangular factors in two stages
  Matrix band_;        // B, under to_band
  std::optional<ChaseReflectors> chase_;
  Vector first_;          // v of the reflector I − τ v vᵀ that takes b to ‖b‖ e₁
  double first_tau_ = 0;  // its τ; 0 = identity
};

}  // namespace gnomon
