#include "kernels.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "gnomon/core/parallel.hpp"

namespace gnomon::mlp {

// tanh|x| = E/(E+2), E = expm1(2|x|) = 2^k·expm1(r) + (2^k − 1), r = 2|x| − k ln 2 in [−½ln 2, ½ln 2]: no
// cancellation, since k ≥ 0. expm1(r) is its Taylor polynomial of degree 14 (remainder below 1e-18 relative).
GNOMON_HOT void tanh_in_place(double* x, Index n) {
  constexpr double shift = 6755399441055744.0;  // 1.5·2^52: adding it rounds to an integer in the low bits
  for (Index i = 0; i < n; ++i) {
    const double magnitude = x[i] < 0 ? -x[i] : x[i];
    const double twice = magnitude > 20 ? 40 : 2 * magnitude;
    const double shifted = twice * 1.4426950408889634 + shift;
    const double k = shifted - shift;
    const double r = (twice - k * 0.69314718036912382) - k * 1.9082149292705877e-10;
    double p = 1.1470745597729725e-11;  // 1/14!
    p = p * r + 1.6059043836821613e-10;
    p = p * r + 2.08767569878681e-09;
    p = p * r + 2.505210838544172e-08;
    p = p * r + 2.755731922398589e-07;
    p = p * r + 2.7557319223985893e-06;
    p = p * r + 2.48015873015873e-05;
    p = p * r + 1.984126984126984e-04;
    p = p * r + 1.3888888888888889e-03;
    p = p * r + 8.333333333333333e-03;
    p = p * r + 4.1666666666666664e-02;
    p = p * r + 1.6666666666666666e-01;
    p = p * r + 0.5;
    p = r + r * r * p;
    const double power = std::bit_cast<double>((std::bit_cast<std::int64_t>(shifted) + 1023) << 52);
    const double e = power * p + (power - 1);
    const double t = e / (e + 2);
    x[i] = x[i] < 0 ? -t : t;
  }
}

GNOMON_HOT void add_scaled(double a, const double* x, double* out, Index n) {
  for (Index i = 0; i < n; ++i) out[i] += a * x[i];
}

GNOMON_HOT void multiply(const double* a, const double* b, double* out, Index n) {
  for (Index i = 0; i < n; ++i) out[i] = a[i] * b[i];
}

GNOMON_HOT void multiply_add(const double* a, const double* b, double* out, Index n) {
  for (Index i = 0; i < n; ++i) out[i] += a[i] * b[i];
}

}  // namespace gnomon::mlp
