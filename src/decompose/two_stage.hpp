#pragma once

#include <vector>

#include "tridiagonal.hpp"

// Reduction of a symmetric matrix to tridiagonal form in two stages, full → band → tridiagonal, for when the
// rotation itself is not needed. Both stages leave e₁ fixed. Entries should lie well inside the range of
// double.

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

/// Stage one: blocked Householder reduction (Bischof, Lang & Sun, ACM TOMS 26 (2000)), nearly all of it in
/// matrix products; 4/3 n³ flops. Only the lower triangle of `a` is read, and it is destroyed.
Band reduce_to_band(Matrix& a, Index width);

/// Stage two: bulge chasing by reflectors of length `width`; 6 n² width flops. Several sweeps follow one
/// another closely, so that a piece of the band is fetched from memory once for all of them, and threads take
/// turns with such groups.
Tridiagonal reduce_to_tridiagonal(Band& band);

/// The band width at which both stages together are fastest.
Index band_width_for(Index n);

}  // namespace gnomon
