#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "gnomon/core/error.hpp"
#include "gnomon/core/random.hpp"
#include "gnomon/noise/local.hpp"

namespace gnomon::local_test {
namespace {

Matrix to_matrix(const nlohmann::json& rows) {
  const bool scalar = rows[0].is_number();
  Matrix result(static_cast<Index>(rows.size()), scalar ? 1 : static_cast<Index>(rows[0].size()));
  for (Index i = 0; i < result.rows(); ++i)
    for (Index j = 0; j < result.cols(); ++j) {
      const auto& row = rows[static_cast<std::size_t>(i)];
      result(i, j) = scalar ? row.get<double>() : row[static_cast<std::size_t>(j)].get<double>();
    }
  return result;
}

void check(const nlohmann::json& golden, const std::string& name, std::optional<double> got) {
  if (!golden["expect"].contains(name)) return;
  const auto& want = golden["expect"][name];
  ASSERT_EQ(got.has_value(), !want.is_null()) << golden["id"] << " " << name;
  if (!got) return;
  const double value = want, rtol = golden["tol"][name]["rtol"], atol = golden["tol"][name]["atol"];
  EXPECT_NEAR(*got, value, atol + rtol * std::abs(value)) << golden["id"] << " " << name;
}

TEST(LocalNoise, GoldenVectors) {
#ifdef GNOMON_GOLDEN_DIR
  int cases = 0;
  if (std::filesystem::is_directory(GNOMON_GOLDEN_DIR))
    for (const auto& entry : std::filesystem::directory_iterator(GNOMON_GOLDEN_DIR)) {
      if (!entry.path().filename().string().starts_with("noise_variance-")) continue;
      ++cases;
      const auto golden = nlohmann::json::parse(std::ifstream(entry.path()));
      const Matrix x = to_matrix(golden["input"]["x"]);
      const Vector y = to_matrix(golden["input"]["y"]).col(0);
      if (x.cols() == 1) {
        check(golden, "rice", rice(x.col(0), y));
        check(golden, "gsj", gsj(x.col(0), y));
      }
      check(golden, "nearest", nearest(x, y));
      check(golden, "pure_error", pure_error(x, y));
    }
  if (cases > 0) return;
#endif
  GTEST_SKIP() << "the golden vectors are not here";
}

TEST(LocalNoise, SmallCasesByHand) {
  const Vector x = (Vector(3) << 2, 0, 1).finished(), y = (Vector(3) << 6, 0, 4).finished();
  EXPECT_DOUBLE_EQ(*rice(x, y), (16 + 4) / 4.0);
  EXPECT_DOUBLE_EQ(*gsj(x, y), (3.0 - 4) * (3.0 - 4) / 1.5);
  EXPECT_DOUBLE_EQ(*nearest(x, y),
                   (2 * 2 + 4 * 4 + 2 * 2) / 6.0);  // the last row is as near to row 0 as to row 1
}

TEST(LocalNoise, UndefinedIsSaid) {
  const Vector one = Vector::Ones(1), two = Vector::Ones(2), none;
  EXPECT_FALSE(rice(none, none) || rice(one, one));
  EXPECT_FALSE(gsj(none, none) || gsj(two, two));
  EXPECT_FALSE(nearest(none, none) || nearest(one, one));
  EXPECT_FALSE(nearest(two, two, Vector::Unit(2, 0)).has_value());
  EXPECT_FALSE(pure_error(none, none) || pure_error(one, one) ||
               pure_error(Vector::LinSpaced(5, 0, 1), Vector::Ones(5)));
  EXPECT_THROW(rice(two, one), Error);
  EXPECT_THROW(gsj(two, one), Error);
  EXPECT_THROW(nearest(two, one), Error);
  EXPECT_THROW(pure_error(two, two, one), Error);
}

TEST(LocalNoise, StraightLinesAndConstantsHaveNoNoise) {
  Random random(1);
  const Vector x = random.uniform_vector(40, -1, 1), line = 3 * x.array() - 2;
  EXPECT_NEAR(*gsj(x, line), 0, 1e-28);
  EXPECT_EQ(*rice(x, Vector::Constant(40, 5)), 0);
  EXPECT_EQ(*nearest(x, Vector::Constant(40, 5)), 0);
}

TEST(LocalNoise, ScalesWithTheSquareAndForgetsTheOrderOfRows) {
  Random random(2);
  const Vector x = random.uniform_vector(60, -1, 1), y = random.normal_vector(60);
  const auto order = random.permutation(60);
  const Vector px = x(order), py = 3 * y(order);
  EXPECT_NEAR(*rice(px, py), 9 * *rice(x, y), 1e-12);
  EXPECT_NEAR(*gsj(px, py), 9 * *gsj(x, y), 1e-12);
  EXPECT_NEAR(*nearest(px, py), 9 * *nearest(x, y), 1e-12);
}

TEST(LocalNoise, EstimatesTheVarianceOfPureNoise) {
  Random random(3);
  const Index n = 4000;
  const Vector x = random.uniform_vector(n, 0, 1),
               y = 0.5 * random.normal_vector(n).array() + (6 * x.array()).sin();
  EXPECT_NEAR(*rice(x, y), 0.25, 0.03);
  EXPECT_NEAR(*gsj(x, y), 0.25, 0.03);
  EXPECT_NEAR(*nearest(x, y), 0.25, 0.03);
}

TEST(Nearest, EqualsTheSlowLoop) {
  Random random(4);
  Matrix x(300, 3);
  for (Index k = 0; k < 3; ++k) x.col(k) = (random.normal_vector(300).array() * 2).round() / 2;  // many ties
  const Vector y = random.normal_vector(300);
  const Vector weight = random.uniform_vector(300, -0.2, 1).cwiseMax(0);
  double sum = 0, total = 0;
  for (Index i = 0; i < 300; ++i) {
    if (weight[i] == 0) continue;
    Index best = -1;
    for (Index j = 0; j < 300; ++j)
      if (j != i && weight[j] > 0 &&
          (best < 0 || (x.row(i) - x.row(j)).squaredNorm() < (x.row(i) - x.row(best)).squaredNorm()))
        best = j;
    sum += weight[i] * (y[i] - y[best]) * (y[i] - y[best]) / 2;
    total += weight[i];
  }
  EXPECT_NEAR(*nearest(x, y, weight), sum / total, 1e-13);
}

TEST(PureError, AWeightIsARepeatedRow) {
  Random random(5);
  Matrix x(12, 2);
  Vector weight(12);
  std::vector<Index> rows;
  for (Index i = 0; i < 12; ++i) {
    x(i, 0) = static_cast<double>(random.below(2)), x(i, 1) = static_cast<double>(random.below(3));
    weight[i] = static_cast<double>(random.below(4));
    for (int k = 0; k < weight[i]; ++k) rows.push_back(i);
  }
  const Vector y = random.normal_vector(12);
  EXPECT_NEAR(*pure_error(x, y, weight), *pure_error(Matrix(x(rows, Eigen::all)), Vector(y(rows))), 1e-14);
  EXPECT_DOUBLE_EQ(*pure_error(x, y, Vector::Ones(12)), *pure_error(x, y));
}

TEST(PureError, SignedZerosAreOneInput) {
  const Vector x = (Vector(2) << 0.0, -0.0).finished(), y = (Vector(2) << 1, 3).finished();
  EXPECT_DOUBLE_EQ(*pure_error(x, y), 2);
}

}  // namespace
}  // namespace gnomon::local_test
