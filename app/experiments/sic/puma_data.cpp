#include <numbers>

#include "gnomon/core/random.hpp"
#include "puma.hpp"
#include "robot_data.hpp"

namespace gnomon::experiments {
namespace {

constexpr Index free_joints = 3;

/// Angles, velocities and torques of all six joints.
struct PumaState {
  Joints angle = Joints::Zero(), velocity = Joints::Zero(), torque = Joints::Zero();

  double third_acceleration() const { return puma_accelerations(angle, velocity, torque)[2]; }
};

PumaState drawn_state(double beta, Random& random) {
  PumaState s;
  const double half = std::numbers::pi * beta / 2;
  s.angle.head(free_joints) = random.uniform_vector(free_joints, -half, half);
  s.velocity.head(free_joints) = random.uniform_vector(free_joints, -half, half);
  s.torque.head(free_joints - 1) = random.uniform_vector(free_joints - 1, -beta / 2, beta / 2);
  return s;
}

PumaState with_noise(PumaState s, double gamma, Random& random) {
  for (Joints* part : {&s.angle, &s.velocity, &s.torque}) *part += gamma * random.normal_vector(6);
  return s;
}

}  // namespace

RobotData puma_data(RobotFamily family, Index rows, std::uint64_t seed) {
  Random random(seed, family.nonlinear ? 3 : 2);
  const double beta = family.nonlinear ? 1.2 : 0.6, gamma = family.high_noise ? 0.4 : 0.12;
  RobotData data{Matrix(rows, 8), Vector(rows), Vector(rows)};
  for (Index i = 0; i < rows; ++i) {
    const PumaState state = drawn_state(beta, random);
    data.x.row(i) << state.angle.head(free_joints).transpose(), state.velocity.head(free_joints).transpose(),
        state.torque.head(free_joints - 1).transpose();
    data.noise_free[i] = state.third_acceleration();
    data.y[i] = with_noise(state, gamma, random).third_acceleration() + gamma * random.normal();
  }
  return data;
}

}  // namespace gnomon::experiments
