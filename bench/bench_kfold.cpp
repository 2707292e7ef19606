// K-fold and leave-one-out over a path of 100 λ, as ratios to one BLAS call of the same size, in CPU seconds
// of one thread. Kernel: Gaussian, d = 8 standard normal inputs, width = median distance, reference dgemm(n).
// Tall linear models: reference one dsyrk pass over X.
// Usage: bench_kfold [kernel rows …]   (default 1000 2000 4000)
#include <cblas.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>

#include "decompose/gram_leave_one_out.hpp"
#include "decompose/gram_statistics.hpp"
#include "decompose/kernel_folds.hpp"
#include "gnomon/core/parallel.hpp"
#include "gnomon/core/random.hpp"
#include "reference/gram_spectrum.hpp"
#include "timing.hpp"

namespace {

using namespace gnomon;
using reference::gram_spectrum, reference::tikhonov_filter;

double median_seconds(int repeats, const std::function<void()>& body) {
  return bench::median_time(body, repeats);
}

std::vector<double> log_grid(double from, double to, int count) {
  std::vector<double> grid;
  for (int i = 0; i < count; ++i) grid.push_back(from * std::pow(to / from, i / (count - 1.0)));
  return grid;
}

Matrix gaussian_gram(const Matrix& x) {
  const Index n = x.rows();
  Matrix k(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i <= j; ++i) k(i, j) = (x.row(i) - x.row(j)).squaredNorm();
  std::vector<double> sample;
  for (Index j = 1; j < n; ++j) sample.push_back(k(j / 2, j));
  std::nth_element(sample.begin(), sample.begin() + static_cast<Index>(sample.size() / 2), sample.end());
  const double width2 = sample[sample.size() / 2];
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i <= j; ++i) k(i, j) = k(j, i) = std::exp(-k(i, j) / (2 * width2));
  return k;
}

void kernel(Index n) {
  Random random(1);
  Matrix x(n, 8);
  for (Index j = 0; j < 8; ++j) x.col(j) = random.normal_vector(n);
  const Matrix gram = gaussian_gram(x);
  Vector y(n);
  for (Index i = 0; i < n; ++i) y[i] = std::sin(x(i, 0)) + x(i, 1) * x(i, 2) * 0.3 + 0.3 * random.normal();
  const Folds folds = random_folds(n, 10, 1);
  const double size = static_cast<double>(n);
  const std::vector<double> lambdas = log_grid(1e-6 * size, 1e2 * size, 100);
  Matrix c(n, n);
  const int order = static_cast<int>(n);
  const double dgemm = median_seconds(3, [&] {
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, order, order, order, 1, gram.data(), order,
                gram.data(), order, 0, c.data(), order);
  });
  fmt::print("kernel n={}: dgemm {:.3f} s\n", n, dgemm);
  for (const bool squared : {false, true}) {
    const double scale = squared ? size * size : 1;
    std::vector<double> path = lambdas;
    for (double& l : path) l *= squared ? 1e-3 * scale / size : 1;
    const KernelFoldOptions options{.intercept = true, .squared_gram = squared};
    FoldErrors errors;
    const double seconds =
        median_seconds(3, [&] { errors = kernel_fold_errors(gram, y, Vector(), folds, path, options); });
    Index best;
    errors.sums.colwise().sum().minCoeff(&best);
    fmt::print("  10-fold {}: {:.3f} s = {:.2f} dgemm; {}; estimate {:.1e}; best lambda/n {:.2e}\n",
               squared ? "K*K" : "K", seconds, seconds / dgemm, errors.method, errors.error_estimate,
               path[static_cast<std::size_t>(best)] / size);
    if (n <= 1000 && !squared) {
      const FoldErrors exact = kernel_fold_errors_exact(gram, y, Vector(), folds, path, options);
      const Vector a = errors.sums.colwise().sum(), b = exact.sums.colwise().sum();
      const Eigen::ArrayXd gap = (a - b).array().abs() / b.array();
      fmt::print(
          "    largest gap to per-fold eigendecompositions: {:.1e} on the path, {:.1e} at the minimum\n",
          gap.maxCoeff(), gap[best]);
    }
  }
}

void tall(Index n, Index p) {
  Random random(2);
  Matrix x(n, p);
  for (Index j = 0; j < p; ++j)
    for (Index i = 0; i < n; ++i) x(i, j) = random.uniform(-1, 1) + 0.5;
  Vector y(n);
  for (Index i = 0; i < n; ++i) y[i] = x(i, 0) - x(i, p - 1) + random.normal();
  const Folds folds = random_folds(n, 10, 1);
  const std::vector<double> lambdas =
      log_grid(1e-4 * static_cast<double>(n), 1e2 * static_cast<double>(n), 100);
  Matrix c(p, p);
  const double dsyrk = median_seconds(3, [&] {
    cblas_dsyrk(CblasColMajor, CblasUpper, CblasTrans, static_cast<int>(p), static_cast<int>(n), 1, x.data(),
                static_cast<int>(n), 0, c.data(), static_cast<int>(p));
  });
  fmt::print("tall n={} p={}: dsyrk {:.3f} s\n", n, p, dsyrk);
  const auto collect = [&](const Folds& f) {
    GramStatistics s(p, 1, 10);
    s.add(x, y, Vector(), f.of_row);
    return s;
  };
  const double blocked = median_seconds(3, [&] { collect(blocked_folds(n, 10)); });
  const double random_order = median_seconds(3, [&] { collect(folds); });
  const GramStatistics s = collect(folds);
  const double path = median_seconds(3, [&] { gram_fold_errors(s, 0, lambdas, true); });
  fmt::print(
      "  statistics per fold: random {:.2f}, contiguous {:.2f} dsyrk; path of the folds {:.2f}; together "
      "{:.2f}\n",
      random_order / dsyrk, blocked / dsyrk, path / dsyrk, (random_order + path) / dsyrk);
  const double pass = median_seconds(3, [&] {
    const GramSpectrum spectrum = gram_spectrum(s.total(), 0);
    LeaveOneOutSums sums;
    gram_leave_one_out(x, y, Vector(), spectrum, tikhonov_filter(spectrum, lambdas), true, sums);
  });
  const double one_fold = median_seconds(3, [&] {
    GramStatistics whole(p, 1, 1);
    whole.add(x, y, Vector(), std::vector<int>(static_cast<std::size_t>(n), 0));
  });
  fmt::print("  leave-one-out: statistics {:.2f} + second pass {:.2f} = {:.2f} dsyrk\n", one_fold / dsyrk,
             pass / dsyrk, (one_fold + pass) / dsyrk);
}

}  // namespace

int main(int count, char** arguments) {
  set_threads(1);
  fmt::print("BLAS kernels: {}\n", blas_core_name());
  std::vector<Index> sizes;
  for (int i = 1; i < count; ++i) sizes.push_back(std::atol(arguments[i]));
  if (sizes.empty()) {
    sizes = {1000, 2000, 4000};
    tall(1000000, 100);
    tall(100000, 1000);
  }
  for (const Index n : sizes) kernel(n);
}
