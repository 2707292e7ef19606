// Lasso paths and their cross-validation, in CPU seconds of one thread.
//   tall 1e5 x 200, 100 λ, 10 folds: ratio to one per-fold pass GramStatistics::add of the same run
//   wide 1000 x 5000, 100 λ, 10 folds: correlated columns, 40 true coefficients
//   refits of a 200 x 50 design, as the residual bootstrap makes them
// Usage: bench_lasso [folder]
// With a folder, data, folds, grids and our objectives are written there for bench/peers/lasso_peers.{R,py}; a file
// <case>_lambda.bin found there (glmnet's own grid, written by the R script) takes the place of our grid.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <string>

#include "decompose/gram_statistics.hpp"
#include "gnomon/core/parallel.hpp"
#include "gnomon/core/random.hpp"
#include "gnomon/learn/elastic_net.hpp"
#include "timing.hpp"

namespace {

using namespace gnomon;

struct Case {
  std::string name;
  std::shared_ptr<Matrix> x;
  Vector y;
  Folds folds;
};

/// Columns follow each other as an autoregression with coefficient 0.5; every `every`-th one matters.
Case make_case(const std::string& name, Index n, Index p, Index every, double noise) {
  Case c{name, std::make_shared<Matrix>(bench::random_matrix(n, p, 7)), Vector::Zero(n),
         random_folds(n, 10, 1)};
  Matrix& x = *c.x;
  for (Index j = 1; j < p; ++j) x.col(j) = 0.5 * x.col(j - 1) + std::sqrt(0.75) * x.col(j);
  for (Index j = 0; j < p; j += every) c.y += (j / every % 2 ? -1.0 : 1.0) * x.col(j);
  c.y += noise * Random(8).normal_vector(n);
  return c;
}

void write(const std::string& file, const double* values, Index count) {
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(values), static_cast<std::streamsize>(count) * 8);
}

std::vector<double> read(const std::string& file) {
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  if (!in) return {};
  std::vector<double> values(static_cast<std::size_t>(in.tellg()) / 8);
  in.seekg(0);
  in.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(values.size()) * 8);
  return values;
}

void write_case(const Case& c, const std::string& folder, const std::vector<double>& lambdas,
                const std::vector<PathFit>& fits) {
  const std::string base = folder + "/" + c.name;
  const double size[] = {static_cast<double>(c.x->rows()), static_cast<double>(c.x->cols())};
  write(base + "_size.bin", size, 2);
  write(base + "_x.bin", c.x->data(), c.x->size());
  write(base + "_y.bin", c.y.data(), c.y.size());
  const std::vector<double> folds(c.folds.of_row.begin(), c.folds.of_row.end());
  write(base + "_fold.bin", folds.data(), static_cast<Index>(folds.size()));
  write(base + "_grid.bin", lambdas.data(), static_cast<Index>(lambdas.size()));
  std::vector<double> objectives;
  for (const PathFit& fit : fits) objectives.push_back(fit.objective);
  write(base + "_objective.bin", objectives.data(), static_cast<Index>(objectives.size()));
}

void cross_validation(const Case& c, const std::string& folder, double mix) {
  const Index n = c.x->rows(), p = c.x->cols();
  const ElasticNetOptions options{.mix = mix};
  std::vector<double> lambdas =
      folder.empty() || mix < 1 ? std::vector<double>() : read(folder + "/" + c.name + "_lambda.bin");
  if (lambdas.empty()) lambdas = ElasticNet({c.x}, options).automatic_grid(c.y);
  FoldErrors errors;
  std::vector<PathFit> fits;
  double statistics_time = 0;
  if (n > p)
    statistics_time = bench::median_time([&] {
      GramStatistics s(p, 1, 10);
      s.add(*c.x, c.y, Vector(), c.folds.of_row);
    });
  // As a selection does it: one pass for the folds, whose total serves the fit on all rows too.
  double path_time = 0;
  const double total = bench::median_time([&] {
    if (n > p) {
      GramStatistics s(p, 1, 10);
      s.add(*c.x, c.y, Vector(), c.folds.of_row);
      const CentredGram known = s.total();
      const ElasticNet solver({c.x}, options, &known);
      errors = *solver.fold_errors(c.y, lambdas, c.folds, &s, 0, {});
      const double from = bench::cpu_seconds();
      fits = solver.path(c.y, lambdas);
      path_time = bench::cpu_seconds() - from;
    } else {
      const ElasticNet solver({c.x}, options);
      errors = *solver.fold_errors(c.y, lambdas, c.folds, nullptr, 0, {});
      const double from = bench::cpu_seconds();
      fits = solver.path(c.y, lambdas);
      path_time = bench::cpu_seconds() - from;
    }
  });
  const Vector y = c.y.array() - c.y.mean();
  double gap = 0;
  for (const PathFit& fit : fits) gap = std::max(gap, fit.gap / y.squaredNorm());
  Index best;
  errors.sums.colwise().sum().minCoeff(&best);
  fmt::print(
      "{} {} x {}, mix {}, {} lambda, 10-fold and path on all rows: {:.4f} s, of it the path on all rows "
      "{:.4f} s",
      c.name, n, p, mix, lambdas.size(), total, path_time);
  if (n > p)
    fmt::print("; {:.2f} x one per-fold Gram pass ({:.4f} s)", total / statistics_time, statistics_time);
  fmt::print("\n  largest relative gap {:.1e}, active {} at the best of the path, {} at its end; {}\n", gap,
             fits[static_cast<std::size_t>(best)].active.size(), fits.front().active.size(), errors.method);
  if (!folder.empty() && mix == 1) write_case(c, folder, lambdas, fits);
}

void refits(double mix) {
  const Case c = make_case("small", 200, 50, 5, 3);
  const ElasticNet solver({c.x}, {.mix = mix});
  const std::vector<double> grid = solver.automatic_grid(c.y);
  std::vector<double> lambdas;
  for (std::size_t l = 0; l < grid.size(); l += 2) lambdas.push_back(grid[l]);
  const std::vector<PathFit> fits = solver.path(c.y, lambdas);
  constexpr int replications = 200;
  Index active = 0;
  const double seconds = bench::median_time([&] {
    active = 0;
    for (std::size_t l = 0; l < lambdas.size(); ++l) {
      const PathFit& fit = fits[l];
      Vector fitted = *c.x * fit.coefficients;
      fitted.array() += fit.offset;
      const Vector residual = c.y - fitted;
      Random random(3, l);
      Vector y(200);
      for (int b = 0; b < replications; ++b) {
        for (Index i = 0; i < 200; ++i) y[i] = fitted[i] + residual[static_cast<Index>(random.below(200))];
        active += static_cast<Index>(solver.refit(y, lambdas[l], fit).active.size());
      }
    }
  });
  const double count = replications * static_cast<double>(lambdas.size());
  fmt::print(
      "refits 200 x 50, mix {}: {} replications of {} lambda {:.3f} s, {:.1f} us each ({:.1f} active)\n", mix,
      replications, lambdas.size(), seconds, 1e6 * seconds / count, static_cast<double>(active) / count);
}

}  // namespace

int main(int count, char** arguments) {
  set_threads(1);
  const std::string folder = count > 1 ? arguments[1] : "";
  fmt::print("BLAS kernels: {}\n", blas_core_name());
  refits(1);
  refits(0.5);
  const Case tall = make_case("tall", 100000, 200, 4, 10);
  cross_validation(tall, folder, 1);
  if (folder.empty()) cross_validation(tall, folder, 0.5);
  const Case wide = make_case("wide", 1000, 5000, 125, 4);
  cross_validation(wide, folder, 1);
  if (folder.empty()) cross_validation(wide, folder, 0.5);
}
