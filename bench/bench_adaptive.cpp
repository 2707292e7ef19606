// Adaptive regularization of linear models, in CPU seconds of one thread.
//   1. A grouped ridge on 1e5 x 200 with 20 decays: each criterion once without and once with all 20 gradients, beside one pass
//      X'X (dsyrk).
//   2. 5000 data sets of 40 x 10, one condition of the linear experiment: eigenvectors and the exact leave-one-out curve at 100 κ with
//      the refined minimum, apart from drawing the numbers.
// Usage: bench_adaptive [ROWS]

#include <fmt/format.h>

#include <cstdlib>

#include "experiments/linear/lane_search.hpp"
#include "experiments/linear/linear_experiment.hpp"
#include "learn/ridge_groups/ridge_folds.hpp"
#include "reference/by_name.hpp"
#include "reference/fper.hpp"
#include "reference/gpe.hpp"
#include "timing.hpp"

namespace {

using namespace gnomon;
using namespace gnomon::reference;
using namespace gnomon::experiments;

void grouped_ridge(Index n) {
  constexpr Index p = 200, groups = 20;
  const auto x = std::make_shared<const Matrix>(bench::random_matrix(n, p, 1));
  Random random(2);
  const Vector y = *x * random.normal_vector(p) + random.normal_vector(n);
  std::vector<int> group(p);
  for (Index i = 0; i < p; ++i) group[static_cast<std::size_t>(i)] = static_cast<int>(i / (p / groups));
  const Vector kappa = Vector::LinSpaced(groups, -6, 1).array().exp();
  fmt::print("grouped ridge, {} x {}, {} decays; one X'X takes {:.3f} s\n", n, p, groups,
             bench::dsyrk_time(*x));
  double seconds = bench::cpu_seconds();
  const GroupedRidge ridge(x, y, GroupedPenalty::decay(group));
  fmt::print("  compressing the rows, once     {:8.3f} s\n", bench::cpu_seconds() - seconds);
  seconds = bench::cpu_seconds();
  const RidgeFolds folds(ridge, random_folds(n, 10, 1));
  fmt::print("  the rows of 10 folds, once     {:8.3f} s\n", bench::cpu_seconds() - seconds);
  const auto line = [](const char* name, const std::function<void(bool)>& body, int inner) {
    const auto time = [&](bool gradient) {
      return bench::median_time(
                 [&] {
                   for (int i = 0; i < inner; ++i) body(gradient);
                 },
                 5) /
             inner;
    };
    body(true);
    const double without = time(false), with = time(true);
    fmt::print("  {:<10} value {:9.5f} s   with 20 gradients {:9.5f} s   ratio {:.2f}\n", name, without, with,
               with / without);
  };
  line(
      "gcv", [&](bool g) { reference::gcv(ridge_counted(ridge, kappa, g, false)); }, 10);
  line(
      "cp", [&](bool g) { reference::gpe(ridge_counted(ridge, kappa, g, false), 1.0); }, 10);
  line(
      "fper", [&](bool g) { reference::fper(ridge_counted(ridge, kappa, g)); }, 10);
  line(
      "evidence", [&](bool g) { profiled_evidence(ridge.evidence(kappa, g)); }, 10);
  line(
      "cv:10", [&](bool g) { folds_cv(folds, kappa, g); }, 3);
  line(
      "loo", [&](bool g) { ridge_loo(ridge, kappa, g); }, 1);
  line(
      "gen", [&](bool g) { ridge_gen(ridge, kappa, {.lags = 0, .gradient = g}); }, 1);
  line(
      "gen:5", [&](bool g) { ridge_gen(ridge, kappa, {.lags = 5, .gradient = g}); }, 1);
}

void many_data_sets() {
  constexpr Index rows = 40, sets = 5000, batches = sets / 8;
  std::vector<LaneRidge> all;
  Random random(3);
  for (Index b = 0; b < batches; ++b) {
    LaneRidge& ridge = all.emplace_back(rows);
    for (Index i = 0; i < 8 * rows * LaneRidge::inputs; ++i) ridge.x.data()[i] = random.normal();
    for (Index i = 0; i < 8 * rows; ++i) {
      ridge.y.data()[i] = random.normal() + ridge.x[i / 8 * LaneRidge::inputs][i % 8];
    }
  }
  double sum = 0;
  const double decompose = bench::median_time(
      [&] {
        for (auto& ridge : all) ridge.decompose();
      },
      5);
  const double scan = bench::median_time(
      [&] {
        for (const auto& ridge : all) sum += LaneGrid(ridge).minimise(lane_loo)[0];
      },
      5);
  fmt::print(
      "{} data sets of {} x 10: eigenvectors {:.4f} s, 100 kappa of leave-one-out and the minimum {:.4f} s, "
      "together {:.4f} s (checksum {:.6g})\n",
      sets, rows, decompose, scan, decompose + scan, sum);
  LinearExperimentOptions options;
  options.noise_to_signal = {1};
  options.spreads = {Spread::high4};
  fmt::print("one condition, nine choosers, numbers drawn: {:.3f} s\n",
             bench::median_time([&] { linear_experiment(options); }));
}

}  // namespace

int main(int argc, char** argv) {
  set_threads(1);
  many_data_sets();
  grouped_ridge(argc > 1 ? std::atol(argv[1]) : 100000);
}
