// Importance-weighted least squares along 21 flattening exponents with ten-fold iwcv, as multiples of one dsyrk pass
// over the same design. One thread, CPU time, medians. Beside it the whole of select, and select with Ĵ.
// Usage: bench_iwls [rows columns]   (default 100000 20)
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "gnomon/select/selection.hpp"
#include "select/candidates.hpp"
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
  const auto prepare = [&] { return make_candidates(data, request, metric, {}); };
  const double whole = bench::median_time([&] {
    for (const auto& c : prepare()) c.learner->held_out(points_of(c.lambdas), 0, folds, false, {});
  });
  line("path and ten-fold iwcv", whole);

  line("select, iwcv: with fits, noise, warnings, model", bench::median_time([&] { select(data, request); }));
  request.criteria = {"sic", "iwcv", "cv"};
  line("select, sic,iwcv,cv", bench::median_time([&] { select(data, request); }));
}
