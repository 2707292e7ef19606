#include "found_world.hpp"

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "gnomon/core/error.hpp"
#include "searched.hpp"

namespace gnomon::compare {
namespace {

/// Which of several fits to take for a smoother (factor < 1) or a rougher truth: the one whose degrees of freedom, the intercept
/// apart, are nearest to `factor` times those of the fit; a decade of λ to the side where they are not known. `lambda` and
/// `df` are those of the fits to choose from, all of them to that side of place `from`.
std::size_t nearest_truth(const std::vector<double>& lambda, const std::vector<double>& df, std::size_t from,
                          double factor, double most) {
  const bool smoother = factor < 1;
  const double wanted = factor * df[from];
  std::size_t best = from;
  double least = HUGE_VAL;
  for (std::size_t k = 0; k < lambda.size(); ++k) {
    if (smoother ? lambda[k] < lambda[from] : lambda[k] > lambda[from]) continue;
    const bool known = std::isfinite(df[k]) && std::isfinite(wanted) && wanted > 0;
    if (known && df[k] > std::max(most, df[from])) continue;
    const double distance = known ? std::abs(std::log(std::max(df[k], 1e-6) / wanted))
                                  : std::abs(std::log10(lambda[k] / lambda[from]) - (smoother ? 1 : -1));
    if (distance < least) least = distance, best = k;
  }
  return best;
}

double without_intercept(double df, const Learner& learner) {
  return std::max(df - (learner.intercept() ? 1 : 0), 0.0);  // NaN stays NaN: max returns its first argument
}

Truth truth_of_fit(std::string name, const Fit& fit, const TrainingData& data) {
  Truth truth;
  truth.name = std::move(name);
  truth.values = fit.fitted.col(0);
  if (data.test_x.rows()) truth.at_test = fit.model.predict(data.test_x).col(0);
  return truth;
}

Truth truth_on_path(std::string name, const TargetPath& path, std::size_t place, const TrainingData& data) {
  const double lambda = path.lambdas()[place];
  Truth truth = truth_of_fit(std::move(name), path.learner().fit_at(points_of({&lambda, 1})), data);
  truth.lambda = lambda;
  truth.width = path.candidate->width;
  truth.tuning = path.candidate->tuning;
  truth.df = path.counts[place].df;
  return truth;
}

/// The noise is what the fit leaves over, unless it is known. Estimates made for criteria may be taken where GCV is least, which
/// can be a fit that interpolates; in a world without noise those who choose it would win.
void find_noise(World& world, const TrainingData& data, const NoiseChoice& noise, double left_over) {
  const auto known = parse_number(noise.text());
  world.sigma2 = known ? *known : left_over;
  world.sigma2_method = known ? "given" : "residual";
  world.residuals = data.y.col(0) - world.truths.front().values;
  if (data.weight.size()) world.residuals.array() *= data.weight.array().sqrt();
  world.residuals.array() -= world.residuals.mean();
  const double spread = world.residuals.squaredNorm() / static_cast<double>(world.residuals.size());
  require(
      world.sigma2 > 0 && std::isfinite(world.sigma2) && spread > 0,
      "there is no noise to simulate: the fit leaves no residuals; give `noise` NUMBER or larger `lambda`");
  world.residuals *= std::sqrt(world.sigma2 / spread);
}

/// The chosen point with all decays moved by a factor, inside their bounds.
Vector moved_point(const Learner& learner, const Vector& chosen, double factor) {
  Vector point = chosen;
  for (Index i = 0; i < point.size(); ++i) {
    const Parameter& p = learner.parameters()[static_cast<std::size_t>(i)];
    if (p.kind == Parameter::Kind::decay) point[i] = std::clamp(factor * point[i], p.lower, p.upper);
  }
  return point;
}

Truth truth_of_search(std::string name, const Learner& learner, const Vector& point, const Fit& fit,
                      const TrainingData& data) {
  Truth truth = truth_of_fit(std::move(name), fit, data);
  truth.lambda = common_decay(learner.parameters(), point);
  truth.df = fit.df;
  return truth;
}

}  // namespace

World world_of_path(const TargetFindings& found, const TrainingData& data) {
  const TargetPath& path = found.paths[found.chosen];
  const auto at = static_cast<std::size_t>(found.result.path()->chosen().grid_index);
  std::vector<double> df;
  for (const Counts& counts : path.counts) df.push_back(without_intercept(counts.df, path.learner()));
  World world;
  world.truths = {truth_on_path("fit", path, at, data)};
  for (const auto& [name, factor] : {std::pair{"smoother", 0.5}, {"rougher", 2.0}})
    world.truths.push_back(truth_on_path(
        name, path, nearest_truth(path.lambdas(), df, at, factor, 0.5 * path.learner().count()), data));
  const Counts& counts = path.counts[at];
  find_noise(world, data, found.request.noise,
             counts.rss / (std::isfinite(counts.left) ? counts.left : counts.n));
  return world;
}

World world_of_search(const Learner& learner, const Vector& chosen, const TrainingData& data,
                      const NoiseChoice& noise) {
  World world;
  const Fit fit = learner.fit_at(chosen);
  world.truths = {truth_of_search("fit", learner, chosen, fit, data)};
  for (const auto& [name, factor] : {std::pair{"smoother", 0.5}, {"rougher", 2.0}}) {
    std::vector<double> move, df;
    constexpr int steps = 12;  // four to a decade, three decades
    for (int k = 0; k <= (learner.iterative() ? 0 : steps); ++k) {
      move.push_back(std::pow(10, (factor < 1 ? k : -k) / 4.0));
      df.push_back(
          learner.iterative()
              ? undefined
              : without_intercept(learner.fit_at(moved_point(learner, chosen, move.back())).df, learner));
    }
    const double by = learner.iterative() ? (factor < 1 ? 10 : 0.1)
                                          : move[nearest_truth(move, df, 0, factor, 0.5 * learner.count())];
    const Vector point = moved_point(learner, chosen, by);
    world.truths.push_back(truth_of_search(name, learner, point, learner.fit_at(point), data));
  }
  const auto n = static_cast<double>(data.y.rows());
  const double left = std::isfinite(fit.df) && fit.df < n ? n - fit.df : n;
  find_noise(world, data, noise, fit.training_error * n / left);
  return world;
}

}  // namespace gnomon::compare
