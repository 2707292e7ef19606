#include "gnomon/represent/quadrature.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gnomon/core/error.hpp"

namespace gnomon::quadrature_test {
namespace {

TEST(Quadrature, LegendreIsExactForPolynomials) {
  const double a = -1, b = 2;
  for (const Index order : {1, 2, 3, 5, 10}) {
    const auto rule = gauss_legendre(order, a, b);
    for (Index k = 0; k < 2 * order; ++k) {
      const double p = static_cast<double>(k), want = (std::pow(b, p + 1) - std::pow(a, p + 1)) / (p + 1);
      EXPECT_NEAR(rule.weights.dot(rule.nodes.array().pow(p).matrix()), want, 1e-12 * (1 + std::abs(want)))
          << order << " " << k;
    }
  }
}

TEST(Quadrature, HermiteGivesNormalMoments) {
  const auto rule = gauss_hermite(8, 0, 2);
  double moment = 1;  // E x^{2k} = sd^{2k} (2k−1)!!
  for (int k = 0; k < 8; ++k) {
    EXPECT_NEAR(rule.weights.dot(rule.nodes.array().pow(2 * k).matrix()), moment, 1e-12 * moment) << k;
    EXPECT_NEAR(rule.weights.dot(rule.nodes.array().pow(2 * k + 1).matrix()), 0, 1e-12 * moment) << k;
    moment *= 4 * (2 * k + 1);
  }
  const auto shifted = gauss_hermite(5, 3, 0.5);
  EXPECT_NEAR(shifted.weights.dot(shifted.nodes), 3, 1e-14);
  EXPECT_NEAR(shifted.weights.dot((shifted.nodes.array() - 3).square().matrix()), 0.25, 1e-14);
}

TEST(Quadrature, HighOrdersStayAccurate) {
  const auto rule = gauss_legendre(200, 0, 1);
  EXPECT_NEAR(rule.weights.dot((50 * rule.nodes.array()).cos().matrix()), std::sin(50.0) / 50, 1e-14);
  const auto normal = gauss_hermite(200, 0, 1);
  EXPECT_NEAR(normal.weights.dot((3 * normal.nodes.array()).cos().matrix()), std::exp(-4.5), 1e-13);
  EXPECT_TRUE((rule.weights.array() > 0).all());
  const auto extreme = gauss_hermite(1024, 0, 1);  // outer weights are below the smallest double
  EXPECT_TRUE(extreme.weights.allFinite());
  EXPECT_NEAR(extreme.weights.dot((3 * extreme.nodes.array()).cos().matrix()), std::exp(-4.5), 1e-13);
}

TEST(Quadrature, ExpectationsAreOfDensities) {
  EXPECT_NEAR(expectation_rule(UniformDensity{-3, 5}, 7).weights.sum(), 1, 1e-14);
  EXPECT_NEAR(expectation_rule(NormalDensity{1, 2}, 7).weights.sum(), 1, 1e-14);
}

TEST(Quadrature, EvenNodesSeeFunctionsMuchNarrowerThanTheDensity) {
  const double w = 0.05, c = 0.37;  // of exp(−(x−c)²/w²)
  const auto mean = [&](const Quadrature& rule) {
    return rule.weights.dot((-(rule.nodes.array() - c).square() / (w * w)).exp().matrix());
  };
  const double scale = w * w + 2 * 1.5 * 1.5;
  const double normal = w / std::sqrt(scale) * std::exp(-(c - 0.2) * (c - 0.2) / scale);
  EXPECT_NEAR(mean(even_expectation_rule(NormalDensity{0.2, 1.5}, 1001)), normal, 1e-11 * normal);
  EXPECT_GT(std::abs(mean(expectation_rule(NormalDensity{0.2, 1.5}, 200)) - normal), 0.01 * normal);
  const double uniform = std::sqrt(M_PI) * w / 10;
  EXPECT_NEAR(mean(even_expectation_rule(UniformDensity{-5, 5}, 1001)), uniform, 1e-12 * uniform);
  const Quadrature rule = even_expectation_rule(NormalDensity{0, 1}, 1001);
  EXPECT_NEAR(rule.weights.dot(rule.nodes.array().pow(10).matrix()), 945, 1e-10);
  EXPECT_NEAR(rule.weights.sum(), 1, 1e-14);
}

TEST(Quadrature, BadRequestsAreExplained) {
  EXPECT_THROW(even_expectation_rule(NormalDensity{0, 1}, 1), Error);
  EXPECT_THROW(even_expectation_rule(NormalDensity{0, -1}, 9), Error);
  EXPECT_THROW(gauss_legendre(0, 0, 1), Error);
  EXPECT_THROW(gauss_legendre(3, 1, 1), Error);
  EXPECT_THROW(gauss_hermite(3, 0, 0), Error);
  EXPECT_THROW(gauss_hermite(3, NAN, 1), Error);
}

}  // namespace
}  // namespace gnomon::quadrature_test
