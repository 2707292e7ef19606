#include "lane_ridge.hpp"

#include <cmath>

#include "decompose/lanes.hpp"
#include "gnomon/core/parallel.hpp"

namespace gnomon::experiments {
namespace {

constexpr Index m = LaneRidge::inputs;

GNOMON_INLINE void square_root(double* v) {
  for (int l = 0; l < 8; ++l) v[l] = std::sqrt(v[l]);
}

/// X'X and X'y.
GNOMON_HOT void normal_equations(const double* x, const double* y, Index rows, double* gram, double* xy) {
  for (Index i = 0; i < m; ++i) {
    for (Index j = i; j < m; ++j) {
      Lanes sum{};
      for (Index k = 0; k < rows; ++k) sum += lanes(x + 8 * (k * m + i)) * lanes(x + 8 * (k * m + j));
      lanes(gram + 8 * (i * m + j)) = lanes(gram + 8 * (j * m + i)) = sum;
    }
    Lanes sum{};
    for (Index k = 0; k < rows; ++k) sum += lanes(x + 8 * (k * m + i)) * lanes(y + 8 * k);
    lanes(xy + 8 * i) = sum;
  }
}

/// Sum of squares off the diagonal over the sum on it, the largest of the lanes.
GNOMON_HOT double off_diagonal(const double* a) {
  Lanes off{}, on{};
  for (Index i = 0; i < m; ++i) {
    on += lanes(a + 8 * (i * m + i)) * lanes(a + 8 * (i * m + i));
    for (Index j = 0; j < i; ++j) off += lanes(a + 8 * (i * m + j)) * lanes(a + 8 * (i * m + j));
  }
  double largest = 0;
  for (int l = 0; l < 8; ++l) largest = std::fmax(largest, off[l] / on[l]);
  return largest;
}

/// One cyclic sweep of Jacobi rotations on the symmetric a (both triangles kept), accumulated in the rows of v.
GNOMON_HOT void jacobi_sweep(double* a, double* v) {
  for (Index p = 0; p < m; ++p) {
    for (Index q = p + 1; q < m; ++q) {
      const Lanes app = lanes(a + 8 * (p * m + p)), aqq = lanes(a + 8 * (q * m + q)),
                  apq = lanes(a + 8 * (p * m + q));
      // tan φ = sign(δ)·2a_pq / (|δ| + √(δ² + 4a_pq²)), δ = a_qq − a_pp
      const Lanes delta = aqq - app;
      alignas(64) double root[8];
      lanes(root) = delta * delta + 4 * apq * apq;
      square_root(root);
      const Lanes size = delta < 0 ? -delta : delta;
      const Lanes below = size + lanes(root);
      const Lanes zero{};
      const Lanes t =
          below > zero ? (delta < 0 ? -2 * apq : 2 * apq) / (below > zero ? below : below + 1) : zero;
      lanes(root) = 1 + t * t;
      square_root(root);
      const Lanes cosine = 1 / lanes(root), sine = t * cosine;
      for (Index k = 0; k < m; ++k) {
        if (k == p || k == q) continue;
        const Lanes akp = lanes(a + 8 * (p * m + k)), akq = lanes(a + 8 * (q * m + k));
        const Lanes left = cosine * akp - sine * akq, right = sine * akp + cosine * akq;
        lanes(a + 8 * (p * m + k)) = lanes(a + 8 * (k * m + p)) = left;
        lanes(a + 8 * (q * m + k)) = lanes(a + 8 * (k * m + q)) = right;
      }
      lanes(a + 8 * (p * m + p)) = app - t * apq;
      lanes(a + 8 * (q * m + q)) = aqq + t * apq;
      lanes(a + 8 * (p * m + q)) = lanes(a + 8 * (q * m + p)) = zero;
      for (Index k = 0; k < m; ++k) {
        const Lanes vp = lanes(v + 8 * (p * m + k)), vq = lanes(v + 8 * (q * m + k));
        lanes(v + 8 * (p * m + k)) = cosine * vp - sine * vq;
        lanes(v + 8 * (q * m + k)) = sine * vp + cosine * vq;
      }
    }
  }
}

/// U = XV/s, c = U'y, y⊥ = y − Uc, 1 − ΣU².
GNOMON_HOT void left_vectors(const double* x, const double* y, const double* v, const double* scale,
                             Index rows, double* u, double* c, double* outside, double* q_outside,
                             double* total) {
  for (Index j = 0; j < m; ++j) lanes(c + 8 * j) = Lanes{};
  for (Index k = 0; k < rows; ++k) {
    for (Index j = 0; j < m; ++j) {
      Lanes sum{};
      for (Index i = 0; i < m; ++i) sum += lanes(x + 8 * (k * m + i)) * lanes(v + 8 * (j * m + i));
      sum *= lanes(scale + 8 * j);
      lanes(u + 8 * (k * m + j)) = sum;
      lanes(c + 8 * j) += sum * lanes(y + 8 * k);
    }
  }
  Lanes squared{};
  for (Index k = 0; k < rows; ++k) {
    Lanes e = lanes(y + 8 * k), q = Lanes{} + 1;
    for (Index j = 0; j < m; ++j) {
      const Lanes here = lanes(u + 8 * (k * m + j));
      e -= here * lanes(c + 8 * j);
      q -= here * here;
    }
    lanes(outside + 8 * k) = e;
    lanes(q_outside + 8 * k) = q;
    squared += e * e;
  }
  lanes(total) = squared;
}

}  // namespace

LaneRidge::LaneRidge(Index rows_)
    : rows(rows_),
      x(rows_ * m),
      y(rows_),
      u(rows_ * m),
      v(m * m),
      lambda(m),
      c(m),
      scale(m),
      outside(rows_),
      q_outside(rows_),
      totals(2),
      pull(m * m),
      unregularized(m) {}

void LaneRidge::decompose() {
  LaneBuffer gram(m * m), xy(m);
  normal_equations(x.data(), y.data(), rows, gram.data(), xy.data());
  for (Index i = 0; i < m * m; ++i) lanes(v[i]) = Lanes{} + (i % (m + 1) == 0 ? 1.0 : 0.0);
  for (int sweep = 0; sweep < 20 && off_diagonal(gram.data()) > 1e-34; ++sweep)
    jacobi_sweep(gram.data(), v.data());
  Lanes mean{};
  for (Index j = 0; j < m; ++j) {
    const Lanes d = lanes(gram[j * m + j]);
    lanes(lambda[j]) = d / static_cast<double>(rows);
    mean += lanes(lambda[j]) / static_cast<double>(m);
    for (int l = 0; l < 8; ++l) scale[j][l] = 1 / std::sqrt(d[l]);
  }
  lanes(totals[1]) = mean;
  left_vectors(x.data(), y.data(), v.data(), scale.data(), rows, u.data(), c.data(), outside.data(),
               q_outside.data(), totals.data());
}

}  // namespace gnomon::experiments
