#include "grouped_penalty.hpp"

#include <algorithm>
#include <cmath>

#include "gnomon/core/error.hpp"

namespace gnomon {

GroupedPenalty GroupedPenalty::decay(std::vector<int> group_of_weight) {
  require(!group_of_weight.empty(), "penalty: no weights; give one group number per weight");
  GroupedPenalty p;
  p.weights_ = static_cast<Index>(group_of_weight.size());
  p.groups_ = *std::max_element(group_of_weight.begin(), group_of_weight.end()) + 1;
  std::vector<bool> seen(static_cast<std::size_t>(p.groups_));
  for (const int g : group_of_weight) {
    require(g >= -1, "penalty: group {} of a weight is below -1; use -1 for unpenalised weights", g);
    if (g >= 0) seen[static_cast<std::size_t>(g)] = true;
  }
  for (std::size_t g = 0; g < seen.size(); ++g) {
    require(seen[g], "penalty: group {} has no weights; number the groups without gaps", g);
  }
  p.group_of_weight_ = std::move(group_of_weight);
  return p;
}

GroupedPenalty GroupedPenalty::quadratic(std::vector<Matrix> matrices) {
  require(!matrices.empty(), "penalty: no matrices; give one per group");
  for (const auto& m : matrices) {
    require(m.rows() == m.cols() && m.rows() == matrices[0].rows(),
            "penalty: the matrix of a group is {} x {}, expected {} x {}", m.rows(), m.cols(),
            matrices[0].rows(), matrices[0].rows());
    require((m - m.transpose()).norm() <= 1e-12 * m.norm(),
            "penalty: the matrix of a group is not symmetric");
  }
  GroupedPenalty p;
  p.weights_ = matrices[0].rows();
  p.groups_ = static_cast<Index>(matrices.size());
  p.matrices_ = std::move(matrices);
  return p;
}

Vector GroupedPenalty::sizes() const {
  if (!is_decay()) return Vector::Constant(groups_, static_cast<double>(weights_));
  Vector sizes = Vector::Zero(groups_);
  for (const int g : group_of_weight_) {
    if (g >= 0) sizes[g] += 1;
  }
  return sizes;
}

Index GroupedPenalty::unpenalised() const {
  return static_cast<Index>(std::count(group_of_weight_.begin(), group_of_weight_.end(), -1));
}

Vector GroupedPenalty::pairs(const VectorView& a, const VectorView& b) const {
  Vector sums = Vector::Zero(groups_);
  if (is_decay()) {
    for (Index i = 0; i < weights_; ++i) {
      const int g = group_of_weight_[static_cast<std::size_t>(i)];
      if (g >= 0) sums[g] += a[i] * b[i];
    }
  } else {
    for (Index g = 0; g < groups_; ++g) sums[g] = a.dot(matrices_[static_cast<std::size_t>(g)] * b);
  }
  return sums;
}

Vector GroupedPenalty::row_pairs(const MatrixView& a, const MatrixView& b) const {
  Vector sums = Vector::Zero(groups_);
  if (is_decay()) {
    for (Index i = 0; i < weights_; ++i) {
      const int g = group_of_weight_[static_cast<std::size_t>(i)];
      if (g >= 0) sums[g] += a.col(i).dot(b.col(i));
    }
  } else {
    const Matrix m = a.transpose() * b;
    return traces(0.5 * (m + m.transpose()));
  }
  return sums;
}

Vector GroupedPenalty::traces(const MatrixView& m) const {
  if (is_decay()) return pairs(Vector::Ones(weights_), m.diagonal());
  Vector sums(groups_);
  for (Index g = 0; g < groups_; ++g) sums[g] = m.cwiseProduct(matrices_[static_cast<std::size_t>(g)]).sum();
  return sums;
}

Vector GroupedPenalty::apply(Index group, const VectorView& w) const {
  if (!is_decay()) return matrices_[static_cast<std::size_t>(group)] * w;
  Vector masked = Vector::Zero(weights_);
  for (Index i = 0; i < weights_; ++i) {
    if (group_of_weight_[static_cast<std::size_t>(i)] == group) masked[i] = w[i];
  }
  return masked;
}

Vector GroupedPenalty::weighted(const VectorView& kappa, const VectorView& w) const {
  if (is_decay()) return decay_of_weight(kappa).cwiseProduct(w);
  Vector sum = Vector::Zero(weights_);
  for (Index g = 0; g < groups_; ++g) sum += kappa[g] * (matrices_[static_cast<std::size_t>(g)] * w);
  return sum;
}

void GroupedPenalty::add_to(Matrix& m, const VectorView& kappa, double factor) const {
  if (is_decay()) {
    m.diagonal() += factor * decay_of_weight(kappa);
  } else {
    for (Index g = 0; g < groups_; ++g) m += factor * kappa[g] * matrices_[static_cast<std::size_t>(g)];
  }
}

Vector GroupedPenalty::decay_of_weight(const VectorView& kappa) const {
  Vector d = Vector::Zero(weights_);
  for (Index i = 0; i < weights_; ++i) {
    const int g = group_of_weight_[static_cast<std::size_t>(i)];
    if (g >= 0) d[i] = kappa[g];
  }
  return d;
}

GroupedPenalty GroupedPenalty::part(Index first, Index count) const {
  if (first == 0 && count == weights_) return *this;
  GroupedPenalty p;
  p.weights_ = count;
  p.groups_ = groups_;
  for (const Matrix& m : matrices_) {
    const auto rows = m.middleRows(first, count);
    require(rows.leftCols(first).isZero(0) && rows.rightCols(weights_ - first - count).isZero(0),
            "penalty: a quadratic penalty ties the weights of one output to those of another; give matrices "
            "with a "
            "block per output");
    p.matrices_.push_back(rows.middleCols(first, count));
  }
  if (!is_decay()) return p;
  p.group_of_weight_.assign(group_of_weight_.begin() + first, group_of_weight_.begin() + first + count);
  return p;
}

void check_kappa(const GroupedPenalty& penalty, const VectorView& kappa) {
  require(kappa.size() == penalty.groups(), "regularization: {} parameters for {} groups; give one per group",
          kappa.size(), penalty.groups());
  for (Index g = 0; g < kappa.size(); ++g) {
    require(std::isfinite(kappa[g]) && kappa[g] >= 0,
            "regularization: kappa of group {} is {}; it must be finite and not negative", g, kappa[g]);
  }
}

}  // namespace gnomon
