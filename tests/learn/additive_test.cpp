#include "gnomon/learn/additive.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <string>

#include "gnomon/core/error.hpp"
#include "gnomon/core/random.hpp"

namespace gnomon::additive_test {
namespace {

struct Problem {
  Matrix x;
  Vector y, shift, weight;
  bool intercept;

  SolverDesign design() const { return {std::make_shared<Matrix>(x), weight, intercept}; }
  Vector weights() const { return weight.size() ? weight : Vector::Ones(y.size()); }
  Matrix extended() const {
    Matrix e(x.rows(), x.cols() + (intercept ? 1 : 0));
    e.leftCols(x.cols()) = x;
    if (intercept) e.rightCols(1).setOnes();
    return e;
  }
  /// (Φ̃ᵀWΦ̃ + λI′)⁻¹Φ̃ᵀW
  Matrix map(double lambda) const {
    const Matrix e = extended(), ew = e.transpose() * weights().asDiagonal();
    Matrix h = ew * e;
    for (Index j = 0; j < x.cols(); ++j) h(j, j) += lambda;
    return h.ldlt().solve(ew);
  }
};

Problem make(bool intercept, bool weighted) {
  Random random(17);
  Problem problem{Matrix(25, 4), random.normal_vector(25), random.normal_vector(25), Vector(), intercept};
  for (Index j = 0; j < 4; ++j) problem.x.col(j) = random.uniform_vector(25, 0, 3);
  problem.y.array() += 5;
  if (weighted) problem.weight = random.uniform_vector(25, 0.5, 4);
  return problem;
}

TEST(Additive, AgreesWithTheNormalEquations) {
  for (const bool intercept : {false, true})
    for (const bool weighted : {false, true}) {
      const Problem problem = make(intercept, weighted);
      const Additive additive(problem.design(), problem.shift);
      EXPECT_EQ(additive.dependence(), Dependence::affine);
      const std::vector<double> lambdas{0, 0.3, 10};
      const auto fits = additive.path(problem.y, lambdas);
      Random random(5);
      Matrix m(25, 5);
      for (Index j = 0; j < 5; ++j) m.col(j) = random.normal_vector(25);
      for (std::size_t k = 0; k < lambdas.size(); ++k) {
        const Matrix l = problem.map(lambdas[k]);
        const Vector theta = l * (problem.y + problem.shift), f = problem.extended() * theta;
        EXPECT_LT((fits[k].coefficients - theta.head(4)).norm(), 1e-11);
        EXPECT_NEAR(fits[k].offset, intercept ? theta[4] : 0, 1e-11);
        EXPECT_NEAR(fits[k].rss, problem.weights().dot((problem.y - f).cwiseAbs2()), 1e-10);
        EXPECT_NEAR(fits[k].objective,
                    problem.weights().dot((f - problem.y - problem.shift).cwiseAbs2()) +
                        lambdas[k] * theta.head(4).squaredNorm(),
                    1e-10);
        EXPECT_NEAR(fits[k].df, (problem.extended() * l).trace(), 1e-11);
        EXPECT_NEAR(additive.trace(fits[k], m), (l * m.leftCols(l.rows())).trace(), 1e-10);
        EXPECT_LT(fits[k].gap, 1e-13);
        EXPECT_TRUE(fits[k].unique);
        const PathFit again = additive.refit(problem.y, lambdas[k], fits[0]);
        EXPECT_EQ(again.coefficients, fits[k].coefficients);
      }
    }
}

TEST(Additive, IsAffineWithAConstantThatTheShiftDecides) {
  const Problem problem = make(true, true);
  const Additive additive(problem.design(), problem.shift);
  const Vector other = Random(3).normal_vector(25);
  const auto at = [&](const Vector& y) { return additive.refit(y, 2, {}).coefficients; };
  EXPECT_LT((at(problem.y + other) - at(problem.y) - at(other) + at(Vector::Zero(25))).norm(), 1e-12);
  EXPECT_LT((at(Vector::Zero(25)) - problem.map(2).topRows(4) * problem.shift).norm(), 1e-12);
}

TEST(Additive, AnInterceptAbsorbsAConstantShift) {
  const Problem problem = make(true, true);
  const PathFit plain = Additive(problem.design(), Vector::Zero(25)).refit(problem.y, 1, {});
  const PathFit shifted = Additive(problem.design(), Vector::Constant(25, 3.0)).refit(problem.y, 1, {});
  EXPECT_LT((plain.coefficients - shifted.coefficients).norm(), 1e-12);
  EXPECT_NEAR(shifted.offset, plain.offset + 3, 1e-12);
  const Problem bare = make(false, false);
  EXPECT_GT((Additive(bare.design(), Vector::Zero(25)).refit(bare.y, 1, {}).coefficients -
             Additive(bare.design(), Vector::Constant(25, 3.0)).refit(bare.y, 1, {}).coefficients)
                .norm(),
            0.1);
}

TEST(Additive, WideAndDeficientDesignsTakeThePseudoInverse) {
  Random random(9);
  Problem problem{Matrix(6, 15), random.normal_vector(6), random.normal_vector(6), Vector(), false};
  for (Index j = 0; j < 15; ++j) problem.x.col(j) = random.normal_vector(6);
  problem.x.col(14) = problem.x.col(0);
  const Additive additive(problem.design(), problem.shift);
  const PathFit fit = additive.refit(problem.y, 0, {});
  const Vector least = problem.x.completeOrthogonalDecomposition().solve(problem.y + problem.shift);
  EXPECT_LT((fit.coefficients - least).norm(), 1e-12);
  EXPECT_FALSE(fit.unique);
  EXPECT_NEAR(fit.df, 6, 1e-12);
  EXPECT_TRUE(additive.refit(problem.y, 1e-2, {}).unique);
}

TEST(Additive, GridRunsFromNullToLeastSquares) {
  const Problem problem = make(true, false);
  const Additive additive(problem.design(), problem.shift);
  const auto grid = additive.automatic_grid(problem.y);
  const auto fits = additive.path(problem.y, grid);
  EXPECT_NEAR(fits.front().df, 5, 0.011);
  EXPECT_NEAR(fits.back().df, 1, 0.011);
  EXPECT_TRUE(std::is_sorted(grid.begin(), grid.end()));
}

TEST(ShiftShape, FamiliesHaveUnitMeanSquareAndTheRightForm) {
  Random random(2);
  Matrix x(30, 2);
  for (Index j = 0; j < 2; ++j) x.col(j) = random.uniform_vector(30, -5, 1);
  for (const auto& family : shift_families()) {
    const Vector shape = shift_shape(family, x, 30);
    EXPECT_NEAR(shape.squaredNorm() / 30, 1, 1e-12) << family;
  }
  EXPECT_EQ(shift_shape("constant", Matrix(0, 0), 3), Vector::Ones(3));
  // P₂(t) = (3t² − 1)/2 at t = −1, −1/2, 0, 1/2, 1, and P₃ = (5t³ − 3t)/2.
  Vector second(5), third(5);
  second << 1, -0.125, -0.5, -0.125, 1;
  third << -1, 0.4375, 0, -0.4375, 1;
  EXPECT_LT((shift_shape("index:2", Matrix(0, 0), 5) - second * std::sqrt(5.0) / second.norm()).norm(),
            1e-12);
  EXPECT_LT((shift_shape("index:3", Matrix(0, 0), 5) - third * std::sqrt(5.0) / third.norm()).norm(), 1e-12);
  // One column: in its value, not its order. Moving or stretching it changes nothing.
  const Matrix column = x.leftCols(1);
  const Vector linear = shift_shape("x:1", column, 30);
  EXPECT_NEAR((linear[3] - linear[4]) / (linear[5] - linear[4]),
              (column(3, 0) - column(4, 0)) / (column(5, 0) - column(4, 0)), 1e-10);
  EXPECT_LT(
      (shift_shape("x:4", (column.array() * 100 + 7).matrix(), 30) - shift_shape("x:4", column, 30)).norm(),
      1e-9);
  // Several columns: their units do not matter.
  Matrix stretched = x;
  stretched.col(1) *= 1000;
  EXPECT_LT((shift_shape("x:1", stretched, 30) - shift_shape("x:1", x, 30)).norm(), 1e-10);
}

TEST(ShiftShape, WeightKIsTheRowRepeatedKTimes) {
  Random random(5);
  const Index n = 12;
  for (const Index columns : {1, 3}) {
    Matrix x(n, columns);
    for (Index j = 0; j < columns; ++j) x.col(j) = random.normal_vector(n);
    Vector weight(n);
    std::vector<Index> rows;
    for (Index i = 0; i < n; ++i) {
      weight[i] = static_cast<double>(1 + i % 3);
      rows.insert(rows.end(), static_cast<std::size_t>(1 + i % 3), i);
    }
    const Matrix repeated = x(rows, Eigen::all);
    for (const char* family : {"constant", "x:1", "x:3"}) {
      const Vector shape = shift_shape(family, x, n, weight);
      EXPECT_LT((Vector(shape(rows)) - shift_shape(family, repeated, repeated.rows())).norm(), 1e-12)
          << family;
    }
    EXPECT_NEAR(weight.dot(shift_shape("index:2", x, n, weight).cwiseAbs2()), weight.sum(), 1e-12);
  }
  EXPECT_THROW(shift_shape("x:1", Matrix::Ones(4, 1), 4, Vector::Ones(3)), Error);
}

template <class Body>
std::string usage_message(Body body) {
  try {
    body();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(ShiftShape, RefusesWithReasons) {
  EXPECT_NE(usage_message([] { check_shift_family("free"); }).find("does not involve the shift"),
            std::string::npos);
  const std::string unknown = usage_message([] { check_shift_family("indx:2"); });
  EXPECT_NE(unknown.find("did you mean 'index:2'"), std::string::npos) << unknown;
  EXPECT_NE(unknown.find("constant, index:1"), std::string::npos) << unknown;
  EXPECT_NE(usage_message([] { check_shift_family("x:6"); }), "");
  EXPECT_NE(usage_message([] { check_shift_family("x"); }), "");
  EXPECT_NO_THROW(check_shift_family("x:5"));
  EXPECT_THROW(shift_shape("x:1", Matrix::Ones(4, 1), 4), Error);
  EXPECT_THROW(shift_shape("x:1", Matrix::Ones(3, 1), 4), Error);
  EXPECT_THROW(shift_shape("index:1", Matrix(0, 0), 1), Error);
  EXPECT_THROW(Additive({std::make_shared<Matrix>(Matrix::Ones(4, 1)), {}, false}, Vector::Ones(3)), Error);
}

}  // namespace
}  // namespace gnomon::additive_test
