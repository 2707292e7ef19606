#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "core/json.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/learn/model_file.hpp"

namespace gnomon {
namespace {

constexpr Index most_deviations = 5000;  // of a target; more are merged with their next larger neighbours

}  // namespace

// The jackknife interval f ± q: q the least deviation with weight Σ_{|e| ≤ q} w ≥ level·(Σ w + 1), the weights being 1 on
// average and the new row counting as one more. Without a shift this is the ⌈level·(n+1)⌉-th smallest (Steinberger & Leeb 2023;
// Barber, Candès, Ramdas & Tibshirani, Ann. Statist. 49, 2021).
Vector HeldOutRows::half_widths(double level) const {
  require(level > 0 && level < 1, "an interval of level {} is not possible; give a number between 0 and 1",
          level);
  Vector out = Vector::Constant(deviation.cols(), std::numeric_limits<double>::infinity());
  for (Index t = 0; t < deviation.cols(); ++t) {
    const Vector w = weight.size() ? Vector(weight.col(t)) : Vector::Ones(deviation.rows());
    const double enough = level * (w.sum() + 1) * (1 - 1e-12);
    double sum = 0;
    for (Index i = 0; i < w.size(); ++i) {
      sum += w[i];
      if (sum < enough) continue;
      out[t] = deviation(i, t);
      break;
    }
  }
  return out;
}

std::vector<bool> HeldOutRows::outside(const MatrixView& features) const {
  std::vector<bool> out(static_cast<std::size_t>(features.rows()), false);
  for (Index j = 0; j < features.cols(); ++j) {
    for (Index i = 0; i < features.rows(); ++i) {
      if (features(i, j) < lower[j] || features(i, j) > upper[j]) out[static_cast<std::size_t>(i)] = true;
    }
  }
  return out;
}

namespace {

/// Rows are merged into `kept` places: the first of n in order that belongs to this one.
Index first_of(Index place, Index n, Index kept) { return (place * n + kept - 1) / kept; }

/// Brings the largest of every place from `lower` up to `upper`, whose rows are those from begin to end, to its end. O(n log kept).
void put_in_order(double* size, Index begin, Index end, Index lower, Index upper, Index n, Index kept) {
  if (upper - lower == 1) {
    std::iter_swap(std::max_element(size + begin, size + end), size + end - 1);
    return;
  }
  const Index middle = (lower + upper) / 2, cut = first_of(middle, n, kept);
  std::nth_element(size + begin, size + cut, size + end);
  put_in_order(size, begin, cut, lower, middle, n, kept);
  put_in_order(size, cut, end, middle, upper, n, kept);
}

/// The largest of those merged stands for them; `weight`, unless null, is their number.
void keep_largest(Vector size, Eigen::Ref<Vector> deviation, double* weight) {
  const Index n = size.size(), kept = deviation.size();
  put_in_order(size.data(), 0, n, 0, kept, n, kept);
  for (Index place = 0; place < kept; ++place) {
    const Index next = first_of(place + 1, n, kept);
    deviation[place] = size[next - 1];
    if (weight) weight[place] = static_cast<double>(next - first_of(place, n, kept));
  }
}

/// The same of rows with weights, whose sum over the mean weight stands beside it.
void keep_weighted(const Vector& size, const VectorView& own, Eigen::Ref<Vector> deviation,
                   Eigen::Ref<Vector> weight) {
  const Index n = size.size(), kept = deviation.size();
  const double mean = own.mean();
  std::vector<std::pair<double, double>> sized;
  sized.reserve(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) sized.emplace_back(size[i], own[i]);
  std::sort(sized.begin(), sized.end());
  for (Index i = 0; i < n; ++i) {
    const Index place = i * kept / n;
    deviation[place] = sized[static_cast<std::size_t>(i)].first;
    weight[place] += sized[static_cast<std::size_t>(i)].second / mean;
  }
}

}  // namespace

HeldOutRows held_out_rows(const MatrixView& residual, const VectorView& weight, const MatrixView& features) {
  const Index n = residual.rows(), kept = std::min(n, most_deviations);
  HeldOutRows out;
  out.lower = features.colwise().minCoeff().transpose();
  out.upper = features.colwise().maxCoeff().transpose();
  out.deviation.resize(kept, residual.cols());
  if (kept == 0) return out;
  if (weight.size() > 0 || kept < n) out.weight = Matrix::Zero(kept, residual.cols());
  for (Index t = 0; t < residual.cols(); ++t) {
    const Vector size = residual.col(t).cwiseAbs();
    if (weight.size() > 0)
      keep_weighted(size, weight, out.deviation.col(t), out.weight.col(t));
    else
      keep_largest(size, out.deviation.col(t), out.weight.size() ? out.weight.col(t).data() : nullptr);
  }
  return out;
}

nlohmann::json to_json(const HeldOutRows& rows) {
  nlohmann::json json{{"deviation", matrix_to_json(rows.deviation)},
                      {"lower", vector_to_json(rows.lower)},
                      {"upper", vector_to_json(rows.upper)}};
  if (rows.weight.size()) json["weight"] = matrix_to_json(rows.weight);
  return json;
}

HeldOutRows held_out_rows_from_json(const nlohmann::json& json, Index targets, Index features) {
  HeldOutRows out;
  out.deviation = matrix_from_json(json.at("deviation"));
  if (json.contains("weight")) out.weight = matrix_from_json(json.at("weight"));
  out.lower = vector_from_json(json.at("lower"));
  out.upper = vector_from_json(json.at("upper"));
  require(out.deviation.cols() == targets, "held-out rows of {} targets, the model has {}",
          out.deviation.cols(), targets);
  require(out.deviation.allFinite() && (out.deviation.array() >= 0).all(),
          "the model has deviations of held-out rows that are not finite and at least 0");
  for (Index t = 0; t < targets; ++t)
    require(std::is_sorted(out.deviation.col(t).begin(), out.deviation.col(t).end()),
            "the deviations of held-out rows do not ascend");
  require(
      out.weight.size() == 0 || (out.weight.rows() == out.deviation.rows() && out.weight.cols() == targets &&
                                 out.weight.allFinite() && (out.weight.array() >= 0).all()),
      "the weights of held-out rows do not fit their deviations");
  require(out.lower.size() == features && out.upper.size() == features && out.lower.allFinite() &&
              out.upper.allFinite() && (out.lower.array() <= out.upper.array()).all(),
          "the ranges of the features do not fit the {} features", features);
  return out;
}

}  // namespace gnomon
