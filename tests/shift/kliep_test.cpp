#include "shift/kliep.hpp"

#include <gtest/gtest.h>

#include "gnomon/core/error.hpp"
#include "samples_of.hpp"

namespace gnomon::kliep_test {
namespace {

using shift_test::normal;

struct Problem {
  Matrix train, test, centres, components;  // ψ_k(x_j)/b_k
  Vector mean;
  Problem(Index n, Index m, Index b, Index d, double width)
      : train(normal(n, d, 11)), test(normal(m, d, 12, 0.6, 0.7)), centres(test.topRows(b)) {
    mean = gaussian_features(train, centres, width).colwise().mean();
    components = gaussian_features(test, centres, width) * mean.cwiseInverse().asDiagonal();
  }
  double objective(const Vector& share) const { return (components * share).array().log().mean(); }
  double certificate(const Vector& share) const {
    const Vector w = components * share;
    return (components.transpose() * w.cwiseInverse()).maxCoeff() / static_cast<double>(components.rows()) -
           1;
  }
};

TEST(Kliep, MeetsItsConstraintsAndItsCertificate) {
  for (const double width : {0.2, 0.6, 2.0})
    for (const Index d : {1, 3}) {
      const Problem p(80, 70, 25, d, width);
      const KliepFit fit = kliep_fit(p.train, p.test, p.centres, width);
      const Vector share = fit.ratio.theta.cwiseProduct(p.mean);
      EXPECT_TRUE(fit.converged) << width << " " << fit.gap;
      EXPECT_GE(fit.ratio.theta.minCoeff(), 0);
      EXPECT_NEAR(share.sum(), 1, 1e-12);
      EXPECT_NEAR(fit.ratio.at(p.train).mean(), 1, 1e-10);
      EXPECT_LT(p.certificate(share), 1e-9);
      EXPECT_NEAR(fit.objective, p.objective(share), 1e-12);
    }
}

TEST(Kliep, IsNotBeatenByALongRunOfTheSlowMethod) {
  // Expectation maximisation: u ← u · mean_j a_jk/(a u)_j climbs to the same concave maximum.
  const Problem p(50, 40, 8, 2, 0.8);
  Vector u = Vector::Constant(8, 1.0 / 8);
  for (int i = 0; i < 200000; ++i) {
    const Vector w = p.components * u;
    u = u.cwiseProduct(p.components.transpose() * w.cwiseInverse()) / 40;
  }
  const KliepFit fit = kliep_fit(p.train, p.test, p.centres, 0.8);
  EXPECT_GE(fit.objective, p.objective(u) - 1e-10);
  EXPECT_NEAR(fit.objective, p.objective(u), 1e-6);
}

TEST(Kliep, TakesRepeatedCentresAndRows) {
  Problem p(60, 50, 10, 1, 0.5);
  Matrix centres(20, 1);
  centres << p.centres, p.centres;
  const KliepFit once = kliep_fit(p.train, p.test, p.centres, 0.5),
                 twice = kliep_fit(p.train, p.test, centres, 0.5);
  EXPECT_TRUE(twice.converged);
  EXPECT_NEAR(once.objective, twice.objective, 1e-9);
  EXPECT_LT((once.ratio.at(p.train) - twice.ratio.at(p.train)).cwiseAbs().maxCoeff(), 1e-4);
}

TEST(Kliep, SaysWhenATestRowIsOutOfReach) {
  try {
    kliep_fit(normal(5, 1, 1), Matrix{{0.0}, {1000.0}}, Matrix{{0.0}}, 1);
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("use a larger width"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace gnomon::kliep_test
