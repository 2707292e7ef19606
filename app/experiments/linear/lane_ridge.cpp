#include "lane_ridge.hpp"

#include <cmath>

#include "core/lanes.hpp"
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
      for (Index k = 0; k < rows; ++k)
        sum += lanes_at(x + 8 * (k * m + i)).value * lanes_at(x + 8 * (k * m + j)).value;
      lanes_at(gram + 8 * (i * m + j)).value = lanes_at(gram + 8 * (j * m + i)).value = sum;
    }
    Lanes sum{};
    for (Index k = 0; k < rows; ++k) sum += lanes_at(x + 8 * (k * m + i)).value * lanes_at(y + 8 * k).value;
    lanes_at(xy + 8 * i).value = sum;
  }
}

/// Sum of squares off the diagonal over the sum on it, the largest of the lanes.
GNOMON_HOT double off_diagonal(const double* a) {
  Lanes off{}, on{};
  for (Index i = 0; i < m; ++i) {
    on += lanes_at(a + 8 * (i * m + i)).value * lanes_at(a + 8 * (i * m + i)).value;
    for (Index j = 0; j < i; ++j)
      off += lanes_at(a + 8 * (i * m + j)).value * lanes_at(a + 8 * (i * m + j)).value;
  }
  double largest = 0;
  for (int l = 0; l < 8; ++l) largest = std::fmax(largest, off[l] / on[l]);
  return largest;
}

/// One cyclic sweep of Jacobi rotations on the symmetric a (both triangles kept), accumulated in the rows of v.
GNOMON_HOT void jacobi_sweep(double* a, double* v) {
  for (Index p = 0; p < m; ++p) {
    for (Index q = p + 1; q < m; ++q) {
      const Lanes app = lanes_at(a + 8 * (p * m + p)).value, aqq = lanes_at(a + 8 * (q * m + q)).value,
                  apq = lanes_at(a + 8 * (p * m + q)).value;
      // tan φ = sign(δ)·2a_pq / (|δ| + √(δ² + 4a_pq²)), δ = a_qq − a_pp
      const Lanes delta = aqq - app;
      alignas(64) double root[8];
      lanes_at(root).value = delta * delta + 4 * apq * apq;
      square_root(root);
      const Lanes size = delta < 0 ? -delta : delta;
      const Lanes below = size + lanes_at(root).value;
      const Lanes zero{};
      const Lanes t =
          below > zero ? (delta < 0 ? -2 * apq : 2 * apq) / (below > zero ? below : below + 1) : zero;
      lanes_at(root).value = 1 + t * t;
      square_root(root);
      const Lanes cosine = 1 / lanes_at(root).value, sine = t * cosine;
      for (Index k = 0; k < m; ++k) {
        if (k == p || k == q) continue;
        const Lanes akp = lanes_at(a + 8 * (p * m + k)).value, akq = lanes_at(a + 8 * (q * m + k)).value;
        const Lanes left = cosine * akp - sine * akq, right = sine * akp + cosine * akq;
        lanes_at(a + 8 * (p * m + k)).value = lanes_at(a + 8 * (k * m + p)).value = left;
        lanes_at(a + 8 * (q * m + k)).value = lanes_at(a + 8 * (k * m + q)).value = right;
      }
      lanes_at(a + 8 * (p * m + p)).value = app - t * apq;
      lanes_at(a + 8 * (q * m + q)).value = aqq + t * apq;
      lanes_at(a + 8 * (p * m + q)).value = lanes_at(a + 8 * (q * m + p)).value = zero;
      for (Index k = 0; k < m; ++k) {
        const Lanes vp = lanes_at(v + 8 * (p * m + k)).value, vq = lanes_at(v + 8 * (q * m + k)).value;
        lanes_at(v + 8 * (p * m + k)).value = cosine * vp - sine * vq;
        lanes_at(v + 8 * (q * m + k)).value = sine * vp + cosine * vq;
      }
    }
  }
}

/// U = XV/s, c = U'y, y⊥ = y − Uc, 1 − ΣU².
GNOMON_HOT void left_vectors(const double* x, const double* y, const double* v, const double* scale,
                             Index rows, double* u, double* c, double* outside, double* q_outside,
                             double* total) {
  for (Index j = 0; j < m; ++j) lanes_at(c + 8 * j).value = Lanes{};
  for (Index k = 0; k < rows; ++k) {
    for (Index j = 0; j < m; ++j) {
      Lanes sum{};
      for (Index i = 0; i < m; ++i)
        sum += lanes_at(x + 8 * (k * m + i)).value * lanes_at(v + 8 * (j * m + i)).value;
      sum *= lanes_at(scale + 8 * j).value;
      lanes_at(u + 8 * (k * m + j)).value = sum;
      lanes_at(c + 8 * j).value += sum * lanes_at(y + 8 * k).value;
    }
  }
  Lanes squared{};
  for (Index k = 0; k < rows; ++k) {
    Lanes e = lanes_at(y + 8 * k).value, q = Lanes{} + 1;
    for (Index j = 0; j < m; ++j) {
      const Lanes here = lanes_at(u + 8 * (k * m + j)).value;
      e -= here * lanes_at(c + 8 * j).value;
      q -= here * here;
    }
    lanes_at(outside + 8 * k).value = e;
    lanes_at(q_outside + 8 * k).value = q;
    squared += e * e;
  }
  lanes_at(total).value = squared;
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
  for (Index i = 0; i < m * m; ++i) lanes_at(v[i]).value = Lanes{} + (i % (m + 1) == 0 ? 1.0 : 0.0);
  for (int sweep = 0; sweep < 20 && off_diagonal(gram.data()) > 1e-34; ++sweep)
    jacobi_sweep(gram.data(), v.data());
  Lanes mean{};
  for (Index j = 0; j < m; ++j) {
    const Lanes d = lanes_at(gram[j * m + j]).value;
    lanes_at(lambda[j]).value = d / static_cast<double>(rows);
    mean += lanes_at(lambda[j]).value / static_cast<double>(m);
    for (int l = 0; l < 8; ++l) scale[j][l] = 1 / std::sqrt(d[l]);
  }
  lanes_at(totals[1]).value = mean;
  left_vectors(x.data(), y.data(), v.data(), scale.data(), rows, u.data(), c.data(), outside.data(),
               q_outside.data(), totals.data());
}

}  // namespace gnomon::experiments
