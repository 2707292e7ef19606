#include "gnomon/learn/mlp_train.hpp"

#include <algorithm>
#include <cmath>

#include "cost.hpp"
#include "descent.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/random.hpp"

namespace gnomon {
namespace {

/// Largest weight into (without bias) and out of every unit of a hidden layer.
std::pair<Vector, Vector> reach(const MlpShape& shape, const VectorView& w, Index layer) {
  const auto map = [&](Index l) {
    return Eigen::Map<const Matrix>(w.data() + shape.offset(l), shape.fan_in(l), shape.units(l));
  };
  return {map(layer).topRows(shape.units_below(layer)).cwiseAbs().colwise().maxCoeff().transpose(),
          map(layer + 1).topRows(shape.units(layer)).cwiseAbs().rowwise().maxCoeff()};
}

/// The outcome with the figures that belong to it.
std::string status_of(const MlpFit& fit, double tolerance) {
  std::string text(in_words(fit.outcome));
  if (fit.outcome == MlpOutcome::minimum) text += fmt::format(", gradient {:.1e}", fit.gradient_norm);
  if (fit.outcome == MlpOutcome::iteration_limit)
    text += fmt::format(" after {} iterations: gradient {:.1e}, asked {:.1e}", fit.iterations,
                        fit.gradient_norm, tolerance * std::max(1.0, fit.cost));
  if (!fit.dead_units.empty())
    text += fmt::format("; {} hidden unit{} switched off", fit.dead_units.size(),
                        fit.dead_units.size() == 1 ? "" : "s");
  return text;
}

MlpOutcome kind_of(const mlp::LeastCurvature& curvature) {
  if (curvature.positive_definite) return MlpOutcome::minimum;
  return curvature.value > -1e-9 * curvature.scale ? MlpOutcome::flat : MlpOutcome::saddle;
}

bool better(const MlpFit& a, const MlpFit& b) {
  if (a.converged() != b.converged()) return a.converged();
  return a.cost < b.cost;
}

}  // namespace

std::string_view in_words(MlpOutcome outcome) {
  switch (outcome) {
    case MlpOutcome::minimum:
      return "minimum";
    case MlpOutcome::flat:
      return "stationary, but some directions of the weights have no curvature: the data and the decay do "
             "not "
             "determine all weights";
    case MlpOutcome::saddle:
      return "saddle point: negative curvature is left";
    case MlpOutcome::iteration_limit:
      return "not converged";
    case MlpOutcome::unbounded:
      return "the weights grow without limit: the cost has no minimum; use more weight decay";
  }
  throw Error("training ended in an outcome without a name");
}

namespace mlp {

bool escape(const MlpCost& cost, const LeastCurvature& curvature, Iterate& at) {
  const double unit = std::max(1.0, at.w.norm() / std::sqrt(static_cast<double>(at.w.size())));
  for (double t = unit; t > 1e-5 * unit; t *= 0.4) {
    const Vector up = at.w + t * curvature.direction, down = at.w - t * curvature.direction;
    const double cost_up = cost.cost(up), cost_down = cost.cost(down);
    if (!(std::min(cost_up, cost_down) < at.cost + 0.1 * curvature.value * t * t)) continue;
    const int iterations = at.iterations;
    at = iterate_at(cost, cost_up <= cost_down ? up : down);
    at.iterations = iterations + 1;
    return true;
  }
  return false;
}

}  // namespace mlp

Vector mlp_start(const MlpShape& shape, std::uint64_t seed, int restart) {
  Random random(seed, static_cast<std::uint64_t>(restart));
  Vector w = random.normal_vector(shape.weights());
  for (Index l = 0; l < shape.layers(); ++l)
    w.segment(shape.offset(l), shape.units(l) * shape.fan_in(l)) /=
        std::sqrt(static_cast<double>(shape.fan_in(l)));
  return w;
}

std::vector<MlpUnit> mlp_dead_units(const MlpShape& shape, const VectorView& w) {
  std::vector<MlpUnit> dead;
  const double small = 1e-7 * std::max(1.0, w.lpNorm<Eigen::Infinity>());
  for (Index l = 0; l + 1 < shape.layers(); ++l) {
    const auto [in, out] = reach(shape, w, l);
    for (Index j = 0; j < shape.units(l); ++j)
      if (std::min(in[j], out[j]) <= small) dead.push_back({l, j});
  }
  return dead;
}

MlpFit mlp_train_from(const MlpCost& cost, const VectorView& start, const MlpTrainOptions& options) {
  require(start.size() == cost.weights(), "training starts from {} weights, the network has {}", start.size(),
          cost.weights());
  require(options.tolerance > 0, "the training tolerance is {}; it must be positive", options.tolerance);
  const bool dense = cost.weights() <= options.dense_limit;
  mlp::Iterate at = mlp::iterate_at(cost, start);
  require(std::isfinite(at.cost), "training starts at weights whose cost is not finite");
  MlpFit fit;
  while (true) {
    (dense ? mlp::descend_dense : mlp::descend_large)(cost, options, at);
    const bool certified = at.certified(options.tolerance), spent = at.iterations >= options.max_iterations;
    if (!certified && (spent || at.unbounded())) {
      fit.outcome = at.unbounded() ? MlpOutcome::unbounded : MlpOutcome::iteration_limit;
      break;
    }
    const auto curvature =
        dense ? mlp::least_curvature_dense(cost, at.w) : mlp::least_curvature_large(cost, at.w);
    // Descent also stalls beside a saddle, short of the certificate: the cost falls by less than its rounding while the
    // gradient has to grow. The way out is the same.
    const MlpOutcome stationary = kind_of(curvature);
    fit.outcome = certified ? stationary : MlpOutcome::iteration_limit;
    if (stationary != MlpOutcome::saddle || fit.escapes == options.max_escapes || spent ||
        !mlp::escape(cost, curvature, at))
      break;
    ++fit.escapes;
  }
  fit.model = {cost.shape(), cost.loss(), at.w};
  fit.cost = at.cost;
  fit.error = at.cost - cost.penalty(at.w);
  fit.gradient_norm = at.norm();
  fit.iterations = at.iterations;
  fit.dead_units = mlp_dead_units(cost.shape(), at.w);
  fit.status = status_of(fit, options.tolerance);
  fit.restart_costs = Vector::Constant(1, fit.cost);
  return fit;
}

MlpFit mlp_train(const MlpCost& cost, const MlpTrainOptions& options, const Progress& progress) {
  require(options.restarts > 0, "training needs at least one start, not {}", options.restarts);
  MlpFit best;
  Vector costs(options.restarts);
  for (int r = 0; r < options.restarts; ++r) {
    progress("training the network", static_cast<double>(r) / options.restarts);
    MlpFit fit = mlp_train_from(cost, mlp_start(cost.shape(), options.seed, r), options);
    fit.restart = r;
    costs[r] = fit.cost;
    if (r == 0 || better(fit, best)) best = std::move(fit);
  }
  best.restart_costs = costs;
  return best;
}

}  // namespace gnomon
