// The simulators behind sic-delve: mechanics by conservation laws, families by what the published data are known to look like.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "experiments/sic/puma.hpp"
#include "experiments/sic/robot_data.hpp"
#include "gnomon/core/random.hpp"

namespace gnomon::experiments::robot_data_test {
namespace {

double mean_square(const Vector& v) { return v.squaredNorm() / static_cast<double>(v.size()); }
double deviation(const Vector& v) { return std::sqrt(mean_square(v.array() - v.mean())); }

TEST(ArmData, StretchedArmAndTurnsAboutTheBase) {
  // All angles 0, link by link: x sums the lengths, z the offsets along axes that stay upright or lie down.
  const Eigen::Vector3d rest = arm_end(Vector::Zero(8));
  EXPECT_NEAR(rest[0], 0.4318 + 0.0203 + 0.2 + 0.3, 1e-12);
  EXPECT_NEAR(rest[1], -0.15005, 1e-12);
  EXPECT_NEAR(rest[2], 0.4318 - 0.1, 1e-12);
  Random random(3);
  Vector angles = random.uniform_vector(8, -1, 1);
  const Eigen::Vector3d before = arm_end(angles);
  angles[0] += 0.7;  // about the vertical
  const Eigen::Vector3d after = arm_end(angles);
  EXPECT_NEAR(after[2], before[2], 1e-12);
  EXPECT_NEAR(after.head(2).norm(), before.head(2).norm(), 1e-12);
  EXPECT_NEAR(std::remainder(std::atan2(after[1], after[0]) - std::atan2(before[1], before[0]) - 0.7,
                             2 * std::numbers::pi),
              0, 1e-12);
}

struct Known {
  RobotFamily family;
  double noise, mean, deviation;  // of DELVE's own files
};

void expect_like(const RobotData& data, const Known& known) {
  const double n = static_cast<double>(data.y.size());
  EXPECT_NEAR(std::sqrt(mean_square(data.y - data.noise_free)), known.noise, 0.04 * known.noise);
  EXPECT_NEAR(data.y.mean(), known.mean, 4 * known.deviation * std::sqrt(2 / n));
  EXPECT_NEAR(deviation(data.y), known.deviation, 0.03 * known.deviation);
}

TEST(ArmData, LooksLikeTheFamiliesOfKin) {
  for (const Known& known :
       {Known{{false, false}, 0.0121, 0.9017, 0.0753}, Known{{false, true}, 0.0422, 0.8959, 0.0851},
        Known{{true, false}, 0.0553, 0.7143, 0.2636}, Known{{true, true}, 0.1583, 0.7125, 0.2672}}) {
    const RobotData data = arm_data(known.family, robot_rows, 1);
    expect_like(data, known);
    const double half = (known.family.nonlinear ? 0.5 : 0.1) * std::numbers::pi;
    EXPECT_LE(data.x.cwiseAbs().maxCoeff(), half);
    EXPECT_GT(data.x.cwiseAbs().maxCoeff(), 0.99 * half);
  }
}

struct Motion {
  Joints angle, velocity, torque;
};
Motion some_motion(std::uint64_t seed) {
  Random random(seed);
  return {random.uniform_vector(6, -2, 2), random.uniform_vector(6, -2, 2),
          random.uniform_vector(6, -20, 20)};
}

TEST(Puma, AccelerationsUndoTorques) {
  for (std::uint64_t seed = 1; seed < 6; ++seed) {
    const Motion m = some_motion(seed);
    const Joints back = puma_torques(m.angle, m.velocity, puma_accelerations(m.angle, m.velocity, m.torque));
    EXPECT_LT((back - m.torque).norm(), 1e-11 * m.torque.norm());
  }
}

TEST(Puma, InertiaIsSymmetricAndPositive) {
  const auto inertia = puma_inertia(some_motion(2).angle);
  EXPECT_LT((inertia - inertia.transpose()).norm(), 1e-13 * inertia.norm());
  for (std::uint64_t seed = 1; seed < 6; ++seed) {
    const Joints velocity = some_motion(seed).velocity;
    EXPECT_GT(velocity.dot(inertia * velocity), 0);
  }
}

TEST(Puma, PowerBecomesEnergy) {
  // Torques do the work q̇ᵀτ, which kinetic energy ½q̇ᵀMq̇ and gravity take up: this ties the velocity terms to the inertia.
  for (std::uint64_t seed = 1; seed < 6; ++seed) {
    const Motion m = some_motion(seed);
    const Joints acceleration = puma_accelerations(m.angle, m.velocity, m.torque);
    const double step = 1e-5;
    const auto rate =
        ((puma_inertia(m.angle + step * m.velocity) - puma_inertia(m.angle - step * m.velocity)) / (2 * step))
            .eval();
    const double kinetic =
        m.velocity.dot(puma_inertia(m.angle) * acceleration) + 0.5 * m.velocity.dot(rate * m.velocity);
    const double gravity = m.velocity.dot(puma_torques(m.angle, Joints::Zero(), Joints::Zero()));
    EXPECT_NEAR(kinetic + gravity, m.velocity.dot(m.torque), 1e-6 * (1 + std::abs(kinetic)));
  }
}

TEST(Puma, GravityHasAPotential) {
  const Joints angle = some_motion(4).angle;
  const auto gravity = [](const Joints& at) { return puma_torques(at, Joints::Zero(), Joints::Zero()); };
  EXPECT_NEAR(gravity(angle)[0], 0, 1e-12);  // the first axis is vertical
  Eigen::Matrix<double, 6, 6> slope;
  for (Eigen::Index j = 0; j < 6; ++j) {
    const Joints step = 1e-5 * Joints::Unit(j);
    slope.col(j) = (gravity(angle + step) - gravity(angle - step)) / 2e-5;
  }
  EXPECT_LT((slope - slope.transpose()).norm(), 1e-7 * slope.norm());
  EXPECT_GT(slope.norm(), 1);
}

TEST(PumaData, LooksLikeTheFamiliesOfPumadyn) {
  struct Family {
    RobotFamily family;
    double noise;
  };
  for (const Family& known : {Family{{false, false}, 1.020}, Family{{false, true}, 3.212},
                              Family{{true, false}, 0.984}, Family{{true, true}, 3.229}}) {
    const RobotData data = puma_data(known.family, 4000, 1);
    EXPECT_NEAR(std::sqrt(mean_square(data.y - data.noise_free)), known.noise, 0.04 * known.noise);
    const double beta = known.family.nonlinear ? 1.2 : 0.6;
    EXPECT_LE(data.x.leftCols(6).cwiseAbs().maxCoeff(), std::numbers::pi * beta / 2);
    EXPECT_LE(data.x.rightCols(2).cwiseAbs().maxCoeff(), beta / 2);
  }
}

TEST(RobotData, SeedDecides) {
  for (const auto make : {arm_data, puma_data}) {
    EXPECT_EQ(make({true, false}, 20, 5).y, make({true, false}, 20, 5).y);
    EXPECT_NE(make({true, false}, 20, 5).y, make({true, false}, 20, 6).y);
    EXPECT_EQ(make({true, false}, 20, 5).x, make({true, false}, 30, 5).x.topRows(20));
  }
}

}  // namespace
}  // namespace gnomon::experiments::robot_data_test
