#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "gnomon/learn/path_learner.hpp"
#include "methods.hpp"
#include "replicates.hpp"

namespace gnomon {
namespace {

NoiseVariance taken(NoiseVariance noise, std::string method, std::string reason) {
  noise.method = std::move(method);
  noise.reason = std::move(reason);
  return noise;
}

/// Whether an estimate is there, and not at rounding level.
bool is_told(const NoiseVariance& noise, const NoiseContext& c) {
  return std::isfinite(noise.at(0)) && noise.at(0) > rounding_variance(c);
}

/// As many degrees of freedom as make an estimate of their own: its standard error is √(2/m) of it.
bool are_enough(double directions, const NoiseContext& c) {
  return directions >= std::max(10.0, c.learner.count() / 4);
}

/// The spread within repeated inputs assumes nothing of the function; rows entered twice have none.
std::optional<NoiseVariance> from_repeats(const NoiseContext& c) {
  const Replicates repeats = replicates_of(c);
  if (!are_enough(repeats.freedom, c) || repeats.are_copies()) return std::nullopt;
  return taken(one_variance(repeats.squares / repeats.freedom), "pure-error",
               fmt::format("spread within repeated inputs: {} of {} observations repeat those of another",
                           pretty(repeats.freedom, 6), pretty(c.learner.count(), 6)));
}

/// Least squares on a basis that leaves enough directions over.
std::optional<NoiseVariance> from_least_squares(const NoiseContext& c) {
  if (c.learner.is_kernel()) return std::nullopt;
  const double outside = c.learner.smoother().spectrum().outside_directions();
  if (!are_enough(outside, c)) return std::nullopt;
  return taken(least_squares_noise(c), "ols",
               fmt::format("least squares leaves {} of {} directions over", pretty(outside, 6),
                           pretty(c.learner.count(), 6)));
}

std::optional<NoiseVariance> from_cross_validation(const NoiseContext& c) {
  if (!c.learner.solved() || !c.learner.solved()->has_inputs() || c.learner.rows() <= 2) return std::nullopt;
  return taken(cross_validated_noise(c), "cv",
               "residual variance at the minimum of ten-fold cross-validation");
}

std::optional<NoiseVariance> from_gcv(const NoiseContext& c) {
  return taken(cautious_gcv_noise(c), "gcv-1.4",
               "residual variance at the minimum of GCV with 1.4 per degree of freedom");
}

std::optional<NoiseVariance> from_evidence(const NoiseContext& c) {
  if (!lacks_evidence(c).empty()) return std::nullopt;
  return taken(evidence_noise(c), "ml",
               "GCV prefers a fit through the data, so the evidence's scale is used");
}

}  // namespace

NoiseVariance automatic_noise(const NoiseContext& c) {
  for (const auto& estimate :
       {from_repeats, from_least_squares, from_cross_validation, from_gcv, from_evidence}) {
    if (auto noise = estimate(c); noise && is_told(*noise, c)) return *noise;
  }
  return taken(one_variance(std::nullopt), "auto",
               "every fit that could tell it passes through the data, or nearly so");
}

}  // namespace gnomon
