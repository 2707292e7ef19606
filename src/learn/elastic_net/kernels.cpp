#include "kernels.hpp"

#include "core/lanes.hpp"
#include "gnomon/core/parallel.hpp"

namespace gnomon::detail {

GNOMON_HOT double centred_dot(Index n, const double* x, double mean, const double* v) {
  Lanes a{}, b{}, c{}, d{};
  Index i = 0;
  for (; i + 4 * kLanes <= n; i += 4 * kLanes) {
    a += (lanes_at(x + i).value - mean) * lanes_at(v + i).value;
    b += (lanes_at(x + i + kLanes).value - mean) * lanes_at(v + i + kLanes).value;
    c += (lanes_at(x + i + 2 * kLanes).value - mean) * lanes_at(v + i + 2 * kLanes).value;
    d += (lanes_at(x + i + 3 * kLanes).value - mean) * lanes_at(v + i + 3 * kLanes).value;
  }
  for (; i + kLanes <= n; i += kLanes) a += (lanes_at(x + i).value - mean) * lanes_at(v + i).value;
  a = (a + b) + (c + d);
  double sum = ((a[0] + a[1]) + (a[2] + a[3])) + ((a[4] + a[5]) + (a[6] + a[7]));
  for (; i < n; ++i) sum += (x[i] - mean) * v[i];
  return sum;
}

GNOMON_HOT void subtract_columns(Index rows, const double* matrix, Index stride, Index count,
                                 const Index* index, const double* value, double* out) {
  Index k = 0;
  for (; k + 4 <= count; k += 4) {
    const double* a = matrix + index[k] * stride;
    const double* b = matrix + index[k + 1] * stride;
    const double* c = matrix + index[k + 2] * stride;
    const double* d = matrix + index[k + 3] * stride;
    const double va = value[k], vb = value[k + 1], vc = value[k + 2], vd = value[k + 3];
    Index i = 0;
    for (; i + kLanes <= rows; i += kLanes)
      lanes_at(out + i).value -= (va * lanes_at(a + i).value + vb * lanes_at(b + i).value) +
                                 (vc * lanes_at(c + i).value + vd * lanes_at(d + i).value);
    for (; i < rows; ++i) out[i] -= (va * a[i] + vb * b[i]) + (vc * c[i] + vd * d[i]);
  }
  for (; k < count; ++k) {
    const double* a = matrix + index[k] * stride;
    const double va = value[k];
    for (Index i = 0; i < rows; ++i) out[i] -= va * a[i];
  }
}

GNOMON_HOT void lower_solve(Index n, const double* l, Index stride, const double* reciprocal, double* x) {
  Index j = 0;
  for (; j + 4 <= n; j += 4) {
    const double* a = l + j * stride;
    const double *b = a + stride, *c = b + stride, *d = c + stride;
    const double va = x[j] * reciprocal[j];
    const double vb = (x[j + 1] - va * a[j + 1]) * reciprocal[j + 1];
    const double vc = (x[j + 2] - (va * a[j + 2] + vb * b[j + 2])) * reciprocal[j + 2];
    const double vd = (x[j + 3] - (va * a[j + 3] + vb * b[j + 3] + vc * c[j + 3])) * reciprocal[j + 3];
    x[j] = va, x[j + 1] = vb, x[j + 2] = vc, x[j + 3] = vd;
    Index i = j + 4;
    for (; i + kLanes <= n; i += kLanes)
      lanes_at(x + i).value -= (va * lanes_at(a + i).value + vb * lanes_at(b + i).value) +
                               (vc * lanes_at(c + i).value + vd * lanes_at(d + i).value);
    for (; i < n; ++i) x[i] -= (va * a[i] + vb * b[i]) + (vc * c[i] + vd * d[i]);
  }
  for (; j < n; ++j) {
    const double* a = l + j * stride;
    x[j] *= reciprocal[j];
    for (Index i = j + 1; i < n; ++i) x[i] -= x[j] * a[i];
  }
}

GNOMON_HOT void lower_transposed_solve(Index n, const double* l, Index stride, const double* reciprocal,
                                       double* x) {
  Index j = n;
  for (; j >= 4; j -= 4) {
    const double* a = l + (j - 4) * stride;
    const double *b = a + stride, *c = b + stride, *d = c + stride;
    Lanes sa{}, sb{}, sc{}, sd{};
    Index i = j;
    for (; i + kLanes <= n; i += kLanes) {
      const Lanes v = lanes_at(x + i).value;
      sa += v * lanes_at(a + i).value;
      sb += v * lanes_at(b + i).value;
      sc += v * lanes_at(c + i).value;
      sd += v * lanes_at(d + i).value;
    }
    double ta = 0, tb = 0, tc = 0, td = 0;
    for (; i < n; ++i) {
      ta += x[i] * a[i];
      tb += x[i] * b[i];
      tc += x[i] * c[i];
      td += x[i] * d[i];
    }
    for (Index m = 0; m < kLanes; ++m) ta += sa[m], tb += sb[m], tc += sc[m], td += sd[m];
    const double xd = (x[j - 1] - td) * reciprocal[j - 1];
    const double xc = (x[j - 2] - (tc + xd * c[j - 1])) * reciprocal[j - 2];
    const double xb = (x[j - 3] - (tb + xd * b[j - 1] + xc * b[j - 2])) * reciprocal[j - 3];
    const double xa = (x[j - 4] - (ta + xd * a[j - 1] + xc * a[j - 2] + xb * a[j - 3])) * reciprocal[j - 4];
    x[j - 1] = xd, x[j - 2] = xc, x[j - 3] = xb, x[j - 4] = xa;
  }
  for (; j > 0; --j) {
    const double* a = l + (j - 1) * stride;
    double sum = x[j - 1];
    for (Index i = j; i < n; ++i) sum -= x[i] * a[i];
    x[j - 1] = sum * reciprocal[j - 1];
  }
}

GNOMON_HOT void rotate(Index n, double c, double s, double* x, double* y) {
  for (Index i = 0; i < n; ++i) {
    const double a = x[i], b = y[i];
    x[i] = c * a + s * b;
    y[i] = c * b - s * a;
  }
}

}  // namespace gnomon::detail
