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

/// Σ w (x − origin); without weights, all of them are 1.
GNOMON_HOT double sum_from(const double* x, const double* weight, Index n, double origin) {
  double part[lanes] = {};
  const Index whole = n / lanes * lanes;
  for (Index i = 0; i < whole; i += lanes)
    for (Index k = 0; k < lanes; ++k) part[k] += (weight ? weight[i + k] : 1) * (x[i + k] - origin);
  for (Index i = whole; i < n; ++i) part[i - whole] += (weight ? weight[i] : 1) * (x[i] - origin);
  return std::accumulate(part, part + lanes, 0.0);
}

/// The largest |x − origin| among rows of positive weight.
GNOMON_HOT double farthest_from(const double* x, const double* weight, Index n, double origin) {
  double largest[lanes] = {};
  const auto take = [&](Index i, Index k) {
    const double size = !weight || weight[i] != 0 ? std::abs(x[i] - origin) : 0;
    largest[k] = size > largest[k] ? size : largest[k];
  };
  const Index whole = n / lanes * lanes;
  for (Index i = 0; i < whole; i += lanes)
    for (Index k = 0; k < lanes; ++k) take(i + k, k);
  for (Index i = whole; i < n; ++i) take(i, i - whole);
  return *std::max_element(largest, largest + lanes);
}

/// Σ w d² with d = (x − origin) / unit.
GNOMON_HOT double squares_from(const double* x, const double* weight, Index n, double origin, double unit) {
  double part[lanes] = {};
  const auto add = [&](Index i, Index k) {
    const double d = (x[i] - origin) / unit;
    part[k] += (weight ? weight[i] : 1) * d * d;
  };
  const Index whole = n / lanes * lanes;
  for (Index i = 0; i < whole; i += lanes)
    for (Index k = 0; k < lanes; ++k) add(i + k, k);
  for (Index i = whole; i < n; ++i) add(i, i - whole);
  return std::accumulate(part, part + lanes, 0.0);
}

void fit_standard(const double* x, const double* weight, Index n, double& shift, double& factor) {
  Index first = 0;
  while (weight && weight[first] == 0) ++first;
  x += first, n -= first;
  if (weight) weight += first;
  const double origin = x[0],
               total = weight ? std::accumulate(weight, weight + n, 0.0) : static_cast<double>(n);
  shift = origin + sum_from(x, weight, n, origin) / total;
  const double largest = farthest_from(x, weight, n, shift);
  if (largest == 0) {
    factor = 1;
    return;
  }
  // The first mean carries rounding of the size of the offset; its mean residual corrects mean and variance.
  const double residual = sum_from(x, weight, n, shift) / total / largest;
  const double square = squares_from(x, weight, n, shift, largest) / total;
  shift += residual * largest;
  factor = factor_of(largest * std::sqrt(std::max(0.0, square - residual * residual)));
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

Scaling Scaling::fit(MatrixView x, VectorView weight, Scale scale) {
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
