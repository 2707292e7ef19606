#pragma once

#include <cstdint>

#include "gnomon/core/types.hpp"

namespace gnomon::experiments {

/// How a family of DELVE data is varied: 8 inputs, fairly linear or non-linear, medium or high noise.
struct RobotFamily {
  bool nonlinear = false, high_noise = false;
};

struct RobotData {
  Matrix x;
  Vector y, noise_free;
};

inline constexpr Index robot_rows = 8192;  ///< as DELVE has them

/// Like DELVE's kin-8 families (Ghahramani 1996): how far the end of an arm with eight revolute joints is from a point.
/// Angles are uniform on ±0.1π (fairly linear) or ±0.5π, and noise of sd g is added to them, not to the distance. The lengths of
/// the links and g were fitted to the published data by least squares and rounded: a Puma 560 with two more links.
RobotData arm_data(RobotFamily family, Index rows, std::uint64_t seed);

/// Like DELVE's pumadyn-8 families (Ghahramani 1996): the acceleration of the third joint of a Puma 560 from angles and
/// velocities of its first three joints and torques on two of them; the rest is 0. Angles and velocities are uniform on ±πβ/2,
/// torques on ±β/2, β = 0.6 or 1.2; noise of sd γ = 0.12 or 0.4 is added to all angles, velocities and torques, and to the result.
RobotData puma_data(RobotFamily family, Index rows, std::uint64_t seed);

/// The end of the arm of `arm_data` at eight angles, in metres.
Eigen::Vector3d arm_end(const VectorView& angles);

}  // namespace gnomon::experiments
