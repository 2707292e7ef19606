#include "scheme_costs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gnomon/core/random.hpp"

namespace gnomon::app {
namespace {

using experiments::SchemeValue, experiments::SpectralRidge, experiments::Work;

constexpr double still = 1e-6;

/// Steps of κ ← max(0, κ − η Γ'(κ)) until κ stands still, infinite where it does not within `limit`.
template <class Criterion>
double descent_steps(const Criterion& criterion, double start, double rate, double limit) {
  double kappa = start;
  for (double step = 0; step <= limit; ++step) {
    const SchemeValue at = criterion(kappa);
    if (kappa == 0 ? at.slope >= 0 : std::abs(kappa * at.slope) <= still * at.value) return step;
    kappa = std::max(0.0, kappa - rate * at.slope);
    if (!std::isfinite(kappa)) break;
  }
  return std::numeric_limits<double>::infinity();
}

/// With the best of 17 rates, half a decade apart, for the data set at hand: the most that can be said for descent.
template <class Criterion>
double fewest_steps(const Criterion& criterion, double start) {
  const double unit = start * start / criterion(start).value;
  double fewest = std::numeric_limits<double>::infinity();
  for (int half = 4; half >= -12; --half)
    fewest = std::min(fewest, descent_steps(criterion, start, unit * std::pow(10.0, 0.5 * half),
                                            std::min(fewest, step_limit)));
  return fewest;
}

std::vector<std::vector<Index>> every_kth(Index count) {
  std::vector<std::vector<Index>> folds(static_cast<std::size_t>(count));
  for (Index k = 0; k < cost_rows; ++k) folds[static_cast<std::size_t>(k % count)].push_back(k);
  return folds;
}

}  // namespace

CostSample cost_sample(experiments::Spread spread, double noise_to_signal, std::uint64_t seed, Index trial) {
  Random random(seed, static_cast<std::uint64_t>(trial));  // the same z and ε in every condition
  Matrix z(cost_rows, cost_inputs);
  for (Index k = 0; k < cost_rows; ++k) z.row(k) = random.normal_vector(cost_inputs).transpose();
  const Vector noise = std::sqrt(3 * noise_to_signal) * random.normal_vector(cost_rows);
  return {z * experiments::mixing(spread).transpose(), z * experiments::true_weights() + noise};
}

double descent_steps_of_gen(const SpectralRidge& ridge) {
  return fewest_steps([&](double kappa) { return ridge.gen(kappa); }, ridge.mean_eigenvalue());
}

double descent_steps_of_loo(const SpectralRidge& ridge) {
  return fewest_steps([&](double kappa) { return ridge.loo(kappa); }, ridge.mean_eigenvalue());
}

double evidence_steps(const SpectralRidge& ridge) {
  const double start = ridge.mean_eigenvalue();
  double kappa = start;
  for (double step = 1; step <= step_limit; ++step) {
    const double next = ridge.next_evidence_kappa(kappa);
    if (!(next < 1e8 * start) || std::abs(std::log(next / kappa)) <= still) return step;
    kappa = next;
  }
  return std::numeric_limits<double>::infinity();
}

double loo_difference(const CostSample& s, const SpectralRidge& ridge) {
  const double kappa = ridge.mean_eigenvalue();
  Work work;
  const SchemeValue trained = experiments::validation_step(s.x, s.y, every_kth(cost_rows), kappa, work);
  double largest = 0;
  for (const SchemeValue& other : {experiments::closed_loo_step(s.x, s.y, kappa, work), ridge.loo(kappa)}) {
    largest = std::max(largest, std::abs(other.value / trained.value - 1));
    largest = std::max(largest, kappa * std::abs(other.slope - trained.slope) / trained.value);
  }
  return largest;
}

std::vector<StepCost> step_costs(std::uint64_t seed) {
  const CostSample s = cost_sample(experiments::Spread::low, 0.1, seed, 0);
  const double kappa = 1;
  const auto validation = [&](const std::vector<std::vector<Index>>& folds) {
    Work work;
    experiments::validation_step(s.x, s.y, folds, kappa, work);
    return work;
  };
  Work gen, evidence, closed;
  experiments::gen_step(s.x, s.y, kappa, gen);
  experiments::evidence_step(s.x, s.y, kappa, evidence);
  experiments::closed_loo_step(s.x, s.y, kappa, closed);
  return {{"validation set (a tenth of the rows)", 1, validation({every_kth(cost_folds).front()})},
          {"10-fold", cost_folds, validation(every_kth(cost_folds))},
          {"LOO", cost_rows, validation(every_kth(cost_rows)), CountedScheme::loo},
          {"LOO, closed form", 1, closed, CountedScheme::loo},
          {"GEN", 1, gen, CountedScheme::gen},
          {"evidence", 1, evidence, CountedScheme::evidence}};
}

double training_flops() {
  const double n = cost_rows, m = cost_inputs;
  return n * m * (m + 1) + 2 * n * m + m * m * m / 3 + 2 * m * m;
}

}  // namespace gnomon::app
