#pragma once

#include <Eigen/Core>

namespace gnomon::experiments {

/// One number per joint of a Puma 560.
using Joints = Eigen::Matrix<double, 6, 1>;

inline constexpr double earth_gravity = 9.81;

/// Torques that give these accelerations at these angles and velocities: the recursive Newton–Euler equations (Luh, Walker & Paul
/// 1980) with the masses of Corke & Armstrong-Hélouvry (1994), inertia of the motors included, no friction.
Joints puma_torques(const Joints& angle, const Joints& velocity, const Joints& acceleration,
                    double gravity = earth_gravity);

/// The inertia matrix: torques per acceleration.
Eigen::Matrix<double, 6, 6> puma_inertia(const Joints& angle);

/// Accelerations that these torques give.
Joints puma_accelerations(const Joints& angle, const Joints& velocity, const Joints& torque);

}  // namespace gnomon::experiments
