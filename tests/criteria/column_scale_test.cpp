// The reference of SIC on points is least squares, and least squares does not know the units of the columns.

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <cmath>

#include "gnomon/gnomon.hpp"

namespace gnomon::column_scale_test {
namespace {

using Wide = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;

constexpr double sigma2 = 0.09;
constexpr double scales[] = {1, 1e-4, 1e-8, 1e-12};

/// The last column matters as much as the others; `scale` is its unit.
struct Problem {
  Matrix x{60, 4}, points{25, 4};
  Vector y{60};

  explicit Problem(double scale) {
    Random random(17);
    for (auto& v : x.reshaped()) v = random.normal();
    for (auto& v : points.reshaped()) v = 0.3 + 1.5 * random.normal();
    y = 1 + (x.col(0) - 0.5 * x.col(1) + 2 * x.col(3) + 0.3 * random.normal_vector(60)).array();
    x.col(3) *= scale, points.col(3) *= scale;
  }
  Metric metric() const { return {Metric::Kind::points, metric_points(points), "points"}; }
};

/// Least squares with ridge λ on columns brought to norm 1, in long double: p × rows, L with θ = L y.
Wide operator_of(const Wide& design, long double lambda) {
  const Index n = design.rows(), p = design.cols();
  const Wide inverse = design.colwise().norm().cwiseInverse();
  Wide stacked = Wide::Zero(n + p, p), right = Wide::Zero(n + p, n);
  stacked.topRows(n) = design * inverse.row(0).asDiagonal();
  stacked.bottomRows(p) = std::sqrt(lambda) * Wide(inverse.row(0).asDiagonal());
  right.topRows(n).setIdentity();
  return inverse.row(0).asDiagonal() * Wide(stacked.householderQr().solve(right));
}

/// Σω(f² − 2fr) + 2σ² tr(L Lᵤᵀ), both functions less the mean of the targets.
double slow_sic(const Problem& problem, double lambda) {
  const Wide mean = problem.x.cast<long double>().colwise().mean();
  Wide design = problem.x.cast<long double>(), at = problem.points.cast<long double>(),
       y = problem.y.cast<long double>();
  design.rowwise() -= mean.row(0), at.rowwise() -= mean.row(0), y.array() -= y.mean();
  const Wide fit = at * operator_of(design, lambda), reference = at * operator_of(design, 0);
  const Wide f = fit * y, r = reference * y;
  const long double distance = (f.array() * (f - 2 * r).array()).mean();
  const long double trace = fit.cwiseProduct(reference).sum() / static_cast<long double>(at.rows());
  return static_cast<double>(distance + 2 * static_cast<long double>(sigma2) * trace);
}

double relative(double a, double b) { return std::abs(a - b) / std::max(std::abs(a), std::abs(b)); }

TEST(ColumnScale, SicOnPointsIsThatOfLongDoubles) {
  for (const double scale : scales) {
    const Problem problem(scale);
    const std::vector<double> lambdas{0, 1e-20, 1e-6, 0.1, 10};
    for (const Strategy strategy : {Strategy::full, Strategy::gram}) {
      const Smoother smoother(problem.x, problem.y, Vector(),
                              {.representation = Basis::fit("linear", problem.x),
                               .filter = tikhonov,
                               .strategy = strategy,
                               .needs = {.vectors = true}});
      EXPECT_EQ(smoother.spectrum().values.size(), 4);
      const Vector values =
          judge(smoother, sic, lambdas, {.sigma2 = sigma2, .metric = problem.metric()}).value;
      for (std::size_t k = 0; k < lambdas.size(); ++k)
        EXPECT_LT(relative(values[static_cast<Index>(k)], slow_sic(problem, lambdas[k])), 1e-9)
            << "scale " << scale << ", lambda " << lambdas[k];
    }
  }
}

TEST(ColumnScale, LeastSquaresIsTheSameInEveryUnit) {
  const std::vector<double> none{0};
  Vector fitted;
  double of_smoother = undefined, of_path = undefined, noise = undefined;
  for (const double scale : scales) {
    const Problem problem(scale);
    const Smoother smoother(
        problem.x, problem.y, Vector(),
        {.representation = Basis::fit("linear", problem.x), .filter = tikhonov, .needs = {.vectors = true}});
    const PathLearner path(std::make_shared<const Matrix>(problem.x), problem.y, Vector::Ones(60),
                           {.representation = Basis::fit("linear", problem.x),
                            .solver = weighted_ridge,
                            .importance = Vector::LinSpaced(60, 0.5, 1.5)});
    const JudgeOptions options{.sigma2 = sigma2, .metric = problem.metric()};
    const double first = judge(smoother, sic, none, options).value[0];
    const double second = judge(path, sic, none, options).value[0];
    const double variance = least_squares_variance(smoother.spectrum(), 0);
    if (scale == 1) fitted = smoother.fitted(0, 0), of_smoother = first, of_path = second, noise = variance;
    EXPECT_LT((smoother.fitted(0, 0) - fitted).norm(), 1e-9 * fitted.norm()) << scale;
    EXPECT_LT(relative(first, of_smoother), 1e-9) << scale;
    EXPECT_LT(relative(second, of_path), 1e-9) << scale;
    EXPECT_LT(relative(variance, noise), 1e-9) << scale;
  }
}

// Where the columns depend on each other the reference is the shortest one in the units given, large or small.
TEST(ColumnScale, DependentColumnsGiveTheShortestLeastSquares) {
  for (const double scale : scales) {
    Problem problem(scale);
    problem.x.col(2) = 3 * problem.x.col(0);  // the shortest has β₂ = 3β₀
    const Smoother smoother(problem.x, problem.y, Vector(),
                            {.representation = Basis::fit("linear", problem.x), .filter = tikhonov});
    EXPECT_EQ(smoother.spectrum().values.size(), 3);
    const Vector beta = smoother.coefficients(0, 0);
    EXPECT_NEAR(beta[2], 3 * beta[0], 1e-10) << scale;
    Problem three(scale);
    three.x.col(2).setZero();
    const Smoother fewer(three.x, three.y, Vector(),
                         {.representation = Basis::fit("linear", three.x), .filter = tikhonov});
    EXPECT_LT((smoother.fitted(0, 0) - fewer.fitted(0, 0)).norm(), 1e-8) << scale;
  }
}

}  // namespace
}  // namespace gnomon::column_scale_test
