#include "gnomon/compare/ranking.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "compare/trial_table.hpp"
#include "gnomon/core/random.hpp"

namespace gnomon::ranking_test {
namespace {

using compare::Choice;
using compare::rank;
using compare::Score;
using compare::Trial;

/// Trials in which criterion c has regret exp(mean[c] + common + own noise).
std::vector<Trial> trials_of(const std::vector<double>& mean, int count, double own = 0.05) {
  Random random(11);
  std::vector<Trial> trials;
  for (int i = 0; i < count; ++i) {
    const double common = std::abs(random.normal());
    Trial trial{1.0, 4.0, {}, Matrix()};
    for (const double m : mean)
      trial.choices.push_back(
          {std::exp(m + common + own * std::abs(random.normal())), std::pow(10, random.normal()), 0.1});
    trials.push_back(std::move(trial));
  }
  return trials;
}

TEST(Ranking, PairsAndTies) {
  const auto ranked = rank({"bad", "good", "same"}, trials_of({0.05, 0, 0.001}, 100));
  EXPECT_EQ(ranked.back().name, "bad");
  EXPECT_FALSE(ranked.back().ties);  // though its regret alone is within two standard errors of the best
  EXPECT_LT(ranked.back().regret.value - ranked.front().regret.value,
            2 * ranked.front().regret.standard_error);
  EXPECT_TRUE(ranked[0].ties);
  EXPECT_TRUE(ranked[1].ties);
  EXPECT_EQ(ranked[0].behind.value, 0);
  EXPECT_NEAR(ranked[2].behind.value, 0.05, 0.02);
  const std::string words = compare::recommendation(ranked);
  EXPECT_EQ(words, "Choose by " + ranked[0].name + "; " + ranked[1].name +
                       " cannot be told apart from it on data like yours.");
}

/// One that is worse on average and now and then very bad has a large standard error; that is no reason to recommend it.
TEST(Ranking, SpreadAloneDoesNotTie) {
  auto trials = trials_of({0, 0.5, 0.5}, 40);
  for (auto& trial : trials) trial.choices[2].error = trial.choices[0].error;
  trials[7].choices[2].error *= std::exp(40.0);
  const auto ranked = rank({"good", "worse", "wild"}, trials);
  EXPECT_EQ(ranked.back().name, "wild");
  EXPECT_LT(ranked.back().behind.value, 2 * ranked.back().behind.standard_error);
  EXPECT_FALSE(ranked[1].ties);
  EXPECT_FALSE(ranked.back().ties);
}

TEST(Ranking, OneBest) {
  const auto ranked = rank({"a", "b"}, trials_of({0, 1}, 50));
  EXPECT_EQ(compare::recommendation(ranked),
            "Choose by a: no other criterion does as well on data like yours.");
}

TEST(Ranking, UndefinedNeverLeads) {
  auto trials = trials_of({0, 1}, 20);
  trials[3].choices[0] = Choice{};
  const auto ranked = rank({"fragile", "sound"}, trials);
  EXPECT_EQ(ranked[0].name, "sound");
  EXPECT_EQ(ranked[1].undefined_in, 1);
  EXPECT_EQ(ranked[1].data_sets, 19);
}

TEST(Ranking, NumbersByDefinition) {
  std::vector<Trial> trials;
  for (const double e : {1.0, 2.0, 3.0, 6.0}) trials.push_back({1, 4, {{e, e, e - 2}}, Matrix()});
  const Score s = rank({"c"}, trials).front();
  EXPECT_DOUBLE_EQ(s.regret.value, 3);
  EXPECT_NEAR(s.regret.standard_error, std::sqrt(14.0 / 3 / 4), 1e-15);
  EXPECT_NEAR(s.regret_95, 3 + 0.85 * 3, 1e-12);
  EXPECT_DOUBLE_EQ(s.improvement_probability, 0.75);
  EXPECT_DOUBLE_EQ(s.relative_improvement.value, 0.25);
  EXPECT_DOUBLE_EQ(s.bias.value, 1);
  EXPECT_NEAR(s.bias_deviation, std::sqrt(14.0 / 3), 1e-15);
  // Two groups of two: half of the differences in log10, squared.
  const double a = std::log10(2) / std::sqrt(2), b = std::log10(2) / std::sqrt(2);
  EXPECT_NEAR(rank({"c"}, trials, {0, 0, 1, 1}).front().decades, std::sqrt((a * a + b * b) / 2), 1e-14);
}

TEST(Ranking, Learners) {
  Matrix errors(3, 2);
  errors << 2, 1, 3, 2, 4, 3;
  const auto ranked = compare::rank_errors({"a", "b"}, errors);
  EXPECT_EQ(ranked[0].name, "b");
  EXPECT_DOUBLE_EQ(ranked[1].error.value, 3);
  EXPECT_FALSE(ranked[1].ties);
}

TEST(Ranking, SplitsShareTheirRows) {
  const Vector sample = Vector::LinSpaced(4, 1, 4);
  const double variance = 5.0 / 3;
  EXPECT_NEAR(compare::mean_of(sample).standard_error, std::sqrt(variance / 4), 1e-15);
  EXPECT_NEAR(compare::mean_of(sample, 0.25).standard_error, std::sqrt(variance * (0.25 + 0.25)), 1e-15);
}

TEST(Trial, SurvivesTheTable) {
  Trial trial{0.5, 2, {{1, 1e-3, undefined}, {0.7, 10, -0.1}}, Matrix::Random(4, 3)};
  const Vector numbers = compare::to_numbers(trial);
  EXPECT_EQ(static_cast<std::size_t>(numbers.size()), compare::trial_columns({"a", "b"}, 4).size());
  const Trial back = compare::trial_from(numbers, 2, 4);
  EXPECT_EQ(back.least, 0.5);
  EXPECT_EQ(back.choices[1].lambda, 10);
  EXPECT_TRUE(std::isnan(back.choices[0].gap));
  EXPECT_EQ(back.curves, trial.curves);
}

}  // namespace
}  // namespace gnomon::ranking_test
