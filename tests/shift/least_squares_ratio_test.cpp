#include "shift/least_squares_ratio.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "samples_of.hpp"

namespace gnomon::least_squares_ratio_test {
namespace {

using shift_test::gaussians, shift_test::normal;

Vector slow_theta(const Matrix& phi, const Matrix& psi, double lambda, double alpha) {
  const Matrix h = (1 - alpha) * phi.transpose() * phi / static_cast<double>(phi.rows()) +
                   alpha * psi.transpose() * psi / static_cast<double>(psi.rows()) +
                   lambda * Matrix::Identity(phi.cols(), phi.cols());
  const Vector mean = psi.colwise().mean();
  return h.fullPivLu().solve(mean).cwiseMax(0);
}

Matrix without(const Matrix& x, Index row) {
  Matrix rest(x.rows() - 1, x.cols());
  rest << x.topRows(row), x.bottomRows(x.rows() - row - 1);
  return rest;
}

double slow_score(const Matrix& phi, const Matrix& psi, double lambda, double alpha) {
  const Index pairs = std::min(phi.rows(), psi.rows());
  double sum = 0;
  for (Index i = 0; i < pairs; ++i) {
    const Vector theta = slow_theta(without(phi, i), without(psi, i), lambda, alpha);
    const double a = phi.row(i).dot(theta), b = psi.row(i).dot(theta);
    sum += 0.5 * (1 - alpha) * a * a + 0.5 * alpha * b * b - b;
  }
  return sum / static_cast<double>(pairs);
}

TEST(LeastSquaresRatio, FitAndScoreEqualRefittingWithoutEachPair) {
  // More and fewer training than test rows, pairs beyond one tile, functions beyond one strip.
  struct Case {
    Index n, m, b, d;
  };
  for (const auto& [n, m, b, d] :
       {Case{14, 11, 6, 1}, Case{9, 31, 3, 2}, Case{60, 53, 17, 2}, Case{5, 5, 1, 3}}) {
    const Matrix train = normal(n, d, 1), test = normal(m, d, 2, 0.4, 0.8), centres = test.topRows(b);
    const Matrix phi = gaussians(train, centres, 0.7), psi = gaussians(test, centres, 0.7);
    for (const double alpha : {0.0, 0.1, 0.5})
      for (const double lambda : {1e-3, 0.1, 10.0}) {
        const auto fit = least_squares_ratio(train, test, centres, 0.7, lambda, alpha);
        EXPECT_LT((fit.ratio.theta - slow_theta(phi, psi, lambda, alpha)).norm(),
                  1e-9 * (1 + fit.ratio.theta.norm()));
        EXPECT_NEAR(fit.leave_one_out, slow_score(phi, psi, lambda, alpha), 1e-9)
            << n << " " << alpha << " " << lambda;
      }
  }
}

TEST(LeastSquaresRatio, GridEqualsSingleFitsBeyondOneChunk) {
  const Matrix train = normal(700, 2, 3), test = normal(530, 2, 4, 0.3, 0.9), centres = test.topRows(21);
  const std::vector<double> widths{0.3, 1, 4}, lambdas{1e-4, 1e-2, 1};
  for (const double alpha : {0.0, 0.2}) {
    const Matrix scores = least_squares_ratio_scores(train, test, centres, widths, lambdas, alpha);
    for (Index w = 0; w < 3; ++w)
      for (Index l = 0; l < 3; ++l)
        EXPECT_NEAR(scores(w, l),
                    least_squares_ratio(train, test, centres, widths[static_cast<std::size_t>(w)],
                                        lambdas[static_cast<std::size_t>(l)], alpha)
                        .leave_one_out,
                    1e-10);
  }
  const Matrix phi = gaussians(train, centres, 1), psi = gaussians(test, centres, 1);
  EXPECT_NEAR(least_squares_ratio_scores(train, test, centres, widths, lambdas)(1, 1),
              slow_score(phi, psi, 1e-2, 0), 1e-9);
}

TEST(LeastSquaresRatio, ScoresOfTheFirstPairsOnly) {
  const Matrix train = normal(40, 1, 3), test = normal(30, 1, 4), centres = test.topRows(5);
  const std::vector<double> widths{0.8}, lambdas{0.1};
  const auto mean_of = [&](Index pairs) {
    return least_squares_ratio_scores(train, test, centres, widths, lambdas, 0, pairs)(0, 0);
  };
  const Matrix phi = gaussians(train, centres, 0.8), psi = gaussians(test, centres, 0.8);
  double sum = 0;
  for (Index i = 0; i < 3; ++i) {
    const Vector theta = slow_theta(without(phi, i), without(psi, i), 0.1, 0);
    const double a = phi.row(i).dot(theta);
    sum += 0.5 * a * a - psi.row(i).dot(theta);
  }
  EXPECT_NEAR(mean_of(3), sum / 3, 1e-12);
  EXPECT_EQ(mean_of(0), mean_of(30));
  EXPECT_THROW(mean_of(31), Error);
}

TEST(LeastSquaresRatio, ThreadsDoNotChangeTheScores) {
  const Matrix train = normal(900, 3, 3), test = normal(800, 3, 4), centres = test.topRows(30);
  const std::vector<double> widths{0.5, 2}, lambdas{1e-3, 1};
  set_threads(1);
  const Matrix one = least_squares_ratio_scores(train, test, centres, widths, lambdas, 0.1);
  set_threads(3);
  const Matrix three = least_squares_ratio_scores(train, test, centres, widths, lambdas, 0.1);
  set_threads(0);
  EXPECT_EQ(one, three);
}

TEST(LeastSquaresRatio, RejectsWhatHasNoMeaning) {
  const Matrix x = normal(10, 2, 1);
  EXPECT_THROW(least_squares_ratio(x, x, x.topRows(3), 1, 0), Error);
  EXPECT_THROW(least_squares_ratio(x, x, x.topRows(3), 0, 1), Error);
  EXPECT_THROW(least_squares_ratio(x, x, x.topRows(3), 1, 1, 1), Error);
  EXPECT_THROW(least_squares_ratio(x, x, x.topRows(0), 1, 1), Error);
  EXPECT_THROW(least_squares_ratio(x, x.topRows(1), x.topRows(1), 1, 1), Error);
}

}  // namespace
}  // namespace gnomon::least_squares_ratio_test
