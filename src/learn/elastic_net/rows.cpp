#include "rows.hpp"

#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gnomon/core/error.hpp"
#include "kernels.hpp"

namespace gnomon::detail {
namespace {
/// Cross products of so many columns take 7 GB.
constexpr Index most_columns = 30000;
}  // namespace

RowsPath::RowsPath(const ElasticNetDesign& design, const VectorView& y, std::vector<Index> order, Index train)
    : design_(design), order_(std::move(order)), train_(train), response_(design.n) {
  const Index n = design.n;
  position_.assign(static_cast<std::size_t>(design.p), outside);
  root_ = Vector::Ones(n);
  if (design.root.size())
    for (Index i = 0; i < n; ++i) root_[i] = design.root[order_[static_cast<std::size_t>(i)]];
  for (Index i = 0; i < n; ++i) response_[i] = y[order_[static_cast<std::size_t>(i)]];
  const auto weights = root_.head(train).array().square();
  weight_ = weights.sum();
  require(weight_ > 0, "there is no row of positive weight to train on: use fewer or other folds");
  if (design.source.intercept)
    for (int pass = 0; pass < 2; ++pass) {  // the second takes up the rounding of the first
      const double rest = (weights * response_.head(train).array()).sum() / weight_;
      mean_ += rest;
      response_.array() -= rest;
    }
  response_.array() *= root_.array();
  null_deviance_ = response_.head(train).squaredNorm();
  require(std::isfinite(null_deviance_), "the targets have a value that is not finite");
  if (is_constant(null_deviance_, mean_, weight_)) {
    null_deviance_ = 0;
    response_.head(train).setZero();
  }
  solver_.start(GramProblem{});
}

void RowsPath::null_residual(double* residual) const {
  for (Index i = 0; i < design_.n; ++i)
    residual[order_[static_cast<std::size_t>(i)]] = i < train_ ? response_[i] : 0;
}

void RowsPath::admit(const std::vector<Index>& columns) {
  const Index n = design_.n, old = working();
  const Index needed = old + static_cast<Index>(columns.size());
  if (needed > gram_.rows()) {
    require(needed <= most_columns,
            "{} columns of {} are in use at once, more than the {} the elastic net has room for: raise the "
            "mix or the "
            "smallest lambda",
            needed, design_.p, most_columns);
    const Index capacity = std::max<Index>(needed, std::min(2 * old, design_.p));
    packed_.conservativeResize(n, capacity);
    gram_.conservativeResize(capacity, capacity);
  }
  for (const Index j : columns) {
    if (in_working_set(j)) continue;
    const double* from = design_.rows_matrix() + j * n;
    double* to = packed_.data() + working() * n;
    for (Index i = 0; i < n; ++i) to[i] = from[order_[static_cast<std::size_t>(i)]];
    double shift = 0;
    if (design_.source.intercept && train_ < n) {
      shift = centred_dot(train_, root_.data(), 0, to) / weight_;
      for (Index i = 0; i < n; ++i) to[i] -= shift * root_[i];
    }
    if (is_constant(centred_dot(train_, to, 0, to), design_.mean[j] + shift, weight_)) {
      position_[static_cast<std::size_t>(j)] = barred;
      continue;
    }
    position_[static_cast<std::size_t>(j)] = working();
    columns_.push_back(j);
    cross_.push_back(centred_dot(train_, to, 0, response_.data()));
  }
  const Index all = working(), fresh = all - old, stride = gram_.rows();
  if (fresh == 0) return;
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, static_cast<int>(all), static_cast<int>(fresh),
              static_cast<int>(train_), 1, packed_.data(), static_cast<int>(n), packed_.data() + old * n,
              static_cast<int>(n), 0, gram_.data() + old * stride, static_cast<int>(stride));
  for (Index c = old; c < all; ++c)
    for (Index r = 0; r < c; ++r) gram_(c, r) = gram_(r, c);
  solver_.extend({gram_.data(), stride, all, cross_.data(), null_deviance_, nullptr});
}

void RowsPath::begin_at(const PathFit& start) {
  admit(start.active);
  std::vector<Index> columns;
  std::vector<double> values;
  for (const Index j : start.active)
    if (position_[static_cast<std::size_t>(j)] >= 0) {
      columns.push_back(position_[static_cast<std::size_t>(j)]);
      values.push_back(start.coefficients[j]);
    }
  solver_.begin_at(static_cast<Index>(columns.size()), columns.data(), values.data());
}

RowsPoint RowsPath::solve(double tau, double mu, double tolerance, bool statistics, double* residual) {
  solver_.solve(tau, mu, tolerance);
  const double* a = solver_.coefficients();
  RowsPoint point;
  std::vector<Index> used;
  Vector left;
  const auto take_residual = [&] {
    used.clear();
    std::vector<double> values;
    for (Index k = 0; k < working(); ++k)
      if (a[k] != 0) {
        used.push_back(k);
        values.push_back(a[k]);
      }
    left = response_;
    subtract_columns(design_.n, packed_.data(), design_.n, static_cast<Index>(used.size()), used.data(),
                     values.data(), left.data());
    return left.head(train_).squaredNorm();
  };
  point.rss = take_residual();
  point.duality = solver_.duality(point.rss);
  if (point.duality.gap(tau) > tolerance * null_deviance_) {
    point.duality = solver_.refine(tolerance, [&](const double*, double* g) {
      const double rss = take_residual();
      for (Index k = 0; k < working(); ++k)
        g[k] = centred_dot(train_, packed_.data() + k * design_.n, 0, left.data());
      return rss;
    });
    point.rss = take_residual();
  }
  point.held_out = left.tail(design_.n - train_).squaredNorm();
  for (Index i = 0; i < design_.n; ++i)
    residual[order_[static_cast<std::size_t>(i)]] = i < train_ ? left[i] : 0;
  if (!statistics) return point;
  point.df = solver_.degrees_of_freedom();
  point.unique = solver_.unique();
  std::sort(used.begin(), used.end(), [&](Index k, Index m) {
    return columns_[static_cast<std::size_t>(k)] < columns_[static_cast<std::size_t>(m)];
  });
  for (const Index k : used) {
    point.columns.push_back(columns_[static_cast<std::size_t>(k)]);
    point.values.push_back(a[k]);
  }
  return point;
}

}  // namespace gnomon::detail
