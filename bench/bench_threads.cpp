// What threads gain at each stage of choosing λ for kernel ridge: seconds on the clock, and how many times faster than one thread.
// Usage: bench_threads [rows] [threads …]   (default 4000 1 2)
#include <fmt/format.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

#include "decompose/form_rotation.hpp"
#include "decompose/lapack.hpp"
#include "decompose/shared_cholesky.hpp"
#include "decompose/two_stage.hpp"
#include "represent/gram.hpp"
#include "represent/width.hpp"
#include "timing.hpp"

namespace {

using namespace gnomon;

/// One run of every stage, in the order of the table.
class Stages {
 public:
  explicit Stages(Index n)
      : n_(n), x_(bench::random_matrix(n, 8, 1)), kernel_(parse_kernel("gaussian", 4.0)) {}

  std::vector<std::pair<std::string, double>> run() {
    seconds_.clear();
    Matrix k, a, c;
    time("kernel matrix", [&] { k = gram(kernel_, x_); });
    time("matrix product", [&] { c = lapack::product(k, false, k, false); });
    c.resize(0, 0);
    a = k;
    const Index width = band_width_for(n_);
    Matrix factors;
    std::optional<Band> band;
    time("full to band", [&] { band.emplace(reduce_to_band(a, width, &factors)); });
    Band another(n_, width);
    for (Index j = 0; j < n_; ++j)
      for (Index i = std::max<Index>(0, j - width); i < std::min(n_, j + width + 1); ++i)
        *another.at(i, j) = *band->at(i, j);
    time("band to T", [&] { reduce_to_tridiagonal(another); });
    ChaseReflectors chase(n_, width);
    time("band to T, reflectors kept", [&] { reduce_to_tridiagonal(*band, &chase); });
    time("rotation to the band", [&] { form_rotation(a, factors, factors.rows()); });
    time("rotation to T", [&] { apply_chase_rotation(chase, a); });
    a = k;
    a.diagonal().array() += 1;
    time("Cholesky's factor", [&] { factor_positive_definite(a); });
    time("its inverse", [&] { visit_inverse(a, [](Index, const Matrix&) {}); });
    time("product with a vector", [&] { lapack::symmetric_times(k, x_.col(0)); });
    time("median distance", [&] { median_distance(x_, Vector()); });
    return seconds_;
  }

 private:
  template <class Body>
  void time(const char* name, const Body& body) {
    const double begin = bench::wall_seconds();
    body();
    seconds_.emplace_back(name, bench::wall_seconds() - begin);
  }

  Index n_;
  Matrix x_;
  Kernel kernel_;
  std::vector<std::pair<std::string, double>> seconds_;
};

}  // namespace

int main(int count, char** arguments) {
  const Index n = count > 1 ? std::atol(arguments[1]) : 4000;
  std::vector<int> threads;
  for (int i = 2; i < count; ++i) threads.push_back(std::atoi(arguments[i]));
  if (threads.empty()) threads = {1, 2};
  Stages stages(n);
  std::vector<std::vector<std::pair<std::string, double>>> tables;
  for (const int t : threads) {
    set_threads(t);
    auto best = stages.run();
    double total = 0;
    for (const auto& stage : best) total += stage.second;
    constexpr double long_enough = 20;  // seconds that need no second run
    if (total < long_enough) {
      const auto again = stages.run();
      for (std::size_t s = 0; s < best.size(); ++s)
        best[s].second = std::min(best[s].second, again[s].second);
    }
    tables.push_back(std::move(best));
  }
  fmt::print(
      "BLAS kernels: {}; n = {}; seconds on the clock, least of two short runs, and times faster than the "
      "first "
      "column\n\n",
      blas_core_name(), n);
  fmt::print("| stage |");
  for (const int t : threads) fmt::print(" {} thread{} |", t, t == 1 ? "" : "s");
  fmt::print("\n|---|");
  for (std::size_t i = 0; i < threads.size(); ++i) fmt::print("---|");
  for (std::size_t s = 0; s < tables[0].size(); ++s) {
    fmt::print("\n| {} |", tables[0][s].first);
    for (const auto& table : tables)
      fmt::print(" {:.3f} s, {:.1f} × |", table[s].second, tables[0][s].second / table[s].second);
  }
  fmt::print("\n");
}
