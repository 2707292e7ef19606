// A design that spans nothing.

#include <gtest/gtest.h>

#include "decompose/decomposition.hpp"

namespace gnomon::zero_design_test {
namespace {

TEST(ZeroDesign, HasACoefficientPerColumn) {
  const Matrix y = Vector{{1.0, -2.0, 0.5, 3.0}};
  for (const Index columns : {2, 6}) {
    for (const bool intercept : {false, true}) {
      const auto zeros = decompose_design(Matrix::Zero(4, columns), WeightedRows(4, Vector(), intercept), y);
      EXPECT_EQ(zeros->coefficients(tikhonov, 0.5, 0), Vector::Zero(columns)) << intercept;
    }
  }
}

}  // namespace
}  // namespace gnomon::zero_design_test
