#include "gnomon/data/synthetic.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "gnomon/core/error.hpp"

namespace gnomon::synthetic_test {
namespace {

TEST(Synthetic, TruthAndNoiseAreWhatTheySay) {
  for (const auto& name : synthetic_names()) {
    Random random(1);
    const auto data = make_synthetic(name, 20000, 0.5, random);
    ASSERT_EQ(data.x.rows(), 20000) << name;
    EXPECT_TRUE(data.x.allFinite() && data.y.allFinite()) << name;
    EXPECT_EQ(data.noise_variance, 0.25);
    const Vector noise = data.y - data.truth;
    EXPECT_NEAR(noise.mean(), 0, 5 * 0.5 / std::sqrt(20000.0)) << name;
    EXPECT_NEAR(noise.squaredNorm() / 20000, 0.25, 5 * 0.25 * std::sqrt(2 / 20000.0)) << name;
    for (Index i = 0; i < 10; ++i)
      EXPECT_EQ(true_function(name, Vector(data.x.row(i).transpose())), data.truth[i]) << name;
    EXPECT_GT((data.truth.array() - data.truth.mean()).matrix().squaredNorm(), 0) << name;
  }
}

TEST(Synthetic, KnownValues) {
  const auto at = [](double x) { return Vector::Constant(1, x); };
  EXPECT_EQ(true_function("sinc", at(0)), 1);
  EXPECT_NEAR(true_function("sinc", at(std::numbers::pi / 2)), 2 / std::numbers::pi, 1e-15);
  EXPECT_NEAR(true_function("sinc-pi", at(1)), 0, 1e-15);
  EXPECT_EQ(true_function("step", at(0.5)), 1);
  EXPECT_EQ(true_function("doppler", at(1)), 0);
  Vector x = Vector::Constant(10, 0.5);
  EXPECT_NEAR(true_function("friedman1", x), 10 * std::sin(std::numbers::pi / 4) + 7.5, 1e-13);
  EXPECT_NEAR(true_function("linear:3", Vector::Ones(3)), 1 + 0.7 + 0.49, 1e-15);
  EXPECT_NEAR(true_function("additive-sines", Vector::Unit(4, 1) * 0.25), 0.5, 1e-15);
}

TEST(Synthetic, LinearInputsAreCorrelated) {
  Random random(2);
  const auto data = make_synthetic("linear:5", 50000, 0, random);
  EXPECT_EQ(data.y, data.truth);
  const Matrix covariance = data.x.transpose() * data.x / 50000;
  for (Index i = 0; i < 5; ++i)
    for (Index j = 0; j < 5; ++j)
      EXPECT_NEAR(covariance(i, j), std::pow(0.5, std::abs(static_cast<double>(i - j))), 0.03);
}

TEST(Synthetic, TheSeedDecides) {
  Random a(7), b(7), c(8);
  EXPECT_EQ(make_synthetic("sinc", 50, 1, a).y, make_synthetic("sinc", 50, 1, b).y);
  EXPECT_NE(make_synthetic("sinc", 50, 1, b).y, make_synthetic("sinc", 50, 1, c).y);
}

TEST(Synthetic, BadRequestsAreExplained) {
  Random random(1);
  try {
    make_synthetic("dopler", 10, 1, random);
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'doppler'"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("friedman1"), std::string::npos) << error.what();
  }
  for (const auto* name : {"linear:", "linear:0", "linear:x", "sinc:2", ""})
    EXPECT_THROW(make_synthetic(name, 10, 1, random), UsageError) << name;
  EXPECT_THROW(make_synthetic("sinc", 0, 1, random), Error);
  EXPECT_THROW(make_synthetic("sinc", 10, -1, random), Error);
  EXPECT_THROW(make_synthetic("sinc", 10, NAN, random), Error);
  EXPECT_THROW(true_function("friedman1", Vector::Ones(3)), Error);
}

}  // namespace
}  // namespace gnomon::synthetic_test
