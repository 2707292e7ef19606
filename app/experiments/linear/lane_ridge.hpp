#pragma once

// Eight small ridge problems at once, one per SIMD lane: every number is eight doubles side by side. Formulas as in
// tests/reference/spectral_ridge.hpp: X = U s V', λ = s²/N, c = U'y, f = λ/(λ+κ), g = κ/(λ+κ).

#include <cstdlib>
#include <memory>

#include "gnomon/core/types.hpp"

namespace gnomon::experiments {

/// Numbers of eight lanes each, aligned to one register.
class LaneBuffer {
 public:
  explicit LaneBuffer(Index numbers)
      : data_(static_cast<double*>(std::aligned_alloc(64, static_cast<std::size_t>(numbers) * 64)),
              &std::free) {}
  double* operator[](Index i) { return data_.get() + 8 * i; }
  const double* operator[](Index i) const { return data_.get() + 8 * i; }
  double* data() { return data_.get(); }
  const double* data() const { return data_.get(); }

 private:
  std::unique_ptr<double, void (*)(void*)> data_;
};

struct LaneRidge {
  static constexpr Index inputs = 10;

  explicit LaneRidge(Index rows_);

  Index rows;
  LaneBuffer x, y;                    ///< row by row; given
  LaneBuffer u, v, lambda, c, scale;  ///< U row by row, V column by column; scale = 1/s
  LaneBuffer outside, q_outside;      ///< y⊥, 1 − Σ U²
  LaneBuffer totals;                  ///< |y⊥|², mean eigenvalue
  LaneBuffer pull, unregularized;     ///< T = A'V diag(c/s) column by column, A'ŵ(0) − w°

  /// From x and y: eigenvectors of X'X by Jacobi rotations, then all the above but the last line.
  void decompose();
};

/// A criterion for `count` values of κ (eight lanes each) at the problems' own lanes.
using LaneCurve = void (*)(const LaneRidge&, const double* kappas, Index count, double* values);

void lane_loo(const LaneRidge&, const double* kappas, Index count, double* values);
void lane_gen(const LaneRidge&, const double* kappas, Index count, double* values);
/// κ times the printed gradient (14), not a value.
void lane_gen_eq14(const LaneRidge&, const double* kappas, Index count, double* values);
/// Folds of rows/10 consecutive rows, at most 8.
void lane_ten_fold(const LaneRidge&, const double* kappas, Index count, double* values);
void lane_gcv(const LaneRidge&, const double* kappas, Index count, double* values);
void lane_cp(const LaneRidge&, const double* kappas, Index count, double* values);
void lane_fper(const LaneRidge&, const double* kappas, Index count, double* values);
/// Twice the profiled negative log evidence, up to a constant.
void lane_evidence(const LaneRidge&, const double* kappas, Index count, double* values);
/// G(κ) − G(0), formed from the difference of the weights.
void lane_excess(const LaneRidge&, const double* kappas, Index count, double* values);

}  // namespace gnomon::experiments
