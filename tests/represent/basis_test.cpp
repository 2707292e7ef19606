#include "gnomon/represent/basis.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <numbers>

#include "gnomon/core/error.hpp"
#include "gnomon/core/random.hpp"

namespace gnomon::basis_test {
namespace {

Matrix normal_matrix(Index n, Index d, std::uint64_t seed) {
  Random random(seed);
  Matrix x(n, d);
  for (Index k = 0; k < d; ++k) x.col(k) = random.normal_vector(n);
  return x;
}

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Basis, LinearIsTheColumns) {
  const Matrix x = normal_matrix(7, 3, 1);
  EXPECT_EQ(Basis::fit("linear", x).design(x), x);
}

TEST(Basis, PolynomialTakesPowersColumnByColumn) {
  const Matrix x = normal_matrix(9, 2, 2);
  const Matrix phi = Basis::fit("polynomial:3", x).design(x);
  ASSERT_EQ(phi.cols(), 6);
  for (Index j = 0; j < 2; ++j)
    for (int k = 1; k <= 3; ++k)
      EXPECT_TRUE(phi.col(3 * j + k - 1).isApprox(x.col(j).array().pow(k).matrix(), 1e-14));
}

TEST(Basis, FourierSpansHalfAPeriodOfTheTrainingRange) {
  Matrix x(5, 2);
  x.col(0) << 10, 11, 12, 13, 14;
  x.col(1).setConstant(3);  // without a range
  const Matrix phi = Basis::fit("fourier:2", x).design(x);
  ASSERT_EQ(phi.cols(), 8);
  for (Index i = 0; i < 5; ++i) {
    const double t = -std::numbers::pi / 2 + std::numbers::pi * static_cast<double>(i) / 4;
    EXPECT_NEAR(phi(i, 0), std::sin(t), 1e-15);
    EXPECT_NEAR(phi(i, 1), std::cos(t), 1e-15);
    EXPECT_NEAR(phi(i, 2), std::sin(2 * t), 1e-15);
    EXPECT_NEAR(phi(i, 3), std::cos(2 * t), 1e-15);
  }
  EXPECT_TRUE(phi.allFinite());
  EXPECT_NE(phi(0, 0), phi(4, 0));
}

TEST(Basis, GaussianCentresSpreadOverTheTrainingRows) {
  Matrix x(7, 1);
  x << 0, 1, 2, 3, 4, 5, 6.5;  // mean 3.07
  const Basis basis = Basis::fit("gaussian:3", x);
  EXPECT_EQ(basis.centres().col(0), Vector(Eigen::Vector3d(3, 6.5, 0)));
  EXPECT_DOUBLE_EQ(basis.width(), 3.5);  // of the distances 3, 3.5, 6.5
  const Matrix phi = basis.design(x);
  EXPECT_EQ(phi(3, 0), 1);
  EXPECT_NEAR(phi(0, 1), std::exp(-6.5 * 6.5 / (2 * 3.5 * 3.5)), 1e-15);
  EXPECT_NEAR(Basis::fit("gaussian:3", x, 2.0).design(x)(0, 1), std::exp(-6.5 * 6.5 / 8), 1e-15);
}

TEST(Basis, GaussianNeedsAsManyDistinctRows) {
  Matrix x = Matrix::Zero(10, 2);
  x(3, 0) = 1, x(6, 1) = 2;
  EXPECT_NO_THROW(Basis::fit("gaussian:3", x));
  const auto message = message_of([&] { Basis::fit("gaussian:4", x); });
  EXPECT_NE(message.find("only 3 distinct rows"), std::string::npos) << message;
  EXPECT_GT(Basis::fit("gaussian:1", x).width(), 0);
}

TEST(Basis, JsonGivesTheSameDesign) {
  const Matrix x = normal_matrix(30, 3, 4), fresh = normal_matrix(12, 3, 5);
  for (const std::string spec : {"linear", "polynomial:4", "fourier:3", "gaussian:6"}) {
    const Basis basis = Basis::fit(spec, x);
    const Basis back = Basis::from_json(nlohmann::json::parse(basis.to_json().dump()));
    EXPECT_EQ(back.spec(), spec);
    EXPECT_EQ(back.design(fresh), basis.design(fresh));
    EXPECT_EQ(basis.design(fresh).cols(), basis.size());
    EXPECT_EQ(static_cast<Index>(basis.names({"a", "b", "c"}).size()), basis.size());
  }
  auto damaged = Basis::fit("gaussian:6", x).to_json();
  damaged["centres"].erase(0);
  EXPECT_NE(message_of([&] { Basis::from_json(damaged); }).find("damaged"), std::string::npos);
  EXPECT_THROW(Basis::from_json(nlohmann::json::object()), Error);
}

TEST(Basis, NamesSayWhatTheColumnsAre) {
  const Matrix x = normal_matrix(5, 1, 6);
  using Names = std::vector<std::string>;
  EXPECT_EQ(Basis::fit("linear", x).names({"age"}), Names({"age"}));
  EXPECT_EQ(Basis::fit("polynomial:2", x).names({"age"}), Names({"age", "age^2"}));
  EXPECT_EQ(Basis::fit("fourier:2", x).names({"age"}),
            Names({"sin(age)", "cos(age)", "sin(2 age)", "cos(2 age)"}));
  EXPECT_EQ(Basis::fit("gaussian:2", x).names({"age"}), Names({"bump 1", "bump 2"}));
}

TEST(Basis, BadRequestsAreExplained) {
  const Matrix x = normal_matrix(5, 2, 7);
  const auto message = message_of([&] { Basis::fit("furier:3", x); });
  EXPECT_NE(message.find("did you mean 'fourier'"), std::string::npos) << message;
  for (const auto* spec : {"polynomial", "polynomial:0", "fourier:x", "gaussian:2.5", "linear:2"})
    EXPECT_THROW(Basis::fit(spec, x), UsageError) << spec;
  EXPECT_THROW(Basis::fit("linear", x).design(Matrix::Ones(3, 4)), Error);
  EXPECT_THROW(Basis::fit("linear", Matrix(0, 2)), Error);
}

TEST(Basis, OnSomeColumnsItIsTheBasisOfThese) {
  const Matrix x = normal_matrix(30, 4, 21), fresh = normal_matrix(8, 4, 22);
  const std::vector<Index> columns{0, 2};
  const std::vector<std::string> features{"a", "b", "c", "d"}, picked{"a", "c"};
  for (const char* spec : {"linear", "polynomial:3", "fourier:2", "gaussian:5"}) {
    const Basis some = Basis::fit_on(columns, spec, x), alone = Basis::fit(spec, x(Eigen::all, columns));
    EXPECT_EQ(some.design(fresh), alone.design(fresh(Eigen::all, columns))) << spec;
    EXPECT_EQ(some.names(features), alone.names(picked)) << spec;
    EXPECT_EQ(some.size(), alone.size()) << spec;
    EXPECT_EQ(some.spec(), spec);
    EXPECT_FALSE(some.is_identity());
    const Basis read = Basis::from_json(some.to_json());
    EXPECT_EQ(read.columns(), columns);
    EXPECT_EQ(read.design(fresh), some.design(fresh)) << spec;
    // Columns that it does not use may go.
    EXPECT_EQ(some.of_inputs({0, 2}).design(fresh(Eigen::all, columns)), some.design(fresh)) << spec;
    EXPECT_TRUE(some.of_inputs({0, 2}).columns().empty());
    const Matrix three = fresh(Eigen::all, std::vector<Index>{0, 1, 2});
    EXPECT_EQ(some.of_inputs({0, 1, 2}).design(three), some.design(fresh)) << spec;
    EXPECT_NE(message_of([&] { some.of_inputs({0, 1}); }).find("every one that it uses"), std::string::npos);
    EXPECT_NE(message_of([&] { some.design(three); }).find("fitted to 4"), std::string::npos);
  }
}

TEST(Basis, AllColumnsNamedAreNoSubset) {
  const Matrix x = normal_matrix(9, 2, 23);
  const Basis all = Basis::fit_on({0, 1}, "linear", x);
  EXPECT_TRUE(all.is_identity() && all.columns().empty());
  EXPECT_FALSE(all.to_json().contains("columns"));
}

TEST(Basis, ColumnsThatAreNotThereAreRefused) {
  const Matrix x = normal_matrix(9, 3, 24);
  for (const std::vector<Index>& wrong :
       std::vector<std::vector<Index>>{{}, {3}, {-1}, {1, 0}, {1, 1}, {0, 1, 2, 3}})
    EXPECT_NE(message_of([&] { Basis::fit_on(wrong, "linear", x); }).find("ascending, each once"),
              std::string::npos);
}

}  // namespace
}  // namespace gnomon::basis_test
