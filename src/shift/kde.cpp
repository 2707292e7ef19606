// Eight query points share a vector. For a block of data points their squared distances are written to a small
// buffer; the least one so far is the reference of a running log-sum-exp, so that nothing under- or overflows.
#include "kde.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/lanes.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "gnomon/represent/kernels/exponential.hpp"

namespace gnomon {
namespace {

constexpr Index kTogether = 4;  // data points that share one reading of the queries
constexpr Index ratios_together = 128;
constexpr double kFar = 1e300;  // stands for distances whose square overflows

/// value[j][lane] = Σ_k (query[k][lane] − point[j][k])² for `count` points, a multiple of kTogether.
GNOMON_HOT void distances(const double* query, const double* point, Index d, Index count, double* value) {
  for (Index j = 0; j < count; j += kTogether) {
    const double *z0 = point + j * d, *z1 = z0 + d, *z2 = z1 + d, *z3 = z2 + d;
    Lanes s0{}, s1{}, s2{}, s3{}, x;
    for (Index k = 0; k < d; ++k) {
      __builtin_memcpy(&x, query + k * kLanes, sizeof x);
      const Lanes e0 = x - z0[k], e1 = x - z1[k], e2 = x - z2[k], e3 = x - z3[k];
      s0 += e0 * e0, s1 += e1 * e1, s2 += e2 * e2, s3 += e3 * e3;
    }
    double* out = value + j * kLanes;
    __builtin_memcpy(out, &s0, sizeof s0);
    __builtin_memcpy(out + kLanes, &s1, sizeof s1);
    __builtin_memcpy(out + 2 * kLanes, &s2, sizeof s2);
    __builtin_memcpy(out + 3 * kLanes, &s3, sizeof s3);
  }
}

/// Adds Σ_j exp(−precision·value[j][lane]/2) to sum·exp(−precision·least/2), per lane.
GNOMON_HOT void accumulate(const double* value, Index count, double precision, const double* new_least,
                           double* least, double* sum, double* work) {
  const double half = 0.5 * precision;
  for (Index j = 0; j < count; ++j)
    for (Index lane = 0; lane < kLanes; ++lane)
      work[j * kLanes + lane] = half * (new_least[lane] - value[j * kLanes + lane]);
  for (Index t = 0; t < count * kLanes; ++t) work[t] = exponential(work[t]);
  double total[kLanes] = {};
  for (Index j = 0; j < count; ++j)
    for (Index lane = 0; lane < kLanes; ++lane) total[lane] += work[j * kLanes + lane];
  for (Index lane = 0; lane < kLanes; ++lane) {
    sum[lane] = sum[lane] * exponential(half * (new_least[lane] - least[lane])) + total[lane];
    least[lane] = new_least[lane];
  }
}

GNOMON_HOT void running_least(const double* value, Index count, double* least) {
  for (Index j = 0; j < count; ++j)
    for (Index lane = 0; lane < kLanes; ++lane)
      least[lane] = value[j * kLanes + lane] < least[lane] ? value[j * kLanes + lane] : least[lane];
}

/// log Σ_i exp(−precision·‖x − z_i‖²/2) at the rows of x (one column of the answer per precision); row i of x
/// leaves out row i of z if `others`.
Matrix log_sums(const Matrix& x, const Matrix& z, const std::vector<double>& precision, bool others) {
  const Index n = x.rows(), m = z.rows(), d = x.cols(), count = static_cast<Index>(precision.size());
  std::vector<double> points(static_cast<std::size_t>(round_up(m, kTogether) * d), 0.0);
  for (Index k = 0; k < d; ++k)
    for (Index i = 0; i < m; ++i) points[static_cast<std::size_t>(i * d + k)] = z(i, k);
  Matrix out(n, count);
  parallel_for(round_up(n, kLanes) / kLanes, [&](Index panel) {
    const Index first = panel * kLanes, lanes = std::min(kLanes, n - first);
    std::vector<double> query(static_cast<std::size_t>(d * kLanes), 0.0);
    for (Index k = 0; k < d; ++k)
      for (Index lane = 0; lane < lanes; ++lane)
        query[static_cast<std::size_t>(k * kLanes + lane)] = x(first + lane, k);
    alignas(64) double value[ratios_together * kLanes], work[ratios_together * kLanes], new_least[kLanes];
    std::vector<double> least(static_cast<std::size_t>(count * kLanes), 2 * kFar);
    std::vector<double> sum(static_cast<std::size_t>(count * kLanes), 0.0);
    for (Index begin = 0; begin < m; begin += ratios_together) {
      const Index size = std::min(ratios_together, m - begin);
      distances(query.data(), points.data() + begin * d, d, round_up(size, kTogether), value);
      if (others)
        for (Index lane = 0; lane < lanes; ++lane)
          if (const Index j = first + lane - begin; j >= 0 && j < size) value[j * kLanes + lane] = 4 * kFar;
      std::copy_n(least.data(), kLanes, new_least);
      running_least(value, size, new_least);
      for (Index s = 0; s < count; ++s)
        accumulate(value, size, precision[static_cast<std::size_t>(s)], new_least, least.data() + s * kLanes,
                   sum.data() + s * kLanes, work);
    }
    for (Index s = 0; s < count; ++s)
      for (Index lane = 0; lane < lanes; ++lane) {
        const auto at = static_cast<std::size_t>(s * kLanes + lane);
        out(first + lane, s) = (sum[at] > 0 ? std::log(sum[at]) : 0.0) -
                               0.5 * precision[static_cast<std::size_t>(s)] * least[at];
      }
  });
  return out;
}

Matrix in_bandwidths(const MatrixView& x, const Vector& bandwidth) {
  return x * bandwidth.cwiseInverse().asDiagonal();
}

/// log of m Π_j h_j √(2π)
double log_normaliser(Index m, const Vector& bandwidth) {
  return std::log(static_cast<double>(m)) + bandwidth.array().log().sum() +
         0.5 * static_cast<double>(bandwidth.size()) * std::log(2 * std::numbers::pi);
}

void check_density(const KernelDensity& density) {
  require(density.points.rows() > 0, "a density estimate needs at least one row");
  require(density.bandwidth.size() == density.points.cols(), "{} bandwidths for {} inputs: give one for each",
          density.bandwidth.size(), density.points.cols());
  for (Index j = 0; j < density.bandwidth.size(); ++j)
    require(std::isfinite(density.bandwidth[j]) && density.bandwidth[j] > 0,
            "the bandwidth of input {} is {}: it must be positive and finite (is the column constant?)",
            j + 1, density.bandwidth[j]);
}

}  // namespace

Vector KernelDensity::log_at(const MatrixView& x) const {
  check_density(*this);
  require(x.cols() == points.cols(),
          "new inputs have {} columns where the density has {}: give the same features", x.cols(),
          points.cols());
  const Matrix sums = log_sums(in_bandwidths(x, bandwidth), in_bandwidths(points, bandwidth), {1.0}, false);
  return sums.col(0).array() - log_normaliser(points.rows(), bandwidth);
}

Vector normal_reference_bandwidth(const MatrixView& x) {
  require(x.rows() >= 2, "a bandwidth needs at least 2 rows, not {}", x.rows());
  const double m = static_cast<double>(x.rows()), k = static_cast<double>(x.cols());
  const double factor = std::pow(4 / ((k + 2) * m), 1 / (k + 4));
  Vector h(x.cols());
  for (Index j = 0; j < x.cols(); ++j) {
    const bool constant = (x.col(j).array() == x(0, j)).all();
    h[j] = constant ? 0 : factor * std::sqrt((x.col(j).array() - x.col(j).mean()).square().sum() / (m - 1));
  }
  return h;
}

Vector leave_one_out_log_likelihood(const KernelDensity& density, const std::vector<double>& factors) {
  check_density(density);
  require(density.points.rows() >= 2, "leaving one row out needs at least 2 rows, not {}",
          density.points.rows());
  std::vector<double> precision;
  for (const double f : factors) {
    require(std::isfinite(f) && f > 0, "a bandwidth factor is {}: it must be positive and finite", f);
    precision.push_back(1 / (f * f));
  }
  const Matrix scaled = in_bandwidths(density.points, density.bandwidth);
  const Matrix sums = log_sums(scaled, scaled, precision, true);
  Vector likelihood = sums.colwise().mean().transpose();
  for (Index s = 0; s < likelihood.size(); ++s)
    likelihood[s] -=
        log_normaliser(scaled.rows() - 1, factors[static_cast<std::size_t>(s)] * density.bandwidth);
  return likelihood;
}

Vector ratio_of_logs(const VectorView& log_numerator, const VectorView& log_denominator) {
  const double log_limit = std::log(1e150);
  return (log_numerator - log_denominator).unaryExpr([log_limit](double v) {
    return std::exp(std::min(v, log_limit));
  });
}

}  // namespace gnomon
