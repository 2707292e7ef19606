#include "rotated_tridiagonal.hpp"

#include <cblas.h>
#include <lapacke.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "lanes.hpp"
#include "two_stage.hpp"

namespace gnomon {
namespace {

constexpr Index kTwoStageFrom = 256;  // below, the one-stage reduction works in cache and is faster

/// v and τ with (I − τ v vᵀ) b = ‖b‖ e₁, v₁ = 1. The sign is always +, so v₁ comes from the form without
/// cancellation.
struct Reflector {
  Vector v;
  double tau;
  double norm;
};

Reflector reflector_onto_first(const VectorView& b) {
  const Index n = b.size();
  Reflector result{Vector::Zero(n), 0.0, 0.0};
  const double largest = n > 0 ? b.cwiseAbs().maxCoeff() : 0.0;
  require(std::isfinite(largest),
          "the vector to rotate onto has an entry that is not finite; remove such rows");
  if (largest == 0) return result;
  const Vector unit = b / largest;
  const double length = unit.norm();
  result.norm = largest * length;
  const double rest = n > 1 ? unit.tail(n - 1).squaredNorm() : 0.0;
  if (rest == 0 && unit[0] > 0) return result;
  const double head = unit[0] > 0 ? -rest / (unit[0] + length) : unit[0] - length;
  result.v = unit / head;
  result.v[0] = 1;
  result.tau = 2 * head * head / (head * head + rest);
  return result;
}

/// A ← (I − τ v vᵀ) A (I − τ v vᵀ), lower triangle only.
void reflect_both_sides(Matrix& a, const Vector& v, double tau) {
  const int n = static_cast<int>(a.rows());
  Vector w(n);
  cblas_dsymv(CblasColMajor, CblasLower, n, tau, a.data(), n, v.data(), 1, 0.0, w.data(), 1);
  w -= 0.5 * tau * v.dot(w) * v;
  cblas_dsyr2(CblasColMajor, CblasLower, n, -1.0, v.data(), 1, w.data(), 1, a.data(), n);
}

/// M ← (I − τ v vᵀ) M.
void reflect_left(Matrix& m, const Vector& v, double tau) {
  if (tau == 0 || m.cols() == 0) return;
  const int rows = static_cast<int>(m.rows()), cols = static_cast<int>(m.cols());
  Vector z(cols);
  cblas_dgemv(CblasColMajor, CblasTrans, rows, cols, 1.0, m.data(), rows, v.data(), 1, 0.0, z.data(), 1);
  cblas_dger(CblasColMajor, rows, cols, -tau, v.data(), 1, z.data(), 1, m.data(), rows);
}

/// The largest magnitude among `count` numbers, or infinity if one of them is not finite.
GNOMON_HOT double largest_magnitude(const double* x, Index count) {
  Lanes largest{};
  LaneBits finite = LaneBits{} - 1;
  const auto take = [&](const LanesAnywhere& entries) {
    const Lanes size = entries.value < 0.0 ? -entries.value : entries.value;
    finite &= size <= std::numeric_limits<double>::max();
    largest = size > largest ? size : largest;
  };
  Index i = 0;
  for (; i + kLanes <= count; i += kLanes) take(lanes_at(x + i));
  LanesAnywhere rest{};
  for (Index lane = 0; i < count; ++i, ++lane) rest.value[lane] = x[i];
  take(rest);
  double result = 0;
  for (Index lane = 0; lane < kLanes; ++lane)
    result = std::max(result, finite[lane] ? largest[lane] : std::numeric_limits<double>::infinity());
  return result;
}

double largest_lower_entry(const Matrix& a) {
  double largest = 0;
  for (Index j = 0; j < a.cols(); ++j) largest = std::max(largest, largest_magnitude(&a(j, j), a.rows() - j));
  return largest;
}

}  // namespace

RotatedTridiagonal::RotatedTridiagonal(Matrix&& a, const VectorView& b, Rotation rotation)
    : rotation_(rotation) {
  const Index n = a.rows();
  require(a.cols() == n && b.size() == n, "a {} by {} matrix and a vector of length {} do not fit together",
          n, a.cols(), b.size());
  require(n > 0, "an empty matrix has no tridiagonal form");
  Reflector rotate = reflector_onto_first(b);
  norm_ = rotate.norm;
  first_ = std::move(rotate.v);
  first_tau_ = rotate.tau;
  reflectors_ = std::move(a);

  const double largest = largest_lower_entry(reflectors_);
  require(std::isfinite(largest), "the matrix to reduce has an entry that is not finite");
  double scale = 1;
  if (largest > 0 && (largest > 1e100 || largest < 1e-100)) {
    scale = std::ldexp(1.0, -std::ilogb(largest));
    reflectors_ *= scale;
  }
  if (first_tau_ != 0) reflect_both_sides(reflectors_, first_, first_tau_);

  if (rotation == Rotation::discard && n >= kTwoStageFrom) {
    Band band = reduce_to_band(reflectors_, band_width_for(n));
    reflectors_.resize(0, 0);
    t_ = reduce_to_tridiagonal(band);
  } else {
    t_.diagonal.resize(n);
    t_.off_diagonal.resize(n - 1);
    scales_.resize(n - 1);
    LAPACKE_dsytrd(LAPACK_COL_MAJOR, 'L', static_cast<lapack_int>(n), reflectors_.data(),
                   static_cast<lapack_int>(n), t_.diagonal.data(), t_.off_diagonal.data(), scales_.data());
    if (rotation == Rotation::discard) reflectors_.resize(0, 0);
  }
  t_.diagonal /= scale;
  t_.off_diagonal /= scale;
}

void RotatedTridiagonal::apply_q(Matrix& m) const {
  require(rotation_ == Rotation::keep, "the rotation was discarded; ask for Rotation::keep to apply it");
  require(m.rows() == t_.size(), "a matrix of {} rows cannot be rotated by one of order {}", m.rows(),
          t_.size());
  const auto n = static_cast<lapack_int>(t_.size());
  if (n > 1 && m.cols() > 0)
    LAPACKE_dormtr(LAPACK_COL_MAJOR, 'L', 'L', 'N', n, static_cast<lapack_int>(m.cols()), reflectors_.data(),
                   n, scales_.data(), m.data(), n);
  reflect_left(m, first_, first_tau_);
}

Matrix RotatedTridiagonal::form_q() && {
  require(rotation_ == Rotation::keep, "the rotation was discarded; ask for Rotation::keep to form it");
  const auto n = static_cast<lapack_int>(t_.size());
  if (n > 1)
    LAPACKE_dorgtr(LAPACK_COL_MAJOR, 'L', n, reflectors_.data(), n, scales_.data());
  else
    reflectors_(0, 0) = 1;
  reflect_left(reflectors_, first_, first_tau_);
  return std::move(reflectors_);
}

}  // namespace gnomon
