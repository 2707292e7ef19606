#include "gram_statistics.hpp"

#include <algorithm>
#include <cmath>

#include "fold_panels.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"

namespace gnomon {
namespace {

constexpr Index leading_rows = 1024;  // whose mean is the provisional centre

}  // namespace

GramStatistics::GramStatistics(Index inputs, Index targets, int folds) : inputs_(inputs), targets_(targets) {
  require(inputs >= 0 && targets >= 1 && folds >= 1,
          "Gram statistics need at least one target and one fold, not {} inputs, {} targets, {} folds",
          inputs, targets, folds);
  moments_.assign(static_cast<std::size_t>(folds), Matrix::Zero(width(), width()));
  rows_.assign(static_cast<std::size_t>(folds), 0);
  total_ = moments_.front();
}

GramStatistics GramStatistics::from_moments(Index inputs, Vector centre, std::vector<Matrix> moments,
                                            std::vector<Index> rows) {
  GramStatistics out(inputs, centre.size() - inputs, static_cast<int>(moments.size()));
  out.centre_ = std::move(centre);
  out.moments_ = std::move(moments);
  out.rows_ = std::move(rows);
  out.update_total();
  return out;
}

Vector GramStatistics::provisional_centre(const MatrixView& x, const MatrixView& y) {
  const Index rows = std::min(x.rows(), leading_rows);
  const Matrix leading =
      x.topRows(rows);  // a copy, so that no sum depends on where its column begins in memory
  Vector centre(x.cols() + y.cols());
  for (Index j = 0; j < x.cols(); ++j) centre[j] = leading.col(j).mean();
  for (Index j = 0; j < y.cols(); ++j) centre[x.cols() + j] = y.col(j).head(rows).mean();
  return centre;
}

void GramStatistics::check_rows(Index n, Index columns, const MatrixView& y, const VectorView& weight,
                                std::span<const int> fold_of_row) const {
  require(columns == inputs_ && y.cols() == targets_ && y.rows() == n,
          "a block of {} x {} inputs and {} x {} targets does not fit statistics of {} inputs and {} targets",
          n, columns, y.rows(), y.cols(), inputs_, targets_);
  require(weight.size() == 0 || weight.size() == n, "{} weights for {} rows: give one per row or none",
          weight.size(), n);
  require(static_cast<Index>(fold_of_row.size()) == n, "{} folds for {} rows: give one per row",
          fold_of_row.size(), n);
  for (Index i = 0; i < n; ++i) {
    const int fold = fold_of_row[static_cast<std::size_t>(i)];
    require(fold >= 0 && fold < folds(), "row {} is in fold {}, but folds are numbered 0 to {}", i, fold,
            folds() - 1);
    if (weight.size() > 0)
      require(std::isfinite(weight[i]) && weight[i] >= 0,
              "weight {} is {}: weights must be finite and not negative", i, weight[i]);
  }
}

void GramStatistics::add(const MatrixView& x, const MatrixView& y, const VectorView& weight,
                         std::span<const int> fold_of_row) {
  check_rows(x.rows(), x.cols(), y, weight, fold_of_row);
  if (x.rows() == 0) return;
  if (centre_.size() == 0) centre_ = provisional_centre(x, y);
  add_inputs(x.data(), x.outerStride(), nullptr, y, weight, fold_of_row);
}

void GramStatistics::add(const RowBlocks& x, const MatrixView& y, const VectorView& weight,
                         std::span<const int> fold_of_row) {
  if (x.is_whole()) return add(MatrixView(x.whole()), y, weight, fold_of_row);
  check_rows(x.rows(), x.cols(), y, weight, fold_of_row);
  if (x.rows() == 0) return;
  if (centre_.size() == 0) centre_ = provisional_centre(x.block(0, std::min(x.rows(), leading_rows)), y);
  add_inputs(nullptr, 0, &x, y, weight, fold_of_row);
}

void GramStatistics::add_inputs(const double* x, Index stride, const RowBlocks* source, const MatrixView& y,
                                const VectorView& weight, std::span<const int> fold_of_row) {
  const detail::RowBlock block{x,
                               stride,
                               inputs_,
                               y.data(),
                               y.outerStride(),
                               targets_,
                               y.rows(),
                               weight.size() > 0 ? weight.data() : nullptr,
                               fold_of_row.data(),
                               centre_.data(),
                               source};
  detail::add_fold_moments(block, moments_, rows_);
  update_total();
}

void GramStatistics::merge(const GramStatistics& other) {
  require(inputs_ == other.inputs_ && targets_ == other.targets_ && folds() == other.folds(),
          "cannot merge statistics of {} inputs, {} targets, {} folds with {}, {}, {}", inputs_, targets_,
          folds(), other.inputs_, other.targets_, other.folds());
  if (other.centre_.size() == 0) return;
  if (centre_.size() == 0) {
    *this = other;
    return;
  }
  // Moments about our centre: v ↦ v + (δ, 0) with δ = c_other − c_ours.
  const Index k = inputs_ + targets_;
  const Vector delta = other.centre_ - centre_;
  for (std::size_t f = 0; f < moments_.size(); ++f) {
    const Matrix& theirs = other.moments_[f];
    Matrix& ours = moments_[f];
    const Vector sums = theirs.col(k).head(k);
    const double weight = theirs(k, k);
    for (Index c = 0; c < k; ++c)
      for (Index r = 0; r <= c; ++r)
        ours(r, c) += theirs(r, c) + (delta[r] * sums[c] + sums[r] * delta[c] + weight * delta[r] * delta[c]);
    for (Index r = 0; r < k; ++r) ours(r, k) += sums[r] + weight * delta[r];
    ours(k, k) += weight;
    rows_[f] += other.rows_[f];
  }
  update_total();
}

double GramStatistics::weight(int fold) const {
  check_fold(fold);
  return moments_[static_cast<std::size_t>(fold)](width() - 1, width() - 1);
}

CentredGram GramStatistics::about(const Matrix& moments, Index rows, const Vector& point) const {
  const Index k = inputs_ + targets_;
  CentredGram g;
  g.weight = moments(k, k);
  g.rows = rows;
  g.x_mean = point.head(inputs_);
  g.y_mean = point.tail(targets_);
  const Vector sums = moments.col(k).head(k);
  const Vector delta = centre_ - point;
  const auto entry = [&](Index r, Index c) {
    return moments(r, c) + (delta[r] * sums[c] + sums[r] * delta[c] + g.weight * delta[r] * delta[c]);
  };
  g.xx.resize(inputs_, inputs_);
  for (Index c = 0; c < inputs_; ++c)
    for (Index r = 0; r <= c; ++r) g.xx(r, c) = entry(r, c);
  g.xx.triangularView<Eigen::StrictlyLower>() = g.xx.transpose();
  g.xy.resize(inputs_, targets_);
  g.yy.resize(targets_);
  for (Index t = 0; t < targets_; ++t) {
    for (Index r = 0; r < inputs_; ++r) g.xy(r, t) = entry(r, inputs_ + t);
    g.yy[t] = std::max(entry(inputs_ + t, inputs_ + t), 0.0);
  }
  return g;
}

CentredGram GramStatistics::centred(const Matrix& moments, Index rows, bool intercept) const {
  const Index k = inputs_ + targets_;
  require(moments(k, k) > 0, "there is no row of positive weight to train on: use fewer or other folds");
  const Vector sums = moments.col(k).head(k);
  return about(moments, rows, intercept ? Vector(centre_ + sums / moments(k, k)) : Vector::Zero(k));
}

void GramStatistics::check_fold(int fold) const {
  require(fold >= 0 && fold < folds(), "there is no fold {}: folds are numbered 0 to {}", fold, folds() - 1);
}

Index GramStatistics::all_rows() const {
  Index rows = 0;
  for (const Index count : rows_) rows += count;
  return rows;
}

CentredGram GramStatistics::total(bool intercept) const { return centred(total_, all_rows(), intercept); }

CentredGram GramStatistics::total_about(const Vector& x_mean, const Vector& y_mean) const {
  return about(total_, all_rows(), point(x_mean, y_mean));
}

CentredGram GramStatistics::without(int fold, bool intercept) const {
  check_fold(fold);
  const Index rows = all_rows() - rows_[static_cast<std::size_t>(fold)];
  // The difference keeps its digits unless the fold holds most of the weight.
  if (weight(fold) <= 0.5 * total_(width() - 1, width() - 1))
    return centred(total_ - moments_[static_cast<std::size_t>(fold)], rows, intercept);
  Matrix sum = Matrix::Zero(width(), width());
  for (int f = 0; f < folds(); ++f)
    if (f != fold) sum += moments_[static_cast<std::size_t>(f)];
  return centred(sum, rows, intercept);
}

void GramStatistics::update_total() {
  total_ = moments_.front();
  for (std::size_t f = 1; f < moments_.size(); ++f) total_ += moments_[f];
}

Vector GramStatistics::point(const Vector& x_mean, const Vector& y_mean) const {
  require(x_mean.size() == inputs_ && y_mean.size() == targets_,
          "means of {} inputs and {} targets do not fit {} and {}", x_mean.size(), y_mean.size(), inputs_,
          targets_);
  if (centre_.size() == 0) fail("there are no rows yet");
  Vector both(inputs_ + targets_);
  both << x_mean, y_mean;
  return both;
}

CentredGram GramStatistics::held_out(int fold, const Vector& x_mean, const Vector& y_mean) const {
  check_fold(fold);
  const auto f = static_cast<std::size_t>(fold);
  return about(moments_[f], rows_[f], point(x_mean, y_mean));
}

}  // namespace gnomon
