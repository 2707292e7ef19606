#include "shift/ratio_folds.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "gnomon/shift/density_ratio.hpp"
#include "samples_of.hpp"

namespace gnomon::ratio_folds_test {
namespace {

using shift_test::gaussians, shift_test::normal;

/// Rows kept and held out, refitted and scored one fold at a time.
double slow_score(const Matrix& train, const Matrix& test, Index b, double width, double lambda, double alpha,
                  const Folds& train_folds, const Folds& test_folds) {
  double score = 0;
  for (int fold = 0; fold < train_folds.count; ++fold) {
    std::vector<Index> kept[2], held[2], centres;
    for (Index i = 0; i < train.rows(); ++i)
      (train_folds.of_row[static_cast<std::size_t>(i)] == fold ? held : kept)[0].push_back(i);
    for (Index i = 0; i < test.rows(); ++i)
      (test_folds.of_row[static_cast<std::size_t>(i)] == fold ? held : kept)[1].push_back(i);
    for (const Index i : kept[1]) {
      if (i < b) centres.push_back(i);
    }
    if (centres.empty()) continue;  // a ratio of 0
    const Matrix at = test(centres, Eigen::all), phi = gaussians(train(kept[0], Eigen::all), at, width),
                 psi = gaussians(test(kept[1], Eigen::all), at, width);
    const Matrix h = (1 - alpha) * phi.transpose() * phi / static_cast<double>(phi.rows()) +
                     alpha * psi.transpose() * psi / static_cast<double>(psi.rows()) +
                     lambda * Matrix::Identity(phi.cols(), phi.cols());
    const Vector theta = h.fullPivLu().solve(Vector(psi.colwise().mean())).cwiseMax(0);
    const Vector on_train = gaussians(train(held[0], Eigen::all), at, width) * theta,
                 on_test = gaussians(test(held[1], Eigen::all), at, width) * theta;
    score += (1 - alpha) / 2 * on_train.squaredNorm() / static_cast<double>(train.rows()) +
             alpha / 2 * on_test.squaredNorm() / static_cast<double>(test.rows()) -
             on_test.sum() / static_cast<double>(test.rows());
  }
  return score;
}

TEST(RatioFolds, EqualRefittingWithoutEachFold) {
  const std::vector<double> widths{0.4, 1.5}, lambdas{1e-3, 0.1, 10};
  for (const Index b : {Index{1}, Index{6}, Index{23}}) {
    const Matrix train = normal(31, 2, 1), test = normal(23, 2, 2, 0.4, 0.8);
    const Folds train_folds = random_folds(31, 4, 3, 0), test_folds = random_folds(23, 4, 3, 1);
    for (const double alpha : {0.0, 0.3}) {
      const Matrix scores =
          ratio_fold_scores(train, test, b, widths, lambdas, alpha, train_folds, test_folds);
      for (Index w = 0; w < 2; ++w)
        for (Index l = 0; l < 3; ++l)
          EXPECT_NEAR(scores(w, l),
                      slow_score(train, test, b, widths[static_cast<std::size_t>(w)],
                                 lambdas[static_cast<std::size_t>(l)], alpha, train_folds, test_folds),
                      1e-9)
              << b << " " << alpha;
    }
  }
}

TEST(RatioFolds, ThreadsDoNotChangeTheScores) {
  const Matrix train = normal(200, 2, 1), test = normal(90, 2, 2);
  const std::vector<double> widths{0.4, 1, 2.5}, lambdas{1e-3, 0.1};
  const Folds a = random_folds(200, 5, 3, 0), b = random_folds(90, 5, 3, 1);
  set_threads(1);
  const Matrix one = ratio_fold_scores(train, test, 50, widths, lambdas, 0.1, a, b);
  set_threads(3);
  const Matrix three = ratio_fold_scores(train, test, 50, widths, lambdas, 0.1, a, b);
  set_threads(0);
  EXPECT_EQ(one, three);
}

TEST(RatioFolds, RejectWhatHasNoMeaning) {
  const Matrix x = normal(10, 1, 1);
  const std::vector<double> one{1};
  const Folds two = random_folds(10, 2, 0), three = random_folds(10, 3, 0);
  EXPECT_THROW(ratio_fold_scores(x, x, 11, one, one, 0, two, two), Error);
  EXPECT_THROW(ratio_fold_scores(x, x, 5, one, one, 0, two, three), Error);
}

TEST(RatioFolds, SmallSamplesGetASmoothRatio) {
  // Sixty and thirty-five rows: the ratio must beat no weighting at all, and all test rows serve as centres.
  double with = 0, without = 0;
  for (std::uint64_t draw = 0; draw < 12; ++draw) {
    const Matrix train = normal(60, 1, 10 + draw), test = normal(35, 1, 40 + draw, 0.5, 0.7);
    const DensityRatio ratio = estimate_density_ratio("ulsif", train, test);
    EXPECT_EQ(ratio.parameters[2].second, 35);
    const Vector truth =
        (0.5 * train.col(0).array().square() - 0.5 * ((train.col(0).array() - 0.5) / 0.7).square()).exp();
    const Vector wanted = truth / truth.mean(), got = ratio.train_weight / ratio.train_weight.mean();
    with += (got - wanted).squaredNorm();
    without += (Vector::Ones(60) - wanted).squaredNorm();
  }
  EXPECT_LT(with, 0.5 * without);
}

}  // namespace
}  // namespace gnomon::ratio_folds_test
