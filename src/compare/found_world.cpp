#include "found_world.hpp"

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "gnomon/core/error.hpp"

namespace gnomon::compare {
namespace {

/// The place on a path whose degrees of freedom, the intercept apart, are nearest to `factor` times those at `from`; a
/// decade of λ to the side where they are not known.
std::size_t place_of(const TargetPath& path, std::size_t from, double factor) {
  const auto& lambdas = path.lambdas();
  const double fixed = path.learner().intercept() ? 1 : 0;
  const auto df = [&](std::size_t k) { return std::max(path.counts[k].df - fixed, 0.0); };
  const bool smoother = factor < 1;
  const double wanted = factor * df(from), most = std::max(0.5 * path.learner().count(), df(from));
  std::size_t best = from;
  double least = HUGE_VAL;
  for (std::size_t k = 0; k < lambdas.size(); ++k) {
    if (smoother ? k < from : k > from) continue;
    const bool known = std::isfinite(df(k)) && std::isfinite(wanted) && wanted > 0;
    if (known && df(k) > most) continue;
    const double distance = known ? std::abs(std::log(std::max(df(k), 1e-6) / wanted))
                                  : std::abs(std::log10(lambdas[k] / lambdas[from]) - (smoother ? 1 : -1));
    if (distance < least) least = distance, best = k;
  }
  return best;
}

Truth truth_at(std::string name, const TargetPath& path, std::size_t place) {
  const double lambda = path.lambdas()[place];
  return {std::move(name),       lambda,
          path.candidate->width, path.candidate->tuning,
          path.counts[place].df, path.learner().fit_at(points_of({&lambda, 1})).fitted.col(0)};
}

}  // namespace

World world_of(const TargetFindings& found, const Vector& y) {
  const TargetPath& path = found.paths[found.chosen];
  const auto at = static_cast<std::size_t>(found.result.path()->chosen().grid_index);
  World world;
  world.truths = {truth_at("fit", path, at), truth_at("smoother", path, place_of(path, at, 0.5)),
                  truth_at("rougher", path, place_of(path, at, 2))};
  // What the fit leaves over, unless it is known. Estimates made for criteria may be taken where GCV is least, which can be a
  // fit that interpolates; in a world without noise those who choose it would win.
  if (const auto known = parse_number(found.request.noise.text())) {
    world.sigma2 = *known;
    world.sigma2_method = "given";
  } else {
    const Counts& counts = path.counts[at];
    world.sigma2 = counts.rss / (std::isfinite(counts.left) ? counts.left : counts.n);
    world.sigma2_method = "residual";
  }
  world.residuals = y - world.truths.front().values;
  world.residuals.array() -= world.residuals.mean();
  const double spread = world.residuals.squaredNorm() / static_cast<double>(y.size());
  require(
      world.sigma2 > 0 && std::isfinite(world.sigma2) && spread > 0,
      "there is no noise to simulate: the fit leaves no residuals; give `noise` NUMBER or larger `lambda`");
  world.residuals *= std::sqrt(world.sigma2 / spread);
  return world;
}

}  // namespace gnomon::compare
