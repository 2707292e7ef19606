// Importance-weighted least squares along 21 flattening exponents with ten-fold iwcv, as multiples of one dsyrk pass
// over the same design. One thread, CPU time, medians. Beside the whole: each part on its own.
// Usage: bench_iwls [rows columns]   (default 100000 20)
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "gnomon/select/candidates.hpp"
#include "gnomon/select/selection.hpp"
#include "gnomon/shift/weights.hpp"
#include "timing.hpp"

namespace {

using namespace gnomon;

/// Inputs N(0, I), tested at N(m, I) with m = (½, ½, 0, …): w = exp(mᵀx − ‖m‖²/2).
TrainingData shifted_data(Index n, Index p) {
  TrainingData data;
  data.x = bench::random_matrix(n, p, 1);
  data.y.resize(n, 1);
  data.target_names = {"y"};
  data.importance.resize(n);
  Random random(2);
  for (Index i = 0; i < n; ++i) {
    data.y(i, 0) = data.x.row(i).sum() + std::sin(data.x(i, 0)) + random.normal();
    data.importance[i] = std::exp(0.5 * (data.x(i, 0) + data.x(i, 1)) - 0.25);
  }
  return data;
}

}  // namespace

int main(int count, char** arguments) {
  const Index n = count > 2 ? std::atol(arguments[1]) : 100000, p = count > 2 ? std::atol(arguments[2]) : 20;
  set_threads(1);
  const TrainingData data = shifted_data(n, p);
  const double pass = bench::dsyrk_time(data.x);
  fmt::print("BLAS kernels: {}; one thread, CPU time, median of 3; {} x {}, 21 exponents\n", blas_core_name(),
             n, p);
  fmt::print("one dsyrk pass: {:.2f} ms\n", 1e3 * pass);
  const auto line = [&](const char* what, double seconds) {
    fmt::print("  {:<58} {:8.1f} ms {:7.1f} dsyrk\n", what, 1e3 * seconds, seconds / pass);
  };

  SelectionRequest request;
  request.learner = "iwls";
  request.criteria = {"iwcv:10"};
  const Metric metric = metric_of(request, data);
  const Folds folds = random_folds(n, 10, request.seed);
  const std::vector<double> no_penalty{0};
  const auto prepare = [&] { return make_candidates(data, request, metric, {}); };
  const double whole = bench::median_time([&] {
    for (const auto& c : prepare()) c.learner->fold_errors(c.lambdas, 0, folds);
  });
  line("path and ten-fold iwcv", whole);

  // The parts, as the candidates do them.
  std::vector<double> exponents;
  for (const auto& c : prepare()) exponents.push_back(c.tuning);
  std::vector<Vector> weights(exponents.size());
  std::vector<GramStatistics> moments(exponents.size(), GramStatistics(p, 1, folds.count));
  const double judging =
      bench::median_time([&] { HeldOutMoments(data.x, data.y, data.importance, folds.of_row, folds.count); });
  const double flattening = bench::median_time([&] {
    for (std::size_t k = 0; k < exponents.size(); ++k) weights[k] = flattened(data.importance, exponents[k]);
  });
  const double collecting = bench::median_time([&] {
    for (std::size_t k = 0; k < exponents.size(); ++k) {
      moments[k] = GramStatistics(p, 1, folds.count);
      moments[k].add(data.x, data.y, weights[k], folds.of_row);
    }
  });
  const HeldOutMoments held(data.x, data.y, data.importance, folds.of_row, folds.count);
  const double errors = bench::median_time([&] {
    for (const auto& m : moments) held.fold_errors(m, 0, no_penalty, true);
  });
  line("  moments to judge by, once", judging);
  line("  weights w^l", flattening);
  line("  moments per fold under w^l", collecting);
  line("  errors of the folds from the moments", errors);
  line("  the rest: checks, copies, solvers", whole - judging - flattening - collecting - errors);

  line("select, iwcv: with fits, noise, warnings, model", bench::median_time([&] { select(data, request); }));
  request.criteria = {"sic", "iwcv", "cv"};
  line("select, sic,iwcv,cv", bench::median_time([&] { select(data, request); }));
}
