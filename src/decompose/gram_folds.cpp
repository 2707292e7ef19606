#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "gram_krylov.hpp"
#include "gram_statistics.hpp"
#include "lapack.hpp"
#include "tridiagonal_path.hpp"

namespace gnomon {
namespace {

/// Krylov coefficients err by at most this in the held-out predictions, relative to the held-out responses.
constexpr double krylov_accuracy = 1e-12;

/// Columns `which` of the path by an eigendecomposition; small λ and given gains keep to the numerical range.
void spectral_coefficients(Matrix xx, const VectorView& xy, std::span<const double> lambdas,
                           std::span<const Index> which, const SpectralGain& gain, Matrix& path) {
  const Index p = xx.rows();
  const int order = static_cast<int>(p);
  Vector d(p), z(p);
  const int info = LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'L', order, xx.data(), order, d.data());
  require(info == 0,
          "the eigendecomposition of a cross-product matrix failed: check the data for non-finite values");
  cblas_dgemv(CblasColMajor, CblasTrans, order, order, 1, xx.data(), order, xy.data(), 1, 0, z.data(), 1);
  const double cut = static_cast<double>(p) * machine_epsilon * std::max(d[p - 1], 0.0);
  Matrix filtered(p, static_cast<Index>(which.size())), out(p, static_cast<Index>(which.size()));
  for (Index c = 0; c < filtered.cols(); ++c) {
    const double lambda = lambdas[static_cast<std::size_t>(which[static_cast<std::size_t>(c)])];
    for (Index i = 0; i < p; ++i) {
      const double tikhonov = 1 / (std::max(d[i], 0.0) + lambda);
      const bool inside = d[i] > cut;
      filtered(i, c) =
          z[i] * (gain ? (inside ? gain(d[i], lambda) : 0) : (inside || lambda > cut ? tikhonov : 0));
    }
  }
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, order, static_cast<int>(which.size()), order, 1,
              xx.data(), order, filtered.data(), order, 0, out.data(), order);
  for (Index c = 0; c < out.cols(); ++c) path.col(which[static_cast<std::size_t>(c)]) = out.col(c);
}

/// Tikhonov path: a reflection takes xy to the first axis, dsytrd leaves that axis alone, and β = H Q (T+λ)⁻¹
/// H xy. Returns the λ too small for the tridiagonal solves.
std::vector<Index> tridiagonal_coefficients(Matrix xx, const VectorView& xy, std::span<const double> lambdas,
                                            Matrix& path) {
  const Index p = xx.rows();
  const int order = static_cast<int>(p), columns = static_cast<int>(lambdas.size());
  const double norm = xy.norm();
  if (norm == 0) {
    path.setZero();
    return {};
  }
  Vector v = xy / norm;
  const double sign = v[0] < 0 ? -1 : 1;
  v[0] += sign;
  const double tau = 1 / std::abs(v[0]);  // 2/vᵀv, since vᵀv = 2|v₀|
  Vector w = lapack::symmetric_times(xx, v, tau);
  w -= 0.5 * tau * v.dot(w) * v;
  cblas_dsyr2(CblasColMajor, CblasLower, order, -1, v.data(), 1, w.data(), 1, xx.data(), order);

  Vector alpha, beta, reflectors;
  lapack::reduce_to_tridiagonal(xx, alpha, beta, reflectors);
  const double tiny = 1e3 * static_cast<double>(p) * machine_epsilon *
                      detail::tridiagonal_bound(p, alpha.data(), beta.data());
  std::vector<double> safe(lambdas.begin(), lambdas.end());
  std::vector<Index> undone;
  for (std::size_t l = 0; l < safe.size(); ++l)
    if (!(safe[l] > tiny)) {
      undone.push_back(static_cast<Index>(l));
      safe[l] = std::max(1.0, 2 * tiny);
    }
  Matrix first;
  detail::tridiagonal_first_columns(p, alpha.data(), beta.data(), safe, first);
  path = (-sign * norm) * first.transpose();
  if (p > 1) {
    const int info = LAPACKE_dormtr(LAPACK_COL_MAJOR, 'L', 'L', 'N', order, columns, xx.data(), order,
                                    reflectors.data(), path.data(), order);
    require(info == 0, "the rotation of the coefficients failed");
  }
  Vector along(columns);
  cblas_dgemv(CblasColMajor, CblasTrans, order, columns, tau, path.data(), order, v.data(), 1, 0,
              along.data(), 1);
  cblas_dger(CblasColMajor, order, columns, -1, v.data(), 1, along.data(), 1, path.data(), order);
  return undone;
}

/// Σ w e² of each column of coefficients and the size of the terms it is the difference of.
void quadratic_errors(const CentredGram& held, Index target, const Matrix& path, Vector& sums,
                      Vector& terms) {
  const int p = static_cast<int>(path.rows()), columns = static_cast<int>(path.cols());
  Matrix image = Matrix::Zero(p, columns);
  if (p > 0)
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, p, columns, p, 1, held.xx.data(), p, path.data(),
                p, 0, image.data(), p);
  for (Index c = 0; c < columns; ++c) {
    const double square = path.col(c).dot(image.col(c)), cross = path.col(c).dot(held.xy.col(target));
    sums[c] =
        std::max(held.yy[target] - 2 * cross + square, 0.0);  // in this order what is undefined stays so
    terms[c] = held.yy[target] + 2 * std::abs(cross) + square;
  }
}

}  // namespace

Matrix gram_coefficients(const MatrixView& xx, const VectorView& xy, std::span<const double> lambdas,
                         const SpectralGain& gain) {
  require(xx.rows() == xx.cols() && xx.rows() == xy.size(),
          "cross products of {} x {} inputs do not fit {} with the target", xx.rows(), xx.cols(), xy.size());
  for (const double lambda : lambdas)
    require(std::isfinite(lambda) && lambda >= 0, "lambda is {}: it must be finite and not negative", lambda);
  Matrix path = Matrix::Zero(xx.rows(), static_cast<Index>(lambdas.size()));
  if (path.size() == 0) return path;
  std::vector<Index> rest(lambdas.size());
  std::iota(rest.begin(), rest.end(), Index{0});
  if (!gain) rest = tridiagonal_coefficients(xx, xy, lambdas, path);
  if (!rest.empty()) spectral_coefficients(xx, xy, lambdas, rest, gain, path);
  return path;
}

FoldErrors gram_fold_errors(const GramStatistics& statistics, Index target, std::span<const double> lambdas,
                            bool intercept, const SpectralGain& gain) {
  require(target >= 0 && target < statistics.targets(), "there is no target {}: targets are numbered 0 to {}",
          target, statistics.targets() - 1);
  const Index folds = statistics.folds(), count = static_cast<Index>(lambdas.size());
  FoldErrors errors;
  errors.sums = Matrix::Zero(folds, count);
  errors.weights.resize(folds);
  Matrix terms = Matrix::Zero(folds, count);
  std::vector<char> by_krylov(static_cast<std::size_t>(folds), 0);
  const BlasThreads one(1);
  parallel_for(folds, [&](Index f) {
    const int fold = static_cast<int>(f);
    errors.weights[f] = statistics.weight(fold);
    const CentredGram train = statistics.without(fold, intercept);
    const CentredGram held = statistics.held_out(fold, train.x_mean, train.y_mean);
    Matrix path(train.xx.rows(), count);
    const double accuracy = krylov_accuracy * std::sqrt(held.yy[target] / held.xx.trace());
    by_krylov[static_cast<std::size_t>(f)] =
        !gain && count > 0 && accuracy > 0 &&
        detail::krylov_coefficients(train.xx, train.xy.col(target), lambdas, accuracy, path);
    if (!by_krylov[static_cast<std::size_t>(f)])
      path = gram_coefficients(train.xx, train.xy.col(target), lambdas, gain);
    Vector sums(count), sizes(count);
    quadratic_errors(held, target, path, sums, sizes);
    errors.sums.row(f) = sums.transpose();
    terms.row(f) = sizes.transpose();
  });
  const bool krylov = std::find(by_krylov.begin(), by_krylov.end(), 1) != by_krylov.end();
  errors.method = fmt::format("cross products per fold, {}", gain     ? "eigendecomposition"
                                                             : krylov ? "Krylov spaces"
                                                                      : "tridiagonal");
  const double truncation = krylov ? 2 * krylov_accuracy : 0;
  double worst = 0;
  bool cancels = false;
  for (Index l = 0; l < count; ++l) {
    const double sum = errors.sums.col(l).sum(), size = terms.col(l).sum();
    if (size > 0)
      worst = std::max(worst, sum > machine_epsilon * size
                                  ? machine_epsilon * size / sum + truncation * std::sqrt(size / sum)
                                  : 1.0);
    cancels = cancels || sum < 1e-10 * size;
  }
  if (cancels) errors.method += ", cancellation";
  errors.error_estimate = worst;
  return errors;
}

}  // namespace gnomon
