#include "shift/logistic_ratio.hpp"

#include <gtest/gtest.h>

#include "gnomon/core/error.hpp"
#include "samples_of.hpp"

namespace gnomon::logistic_ratio_test {
namespace {

using shift_test::normal;

TEST(LogisticFit, GradientVanishesByFiniteDifferences) {
  const Matrix x = normal(70, 3, 1);
  Vector labels(70);
  for (Index i = 0; i < 70; ++i) labels[i] = i % 3 == 0 || x(i, 0) > 1;
  const LogisticFit fit = logistic_fit(x, labels, 0.7);
  ASSERT_TRUE(fit.converged);
  const auto objective = [&](double intercept, const Vector& c) {
    double sum = 0.35 * c.squaredNorm();
    for (Index i = 0; i < 70; ++i) {
      const double eta = intercept + x.row(i).dot(c);
      sum += std::log(1 + std::exp(eta)) - labels[i] * eta;
    }
    return sum;
  };
  const double h = 1e-5;
  EXPECT_NEAR(objective(fit.intercept + h, fit.coefficients), objective(fit.intercept - h, fit.coefficients),
              1e-10);
  for (Index j = 0; j < 3; ++j) {
    Vector up = fit.coefficients, down = up;
    up[j] += h, down[j] -= h;
    EXPECT_NEAR(objective(fit.intercept, up), objective(fit.intercept, down), 1e-10);
  }
}

TEST(LogisticFit, SurvivesSeparatedSamples) {
  Matrix x(40, 1);
  x << normal(20, 1, 1, -50, 0.1), normal(20, 1, 2, 50, 0.1);
  Vector labels(40);
  labels << Vector::Zero(20), Vector::Ones(20);
  for (const double lambda : {1e-8, 1e-2, 10.0}) {
    const LogisticFit fit = logistic_fit(x, labels, lambda);
    EXPECT_TRUE(fit.converged) << lambda << " " << fit.gradient;
    EXPECT_TRUE(fit.coefficients.allFinite());
    EXPECT_LT(log_loss(fit.predictor(x), labels), 0.1);
  }
}

TEST(LogisticFit, StartDoesNotChangeTheAnswer) {
  const Matrix x = normal(90, 2, 4);
  const Vector labels =
      (x.col(0) + normal(90, 1, 5).col(0)).unaryExpr([](double v) { return v > 0.3 ? 1.0 : 0.0; });
  const LogisticFit other = logistic_fit(x, labels, 50), cold = logistic_fit(x, labels, 0.1),
                    warm = logistic_fit(x, labels, 0.1, &other);
  EXPECT_LT((cold.coefficients - warm.coefficients).norm(), 1e-7);
  EXPECT_THROW(logistic_fit(x, Vector::Ones(90), 1), Error);
}

TEST(LogisticTerms, AreSquaresAndProducts) {
  EXPECT_EQ(logistic_terms(Matrix{{2, 3}}, true), (Matrix{{2, 3, 4, 6, 9}}));
  EXPECT_EQ(logistic_terms(Matrix{{2, 3}}, false), (Matrix{{2, 3}}));
}

}  // namespace
}  // namespace gnomon::logistic_ratio_test
