#include <algorithm>
#include <cmath>
#include <limits>

#include "core/lanes.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "tridiagonal.hpp"

namespace gnomon {
namespace {

// A product of many positive numbers as mantissa · 2^exponent, so that a log determinant needs one logarithm.
#define GNOMON_MULTIPLY(mantissa, exponent, factor)                                                     \
  do {                                                                                                  \
    const LaneBits bits = reinterpret_cast<LaneBits>((mantissa) * (factor));                            \
    (exponent) += (bits >> 52) - 1023;                                                                  \
    (mantissa) = reinterpret_cast<Lanes>((bits & 0xFFFFFFFFFFFFF) | (LaneBits{} + 0x3FF0000000000000)); \
  } while (false)

struct ResolventLanes {
  Lanes mantissa, trace[4], first[4], gain_trace[2], gain_first[2];
  LaneBits exponent, ok;
};

/// With T/λ in place of T, let u_i be the pivots of T + I from the last row up and R_i the inverse of the
/// trailing block that starts at row i. Shifting by −δ turns u_i into a power series in δ, and
///   1/u_i(δ) = Σ_k (e₁ᵀ R_i^{k+1} e₁) δ^k,      −log Π u_i(δ) = const + Σ_k tr(R^k) δ^k / k,
/// in which every coefficient is a sum of positive terms; only u_i itself involves a subtraction.
GNOMON_HOT void resolvent_kernel(const double* diagonal, const double* off, Index n, const Lanes* lambda,
                                 ResolventLanes* out) {
  const Lanes zero{};
  const Lanes inverse = 1.0 / *lambda;
  Lanes m1 = zero, m2 = zero, m3 = zero, m4 = zero, m5 = zero;  // e₁ᵀ R^k e₁ of the trailing block
  Lanes t1 = zero, t2 = zero, t3 = zero, t4 = zero, g1 = zero, g2 = zero;
  Lanes mantissa = zero + 1.0, top1 = zero, top2 = zero;
  LaneBits exponent{}, ok = LaneBits{} - 1;
  for (Index i = n - 1; i >= 0; --i) {
    const Lanes scaled = (i + 1 < n ? off[i] : 0.0) * inverse;
    const Lanes beta = scaled * scaled;
    const Lanes v = diagonal[i] * inverse - beta * m1;
    const Lanes u = 1.0 + v;
    const Lanes w = 1.0 / u;
    ok &= (u > 0.5) & (u < std::numeric_limits<double>::max());
    const Lanes bw = beta * w;
    const Lanes r1 = w + bw * m2, r2 = bw * m3, r3 = bw * m4, r4 = bw * m5;
    const Lanes g = v * w - bw * m2;
    const Lanes s2 = 2.0 * r2 + r1 * r1;
    const Lanes s3 = 3.0 * r3 + r1 * s2 + r2 * r1;
    t1 += r1;
    t2 += s2;
    t3 += s3;
    t4 += 4.0 * r4 + r1 * s3 + r2 * s2 + r3 * r1;
    g1 += g;
    g2 += g * g + 2.0 * r2;
    top1 = v * w;
    top2 = bw * m2 + top1 * g;
    const Lanes h2 = r1 * r1 + r2;
    const Lanes h3 = r1 * h2 + r2 * r1 + r3;
    const Lanes h4 = r1 * h3 + r2 * h2 + r3 * r1 + r4;
    m1 = w;
    m2 = w * r1;
    m3 = w * h2;
    m4 = w * h3;
    m5 = w * h4;
    GNOMON_MULTIPLY(mantissa, exponent, u);
  }
  *out = {mantissa, {t1, t2, t3, t4}, {m1, m2, m3, m4}, {g1, g2}, {top1, top2}, exponent, ok};
}

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

void check_lambda(double lambda) {
  require(lambda > 0 && std::isfinite(lambda),
          "the shift of a tridiagonal matrix must be positive and finite, not {}", lambda);
}

Resolvent lane_of(const ResolventLanes& lanes, Index lane, Index n, double lambda) {
  Resolvent r;
  r.ok = lanes.ok[lane] != 0;
  const double unit = r.ok ? 1.0 : kNaN;
  r.log_det =
      unit * (std::log(lanes.mantissa[lane]) + static_cast<double>(lanes.exponent[lane]) * std::log(2.0) +
              static_cast<double>(n) * std::log(lambda));
  for (int k = 0; k < 4; ++k) {
    r.complement_trace[k] = unit * lanes.trace[k][lane];
    r.complement_first[k] = unit * lanes.first[k][lane];
    r.trace[k] = r.complement_trace[k];
    r.first[k] = r.complement_first[k];
    for (int power = 0; power <= k; ++power) {
      r.trace[k] /= lambda;
      r.first[k] /= lambda;
    }
  }
  for (int k = 0; k < 2; ++k) {
    r.gain_trace[k] = unit * lanes.gain_trace[k][lane];
    r.gain_first[k] = unit * lanes.gain_first[k][lane];
  }
  return r;
}

}  // namespace

std::vector<Resolvent> resolvents(const Tridiagonal& t, std::span<const double> lambdas) {
  const Index count = static_cast<Index>(lambdas.size());
  std::vector<Resolvent> results;
  results.reserve(lambdas.size());
  for (double lambda : lambdas) check_lambda(lambda);
  for (Index begin = 0; begin < count; begin += kLanes) {
    const Index used = std::min(kLanes, count - begin);
    Lanes shifts;
    for (Index lane = 0; lane < kLanes; ++lane) shifts[lane] = lambdas[begin + std::min(lane, used - 1)];
    ResolventLanes packed;
    resolvent_kernel(t.diagonal.data(), t.off_diagonal.data(), t.size(), &shifts, &packed);
    for (Index lane = 0; lane < used; ++lane)
      results.push_back(lane_of(packed, lane, t.size(), lambdas[begin + lane]));
  }
  return results;
}

Resolvent resolvent(const Tridiagonal& t, double lambda) { return resolvents(t, {&lambda, 1}).front(); }

}  // namespace gnomon
