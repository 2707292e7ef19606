// Least squares on folds whose training rows lose rank: the shortest coefficients, as on all rows.

#include <gtest/gtest.h>

#include <Eigen/QR>

#include "gnomon/gnomon.hpp"

namespace gnomon::fold_rank_test {
namespace {

struct Problem {
  Matrix x;
  Vector y, weight;
  Folds folds;
};

/// The last column is constant but for two rows of fold 1, the one before the sum of two others but for a row of fold 0: without
/// the fold such a column says nothing new. `mean` lies under the first column, `unit` under the second.
Problem problem(Index rows, Index columns, double mean, double unit, bool weighted) {
  Random random(31);
  Problem p{Matrix(rows, columns), Vector(rows), {}, {}};
  for (auto& v : p.x.reshaped()) v = random.normal();
  p.folds = {std::vector<int>(static_cast<std::size_t>(rows)), 5};
  for (Index i = 0; i < rows; ++i) p.folds.of_row[static_cast<std::size_t>(i)] = static_cast<int>(i % 5);
  p.y = p.x.col(0) - 0.7 * p.x.col(1) + 0.2 * random.normal_vector(rows);
  p.x.col(0).array() += mean;
  p.x.col(1) *= unit;
  p.x.col(columns - 2) = p.x.col(0) + p.x.col(2);
  p.x.col(columns - 1).setConstant(0.7);
  p.x(0, columns - 2) += 1, p.x(1, columns - 1) += 1, p.x(6, columns - 1) += 3;
  p.y[0] += 2, p.y[1] -= 1, p.y[6] -= 3;
  if (weighted) {
    p.weight.resize(rows);
    for (auto& w : p.weight) w = 0.5 + random.uniform();
  }
  return p;
}

/// Σ w e² of every fold, by a complete orthogonal decomposition of its centred training rows in long double. The unit of
/// the second column is undone first where that changes nothing: the columns are independent then.
Vector refits(const Problem& p, double unit) {
  using Wide = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
  Wide x = p.x.cast<long double>();
  x.col(1) /= static_cast<long double>(unit);
  const Wide y = p.y.cast<long double>();
  Vector sums(p.folds.count);
  for (int f = 0; f < p.folds.count; ++f) {
    std::vector<Index> train, held;
    for (Index i = 0; i < x.rows(); ++i)
      (p.folds.of_row[static_cast<std::size_t>(i)] == f ? held : train).push_back(i);
    const Wide w = p.weight.size() ? Wide(p.weight.cast<long double>()) : Wide::Ones(x.rows(), 1);
    const Wide wt = w(train, 0), root = wt.cwiseSqrt();
    Wide a = x(train, Eigen::all), b = y(train, 0);
    const Wide mean = wt.transpose() * a / wt.sum();
    const long double y_mean = (wt.transpose() * b)(0, 0) / wt.sum();
    a.rowwise() -= mean.row(0), b.array() -= y_mean;
    Eigen::CompleteOrthogonalDecomposition<Wide> solver;
    solver.setThreshold(1e-10L);
    solver.compute(root.col(0).asDiagonal() * a);
    const Wide beta = solver.solve(root.col(0).asDiagonal() * b);
    Wide inputs = x(held, Eigen::all);
    inputs.rowwise() -= mean.row(0);
    const Wide e = (Wide(y(held, 0)) - inputs * beta).array() - y_mean;
    sums[f] = static_cast<double>((w(held, 0).array() * e.array().square()).sum());
  }
  return sums;
}

void expect_refits(const FoldErrors& errors, const Vector& wanted, const std::string& what) {
  for (Index f = 0; f < wanted.size(); ++f)
    EXPECT_NEAR(errors.sums(f, 0) / wanted[f], 1, 1e-8) << what << ", fold " << f;
}

TEST(FoldRank, LeastSquaresIsTheShortest) {
  const std::vector<double> none{0};
  for (const auto& [rows, columns] : {std::pair<Index, Index>{40, 6}, {40, 45}, {1000, 6}}) {
    for (const double mean : {0.0, 1e4}) {
      for (const double unit : {1.0, 1e-8}) {
        if (unit < 1 && columns > 20) continue;  // dependent columns: the shortest depends on the unit
        for (const bool weighted : {false, true}) {
          const Problem p = problem(rows, columns, mean, unit, weighted);
          const Vector wanted = refits(p, unit);
          const std::string of = fmt::format("{} rows, {} columns, mean {}, unit {}, weighted {}", rows,
                                             columns, mean, unit, weighted);
          const Basis basis = Basis::fit("linear", p.x);
          const Smoother smoother(p.x, p.y, p.weight, {.representation = basis, .filter = tikhonov});
          expect_refits(smoother.fold_errors(none, 0, p.folds), wanted, "ridge, " + of);
          const auto path = [&](const SolverFactory& solver) {
            return PathLearner(std::make_shared<const Matrix>(p.x), p.y, p.weight,
                               {.representation = basis, .solver = solver})
                .fold_errors(none, 0, p.folds);
          };
          expect_refits(path([](const SolverDesign& design, const CentredGram* known) -> PathSolverPtr {
                          return std::make_unique<ElasticNet>(design, ElasticNetOptions{.mix = 0.5}, known);
                        }),
                        wanted, "elastic net, " + of);
          expect_refits(path(weighted_ridge), wanted, "weighted ridge, " + of);
        }
      }
    }
  }
}

// The only row that a column knows takes the column with it.
TEST(FoldRank, LeaveOneOutIsTheShortestToo) {
  Problem p = problem(30, 4, 0, 1, false);
  p.x.rightCols(2).setZero();
  p.x(4, 2) = 1, p.x(7, 3) = -2;
  p.folds.count = 30;
  for (int i = 0; i < 30; ++i) p.folds.of_row[static_cast<std::size_t>(i)] = i;
  const Vector wanted = refits(p, 1);
  const std::vector<double> none{0};
  for (const Strategy strategy : {Strategy::full, Strategy::gram}) {
    const Smoother smoother(
        p.x, p.y, p.weight,
        {.representation = Basis::fit("linear", p.x), .filter = tikhonov, .strategy = strategy});
    EXPECT_NEAR(smoother.leave_one_out(none, 0).value[0], wanted.mean(), 1e-10);
    EXPECT_LT((smoother.leave_one_out_residuals(0, 0).cwiseAbs2() - wanted).norm(), 1e-10);
  }
}

}  // namespace
}  // namespace gnomon::fold_rank_test
