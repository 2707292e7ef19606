#include "gnomon/data/scaling.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "gnomon/core/random.hpp"
#include "temp_file.hpp"

namespace gnomon::scaling_test {
namespace {

using testing::message_of;

Matrix random_matrix(Index rows, Index cols, std::uint64_t seed) {
  Random random(seed);
  Matrix x(rows, cols);
  for (double& value : x.reshaped()) value = random.normal();
  return x;
}

TEST(Scaling, StandardHasMeanZeroAndVarianceOne) {
  Matrix x = random_matrix(200, 4, 1);
  x.col(1).array() *= 1e150;
  x.col(2).array() *= 1e-200;
  x.col(3).array() += 1e9;
  Scaling::fit(x, Vector(), Scale::standard).apply(x);
  for (Index j = 0; j < 4; ++j) {
    EXPECT_NEAR(x.col(j).mean(), 0, 1e-7) << j;
    EXPECT_NEAR(x.col(j).squaredNorm() / 200, 1, 1e-12) << j;
  }
}

TEST(Scaling, OffsetDoesNotSpoilTheSpread) {
  // Multiples of 1/1024 survive the offset exactly, so the factor must not change.
  Matrix x = (random_matrix(300, 1, 2) * 1024).array().round().matrix() / 1024;
  const double plain = Scaling::fit(x, Vector(), Scale::standard).factor[0];
  x.array() += 0x1p40;
  EXPECT_NEAR(Scaling::fit(x, Vector(), Scale::standard).factor[0] / plain, 1, 1e-12);
}

TEST(Scaling, UnitMapsOntoZeroToOne) {
  Matrix x = random_matrix(50, 3, 3);
  Scaling::fit(x, Vector(), Scale::unit).apply(x);
  for (Index j = 0; j < 3; ++j) {
    EXPECT_EQ(x.col(j).minCoeff(), 0);
    EXPECT_NEAR(x.col(j).maxCoeff(), 1, 1e-15);
  }
}

TEST(Scaling, WithoutAnInterceptColumnsAreOnlyDivided) {
  const Matrix x = random_matrix(50, 3, 3).array() + 5;
  for (const Scale scale : {Scale::standard, Scale::unit}) {
    const Scaling with = Scaling::fit(x, Vector(), scale), without = Scaling::fit(x, Vector(), scale, false);
    EXPECT_EQ(without.factor, with.factor);
    EXPECT_EQ(without.shift, Vector::Zero(3));
  }
}

TEST(Scaling, NoneChangesNothing) {
  Matrix x = random_matrix(5, 2, 4);
  const Matrix before = x;
  Scaling::fit(x, Vector(), Scale::none).apply(x);
  EXPECT_EQ(x, before);
}

TEST(Scaling, ConstantColumnsBecomeZero) {
  for (const Scale scale : {Scale::standard, Scale::unit})
    for (const double value : {0.1, -1e300, 0.0, 12345.678}) {
      Matrix x = Matrix::Constant(7, 1, value);
      const Scaling scaling = Scaling::fit(x, Vector(), scale);
      EXPECT_EQ(scaling.factor[0], 1);
      scaling.apply(x);
      EXPECT_EQ(x, Matrix::Zero(7, 1));
    }
}

TEST(Scaling, WeightKEqualsRowRepeatedKTimes) {
  const Matrix x = random_matrix(6, 3, 5);
  const Vector weight = (Vector(6) << 0, 1, 3, 2, 1, 0).finished();
  Matrix repeated(7, 3);
  Index at = 0;
  for (Index i = 0; i < 6; ++i)
    for (int k = 0; k < static_cast<int>(weight[i]); ++k) repeated.row(at++) = x.row(i);
  for (const Scale scale : {Scale::standard, Scale::unit}) {
    const Scaling weighted = Scaling::fit(x, weight, scale), plain = Scaling::fit(repeated, Vector(), scale);
    EXPECT_TRUE(weighted.shift.isApprox(plain.shift, 1e-14));
    EXPECT_TRUE(weighted.factor.isApprox(plain.factor, 1e-14));
  }
}

TEST(Scaling, OneRowAndIntegers) {
  Matrix x(1, 2);
  x << 3, 4;
  Scaling::fit(x, Vector(), Scale::standard).apply(x);
  EXPECT_EQ(x, Matrix::Zero(1, 2));
  const Matrix integers = (Matrix(4, 1) << 1, 2, 3, 4).finished();
  const Scaling scaling = Scaling::fit(integers, Vector(), Scale::standard);
  EXPECT_EQ(scaling.shift[0], 2.5);
  EXPECT_DOUBLE_EQ(scaling.factor[0], 1 / std::sqrt(1.25));
}

TEST(Scaling, JsonRoundTripAndNames) {
  const Scaling scaling = Scaling::fit(random_matrix(9, 4, 6), Vector(), Scale::standard);
  const Scaling back = scaling_from_json(nlohmann::json::parse(to_json(scaling).dump()));
  EXPECT_EQ(back.shift, scaling.shift);
  EXPECT_EQ(back.factor, scaling.factor);
  EXPECT_NE(message_of([] { scaling_from_json({{"shift", {1.0}}}); }).find("damaged"), std::string::npos);
  for (const Scale scale : {Scale::none, Scale::standard, Scale::unit})
    EXPECT_EQ(scale_from_name(name_of(scale)), scale);
  EXPECT_EQ(message_of([] { scale_from_name("robust"); }),
            "unknown scale 'robust'; choose none, standard or unit");
}

TEST(Scaling, RefusesWhatDoesNotFit) {
  Matrix x = random_matrix(3, 2, 7);
  EXPECT_EQ(message_of([&] { Scaling::fit(x, Vector::Ones(2), Scale::unit); }),
            "scaling: 2 weights for 3 rows");
  EXPECT_NE(message_of([&] { Scaling::fit(x, Vector::Zero(3), Scale::unit); }).find("all zero"),
            std::string::npos);
  const Scaling scaling = Scaling::fit(x, Vector(), Scale::unit);
  Matrix other(3, 5);
  EXPECT_EQ(message_of([&] { scaling.apply(other); }), "scaling: fitted on 2 columns, given 5");
}

}  // namespace
}  // namespace gnomon::scaling_test
