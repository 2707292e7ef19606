// Reduction to tridiagonal form and what is read off it, in CPU seconds of one thread (arguments: sizes n)
// and as ratios to one dgemm of the same order; leave-one-out against dsyevd with vectors. A last column
// gives wall seconds of the reduction with two threads. Gaussian kernel matrices of eight-dimensional inputs.

#include <cblas.h>
#include <fmt/core.h>
#include <lapacke.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>

#include "decompose/rotated_tridiagonal.hpp"
#include "gnomon/core/parallel.hpp"
#include "timing.hpp"

namespace {

using namespace gnomon;
using Rotation = RotatedTridiagonal::Rotation;

/// Median over `repeats` runs of task(copy of a), the copy not counted.
template <class Clock, class Task>
double median_on_copies(int repeats, Clock clock, const Matrix& a, Task task) {
  std::vector<double> times;
  for (int r = 0; r < repeats; ++r) {
    Matrix copy = a;
    const double begin = clock();
    task(std::move(copy));
    times.push_back(clock() - begin);
  }
  return bench::median(std::move(times));
}

Matrix gaussian_kernel(Index n) {
  std::srand(1);
  const Matrix x = Matrix::Random(8, n);
  Matrix k(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) k(i, j) = std::exp(-(x.col(i) - x.col(j)).squaredNorm());
  return k;
}

void run(Index n) {
  const Matrix kernel = gaussian_kernel(n);
  const Vector b = Vector::Random(n);
  const int order = static_cast<int>(n), repeats = n > 3000 ? 3 : 5;
  std::vector<double> lambdas(100);
  for (int l = 0; l < 100; ++l) lambdas[l] = std::pow(10.0, -6 + 0.08 * l);

  set_threads(1);
  Matrix product(n, n);
  const auto multiply = [&](Matrix&& a) {
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, order, order, order, 1, a.data(), order,
                kernel.data(), order, 0, product.data(), order);
  };
  const double gemm_before = median_on_copies(repeats, bench::cpu_seconds, kernel, multiply);
  Tridiagonal t;
  const double two_stage = median_on_copies(repeats, bench::cpu_seconds, kernel, [&](Matrix&& a) {
    t = RotatedTridiagonal(std::move(a), b, Rotation::discard).t();
  });
  double sink = 0;
  const double read_off = median_on_copies(repeats, bench::cpu_seconds, Matrix(), [&](Matrix&&) {
    for (const Resolvent& r : resolvents(t, lambdas)) sink += r.log_det;
  });
  const double gemm = std::min(gemm_before, median_on_copies(repeats, bench::cpu_seconds, kernel, multiply));
  product.resize(0, 0);
  const double one_stage = median_on_copies(repeats > 3 ? 3 : 1, bench::cpu_seconds, kernel, [&](Matrix&& a) {
    RotatedTridiagonal(std::move(a), b, Rotation::keep);
  });
  const double values = median_on_copies(repeats, bench::cpu_seconds, Matrix(),
                                         [&](Matrix&&) { sink += eigen_with_first_components(t).values[0]; });
  const double loo = median_on_copies(repeats > 3 ? 3 : 1, bench::cpu_seconds, kernel, [&](Matrix&& a) {
    RotatedTridiagonal kept(std::move(a), b, Rotation::keep);
    const Tridiagonal own = kept.t();
    const double norm = kept.norm();
    const Matrix q = std::move(kept).form_q();
    Matrix diagonal, residual;
    shifted_diagonal_and_residual(q, own, norm, lambdas, diagonal, residual);
    sink += diagonal(0, 0);
  });
  const double vectors = median_on_copies(repeats > 3 ? 3 : 1, bench::cpu_seconds, kernel, [&](Matrix&& a) {
    Vector w(n);
    LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'L', order, a.data(), order, w.data());
  });
  set_threads(2);
  const double two_threads = median_on_copies(repeats, bench::wall_seconds, kernel, [&](Matrix&& a) {
    sink += RotatedTridiagonal(std::move(a), b, Rotation::discard).norm();
  });
  set_threads(1);
  fmt::print("{:6} {:8.4f} {:8.4f} {:9.4f} {:10.5f} {:8.4f} {:7.2f} {:9.4f} {:8.4f} {:7.2f} {:9.4f}\n", n,
             gemm, one_stage, two_stage, read_off, values, (two_stage + read_off) / gemm, loo, vectors,
             loo / vectors, two_threads);
  if (std::isnan(sink)) fmt::print("a result is not a number\n");
}

}  // namespace

int main(int count, char** arguments) {
  fmt::print("BLAS kernels: {}\n", blas_core_name());
  fmt::print("{:>6} {:>8} {:>8} {:>9} {:>10} {:>8} {:>7} {:>9} {:>8} {:>7} {:>9}\n", "n", "dgemm", "keep",
             "discard", "100 lambda", "eigenv.", "/dgemm", "LOO", "dsyevd", "/dsyevd", "2T wall");
  std::vector<Index> sizes;
  for (int i = 1; i < count; ++i) sizes.push_back(std::atol(arguments[i]));
  if (sizes.empty()) sizes = {1000, 2000, 4000};
  for (Index n : sizes) run(n);
}
