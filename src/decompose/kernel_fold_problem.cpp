#include "kernel_fold_problem.hpp"

#include <cmath>
#include <limits>

#include "gnomon/core/error.hpp"
#include "lapack.hpp"

namespace gnomon::detail {
namespace {

KernelFold make_fold(const VectorView& y, const Vector& weight, const Folds& folds, int fold,
                     bool intercept) {
  KernelFold f;
  for (Index i = 0; i < y.size(); ++i) {
    if (folds.of_row[static_cast<std::size_t>(i)] == fold) {
      f.test.push_back(i);
      f.test_weight += weight[i];
    } else if (weight[i] > 0) {
      f.train.push_back(i);
      f.train_weight += weight[i];
    }
  }
  require(!f.train.empty(), "fold {} leaves no training row of positive weight: use fewer or other folds",
          fold);
  const Index m = static_cast<Index>(f.train.size());
  f.root.resize(m);
  f.target.resize(m);
  if (intercept) {
    for (Index i : f.train) f.y_mean += weight[i] / f.train_weight * y[i];
  }
  double raw = 0;
  for (Index i = 0; i < m; ++i) {
    const Index row = f.train[static_cast<std::size_t>(i)];
    f.root[i] = std::sqrt(weight[row]);
    f.target[i] = f.root[i] * (y[row] - f.y_mean);
    raw += weight[row] * y[row] * y[row];
  }
  f.direction = f.root / f.root.norm();
  if (intercept) f.target -= f.direction * f.direction.dot(f.target);
  const double rounding = 4 * std::numeric_limits<double>::epsilon() * std::sqrt(raw);
  if (intercept && f.target.norm() <= rounding) f.target.setZero();
  return f;
}

}  // namespace

void KernelFoldProblem::use_gram(const MatrixView& k) {
  require(k.rows() == n && k.cols() == n, "the Gram matrix is {} x {} but there are {} responses", k.rows(),
          k.cols(), n);
  gram = k.data();
  stride = k.outerStride();
}

FoldErrors KernelFoldProblem::empty_errors() const {
  FoldErrors errors;
  errors.sums = Matrix::Zero(static_cast<Index>(folds.size()), static_cast<Index>(lambdas.size()));
  errors.weights.resize(static_cast<Index>(folds.size()));
  for (std::size_t f = 0; f < folds.size(); ++f) errors.weights[static_cast<Index>(f)] = folds[f].test_weight;
  return errors;
}

Vector KernelFoldProblem::centre_roots() const {
  return options.centres ? Vector(options.centres->cwiseSqrt()) : Vector(Vector::Ones(n));
}

double KernelFoldProblem::diagonal(Index i) const {
  const Eigen::Map<const Vector> column(gram + i * stride, n);
  if (!options.squared_gram) return column[i];
  return options.centres ? options.centres->dot(column.cwiseAbs2()) : column.squaredNorm();
}

void KernelFoldProblem::score(const KernelFold& fold, const double* predictions, Index columns,
                              double* sums) const {
  const Index rows = static_cast<Index>(fold.test.size());
  for (Index c = 0; c < columns; ++c) {
    const double* f = predictions + c * rows;
    double sum = 0;
    for (Index i = 0; i < rows; ++i) {
      const Index row = fold.test[static_cast<std::size_t>(i)];
      const double e = y[row] - fold.y_mean - f[i];
      sum += weight[row] * e * e;
    }
    sums[c] = sum;
  }
}

KernelFoldProblem kernel_fold_problem(const VectorView& y, const VectorView& weight, const Folds& folds,
                                      std::span<const double> lambdas, const KernelFoldOptions& options) {
  const Index n = y.size();
  require(weight.size() == 0 || weight.size() == n, "{} weights for {} rows: give one per row or none",
          weight.size(), n);
  check_folds(folds, n);
  require(options.tolerance > 0, "the tolerance of fold errors is {}: it must be positive",
          options.tolerance);
  for (const double lambda : lambdas)
    require(std::isfinite(lambda) && lambda >= 0, "lambda is {}: it must be finite and not negative", lambda);
  KernelFoldProblem p{
      .n = n, .y = y, .weight = Vector::Ones(n), .folds = {}, .lambdas = lambdas, .options = options};
  if (weight.size() > 0) p.weight = weight;
  for (Index i = 0; i < n; ++i) {
    require(std::isfinite(p.weight[i]) && p.weight[i] >= 0,
            "weight {} is {}: weights must be finite and not negative", i, p.weight[i]);
    require(std::isfinite(y[i]), "response {} is not finite", i);
  }
  for (int f = 0; f < folds.count; ++f)
    p.folds.push_back(make_fold(y, p.weight, folds, f, options.intercept));
  return p;
}

void project_out(Matrix& a, const Vector& u) {
  const int n = static_cast<int>(a.rows());
  Vector au = lapack::symmetric_times(a, u);
  au -= 0.5 * u.dot(au) * u;
  cblas_dsyr2(CblasColMajor, CblasLower, n, -1, u.data(), 1, au.data(), 1, a.data(), n);
}

}  // namespace gnomon::detail
