#include "rotated_tridiagonal.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/lanes.hpp"
#include "core/team.hpp"
#include "form_rotation.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "lapack.hpp"
#include "shifted_band.hpp"
#include "two_stage.hpp"

namespace gnomon {
namespace {

/// Rows from which two stages make a rotation sooner. One stage takes 8/3 n³ flops for it against 14/3 of the two; half of them cannot be shared
/// without a barrier for every column, so they are left to one thread, and wait for memory once half the matrix has left the cache. Two
/// stages are faster from there on, and much earlier where threads share them. Measured in bench/reductions.md.
Index rotations_in_two_stages() {
  const int sharing = available_threads();
  return sharing > 3 ? 600 : sharing > 1 ? 1500 : 2200;
}

/// Small matrices stay in cache, where one stage is faster.
bool in_two_stages(Index n, RotatedTridiagonal::Rotation rotation) {
  constexpr Index from = 600;
  if (rotation == RotatedTridiagonal::Rotation::to_band) return true;
  return n >= (rotation == RotatedTridiagonal::Rotation::discard ? from : rotations_in_two_stages());
}

/// Both triangles of a band to lower band storage.
Matrix lower_storage(Band& band) {
  Matrix lower = Matrix::Zero(band.width() + 1, band.size());
  for (Index j = 0; j < band.size(); ++j)
    for (Index i = j; i < std::min(j + band.width() + 1, band.size()); ++i) lower(i - j, j) = *band.at(i, j);
  return lower;
}

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
  Vector w = lapack::symmetric_times(a, v, tau);
  w -= 0.5 * tau * v.dot(w) * v;
  constexpr Index chunk = 128;
  parallel_for((a.cols() + chunk - 1) / chunk, [&](Index c) {
    for (Index j = c * chunk; j < std::min<Index>(n, (c + 1) * chunk); ++j) {
      const Index rest = n - j;
      a.col(j).tail(rest) -= w[j] * v.tail(rest) + v[j] * w.tail(rest);
    }
  });
}

/// M ← (I − τ v vᵀ) M.
void reflect_left(Matrix& m, const Vector& v, double tau) {
  if (tau == 0) return;
  constexpr Index chunk = 128;
  parallel_for((m.cols() + chunk - 1) / chunk, [&](Index c) {
    for (Index j = c * chunk; j < std::min(m.cols(), (c + 1) * chunk); ++j)
      m.col(j) -= tau * v.dot(m.col(j)) * v;
  });
}

/// T of the block reflectors I − V T Vᵀ that dsytrd's reflectors make, a few together, side by side.
Matrix triangular_factors(Matrix& reflectors, const Vector& scales) {
  constexpr Index width = 32;
  const Index n = reflectors.rows();
  Matrix factors = Matrix::Zero(width, round_up(n, width));
  for (Index begin = 0; begin + 1 < n; begin += width) {
    const Index count = std::min(width, n - 1 - begin);
    LAPACKE_dlarft_work(LAPACK_COL_MAJOR, 'F', 'C', static_cast<lapack_int>(n - 1 - begin),
                        static_cast<lapack_int>(count), &reflectors(begin + 1, begin),
                        static_cast<lapack_int>(n), scales.data() + begin, factors.col(begin).data(), width);
  }
  return factors;
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
  Vector largest(a.cols());
  constexpr Index chunk = 128;
  parallel_for((a.cols() + chunk - 1) / chunk, [&](Index c) {
    for (Index j = c * chunk; j < std::min(a.cols(), (c + 1) * chunk); ++j)
      largest[j] = largest_magnitude(&a(j, j), a.rows() - j);
  });
  return largest.maxCoeff();
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

  if (in_two_stages(n, rotation)) {
    reduce_in_two_stages();
  } else {
    reduce_in_one_stage();
  }
  if (rotation == Rotation::discard) reflectors_.resize(0, 0);
  t_.diagonal /= scale;
  t_.off_diagonal /= scale;
  band_ /= scale;
}

void RotatedTridiagonal::reduce_in_one_stage() {
  lapack::reduce_to_tridiagonal(reflectors_, t_.diagonal, t_.off_diagonal, scales_);
}

void RotatedTridiagonal::reduce_in_two_stages() {
  const Index n = reflectors_.rows(), width = band_width_for(n);
  const bool keep = rotation_ == Rotation::keep;
  Band band = reduce_to_band(reflectors_, width, rotation_ == Rotation::discard ? nullptr : &factors_);
  if (rotation_ == Rotation::discard) reflectors_.resize(0, 0);
  if (rotation_ == Rotation::to_band) band_ = lower_storage(band);
  if (keep) chase_.emplace(n, width);
  t_ = reduce_to_tridiagonal(band, keep ? &*chase_ : nullptr);
}

RotatedTridiagonal::Rotation RotatedTridiagonal::for_folds(Index n) {
  constexpr Index fewest = 1500;  // below, solving with a band costs more than the second stage's rotation
  return n < std::max(fewest, rotations_in_two_stages()) ? Rotation::keep : Rotation::to_band;
}

Matrix RotatedTridiagonal::band() const { return rotation_ == Rotation::to_band ? band_ : band_of(t_); }

Matrix RotatedTridiagonal::form_q() && {
  require(rotation_ != Rotation::discard, "the rotation was discarded; ask for Rotation::keep to form it");
  if (factors_.size() > 0) {
    form_rotation(reflectors_, factors_, factors_.rows());
    if (chase_) apply_chase_rotation(*chase_, reflectors_);
    chase_.reset();  // half a matrix, before whoever asks makes another
  } else {
    form_rotation(reflectors_, triangular_factors(reflectors_, scales_), 1);
  }
  reflect_left(reflectors_, first_, first_tau_);
  return std::move(reflectors_);
}

}  // namespace gnomon
