// Residuals of rows that their fits had not seen, against fits made without them.

#include <gtest/gtest.h>

#include <numeric>

#include "path_cases.hpp"

namespace gnomon::unseen_residuals_test {
namespace {

using namespace testing;

std::vector<Index> rows_outside(const Folds& folds, int fold) {
  std::vector<Index> rows;
  for (Index i = 0; i < folds.rows(); ++i)
    if (folds.of_row[static_cast<std::size_t>(i)] != fold) rows.push_back(i);
  return rows;
}

Data some_rows(const Data& data, const std::vector<Index>& rows) {
  return {data.x(rows, Eigen::all), data.y(rows, Eigen::all),
          data.weight.size() ? Vector(data.weight(rows)) : Vector()};
}

/// Fits to the other rows, one λ at a time, by what `fit` makes of them.
template <class FitOthers>
Matrix refitted(const Data& data, const Folds& folds, const std::vector<double>& lambdas,
                const FitOthers& fit) {
  Matrix out(data.x.rows(), static_cast<Index>(lambdas.size()));
  const auto held = rows_by_fold(folds);
  for (int f = 0; f < folds.count; ++f) {
    const auto& own = held[static_cast<std::size_t>(f)];
    const Data others = some_rows(data, rows_outside(folds, f));
    for (std::size_t k = 0; k < lambdas.size(); ++k)
      out(own, static_cast<Index>(k)) =
          data.y(own, 0) - fit(others, lambdas[k]).predict(Matrix(data.x(own, Eigen::all))).col(0);
  }
  return out;
}

Folds each_row(Index n) {
  Folds folds{std::vector<int>(static_cast<std::size_t>(n)), static_cast<int>(n)};
  for (Index i = 0; i < n; ++i) folds.of_row[static_cast<std::size_t>(i)] = static_cast<int>(i);
  return folds;
}

TEST(UnseenResiduals, OfSmoothersByFoldsEqualRefits) {
  for (const Case& c : all_cases()) {
    const Data data = make_data(24, 2, 5, c.weighted);
    const Folds folds = random_folds(24, 5, 3);
    const Smoother smoother(data.x, data.y, data.weight, c.options(data.x));
    const UnseenResiduals found =
        smoother.unseen_residuals(points_of(some_lambdas), 0, folds, false, Progress{});
    const Matrix slow = refitted(data, folds, some_lambdas, [&](const Data& others, double lambda) {
      SmootherOptions options = c.options(others.x, Strategy::full);
      options.representation = c.representation(data.x);
      return Smoother(others.x, others.y, others.weight, options).fit({&lambda, 1});
    });
    EXPECT_EQ(found.by, "5 folds");
    EXPECT_LT((found.residual - slow).cwiseAbs().maxCoeff(), 1e-7) << c.name;
  }
}

TEST(UnseenResiduals, OfSmoothersLeftOutAloneEqualRefits) {
  for (const Case& c : all_cases()) {
    if (!c.filter.closed_form_deletion || c.weighted || c.filter.name != tikhonov.name) continue;
    const Data data = make_data(20, 2, 6, false);
    const Smoother smoother(data.x, data.y, data.weight, c.options(data.x));
    const UnseenResiduals found =
        smoother.unseen_residuals(points_of(some_lambdas), 0, random_folds(20, 5, 3), true, Progress{});
    const Matrix slow = refitted(data, each_row(20), some_lambdas, [&](const Data& others, double lambda) {
      SmootherOptions options = c.options(others.x, Strategy::full);
      options.representation = c.representation(data.x);
      return Smoother(others.x, others.y, others.weight, options).fit({&lambda, 1});
    });
    EXPECT_EQ(found.by, "leave-one-out");
    EXPECT_LT((found.residual - slow).cwiseAbs().maxCoeff(), 1e-7) << c.name;
  }
}

// Whatever the strategy, squares of the residuals have the mean that the criterion reports; of rows with weights, which the criterion
// leaves out in part, that of folds of one row.
TEST(UnseenResiduals, OfSmoothersHaveTheMeanOfLeaveOneOut) {
  for (const Case& c : all_cases()) {
    if (!c.filter.closed_form_deletion) continue;
    const Data data = make_data(40, 2, 7, c.weighted);
    const Smoother smoother(data.x, data.y, data.weight, c.options(data.x));
    const Matrix squared =
        smoother.unseen_residuals(points_of(some_lambdas), 0, {}, true, Progress{}).residual.cwiseAbs2();
    const Vector w = c.weighted ? data.weight : Vector::Ones(40);
    Folds single{std::vector<int>(40), 40};
    std::iota(single.of_row.begin(), single.of_row.end(), 0);
    const Vector expected =
        c.weighted ? Vector(smoother.fold_errors(some_lambdas, 0, single).sums.colwise().sum()) / w.sum()
                   : smoother.leave_one_out(some_lambdas, 0).value;
    for (Index k = 0; k < squared.cols(); ++k)
      EXPECT_NEAR(w.dot(squared.col(k)) / w.sum(), expected[k], (c.weighted ? 1e-6 : 1e-9) * expected[k])
          << c.name;
  }
}

TEST(UnseenResiduals, OfSolvedLearnersEqualRefits) {
  for (const PathCase& c : path_cases(0.3)) {
    const Data data = make_data(30, 3, 8, false);
    const Folds folds = random_folds(30, 6, 4);
    const PathLearner learner = c.learner(data);
    const auto check = [&](const UnseenResiduals& found, const Folds& held, const char* by) {
      const Matrix slow = refitted(data, held, c.lambdas, [&](const Data& others, double lambda) {
        return c.learner(others).fit({&lambda, 1});
      });
      EXPECT_EQ(found.by, by) << c.name;
      EXPECT_LT((found.residual - slow).cwiseAbs().maxCoeff(), 2e-4) << c.name;
    };
    const Points points = points_of(c.lambdas);
    check(learner.unseen_residuals(points, 0, folds, false, Progress{}), folds, "6 folds");
    // After cross-validation over the same folds they are known.
    learner.fold_errors(c.lambdas, 0, folds);
    check(learner.unseen_residuals(points, 0, folds, false, Progress{}), folds, "6 folds");
    if (c.name == "additive")
      check(learner.unseen_residuals(points, 0, folds, true, Progress{}), each_row(30), "leave-one-out");
  }
}

}  // namespace
}  // namespace gnomon::unseen_residuals_test
