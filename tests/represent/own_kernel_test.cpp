// Kernels from outside the library.

#include "gnomon/represent/own_kernel.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "gnomon/core/error.hpp"
#include "gnomon/core/random.hpp"
#include "represent/gram.hpp"

namespace gnomon::own_kernel_test {
namespace {

struct OwnGaussian {
  double width = 1;
  static constexpr std::string_view name = "own-gaussian";
  double operator()(double squared_distance) const {
    return exponential(squared_distance * (-0.5 / (width * width)));
  }
};

struct OwnSquare {
  static constexpr std::string_view name = "own-square";
  static constexpr bool of_inner_product = true;
  double operator()(double inner_product) const { return (1 + inner_product) * (1 + inner_product); }
};

/// A function of two rows, not of their distance: a Gaussian of the first input, times the product of the others.
struct OwnMixed {
  double width = 1;
  std::string name = "own-mixed";
  double operator()(std::span<const double> x, std::span<const double> z) const {
    double product = 0;
    for (std::size_t k = 1; k < x.size(); ++k) product += x[k] * z[k];
    return std::exp(-(x[0] - z[0]) * (x[0] - z[0]) / (2 * width * width)) * product;
  }
};

/// 1 − ‖x−x'‖² where that is positive: its Fourier transform changes sign.
struct Parabola {
  static constexpr std::string_view name = "parabola";
  double operator()(double squared_distance) const { return std::max(0.0, 1 - squared_distance); }
};

struct Leaning {
  static constexpr std::string_view name = "leaning";
  double operator()(std::span<const double> x, std::span<const double> z) const {
    return std::exp(-std::abs(x[0] - z[0])) * (x[0] < z[0] ? 1 : 0.5);
  }
};

struct Logarithm {
  static constexpr std::string_view name = "logarithm";
  double operator()(double squared_distance) const { return std::log(squared_distance); }
};

Matrix some_inputs(Index rows, Index columns) {
  Random random(3);
  Matrix x(rows, columns);
  for (Index j = 0; j < columns; ++j) x.col(j) = random.normal_vector(rows);
  return x;
}

template <class K>
Kernel own(K kernel) {
  return OwnKernel(std::move(kernel));
}

double largest_difference(const Matrix& a, const Matrix& b) { return (a - b).cwiseAbs().maxCoeff(); }

/// Ours are compiled for several instruction sets, which round the last digit differently.
TEST(OwnKernel, HasTheMatrixOfItsFunction) {
  for (const Index rows : {1, 7, 130, 300}) {
    const Matrix x = some_inputs(rows, 3), points = some_inputs(rows / 2 + 1, 3);
    EXPECT_LE(largest_difference(gram(own(OwnGaussian{1.3}), x), gram(Gaussian{1.3}, x)), 4e-16);
    EXPECT_LE(largest_difference(cross_gram(own(OwnGaussian{1.3}), points, x),
                                 cross_gram(Gaussian{1.3}, points, x)),
              4e-16);
    EXPECT_LE(largest_difference(gram(own(OwnSquare{}), x), gram(Polynomial{1, 2}, x)), 1e-13);
    const OwnMixed mixed{0.7};
    const Matrix k = gram(own(mixed), x), across = cross_gram(own(mixed), points, x);
    EXPECT_EQ(k, k.transpose());
    const auto row_of = [](const Matrix& m, Index i) {
      const Vector row = m.row(i).transpose();
      return std::vector<double>(row.begin(), row.end());
    };
    for (Index i = 0; i < rows; ++i) {
      for (Index j = 0; j <= i; ++j) EXPECT_EQ(k(i, j), mixed(row_of(x, i), row_of(x, j)));
      for (Index j = 0; j < points.rows(); ++j)
        EXPECT_EQ(across(j, i), mixed(row_of(points, j), row_of(x, i)));
    }
  }
}

TEST(OwnKernel, KeepsItsNameAndTakesWidths) {
  const Kernel gaussian = own(OwnGaussian{2}), square = own(OwnSquare{});
  EXPECT_EQ(kernel_spec(gaussian), "own-gaussian");
  EXPECT_EQ(describe(gaussian), "own-gaussian (width 2)");
  EXPECT_EQ(describe(square), "own-square");
  EXPECT_EQ(width_of(with_width(gaussian, 0.5)), 0.5);
  EXPECT_EQ(width_of(gaussian), 2);
  EXPECT_FALSE(width_of(square).has_value());
  EXPECT_FALSE(width_of(with_width(square, 0.5)).has_value());
  EXPECT_THROW(with_width(gaussian, 0), UsageError);
  EXPECT_THROW(OwnKernel(OwnMixed{.name = ""}), Error);
}

std::string complaint(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(OwnKernel, CannotBeWrittenToAFile) {
  EXPECT_EQ(complaint([] { kernel_to_json(own(OwnGaussian{})); }),
            "kernel 'own-gaussian' cannot be saved to a file: it is not one of gnomon's, and who reads the "
            "file would "
            "not have its function; predict in the program that brings it");
}

TEST(OwnKernel, IsCheckedOnTheRows) {
  const Matrix x = some_inputs(700, 2);
  EXPECT_EQ(complaint([&] { check_kernel(own(OwnGaussian{1}), x); }), "accepted");
  EXPECT_EQ(complaint([&] { check_kernel(own(OwnGaussian{100}), x); }), "accepted");  // numerically singular
  EXPECT_EQ(complaint([&] { check_kernel(own(OwnMixed{}), x); }), "accepted");
  EXPECT_EQ(complaint([&] { check_kernel(own(OwnSquare{}), x); }), "accepted");
  EXPECT_NE(complaint([&] {
              check_kernel(own(Parabola{}), x);
            }).find("kernel 'parabola' is not positive semidefinite on these inputs"),
            std::string::npos);
  EXPECT_NE(complaint([&] { check_kernel(own(Leaning{}), x); }).find("kernel 'leaning' is not symmetric"),
            std::string::npos);
  for (const auto& form : std::vector<std::function<void()>>{[&] { check_kernel(own(Logarithm{}), x); },
                                                             [&] { gram(own(Logarithm{}), x); },
                                                             [&] { cross_gram(own(Logarithm{}), x, x); }})
    EXPECT_EQ(complaint(form), "kernel 'logarithm' is infinite or not a number for some pair of rows");
}

}  // namespace
}  // namespace gnomon::own_kernel_test
