#include <array>
#include <numbers>

#include "gnomon/core/random.hpp"
#include "joint.hpp"
#include "robot_data.hpp"

namespace gnomon::experiments {
namespace {

using std::numbers::pi;

constexpr std::array<Joint, 8> arm{{{pi / 2, 0, 0},
                                    {0, 0.4318, 0},
                                    {-pi / 2, 0.0203, 0.15005},
                                    {pi / 2, 0, 0.4318},
                                    {-pi / 2, 0, 0},
                                    {0, 0, 0},
                                    {pi, 0.2, 0},
                                    {0, 0.3, 0.1}}};

double distance_from_aim(const VectorView& angles) {
  return (arm_end(angles) - Eigen::Vector3d::Constant(0.1)).norm();
}

double angle_noise(RobotFamily f) {
  return f.nonlinear ? (f.high_noise ? 0.35 : 0.117) : (f.high_noise ? 0.10 : 0.029);
}

}  // namespace

Eigen::Vector3d arm_end(const VectorView& angles) {
  Eigen::Vector3d end = Eigen::Vector3d::Zero();
  for (Index i = angles.size() - 1; i >= 0; --i) {
    const Joint& joint = arm[static_cast<std::size_t>(i)];
    end = joint.rotation(angles[i]) * (end + joint.step());
  }
  return end;
}

RobotData arm_data(RobotFamily family, Index rows, std::uint64_t seed) {
  Random random(seed, family.nonlinear ? 1 : 0);
  const double half = (family.nonlinear ? 0.5 : 0.1) * pi, noise = angle_noise(family);
  RobotData data{Matrix(rows, 8), Vector(rows), Vector(rows)};
  for (Index i = 0; i < rows; ++i) {
    const Vector angles = random.uniform_vector(8, -half, half);
    data.x.row(i) = angles.transpose();
    data.noise_free[i] = distance_from_aim(angles);
    data.y[i] = distance_from_aim(angles + noise * random.normal_vector(8));
  }
  return data;
}

}  // namespace gnomon::experiments
