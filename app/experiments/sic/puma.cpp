#include "puma.hpp"

#include <Eigen/Cholesky>
#include <array>
#include <numbers>

#include "joint.hpp"

namespace gnomon::experiments {
namespace {

using Eigen::Matrix3d, Eigen::Vector3d;
using std::numbers::pi;

constexpr std::size_t joints = 6;

struct Body {
  Joint joint;
  double mass;
  std::array<double, 3> centre;   ///< of mass, in the frame at the link's end
  std::array<double, 3> inertia;  ///< about the centre of mass, principal axes along the frame
  double motor_inertia, gear_ratio;

  Vector3d centre_of_mass() const { return {centre[0], centre[1], centre[2]}; }
  Vector3d principal() const { return {inertia[0], inertia[1], inertia[2]}; }
  double armature() const { return gear_ratio * gear_ratio * motor_inertia; }
};

constexpr std::array<Body, joints> puma{
    {{{pi / 2, 0, 0}, 0, {0, 0, 0}, {0, 0.35, 0}, 200e-6, -62.6111},
     {{0, 0.4318, 0}, 17.4, {-0.3638, 0.006, 0.2275}, {0.13, 0.524, 0.539}, 200e-6, 107.815},
     {{-pi / 2, 0.0203, 0.15005}, 4.8, {-0.0203, -0.0141, 0.070}, {0.066, 0.086, 0.0125}, 200e-6, -53.7063},
     {{pi / 2, 0, 0.4318}, 0.82, {0, 0.019, 0}, {1.8e-3, 1.3e-3, 1.8e-3}, 33e-6, 76.0364},
     {{-pi / 2, 0, 0}, 0.34, {0, 0, 0}, {0.3e-3, 0.4e-3, 0.3e-3}, 33e-6, 71.923},
     {{0, 0, 0}, 0.09, {0, 0, 0.032}, {0.15e-3, 0.15e-3, 0.04e-3}, 33e-6, 76.686}}};

/// Of a point fixed in a body, relative to the acceleration of the body's frame.
Vector3d relative_acceleration(const Vector3d& turning, const Vector3d& turn_rate, const Vector3d& point) {
  return turning.cross(point) + turn_rate.cross(turn_rate.cross(point));
}

}  // namespace

Joints puma_torques(const Joints& angle, const Joints& velocity, const Joints& acceleration, double gravity) {
  std::array<Matrix3d, joints> rotation;
  std::array<Vector3d, joints> force, moment;
  const Vector3d axis = Vector3d::UnitZ();
  // Outwards: motion of every link, in its own frame. A frame at rest under gravity accelerates upwards.
  Vector3d turn_rate = Vector3d::Zero(), turning = Vector3d::Zero(), moving = gravity * axis;
  for (std::size_t j = 0; j < joints; ++j) {
    const auto at = static_cast<Eigen::Index>(j);
    const Body& body = puma[j];
    rotation[j] = body.joint.rotation(angle[at]);
    const Matrix3d into = rotation[j].transpose();
    turning = into * (turning + acceleration[at] * axis + turn_rate.cross(velocity[at] * axis));
    turn_rate = into * (turn_rate + velocity[at] * axis);
    moving = into * moving + relative_acceleration(turning, turn_rate, body.joint.step());
    force[j] = body.mass * (moving + relative_acceleration(turning, turn_rate, body.centre_of_mass()));
    const Vector3d spin = body.principal().cwiseProduct(turn_rate);
    moment[j] = body.principal().cwiseProduct(turning) + turn_rate.cross(spin);
  }
  // Inwards: what each link passes on to the one before it, about the axis between them.
  Joints torque;
  Vector3d passed = Vector3d::Zero(), twisting = Vector3d::Zero();
  for (std::size_t j = joints; j-- > 0;) {
    const auto at = static_cast<Eigen::Index>(j);
    const Body& body = puma[j];
    const Vector3d step = body.joint.step();
    twisting += step.cross(passed) + (step + body.centre_of_mass()).cross(force[j]) + moment[j];
    passed += force[j];
    twisting = rotation[j] * twisting;
    passed = rotation[j] * passed;
    torque[at] = twisting.dot(axis) + body.armature() * acceleration[at];
  }
  return torque;
}

Eigen::Matrix<double, 6, 6> puma_inertia(const Joints& angle) {
  Eigen::Matrix<double, 6, 6> inertia;
  for (Eigen::Index j = 0; j < 6; ++j)
    inertia.col(j) = puma_torques(angle, Joints::Zero(), Joints::Unit(j), 0);
  return inertia;
}

Joints puma_accelerations(const Joints& angle, const Joints& velocity, const Joints& torque) {
  const Joints without = puma_torques(angle, velocity, Joints::Zero());
  return puma_inertia(angle).ldlt().solve(torque - without);
}

}  // namespace gnomon::experiments
