// Huber regression beside one dense least-squares solve (LAPACK dgels) of the same design, in CPU seconds of one
// thread: preparing the design, one path of λ from a cold start, one warm refit on resampled residuals as the
// bootstrap does it. Noise: standard normal with one row in ten ten times as noisy.
// Usage: bench_huber
//        bench_huber solve FILE τ λ   fits the table in FILE (rows of inputs, then the target; intercept) and
//                                     prints the objective, the offset and the coefficients, for peers/huber_peers.py
#include <fmt/format.h>
#include <lapacke.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "gnomon/learn/huber.hpp"
#include "timing.hpp"

namespace {

using namespace gnomon;

double least_squares_seconds(const Matrix& x, const Vector& y) {
  return bench::median_time(
      [&] {
        Matrix a(x.rows(), x.cols() + 1);
        a << x, Vector::Ones(x.rows());
        Vector b = Vector::Zero(std::max(a.rows(), a.cols()));
        b.head(y.size()) = y;
        LAPACKE_dgels(LAPACK_COL_MAJOR, 'N', static_cast<int>(a.rows()), static_cast<int>(a.cols()), 1,
                      a.data(), static_cast<int>(a.rows()), b.data(), static_cast<int>(b.size()));
      },
      5);
}

void run(Index n, Index p, int refits) {
  const auto features = std::make_shared<Matrix>(bench::random_matrix(n, p, 1));
  Random random(2);
  Vector y = *features * random.normal_vector(p);
  for (Index i = 0; i < n; ++i) y[i] += random.normal() * (i % 10 == 0 ? 10 : 1);
  const SolverDesign design{features, {}, true};
  const double reference = least_squares_seconds(*features, y);
  const double prepare = bench::median_time([&] { Huber(design, {1.345}); });
  const Huber huber(design, {1.345});
  const std::vector<double> lambdas = huber.automatic_grid(y);
  std::vector<PathFit> fits;
  const double path = bench::median_time([&] { fits = huber.path(y, lambdas); });

  const PathFit& start = fits[fits.size() / 3];
  const Vector fitted = (*features * start.coefficients).array() + start.offset;
  const Vector residual = y - fitted;
  Matrix resampled(n, refits);
  for (int b = 0; b < refits; ++b)
    for (Index i = 0; i < n; ++i)
      resampled(i, b) = fitted[i] + residual[static_cast<Index>(random.below(static_cast<std::uint64_t>(n)))];
  double worst = 0;
  const double refit = bench::median_time([&] {
                         for (int b = 0; b < refits; ++b)
                           worst = std::max(worst, huber.refit(resampled.col(b), start.lambda, start).gap);
                       }) /
                       refits;
  fmt::print("{:>7} {:>5} {:>12.3e} {:>9.2f} {:>5} {:>10.2f} {:>10.3f} {:>11.1f} {:>9.2f} {:>9.1e}\n", n, p,
             reference, prepare / reference, lambdas.size(), path / reference,
             path / reference / static_cast<double>(lambdas.size()), 1e6 * refit, refit / reference, worst);
}

int solve(const std::string& file, double tau, double lambda) {
  std::ifstream in(file);
  std::vector<std::vector<double>> rows;
  for (std::string line; std::getline(in, line);) {
    std::istringstream numbers(line);
    rows.emplace_back();
    for (double value; numbers >> value;) rows.back().push_back(value);
  }
  if (rows.empty()) {
    fmt::print(stderr, "bench_huber: {} cannot be read or is empty\n", file);
    return 1;
  }
  const Index n = static_cast<Index>(rows.size()), p = static_cast<Index>(rows[0].size()) - 1;
  const auto features = std::make_shared<Matrix>(n, p);
  Vector y(n);
  for (Index i = 0; i < n; ++i) {
    const auto& row = rows[static_cast<std::size_t>(i)];
    for (Index j = 0; j < p; ++j) (*features)(i, j) = row[static_cast<std::size_t>(j)];
    y[i] = row[static_cast<std::size_t>(p)];
  }
  const PathFit fit = Huber(SolverDesign{features, {}, true}, {tau}).refit(y, lambda, {});
  fmt::print("{:.17g}\n{:.17g}\n", fit.objective, fit.offset);
  for (Index j = 0; j < p; ++j) fmt::print("{:.17g}\n", fit.coefficients[j]);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 5 && std::string(argv[1]) == "solve")
    return solve(argv[2], std::atof(argv[3]), std::atof(argv[4]));
  set_threads(1);
  fmt::print("OpenBLAS kernels: {}\n", blas_core_name());
  fmt::print("{:>7} {:>5} {:>12} {:>9} {:>5} {:>10} {:>10} {:>11} {:>9} {:>9}\n", "n", "p", "dgels s",
             "prepare", "λ", "path", "per λ", "refit µs", "refit", "gap");
  run(200, 10, 2000);
  run(1000, 50, 200);
  run(20000, 100, 5);
  run(200, 1000, 20);
}
