#pragma once

#include <string>

#include "gnomon/core/types.hpp"

namespace gnomon {

/// Points that say where the error is measured: a sample (weights 1/m) or the nodes of a quadrature.
struct MetricPoints {
  Matrix x;
  Vector weight;  ///< sums to 1
};
MetricPoints metric_points(const MatrixView& sample);

/// Where the error is measured: the U of the SIC family.
struct Metric {
  enum class Kind { function_space, train, points } kind = Kind::train;
  MetricPoints points;      ///< for Kind::points, in the learner's (scaled) input units
  std::string description;  ///< "function-space", "train", "test", a file name
};

}  // namespace gnomon
