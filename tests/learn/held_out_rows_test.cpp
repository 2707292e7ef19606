#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "gnomon/core/error.hpp"
#include "gnomon/core/random.hpp"
#include "gnomon/learn/model_file.hpp"

namespace gnomon::held_out_rows_test {
namespace {

const Matrix features = (Matrix(3, 2) << 0, 5, 1, 7, 2, 6).finished();

TEST(HeldOutRows, TheHalfWidthIsAnOrderStatistic) {
  Vector residual(19);
  for (Index i = 0; i < 19; ++i)
    residual[i] = (i % 2 ? -1 : 1) * static_cast<double>(19 - i);  // |e| = 1 … 19
  const HeldOutRows rows = held_out_rows(residual, Vector(), Matrix::Zero(19, 1));
  EXPECT_EQ(rows.half_widths(0.9)[0], 18);   // ⌈0.9·20⌉
  EXPECT_EQ(rows.half_widths(0.5)[0], 10);   // ⌈0.5·20⌉
  EXPECT_EQ(rows.half_widths(0.95)[0], 19);  // ⌈0.95·20⌉
  EXPECT_TRUE(std::isinf(rows.half_widths(0.96)[0]));
  for (const double level : {0.0, 1.0, -1.0, undefined}) EXPECT_THROW(rows.half_widths(level), Error);
}

TEST(HeldOutRows, AWeightIsARepeatedRow) {
  const Vector residual = Random(1).normal_vector(30);
  Vector weight = Vector::Ones(30), repeated(60);
  weight.head(15).setConstant(3);
  Index at = 0;
  for (Index i = 0; i < 30; ++i)
    for (int copy = 0; copy < (i < 15 ? 3 : 1); ++copy) repeated[at++] = residual[i];
  const HeldOutRows weighted = held_out_rows(residual, weight, Matrix::Zero(30, 1)),
                    plain = held_out_rows(repeated, Vector(), Matrix::Zero(60, 1));
  // The new row counts as an average one: 1 of 30 here, 1 of 60 there.
  EXPECT_NEAR(weighted.half_widths(0.5)[0], plain.half_widths(0.5)[0], 0.15);
  EXPECT_GE(weighted.half_widths(0.5)[0], plain.half_widths(0.5)[0]);
}

TEST(HeldOutRows, VeryManyRowsAreMergedUpwards) {
  Random random(4);
  const Vector residual = random.normal_vector(20'000);
  const HeldOutRows rows = held_out_rows(residual, Vector(), Matrix::Zero(20'000, 1));
  EXPECT_EQ(rows.deviation.rows(), 5000);
  EXPECT_NEAR(rows.weight.sum(), 20'000, 1e-6);
  Vector sorted = residual.cwiseAbs();
  std::sort(sorted.begin(), sorted.end());
  const double exact = sorted[static_cast<Index>(std::ceil(0.9 * 20'001)) - 1];
  EXPECT_GE(rows.half_widths(0.9)[0], exact);
  EXPECT_NEAR(rows.half_widths(0.9)[0], exact, 0.005);
}

TEST(HeldOutRows, RowsWithoutWeightsAreMergedAsRowsOfEqualWeights) {
  for (const Index n : {3, 5000, 5001, 9999, 20'003}) {
    Vector residual = Random(7).normal_vector(n);
    residual.tail(n / 3).setConstant(0.5);  // ties
    const HeldOutRows plain = held_out_rows(residual, Vector(), Matrix::Zero(n, 1)),
                      equal = held_out_rows(residual, Vector::Ones(n), Matrix::Zero(n, 1));
    EXPECT_EQ(plain.deviation, equal.deviation) << n;
    if (plain.weight.size()) {
      EXPECT_EQ(plain.weight, equal.weight) << n;
    }
  }
}

TEST(HeldOutRows, NoRowsHeldOutLeaveTheRangesAlone) {
  const HeldOutRows rows = held_out_rows(Matrix(0, 1), Vector(), Vector::LinSpaced(3, 1, 3));
  EXPECT_EQ(rows.deviation.size(), 0);
  EXPECT_EQ(rows.lower[0], 1);
  EXPECT_EQ(rows.upper[0], 3);
}

// Whatever the noise, a new value lies inside with the probability asked for.
TEST(HeldOutRows, CoversNewValues) {
  Random random(6);
  int inside = 0;
  constexpr int sets = 4000;
  for (int s = 0; s < sets; ++s) {
    Vector residual(25);
    for (Index i = 0; i < 25; ++i) residual[i] = std::exp(random.normal());
    inside += std::exp(random.normal()) <=
              held_out_rows(residual, Vector(), Matrix::Zero(25, 1)).half_widths(0.9)[0];
  }
  // ⌈0.9·26⌉/26 = 0.923 exactly.
  EXPECT_NEAR(inside / double(sets), 24.0 / 26, 3 * std::sqrt(0.08 * 0.92 / sets));
}

TEST(HeldOutRows, RangesMarkWhatTrainingDidNotSee) {
  const HeldOutRows rows = held_out_rows(Vector::Ones(3), Vector(), features);
  const Matrix asked = (Matrix(4, 2) << 0, 5, 2, 7.01, -0.1, 6, 1, 6).finished();
  EXPECT_EQ(rows.outside(asked), (std::vector<bool>{false, true, true, false}));
}

TEST(HeldOutRows, SurvivesTheFileAndIsCheckedOnTheWay) {
  const HeldOutRows rows = held_out_rows(Random(2).normal_vector(3), Vector::LinSpaced(3, 1, 2), features);
  const auto json = to_json(rows);
  const HeldOutRows again = held_out_rows_from_json(json, 1, 2);
  EXPECT_EQ(again.deviation, rows.deviation);
  EXPECT_EQ(again.weight, rows.weight);
  EXPECT_EQ(again.lower, rows.lower);
  EXPECT_EQ(again.upper, rows.upper);
  EXPECT_THROW(held_out_rows_from_json(json, 2, 2), Error);
  EXPECT_THROW(held_out_rows_from_json(json, 1, 3), Error);
  const auto refuses = [&](const char* field, const nlohmann::json& value) {
    auto broken = json;
    broken[field] = value;
    EXPECT_THROW(held_out_rows_from_json(broken, 1, 2), Error) << field;
  };
  refuses("deviation", {{"rows", 3}, {"cols", 1}, {"values", {3, 2, 1}}});
  refuses("deviation", {{"rows", 3}, {"cols", 1}, {"values", {-1, 2, 3}}});
  refuses("deviation", {{"rows", 3}, {"cols", 1}, {"values", {1, 2, nullptr}}});
  refuses("weight", {{"rows", 2}, {"cols", 1}, {"values", {1, 1}}});
  refuses("weight", {{"rows", 3}, {"cols", 1}, {"values", {1, 1, -1}}});
  refuses("lower", {1, 9});
  refuses("upper", {1});
}

}  // namespace
}  // namespace gnomon::held_out_rows_test
