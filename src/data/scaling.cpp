#include "gnomon/data/scaling.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "core/json.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"

namespace gnomon {
namespace {

constexpr std::pair<Scale, std::string_view> scale_names[] = {
    {Scale::none, "none"}, {Scale::standard, "standard"}, {Scale::unit, "unit"}};

/// 1/spread, or 1 where there is no spread to divide by.
double factor_of(double spread) {
  const double factor = 1 / spread;
  return std::isfinite(factor) ? factor : 1;
}

constexpr Index lanes = 8;  // partial sums, so that additions need not wait for one another

/// Calls take(i, k) for every row i, the lanes k side by side.
template <class Take>
[[gnu::always_inline]] inline void by_lanes(Index n, const Take& take) {
  const Index whole = n / lanes * lanes;
  for (Index i = 0; i < whole; i += lanes)
    for (Index k = 0; k < lanes; ++k) take(i + k, k);
  for (Index i = whole; i < n; ++i) take(i, i - whole);
}

/// Σ w d of d = x − origin, and the largest |d| among rows of positive weight; without weights, all of them are 1.
GNOMON_HOT std::pair<double, double> sum_and_reach(const double* x, const double* weight, Index n,
                                                   double origin) {
  double sum[lanes] = {}, largest[lanes] = {};
  by_lanes(n, [&](Index i, Index k) {
    const double w = weight ? weight[i] : 1, d = x[i] - origin, size = w != 0 ? std::abs(d) : 0;
    sum[k] += w * d;
    largest[k] = size > largest[k] ? size : largest[k];
  });
  return {std::accumulate(sum, sum + lanes, 0.0), *std::max_element(largest, largest + lanes)};
}

/// Σ w u and Σ w u² of u = (x − origin) · unit.
GNOMON_HOT std::pair<double, double> sum_and_squares(const double* x, const double* weight, Index n,
                                                     double origin, double unit) {
  double sum[lanes] = {}, squares[lanes] = {};
  by_lanes(n, [&](Index i, Index k) {
    const double w = weight ? weight[i] : 1, u = (x[i] - origin) * unit;
    sum[k] += w * u;
    squares[k] += w * u * u;
  });
  return {std::accumulate(sum, sum + lanes, 0.0), std::accumulate(squares, squares + lanes, 0.0)};
}

/// Two passes. Squares are formed in units of a power of two near the largest distance, so that none of them leaves the range of
/// numbers and multiplying costs no rounding.
void fit_standard(const double* x, const double* weight, Index n, double& shift, double& factor) {
  Index first = 0;
  while (weight && weight[first] == 0) ++first;
  x += first, n -= first;
  if (weight) weight += first;
  const double origin = x[0],
               total = weight ? std::accumulate(weight, weight + n, 0.0) : static_cast<double>(n);
  const auto [sum, reach] = sum_and_reach(x, weight, n, origin);
  shift = origin + sum / total;
  if (reach == 0) {
    factor = 1;
    return;
  }
  // The first mean carries rounding of the size of the offset; its mean residual corrects mean and variance.
  const int exponent = std::clamp(std::ilogb(reach), -1000, 1000);
  const auto [rest, squares] = sum_and_squares(x, weight, n, shift, std::ldexp(1.0, -exponent));
  const double residual = rest / total;
  shift += std::ldexp(residual, exponent);
  factor = factor_of(std::ldexp(std::sqrt(std::max(0.0, squares / total - residual * residual)), exponent));
}

void fit_unit(const double* x, const double* weight, Index n, double& shift, double& factor) {
  Index first = 0;
  while (weight && weight[first] == 0) ++first;
  double lo = x[first], hi = x[first];
  for (Index i = first; i < n; ++i) {
    if (weight && weight[i] == 0) continue;
    lo = std::min(lo, x[i]);
    hi = std::max(hi, x[i]);
  }
  shift = lo;
  factor = factor_of(hi - lo);
}

}  // namespace

std::string_view name_of(Scale scale) {
  for (const auto& [value, name] : scale_names)
    if (value == scale) return name;
  return {};
}

Scale scale_from_name(std::string_view name) {
  for (const auto& [value, known] : scale_names)
    if (known == name) return value;
  throw UsageError(fmt::format("unknown scale '{}'; choose none, standard or unit", name));
}

Scaling Scaling::fit(MatrixView x, VectorView weight, Scale scale, bool intercept) {
  require(weight.size() == 0 || weight.size() == x.rows(), "scaling: {} weights for {} rows", weight.size(),
          x.rows());
  require(x.rows() > 0, "scaling: there are no rows");
  require(weight.size() == 0 || ((weight.array() >= 0).all() && weight.maxCoeff() > 0),
          "scaling: weights must not be negative nor all zero");
  Scaling scaling{Vector::Zero(x.cols()), Vector::Ones(x.cols())};
  if (scale == Scale::none) return scaling;
  const double* const w = weight.size() ? weight.data() : nullptr;
  parallel_for(x.cols(), [&](Index j) {
    const auto fit_column = scale == Scale::standard ? fit_standard : fit_unit;
    fit_column(x.col(j).data(), w, x.rows(), scaling.shift[j], scaling.factor[j]);
  });
  if (!intercept) scaling.shift.setZero();
  return scaling;
}

void Scaling::apply(Matrix& x) const {
  require(x.cols() == shift.size(), "scaling: fitted on {} columns, given {}", shift.size(), x.cols());
  parallel_for(x.cols(), [&](Index j) { x.col(j).array() = (x.col(j).array() - shift[j]) * factor[j]; });
}

nlohmann::json to_json(const Scaling& scaling) {
  return {{"shift", vector_to_json(scaling.shift)}, {"factor", vector_to_json(scaling.factor)}};
}

Scaling scaling_from_json(const nlohmann::json& json) {
  try {
    Scaling scaling{vector_from_json(json.at("shift")), vector_from_json(json.at("factor"))};
    require(scaling.shift.size() == scaling.factor.size() && scaling.shift.allFinite() &&
                scaling.factor.allFinite(),
            "the scaling of the model is damaged");
    return scaling;
  } catch (const nlohmann::json::exception& problem) {
    fail("the scaling of the model is damaged: {}", problem.what());
  }
}

}  // namespace gnomon
