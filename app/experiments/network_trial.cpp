#include "network_trial.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "followed_minimum.hpp"
#include "gnomon/criteria/criteria.hpp"
#include "gnomon/data/folds.hpp"
#include "gnomon/search/minimise.hpp"
#include "learn/mlp/estimates.hpp"
#include "network_criteria.hpp"
#include "search/mackay.hpp"

namespace gnomon::app {
namespace {

constexpr std::array starting_kappas{1e-2, 1e-3, 1e-4};
constexpr Index decays = 2;
constexpr int fold_count = 5, decades = 7, most_steps = 200;

Vector log_kappas(double input, double output) { return Vector{{std::log(input), std::log(output)}}; }
Vector into_box(const Vector& theta) {
  return theta.cwiseMax(std::log(smallest_kappa)).cwiseMin(std::log(largest_kappa));
}
double largest_entry(const Vector& v) { return v.cwiseAbs().maxCoeff(); }

MlpTrainOptions training_options(std::uint64_t seed, int restarts) {
  MlpTrainOptions options;
  options.seed = seed;
  options.restarts = restarts;
  return options;
}

using Point = FollowedMinimum::Point;
using Criterion = std::function<Estimate(const Point&)>;

class Trial {
 public:
  Trial(const NetworkSample& sample, std::uint64_t seed)
      : sample_(sample),
        cost_(sample.shape, MlpLoss::squared, sample.x, sample.y,
              decay_per_layer(sample.shape, smallest_kappa)),
        options_(training_options(seed, 5)),
        folds_(rows_by_fold(random_folds(sample.x.rows(), fold_count, seed))) {}

  NetworkChoice choose(NetworkMethod method) {
    switch (method) {
      case NetworkMethod::none:
        return unregularised();
      case NetworkMethod::gen_gauss_newton:
        return minimise([](const Point& at) { return gen_of(at, MlpHessian::gauss_newton); });
      case NetworkMethod::gen_exact:
        return minimise([](const Point& at) { return gen_of(at, MlpHessian::exact); });
      case NetworkMethod::gen_eq14:
        return follow_equation_14();
      case NetworkMethod::fper:
        return minimise(fper_of);
      case NetworkMethod::five_fold:
        return minimise([error = std::make_shared<FoldError>(cost_, folds_, options_)](const Point& at) {
          return (*error)(at);
        });
      case NetworkMethod::evidence:
        return minimise([](const Point& at) { return evidence_of(at, MlpHessian::gauss_newton); });
      case NetworkMethod::evidence_exact:
        return minimise([](const Point& at) { return evidence_of(at, MlpHessian::exact); });
      case NetworkMethod::mackay:
        return iterate_mackay();
      case NetworkMethod::grid:
        return best_on_grid();
    }
    return {};
  }

 private:
  double test_error(const Vector& w) const {
    const Mlp network{sample_.shape, MlpLoss::squared, w};
    return (network.outputs(sample_.test_x) - sample_.test_y).squaredNorm() /
           static_cast<double>(sample_.test_y.rows());
  }

  /// The network at a point becomes the choice.
  void take(const Point& at, bool converged, NetworkChoice& choice) const {
    choice.test_error = test_error(at.fit.model.w);
    choice.training_error = at.fit.error;
    choice.kappa_input = at.cost.decay().kappa[0];
    choice.kappa_output = at.cost.decay().kappa[1];
    choice.converged = converged ? 1 : 0;
  }

  NetworkChoice unregularised() const {
    FollowedMinimum network(cost_, options_);
    NetworkChoice choice;
    choice.evaluations = 1;
    const Point& at = network.at(log_kappas(smallest_kappa, smallest_kappa));
    take(at, at.is_minimum(), choice);
    return choice;
  }

  /// The lowest end of the searches from all starts.
  NetworkChoice minimise(Criterion criterion) const {
    SearchOptions search;
    search.lower = Vector::Constant(decays, std::log(smallest_kappa));
    search.upper = Vector::Constant(decays, std::log(largest_kappa));
    search.gradient_tolerance = 1e-5;
    search.value_tolerance = 1e-8;
    search.max_evaluations = 100;
    search.probe_bounds = false;
    NetworkChoice choice;
    double lowest = std::numeric_limits<double>::infinity();
    FollowedMinimum network(cost_, options_);
    const LogObjective objective = [&](const Vector& theta) {
      const Point& at = network.at(theta);
      return at.is_minimum() ? criterion(at) : Estimate{};
    };
    for (const double kappa : starting_kappas) {
      const Vector start = log_kappas(kappa, kappa);
      const Estimate first = objective(start);
      if (std::isnan(choice.test_error)) take(network.at(start), false, choice);
      if (std::isfinite(first.value) && first.gradient.size() == decays && first.gradient.allFinite()) {
        const auto result = minimise_log_parameters(objective, {start}, search);
        if (result.value < lowest) {
          lowest = result.value;
          take(network.at(result.parameters), result.converged, choice);
        }
      }
    }
    choice.evaluations = static_cast<double>(network.fits());
    return choice;
  }

  /// Steps in log κ against equation (14), shortened where the field turns back, until they are below 10⁻⁴ or (14) vanishes.
  NetworkChoice follow_equation_14() const {
    FollowedMinimum network(cost_, options_);
    const auto field = [&](const Vector& theta) -> Vector {
      const Point& at = network.at(theta);
      if (!at.is_minimum()) return {};
      const MlpEstimates estimates(at.cost, at.fit.model.w, MlpHessian::gauss_newton);
      const MlpScores scores = estimates.scores();
      if (!scores.printed) return {};
      return scores.printed(std::get<ScoresFormula>(gen.formula)(scores.account.with_slopes(), {}).by);
    };
    Vector theta = log_kappas(starting_kappas[0], starting_kappas[0]), slope = field(theta), direction;
    double length = 0.5;
    bool converged = false;
    for (int step = 0; slope.size() && step < most_steps; ++step) {
      // Against a bound only the other layer moves.
      const Vector next_direction = into_box(theta - slope) - theta;
      if (largest_entry(next_direction) == 0 || length < 1e-4) {
        converged = true;
        break;
      }
      if (direction.size()) length *= direction.dot(next_direction) < 0 ? 0.5 : 1.1;
      length = std::min(length, 1.0);
      direction = next_direction;
      Vector free = slope;
      for (Index g = 0; g < decays; ++g) {
        if (direction[g] == 0) free[g] = 0;
      }
      const Vector there = into_box(theta - length / largest_entry(free) * free);
      const Vector slope_there = field(there);
      if (!slope_there.size()) {  // no minimum of the cost there: a shorter step
        length *= 0.5;
        if (length < 1e-4) break;
        continue;
      }
      theta = there;
      slope = slope_there;
    }
    NetworkChoice choice;
    take(network.at(theta), converged, choice);
    choice.evaluations = static_cast<double>(network.fits());
    return choice;
  }

  /// κ_g ← γ_g S/((n − γ)|ŵ_g|²) from every start; the end of highest evidence.
  NetworkChoice iterate_mackay() const {
    NetworkChoice choice;
    double lowest = std::numeric_limits<double>::infinity();
    FollowedMinimum network(cost_, options_);
    for (const double kappa : starting_kappas) {
      Vector theta = log_kappas(kappa, kappa);
      bool converged = false;
      double value = undefined;
      for (int step = 0; step < most_steps; ++step) {
        const Point& at = network.at(theta);
        const MlpEstimates estimates(at.cost, at.fit.model.w, MlpHessian::gauss_newton);
        if (!estimates.curvature().positive_definite()) break;
        const DecayEvidence parts = estimates.decays(false);
        value = std::get<EvidenceFormula>(evidence.formula)(evidence_account(parts), {});
        const Vector kappas = mackay_update(parts).kappa;
        const Vector next = into_box(kappas.cwiseMax(smallest_kappa).array().log().matrix());
        if (largest_entry(next - theta) < 1e-4) {
          converged = true;
          break;
        }
        theta = next;
      }
      if (value < lowest || std::isnan(choice.test_error)) {
        if (value < lowest) lowest = value;
        take(network.at(theta), converged, choice);
      }
    }
    choice.evaluations = static_cast<double>(network.fits());
    return choice;
  }

  /// 10⁻⁶, 10⁻⁵, …, 1 in both layers, from strong to weak decay; each network starts from its stronger neighbours and from two
  /// random weights, and the lowest cost is kept.
  NetworkChoice best_on_grid() const {
    const MlpTrainOptions random_starts = training_options(options_.seed, 2);
    std::array<std::array<Vector, decades>, decades> weights;
    NetworkChoice choice;
    for (std::size_t i = decades; i-- > 0;) {
      for (std::size_t j = decades; j-- > 0;) {
        const Vector theta = log_kappas(smallest_kappa * std::pow(10, i), smallest_kappa * std::pow(10, j));
        Point at{theta, cost_.with_kappa(theta.array().exp().matrix()), {}};
        at.fit = mlp_train(at.cost, random_starts);
        const auto also_from = [&](const Vector& start) {
          MlpFit fit = mlp_train_from(at.cost, start, random_starts);
          if (fit.cost < at.fit.cost) at.fit = std::move(fit);
        };
        if (i + 1 < decades) also_from(weights[i + 1][j]);
        if (j + 1 < decades) also_from(weights[i][j + 1]);
        weights[i][j] = at.fit.model.w;
        ++choice.evaluations;
        if (!(test_error(at.fit.model.w) >= choice.test_error)) take(at, true, choice);
      }
    }
    return choice;
  }

  const NetworkSample& sample_;
  MlpCost cost_;
  MlpTrainOptions options_;
  std::vector<std::vector<Index>> folds_;
};

}  // namespace

const char* name_of(NetworkMethod method) {
  constexpr std::array<const char*, network_method_count> names{
      "none",      "gen-gauss-newton", "gen-exact",      "gen-eq14", "fper",
      "five-fold", "evidence",         "evidence-exact", "mackay",   "grid"};
  return names[static_cast<std::size_t>(method)];
}

const char* title_of(NetworkMethod method) {
  constexpr std::array<const char*, network_method_count> titles{
      "none",   "GEN",      "GEN, exact J",      "GEN14",  "FPER",
      "5-fold", "evidence", "evidence, exact J", "MacKay", "best on grid"};
  return titles[static_cast<std::size_t>(method)];
}

std::array<NetworkChoice, network_method_count> network_trial(const NetworkSample& sample,
                                                              std::uint64_t seed) {
  Trial trial(sample, seed);
  std::array<NetworkChoice, network_method_count> choices;
  for (std::size_t m = 0; m < network_method_count; ++m) choices[m] = trial.choose(network_methods[m]);
  return choices;
}

}  // namespace gnomon::app
