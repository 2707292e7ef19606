#include "gnomon/data/scaling.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
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

void fit_standard(const double* x, const double* weight, Index n, double& shift, double& factor) {
  Index first = 0;
  while (weight && weight[first] == 0) ++first;
  const double origin = x[first];
  double total = 0, sum = 0;
  for (Index i = first; i < n; ++i) {
    const double w = weight ? weight[i] : 1;
    total += w;
    sum += w * (x[i] - origin);
  }
  shift = origin + sum / total;
  double largest = 0;
  for (Index i = first; i < n; ++i)
    if (!weight || weight[i] != 0) largest = std::max(largest, std::abs(x[i] - shift));
  if (largest == 0) {
    factor = 1;
    return;
  }
  // The first mean carries rounding of the size of the offset; its mean residual corrects mean and variance.
  double residual = 0, square = 0;
  for (Index i = first; i < n; ++i) {
    const double w = weight ? weight[i] : 1, d = (x[i] - shift) / largest;
    residual += w * d;
    square += w * d * d;
  }
  residual /= total;
  shift += residual * largest;
  factor = factor_of(largest * std::sqrt(std::max(0.0, square / total - residual * residual)));
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
