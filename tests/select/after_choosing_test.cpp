#include "select/after_choosing.hpp"

#include <gtest/gtest.h>

#include "gnomon/core/random.hpp"

namespace gnomon::after_choosing_test {
namespace {

/// Squares of standard normal numbers, rows × points: every point has the true error 1.
Matrix pure_noise(Index rows, Index points, std::uint64_t seed) {
  Random random(seed);
  Matrix loss(rows, points);
  for (Index k = 0; k < points; ++k) loss.col(k) = random.normal_vector(rows).cwiseAbs2();
  return loss;
}

RepeatedChoice by_mean(const Matrix& loss) {
  RepeatedChoice choice;
  choice.value = choice.mean = weighted_means(loss, {});
  choice.moves = {MovesWithError::How::is_the_mean};
  return choice;
}

TEST(RepeatedChoice, TakesTheLeastMeanThatMayChoose) {
  RepeatedChoice choice;
  choice.value = choice.mean = Eigen::Vector4d(3, 1, 2, 4);
  choice.moves = {MovesWithError::How::is_the_mean};
  EXPECT_EQ(choice.from(choice.mean), 1);
  EXPECT_EQ(choice.from(Eigen::Vector4d(3, 5, 2, 4)), 2);
  choice.value[2] = undefined;
  EXPECT_EQ(choice.from(Eigen::Vector4d(3, 5, 2, 4)), 0);
  choice.value.setConstant(undefined);
  EXPECT_EQ(choice.from(choice.mean), -1);
}

TEST(RepeatedChoice, KeepsWhatDoesNotMove) {
  RepeatedChoice choice;
  choice.value = Eigen::Vector3d(5, 1, 2);
  choice.mean = Eigen::Vector3d(1, 1, 1);
  EXPECT_EQ(choice.from(Eigen::Vector3d(1e-9, 1, 1)), 1);  // not at all
  choice.moves = {MovesWithError::How::by_logarithm, 0.75};
  choice.count = 10;
  // 5 + 7.5 log m against 1: even at m = exp(−4/7.5).
  EXPECT_EQ(choice.from(Eigen::Vector3d(std::exp(-4 / 7.5) * 1.01, 1, 1)), 1);
  EXPECT_EQ(choice.from(Eigen::Vector3d(std::exp(-4 / 7.5) * 0.99, 1, 1)), 0);
}

TEST(RepeatedChoice, PathsMayBeChosenBeforeTheirPoints) {
  RepeatedChoice choice;
  choice.first_of_path = {0, 2};
  choice.mean = Vector::Ones(4);
  choice.value = Eigen::Vector4d(5, 4, 1, 2);
  choice.before = Eigen::Vector4d(0, 3, 2, 8);
  choice.before_share = 0.5;
  choice.count = 10;
  choice.moves = {MovesWithError::How::is_the_mean};
  EXPECT_EQ(choice.from(Eigen::Vector4d(1, 0.9, 0.1, 1)), 2);  // 2 + 5 log 0.1 is below 0
  EXPECT_EQ(choice.from(Eigen::Vector4d(1, 0.9, 0.8, 1)), 1);  // 2 + 5 log 0.8 is above: λ in the first path
  EXPECT_EQ(choice.from(Eigen::Vector4d(0.5, 0.9, 0.3, 1)), 2);
  choice.before = {};
  EXPECT_EQ(choice.from(Eigen::Vector4d(1, 0.9, 0.8, 1)), 2);
}

TEST(RepeatedChoice, OneStandardErrorTakesTheLargestLambdaOfTheBestPath) {
  RepeatedChoice choice;
  choice.first_of_path = {0, 3};
  choice.value = choice.mean = (Vector(6) << 4, 2, 2.2, 1, 1.3, 3).finished();
  choice.standard_error = Vector::Constant(6, 0.5);
  choice.moves = {MovesWithError::How::is_the_mean};
  EXPECT_EQ(choice.from(choice.mean), 3);
  choice.rule = Rule::one_standard_error;
  EXPECT_EQ(choice.from(choice.mean), 4);
  // A path that is best only by its own standard error does not win.
  EXPECT_EQ(choice.from((Vector(6) << 4, 0.9, 1.1, 1, 1.3, 3).finished()), 2);
}

/// A far row is out of most draws' held-out rows, so that their median knows nothing of it.
TEST(ErrorAfterChoosing, AFarRowCounts) {
  Matrix loss = pure_noise(11, 1, 5);
  loss(4, 0) = 1000;
  const AfterChoosing found = error_after_choosing({loss, {}, {}}, by_mean(loss), 0.9, 1);
  EXPECT_NEAR(found.value, loss.mean(), 1e-9 * loss.mean());
  EXPECT_GT(found.high, 1000 / 11.0);
}

TEST(ErrorAfterChoosing, OnePointHasItsMeanAndAnIntervalAroundIt) {
  const Matrix loss = pure_noise(200, 1, 3);
  const AfterChoosing found = error_after_choosing({loss, {}, {}}, by_mean(loss), 0.9, 1);
  EXPECT_NEAR(found.value, loss.mean(), 0.02 * loss.mean());
  EXPECT_LT(found.low, found.value);
  EXPECT_GT(found.high, found.value);
  // About ± 1.645 standard errors of a mean, a little more.
  const double standard_error = std::sqrt(2.0 / 200);
  EXPECT_NEAR(found.high - found.low, 2 * 1.645 * standard_error, 0.4 * 2 * 1.645 * standard_error);
}

// The least of many means is too low by far; the error after choosing is not. The truth is 1 whatever is chosen.
TEST(ErrorAfterChoosing, UndoesTheOptimismOfTheLeastOfMany) {
  double naive = 0, corrected = 0;
  int covered = 0;
  constexpr int sets = 60;
  for (int s = 0; s < sets; ++s) {
    const Matrix loss = pure_noise(40, 100, 100 + static_cast<std::uint64_t>(s));
    const AfterChoosing found = error_after_choosing({loss, {}, {}}, by_mean(loss), 0.9, 1);
    naive += loss.colwise().mean().minCoeff() / sets;
    corrected += found.value / sets;
    covered += found.low <= 1 && 1 <= found.high;
  }
  EXPECT_LT(naive, 0.6);
  EXPECT_NEAR(corrected, 1, 0.05);
  EXPECT_GE(covered, sets * 0.9);  // independent candidates: more than nominal
}

// A slow version: rows drawn and judged one by one, with draws of its own.
TEST(ErrorAfterChoosing, AgreesWithDrawingByHand) {
  const Matrix loss = pure_noise(30, 20, 7);
  const Vector weight = Random(5).uniform_vector(30, 0.2, 2);
  Random random(99);
  Vector lost = Vector::Zero(30), times = Vector::Zero(30);
  for (int b = 0; b < 4000; ++b) {
    std::vector<Index> rows;
    for (int i = 0; i < 30; ++i) rows.push_back(static_cast<Index>(random.below(30)));
    Vector mean = Vector::Zero(20);
    for (const Index i : rows) mean += weight[i] * loss.row(i).transpose();
    Index best = 0;
    mean.minCoeff(&best);
    for (Index i = 0; i < 30; ++i) {
      if (std::find(rows.begin(), rows.end(), i) != rows.end()) continue;
      lost[i] += loss(i, best), times[i] += 1;
    }
  }
  const double slow = weight.dot(lost.cwiseQuotient(times)) / weight.sum();
  RepeatedChoice choice = by_mean(loss);
  choice.mean = choice.value = weighted_means(loss, weight);
  const AfterChoosing found = error_after_choosing({loss, weight, weight}, choice, 0.9, 2);
  EXPECT_NEAR(found.value, slow, 0.03 * slow);
}

TEST(ErrorAfterChoosing, SameSeedSameAnswerAndUnitsOfTheLoss) {
  const Matrix loss = pure_noise(50, 5, 8);
  const AfterChoosing one = error_after_choosing({loss, {}, {}}, by_mean(loss), 0.9, 4),
                      again = error_after_choosing({loss, {}, {}}, by_mean(loss), 0.9, 4),
                      scaled = error_after_choosing({1e6 * loss, {}, {}}, by_mean(1e6 * loss), 0.9, 4);
  EXPECT_EQ(one.value, again.value);
  EXPECT_EQ(one.high, again.high);
  EXPECT_NEAR(scaled.value, 1e6 * one.value, 1e-6 * scaled.value);
  EXPECT_NEAR(scaled.low, 1e6 * one.low, 1e-6 * scaled.low);
}

TEST(ErrorAfterChoosing, RowsWithoutWeightHaveNoSay) {
  Matrix loss = pure_noise(40, 3, 9);
  Vector weight = Vector::Ones(40);
  weight.tail(10).setZero();
  const AfterChoosing before = error_after_choosing({loss, weight, weight}, by_mean(loss), 0.9, 4);
  loss.bottomRows(10).setConstant(undefined);
  RepeatedChoice choice = by_mean(loss);
  choice.mean = choice.value = weighted_means(loss, weight);
  const AfterChoosing after = error_after_choosing({loss, weight, weight}, choice, 0.9, 4);
  EXPECT_EQ(before.value, after.value);
  EXPECT_EQ(before.low, after.low);
}

TEST(ErrorAfterChoosing, BlocksWidenTheIntervalOfDependentRows) {
  // Errors that come in runs of ten alike.
  Random random(12);
  Matrix loss(400, 1);
  for (Index i = 0; i < 400; ++i) loss(i, 0) = i % 10 == 0 ? std::pow(random.normal(), 2) : loss(i - 1, 0);
  const AfterChoosing rows = error_after_choosing({loss, {}, {}}, by_mean(loss), 0.9, 1),
                      blocks = error_after_choosing({loss, {}, {}, 10}, by_mean(loss), 0.9, 1);
  EXPECT_GT(blocks.high - blocks.low, 2 * (rows.high - rows.low));
}

TEST(ErrorAfterChoosing, ManyRowsInGroups) {
  const Matrix loss = pure_noise(10'000, 2, 10);
  const AfterChoosing found = error_after_choosing({loss, {}, {}}, by_mean(loss), 0.9, 1);
  const double standard_error = std::sqrt(2.0 / 10'000);
  EXPECT_NEAR(found.value, loss.colwise().mean().minCoeff(), standard_error);
  EXPECT_NEAR(found.high - found.low, 2 * 1.645 * standard_error, standard_error);
}

TEST(MovedTowards, MovesTheValueAndTheNearEnd) {
  const AfterChoosing from{1, 0.5, 2}, up = moved_towards(from, 2, 0.5),
                                       down = moved_towards(from, 0.25, 0.25);
  EXPECT_DOUBLE_EQ(up.value, std::sqrt(2));
  EXPECT_DOUBLE_EQ(up.high, 2 * std::pow(2, 0.75));
  EXPECT_EQ(up.low, 0.5);
  EXPECT_DOUBLE_EQ(down.value, std::pow(0.25, 0.25));
  EXPECT_DOUBLE_EQ(down.low, 0.5 * std::pow(0.25, 0.75));
  EXPECT_EQ(down.high, 2);
  EXPECT_DOUBLE_EQ(moved_towards(from, 1e9, 0.5).value, 2);  // a factor 4 at most
  for (const double other : {undefined, 0.0, -1.0, HUGE_VAL})
    EXPECT_EQ(moved_towards(from, other, 0.5).value, 1);
}

TEST(ErrorAfterChoosing, UndefinedThroughoutIsUndefined) {
  const Matrix loss = Matrix::Constant(20, 2, undefined);
  EXPECT_TRUE(std::isnan(error_after_choosing({loss, {}, {}}, by_mean(loss), 0.9, 1).value));
}

}  // namespace
}  // namespace gnomon::after_choosing_test
