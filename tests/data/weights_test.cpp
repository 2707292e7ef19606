#include "gnomon/data/weights.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gnomon/core/error.hpp"

namespace gnomon::weights_test {
namespace {

TEST(EffectiveSampleSize, CountsEqualWeightsAndIgnoresScale) {
  EXPECT_DOUBLE_EQ(effective_sample_size(Vector::Constant(7, 0.3)), 7);
  EXPECT_DOUBLE_EQ(effective_sample_size(Vector{{0, 2, 0, 2}}), 2);
  EXPECT_DOUBLE_EQ(effective_sample_size(Vector{{0, 0, 5}}), 1);
  EXPECT_DOUBLE_EQ(effective_sample_size(Vector{{1, 3}}), 16.0 / 10);
  EXPECT_DOUBLE_EQ(effective_sample_size(Vector{{1e200, 3e200}}), 16.0 / 10);
  EXPECT_TRUE(std::isnan(effective_sample_size(Vector::Zero(3))));
  EXPECT_TRUE(std::isnan(effective_sample_size(Vector())));
}

TEST(Flattened, ZeroToTheZeroIsOneAndAnyOtherExponentDropsZeros) {
  const Vector w{{0, 4, 1}};
  EXPECT_EQ(flattened(w, 0), Vector::Ones(3));
  EXPECT_EQ(flattened(w, 0.5), (Vector{{0, 2, 1}}));
  EXPECT_EQ(flattened(w, 1e-12)[0], 0);
  EXPECT_EQ(flattened(w, 1), w);
  EXPECT_THROW(flattened(w, -0.5), Error);
  EXPECT_THROW(flattened(w, std::nan("")), Error);
}

TEST(CheckWeights, NamesTheCulprit) {
  try {
    check_weights(Vector{{1, -2}});
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "weight 2 is -2: weights must be finite and 0 or more");
  }
  EXPECT_THROW(check_weights(Vector::Zero(3)), Error);
  EXPECT_THROW(check_weights(Vector{{1, std::nan("")}}), Error);
  EXPECT_NO_THROW(check_weights(Vector{{0, 1}}));
}

}  // namespace
}  // namespace gnomon::weights_test
