#pragma once

#include <vector>

#include "tridiagonal.hpp"

// Reduction of a symmetric matrix to tridiagonal form in two stages, full → band → tridiagonal, and the rotation made of both:
// A = Q₁ B Q₁ᵀ, B = Q₂ T Q₂ᵀ. Both stages leave e₁ fixed. Entries should lie well inside the range of double. Threads share
// every part, and the results do not depend on their number.

namespace gnomon {

/// A symmetric band matrix of half-width `width`, a multiple of 8. Entry (i, j) lies at origin + i + j·stride
/// for −width − 8 < i − j < 2 width + 8: room for both triangles of a diagonal block and for the bulges of
/// the second stage. The stride is an odd multiple of 8, so that blocks of eight rows are aligned and columns
/// fall into different cache sets. Rows and columns beyond `size` are zero.
class Band {
 public:
  Band(Index size, Index width);
  Index size() const { return size_; }
  Index width() const { return width_; }
  Index stride() const { return stride_; }
  double* at(Index row, Index column) { return origin_ + row + column * stride_; }

 private:
  Index size_, width_, stride_;
  std::vector<double> storage_;
  double* origin_;
};

/// Stage one: blocked Householder reduction (Bischof, Lang & Sun, ACM TOMS 26 (2000)), nearly all of it in matrix products; 4/3 n³
/// flops. Only the lower triangle of `a` is read. It holds the reflectors of Q₁ afterwards, for form_rotation,, and `factors` their triangular factors side
/// by side (width × n) where it is given.
Band reduce_to_band(Matrix& a, Index width, Matrix* factors = nullptr);

/// The reflectors I − τ v vᵀ of stage two: that of step k of sweep s acts on the `width` rows from s + 1 + k·width on. Those of four
/// sweeps at one step are kept together as I − V T Vᵀ. A little more than n²/2 numbers.
class ChaseReflectors {
 public:
  static constexpr Index together = 4;  // sweeps in a block

  ChaseReflectors(Index size, Index width);
  Index size() const { return size_; }
  Index width() const { return width_; }
  Index rows() const { return width_ + together - 1; }  // of V
  Index groups() const { return static_cast<Index>(first_.size()); }
  Index steps(Index group) const { return steps_of(group * together); }

  void set(Index sweep, Index step, const double* v, double tau);
  /// Computes every T; to be called when all reflectors are set.
  void finish();

  /// V of a block, its rows one after another; its first row is that of index group·together + 1 + step·width.
  const double* v(Index group, Index step) const {
    return v_.data() + place(group, step) * rows() * together;
  }
  /// T by columns, upper triangular.
  const double* t(Index group, Index step) const {
    return t_.data() + place(group, step) * together * together;
  }

 private:
  Index steps_of(Index sweep) const { return (size_ - 2 - sweep) / width_ + 1; }
  /// In the order in which they are applied: the last step of a group first.
  Index place(Index group, Index step) const {
    return first_[static_cast<std::size_t>(group)] + steps(group) - 1 - step;
  }

  Index size_, width_;
  std::vector<Index> first_;
  Vector v_, t_;
};

/// Stage two: bulge chasing by reflectors of length `width`; 6 n² width flops. Several sweeps follow one another closely, so that a
/// piece of the band is fetched from memory once for all of them, and threads take turns with such groups. The reflectors are kept
/// where there is a place for them.
Tridiagonal reduce_to_tridiagonal(Band& band, ChaseReflectors* reflectors = nullptr);

/// q ← q Q₂, a few rows at a time; 2 n² flops for each row.
void apply_chase_rotation(const ChaseReflectors& reflectors, Matrix& q);

/// The band width at which both stages together are fastest.
Index band_width_for(Index n);

}  // namespace gnomon
