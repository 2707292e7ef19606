// gnomon compare, in CPU seconds of one thread: 500 data sets on 500 rows, kernel ridge, seven criteria, beside what cannot be saved:
// one decomposition with vectors and 500 × seven curves from coordinates of y, O(n) per λ.
// Usage: bench_compare [ROWS] [DATA SETS]

#include <fmt/format.h>

#include <cstdlib>

#include "gnomon/compare/simulation.hpp"
#include "gnomon/core/parallel.hpp"
#include "gnomon/criteria/judge.hpp"
#include "gnomon/learn/filters.hpp"
#include "timing.hpp"

namespace {

using namespace gnomon;

TrainingData sample(Index rows) {
  Random random(3);
  TrainingData data;
  data.x = Matrix(rows, 8);
  for (Index j = 0; j < 8; ++j) data.x.col(j) = random.uniform_vector(rows, -2, 2);
  data.y = Vector((1.5 * data.x.col(0)).array().sin().matrix() + 0.3 * random.normal_vector(rows));
  data.target_names = {"y"};
  return data;
}

}  // namespace

int main(int argc, char** argv) {
  const Index rows = argc > 1 ? std::atol(argv[1]) : 500, sets = argc > 2 ? std::atol(argv[2]) : 500;
  const std::vector<std::string> names{"sic", "sure", "cp", "gcv", "loo", "evidence", "aicc"};
  const BlasThreads one(1);
  const TrainingData data = sample(rows);

  double start = bench::cpu_seconds();
  const compare::Simulation simulation(data, {.criteria = names});
  const double preparing = bench::cpu_seconds() - start;
  start = bench::cpu_seconds();
  for (Index i = 0; i < sets; ++i) simulation.trial(i);
  const double trials = bench::cpu_seconds() - start;

  const std::shared_ptr<const Matrix> x(std::shared_ptr<void>(), &data.x);
  start = bench::cpu_seconds();
  const Smoother smoother(x, data.y, Vector(),
                          SmootherOptions{.representation = Kernel(Gaussian{4}),
                                          .filter = tikhonov,
                                          .needs = {.leave_one_out = true, .vectors = true}});
  const double decomposition = bench::cpu_seconds() - start;
  const std::vector<double> lambdas = simulation.lambdas();
  start = bench::cpu_seconds();
  for (Index i = 0; i < sets; ++i) {
    const auto own = smoother.with_targets(simulation.targets(i));
    for (const auto& name : names) judge(*own, find_criterion(name).criterion, lambdas, {.sigma2 = 0.09});
  }
  const double curves = bench::cpu_seconds() - start;

  fmt::print("{} rows, {} data sets, {} λ, {} criteria\n", rows, sets, lambdas.size(), names.size());
  fmt::print("  compare: preparing {:.2f} s, data sets {:.2f} s, together {:.2f} s\n", preparing, trials,
             preparing + trials);
  fmt::print("  one decomposition {:.2f} s, {} x {} curves {:.2f} s, together {:.2f} s\n", decomposition,
             sets, names.size(), curves, decomposition + curves);
  fmt::print("  ratio {:.2f}\n", (preparing + trials) / (decomposition + curves));
}
