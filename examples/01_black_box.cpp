// How far can the error of a learner be told that gnomon knows nothing about? A running median as a black box: any
// function of y and λ will do. Monte-Carlo SURE needs that it is continuous in y, BASIC does not.

#include <algorithm>
#include <numeric>
#include <vector>

#include <fmt/format.h>
#include <gnomon/gnomon.hpp>

using namespace gnomon;

namespace {

/// The median of the k neighbours on either side; λ is k.
Vector running_median(const Vector& y, double lambda) {
  const auto n = static_cast<long>(y.size()), k = static_cast<long>(lambda);
  Vector fitted(y.size());
  for (long i = 0; i < n; ++i) {
    const long reach = std::min({k, i, n - 1 - i});  // symmetric at the ends too
    std::vector<double> window(y.data() + i - reach, y.data() + i + reach + 1);
    std::nth_element(window.begin(), window.begin() + reach, window.end());
    fitted[i] = window[static_cast<std::size_t>(reach)];
  }
  return fitted;
}

}  // namespace

int main() {
  Random random(1);
  const Synthetic toy = make_synthetic("doppler", 400, 0.1, random);
  std::vector<Index> order(400);
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return toy.x(a, 0) < toy.x(b, 0); });
  const Vector y = toy.y(order), truth = toy.truth(order);

  // Probes make the Monte-Carlo divergence; a learner that jumps would be Dependence::discontinuous and get BASIC only.
  const PathLearner learner(std::make_unique<BlackBox>(running_median), y, Vector(),
                            {.representation = {}, .solver = {}, .probes = 20, .seed = 1});
  const std::vector<double> lambdas{1, 2, 3, 4, 6, 8, 12, 16, 24, 32};
  const auto counts = learner.counts(points_of(lambdas), 0, false, false);
  const NoiseVariance noise =
      estimate_noise("gsj", {learner, lambdas, counts, 0, Matrix(toy.x(order, 0)), y, Vector()});
  const Metric metric{Metric::Kind::train, {}, "train"};
  const Progress silent;
  const CriterionContext context{
      .learner = learner,
      .target = 0,
      .lambdas = lambdas,
      .noise = noise,
      .metric = metric,
      .seed = 1,
      .progress = silent,
      .bootstrap = {.replications = 200},
  };
  const CriterionCurve by_sure = sure.evaluate(context), by_basic = basic.evaluate(context);

  fmt::print("noise variance {:.5f} ({}), true 0.01\n", noise.at(0), noise.method);
  fmt::print("{:>6} {:>8} {:>10} {:>10} {:>10}\n", "lambda", "df", "true error", "sure", "basic + c");
  const double constant = y.squaredNorm() / 400 - noise.at(0);  // what basic leaves out, in expectation
  for (std::size_t k = 0; k < lambdas.size(); ++k) {
    const auto at = static_cast<Index>(k);
    const double error = (learner.fitted(learner.path(lambdas, 0)[k]) - truth).squaredNorm() / 400;
    fmt::print("{:6} {:8.2f} {:10.5f} {:10.5f} {:10.5f}\n", lambdas[k], counts[k].df, error,
               by_sure.value[at], by_basic.value[at] + constant);
  }
  const auto chosen = select_on_grid(lambdas, by_sure, Rule::minimum);
  const Vector fitted = running_median(y, chosen->lambda);
  const double error = (fitted - truth).squaredNorm() / 400;
  fmt::print("sure chooses lambda = {}, with a true error of {:.5f}\n", chosen->lambda, error);
  return error < 0.01 / 2 ? 0 : 1;
}
