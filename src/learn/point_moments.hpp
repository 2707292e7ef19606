#pragma once

#include "decompose/gram_statistics.hpp"
#include "gnomon/learn/learner.hpp"
#include "gnomon/represent/basis.hpp"

namespace gnomon {

/// Moments of [features | 1] at the points of a metric under their weights, in one fold.
struct PointMoments {
  const MetricPoints* points;  ///< whose they are; outlives the learner
  GramStatistics moments;
};
GramStatistics moments_at(const MetricPoints& points, const Basis& basis);

}  // namespace gnomon
