// Every way to tridiagonal form, beside each other: LAPACK's one stage, our two stages, each without and with the rotation, in CPU
// seconds of one thread as multiples of one dgemm of the same order. The crossovers in src/decompose/rotated_tridiagonal.cpp are
// set by it; bench/reductions.md has its tables.
// Usage: bench_reductions [rows …]   (default 250 500 1000 1500 2000 3000 4000)
#include <cblas.h>
#include <fmt/format.h>
#include <lapacke.h>

#include <cmath>
#include <cstdlib>

#include "decompose/form_rotation.hpp"
#include "decompose/rotated_tridiagonal.hpp"
#include "decompose/two_stage.hpp"
#include "timing.hpp"

namespace {

using namespace gnomon;

Matrix gaussian_gram(Index n) {
  const Matrix x = bench::random_matrix(8, n, 1);
  Matrix k(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) k(i, j) = std::exp(-(x.col(i) - x.col(j)).squaredNorm() / 30);
  return k;
}

struct Costs {
  double reduce = 0, with_rotation = 0;
};

/// dsytrd and the product of its reflectors.
Costs one_stage(const Matrix& gram) {
  const int n = static_cast<int>(gram.rows());
  Matrix a = gram;
  Vector d(n), e(n), tau(n);
  const double begin = bench::cpu_seconds();
  LAPACKE_dsytrd(LAPACK_COL_MAJOR, 'L', n, a.data(), n, d.data(), e.data(), tau.data());
  const double reduced = bench::cpu_seconds();
  LAPACKE_dorgtr(LAPACK_COL_MAJOR, 'L', n, a.data(), n, tau.data());
  return {reduced - begin, bench::cpu_seconds() - begin};
}

Costs two_stages(const Matrix& gram) {
  const Index n = gram.rows(), width = band_width_for(n);
  Costs costs;
  Matrix a = gram;
  double begin = bench::cpu_seconds();
  Band band = reduce_to_band(a, width);
  reduce_to_tridiagonal(band);
  costs.reduce = bench::cpu_seconds() - begin;
  a = gram;
  Matrix factors;
  begin = bench::cpu_seconds();
  Band again = reduce_to_band(a, width, &factors);
  ChaseReflectors chase(n, width);
  reduce_to_tridiagonal(again, &chase);
  form_rotation(a, factors, factors.rows());
  apply_chase_rotation(chase, a);
  costs.with_rotation = bench::cpu_seconds() - begin;
  return costs;
}

template <class Way>
Costs least(int repeats, const Matrix& gram, const Way& way) {
  Costs best = way(gram);
  for (int r = 1; r < repeats; ++r) {
    const Costs again = way(gram);
    best = {std::min(best.reduce, again.reduce), std::min(best.with_rotation, again.with_rotation)};
  }
  return best;
}

}  // namespace

int main(int count, char** arguments) {
  set_threads(1);
  const BlasThreads one(1);
  std::vector<Index> sizes;
  for (int i = 1; i < count; ++i) sizes.push_back(std::atol(arguments[i]));
  if (sizes.empty()) sizes = {250, 500, 1000, 1500, 2000, 3000, 4000};
  fmt::print("BLAS kernels: {}; least of several runs, × dgemm\n\n", blas_core_name());
  fmt::print(
      "| n | dgemm | one stage | two stages | one stage with rotation | two stages with rotation "
      "|\n|---|---|---|---|---|---|\n");
  for (const Index n : sizes) {
    const int repeats = n > 2500 ? 2 : n > 700 ? 3 : 10;
    const Matrix gram = gaussian_gram(n);
    const double unit = bench::dgemm_time(n);
    const Costs first = least(repeats, gram, one_stage), second = least(repeats, gram, two_stages);
    fmt::print("| {} | {:.4f} s | {:.2f} | {:.2f} | {:.2f} | {:.2f} |\n", n, unit, first.reduce / unit,
               second.reduce / unit, first.with_rotation / unit, second.with_rotation / unit);
  }
}
