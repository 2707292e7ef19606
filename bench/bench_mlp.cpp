// A network of about 1000 weights on 2000 rows: training to a gradient of 1e-8, the exact Hessian, GEN and the
// evidence with the gradients of 2 decays (per layer) and of 21 (per input). CPU seconds of one thread, and the
// speed of the matrix products (flops of the formulas, not of their overhead) beside that of one dgemm.
#include <fmt/format.h>

#include <cmath>

#include "gnomon/learn/mlp_train.hpp"
#include "learn/mlp/estimates.hpp"
#include "reference/by_name.hpp"
#include "timing.hpp"

namespace {

using namespace gnomon;

/// Flops of one dense exact Hessian of one hidden layer: pairs of units × pairs of inputs, per row.
double hessian_flops(const MlpShape& shape, double rows) {
  const auto pairs = [](double n) { return n * (n + 1) / 2; };
  const double h = static_cast<double>(shape.hidden[0]), o = static_cast<double>(shape.outputs);
  const double d = static_cast<double>(shape.fan_in(0)), b = static_cast<double>(shape.fan_in(1));
  return 2 * rows * (pairs(h) * pairs(d) + h * o * d * b + pairs(o) * pairs(b) + o * d * h);
}

}  // namespace

int main() {
  set_threads(1);
  const double gemm = bench::dgemm_time(1000), peak = 2e9 / gemm;
  fmt::print("OpenBLAS kernels: {}; dgemm of order 1000: {:.3f} s, {:.1f} Gflop/s\n", blas_core_name(), gemm,
             peak / 1e9);
  const Index rows = 2000;
  const MlpShape shape{20, {45}, 1, true};
  const Matrix x = bench::random_matrix(rows, 20, 1);
  Random random(2);
  Matrix y(rows, 1);
  for (Index i = 0; i < rows; ++i)
    y(i, 0) = std::sin(2 * x(i, 0)) + x(i, 1) * x(i, 2) + std::tanh(x(i, 3)) + 0.3 * random.normal();
  const MlpCost cost(shape, MlpLoss::squared, x, y, decay_per_layer(shape, 1e-4));
  const double p = static_cast<double>(shape.weights()), n = static_cast<double>(rows);
  fmt::print("{} weights, {} rows\n", shape.weights(), rows);

  MlpFit fit;
  const double training =
      bench::median_time([&] { fit = mlp_train(cost, {.tolerance = 1e-8, .restarts = 1}); }, 1);
  const Vector& w = fit.model.w;
  fmt::print("training          {:8.3f} s  {} iterations, {}, cost {:.6f}\n", training, fit.iterations,
             fit.status, fit.cost);
  const auto line = [&](const char* what, double seconds, double flops) {
    fmt::print("{:<17} {:8.4f} s  {:7.3f} Gflop  {:6.1f} Gflop/s = {:.2f} of dgemm\n", what, seconds,
               flops / 1e9, flops / seconds / 1e9, flops / seconds / peak);
  };
  Vector g;
  line("cost, gradient", bench::median_time([&] { cost.cost_and_gradient(w, g); }, 5), 6 * n * p);
  const MlpTangents tangents(cost, w);
  line("Hessian·vector", bench::median_time([&] { tangents.hessian_vector(g); }, 5), 8 * n * p);
  const double one_hessian = hessian_flops(shape, n);
  line("exact Hessian", bench::median_time([&] { cost.error_hessian(w, MlpHessian::exact); }), one_hessian);
  line("Gauss–Newton", bench::median_time([&] { cost.error_hessian(w, MlpHessian::gauss_newton); }),
       one_hessian);
  for (const bool per_input : {false, true}) {
    const MlpCost grouped(shape, MlpLoss::squared, x, y,
                          per_input ? decay_per_input(shape, 1e-4) : cost.decay());
    fmt::print("{} decays\n", grouped.decay().groups());
    line("J, factor, J⁻¹", bench::median_time([&] { MlpEstimates(grouped, w); }), one_hessian + p * p * p);
    const MlpEstimates estimates(grouped, w);
    line("GEN value", bench::median_time([&] { mlp_gen(estimates, 0, MlpLagWindow::corrected, false); }),
         2 * n * p * p);
    line("GEN + gradient", bench::median_time([&] { mlp_gen(estimates); }),
         3 * n * p * p + 1.2 * one_hessian);
    line("evidence value", bench::median_time([&] { mlp_evidence(estimates, {}, false); }), p);
    line("evidence+gradient", bench::median_time([&] { mlp_evidence(estimates); }), 1.2 * one_hessian);
  }
}
