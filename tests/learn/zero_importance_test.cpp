// Importance weights that are zero for some rows: the solver sees the others alone, and everything that is numbered by row
// must find its way back.

#include <gtest/gtest.h>

#include "gnomon/gnomon.hpp"

namespace gnomon::zero_importance_test {
namespace {

struct Problem {
  Matrix x{40, 2};
  Vector y{40}, importance{40};

  Problem() {
    Random random(11);
    for (Index j = 0; j < 2; ++j) x.col(j) = random.normal_vector(40);
    y = x.col(0) - 0.5 * x.col(1) + 0.4 * random.normal_vector(40);
    for (Index i = 0; i < 40; ++i) importance[i] = i % 3 == 0 ? 0 : 0.5 + random.uniform();
  }
  PathLearner learner(const SolverFactory& solver) const {
    return PathLearner(
        std::make_shared<const Matrix>(x), y, importance,
        {.representation = Basis::fit("linear", x), .solver = solver, .importance = importance});
  }
  /// The same fit by the solver itself, on the rows that count.
  PathFit alone(const SolverFactory& solver, double lambda, std::vector<Index>& rows) const {
    for (Index i = 0; i < 40; ++i) {
      if (importance[i] > 0) rows.push_back(i);
    }
    const SolverDesign design{std::make_shared<const Matrix>(x(rows, Eigen::all)), Vector(importance(rows)),
                              true};
    return solver(design, nullptr)->path(Vector(y(rows)), std::vector<double>{lambda}).front();
  }
};

const SolverFactory huber_solver = [](const SolverDesign& design, const CentredGram*) -> PathSolverPtr {
  return std::make_unique<Huber>(design, HuberOptions{.tau = 0.2});
};
const SolverFactory lasso_solver = [](const SolverDesign& design, const CentredGram*) -> PathSolverPtr {
  return std::make_unique<ElasticNet>(design, ElasticNetOptions{});
};

TEST(ZeroImportance, ActiveRowsKeepTheirNumbers) {
  const Problem problem;
  const PathLearner learner = problem.learner(huber_solver);
  std::vector<Index> rows;
  const PathFit expected = problem.alone(huber_solver, 1, rows);
  const PathFit& fit = learner.path(std::vector<double>{1}, 0).front();
  ASSERT_EQ(fit.active.size(), expected.active.size());
  for (std::size_t k = 0; k < fit.active.size(); ++k)
    EXPECT_EQ(fit.active[k], rows[static_cast<std::size_t>(expected.active[k])]);
  EXPECT_LT((fit.coefficients - expected.coefficients).norm(), 1e-12);
}

TEST(ZeroImportance, TheDivergenceIsTheDerivative) {
  const Problem problem;
  Random random(3);
  Matrix m(40, 3);
  for (Index j = 0; j < 3; ++j) m.col(j) = random.normal_vector(40);
  for (const auto& solver : {huber_solver, lasso_solver}) {
    const PathLearner learner = problem.learner(solver);
    const PathFit fit = learner.path(std::vector<double>{2}, 0).front();
    double differences = 0;
    for (Index i = 0; i < 40; ++i) {
      const double step = 1e-6;
      Vector up = problem.y, down = problem.y;
      up[i] += step;
      down[i] -= step;
      const Vector change = (learner.parameters_of(learner.refit(up, 2, fit)) -
                             learner.parameters_of(learner.refit(down, 2, fit))) /
                            (2 * step);
      differences += change.dot(m.row(i).transpose());
    }
    EXPECT_NEAR(learner.divergence(fit, 0, {}, [&] { return m; }), differences, 1e-5);
  }
}

TEST(ZeroImportance, GridsAreMadeFromTheRowsInUse) {
  const Problem problem;
  for (const auto& solver : {huber_solver, lasso_solver}) {
    const auto grid = problem.learner(solver).automatic_grid();
    EXPECT_GT(grid.size(), 10u);
    EXPECT_TRUE(std::is_sorted(grid.begin(), grid.end()));
  }
}

}  // namespace
}  // namespace gnomon::zero_importance_test
