#include "gnomon/learn/path_learner.hpp"

#include <gtest/gtest.h>

#include "../criteria/harness.hpp"
#include "path_cases.hpp"

namespace gnomon::testing::path_learner_test {
namespace {

class PathLearnerOf : public ::testing::TestWithParam<PathCase> {
 protected:
  const PathCase& test = GetParam();
  Data data = make_data(30, 3, 41, false), weighted = make_data(30, 3, 41, true);
};

TEST_P(PathLearnerOf, PredictsAtItsRowsWhatItFitted) {
  for (const bool intercept : {false, true}) {
    for (const Data* each : {&data, &weighted}) {
      const PathLearner learner = test.learner(*each, intercept);
      const auto& fits = learner.path(test.lambdas, 0);
      ASSERT_EQ(fits.size(), test.lambdas.size());
      for (const PathFit& fit : fits) {
        EXPECT_TRUE(fit.converged);
        const Vector fitted = learner.fitted(fit), residual = each->y - fitted;
        const Vector w = each->weight.size() ? each->weight : Vector::Ones(30);
        EXPECT_NEAR(fit.rss, w.dot(residual.cwiseAbs2()), 1e-9 * learner.total(0));
        const LinearModel model = learner.fit(std::vector{fit.lambda});
        EXPECT_LT((model.predict(each->x).col(0) - fitted).norm(), 1e-10 * fitted.norm());
        EXPECT_EQ(model.coefficients.col(0), fit.coefficients);
        EXPECT_EQ(model.offset[0], fit.offset);
        if (!intercept) {
          EXPECT_EQ(fit.offset, 0);
        }
      }
    }
  }
}

TEST_P(PathLearnerOf, TheAdjointIsTheTransposeOfTheFit) {
  Random random(2);
  for (const bool intercept : {false, true}) {
    const PathLearner learner = test.learner(data, intercept);
    const PathFit& fit = learner.path(test.lambdas, 0).back();
    const Vector v = random.normal_vector(30);
    const Vector theta = learner.parameters_of(fit);
    EXPECT_EQ(theta.size(), learner.columns() + intercept);
    EXPECT_NEAR(theta.dot(learner.adjoint(v)), learner.fitted(fit).dot(v), 1e-9);
  }
}

TEST_P(PathLearnerOf, DegreesOfFreedomAreTheDivergenceByDifferences) {
  for (const Data* each : {&data, &weighted}) {
    const PathLearner learner = test.learner(*each);
    const auto sums = learner.sums(test.lambdas, 0);
    const auto& fits = learner.path(test.lambdas, 0);
    for (std::size_t k = 0; k < fits.size(); ++k) {
      double df = 0;
      const double step = 1e-6;
      for (Index i = 0; i < 30; ++i) {
        Vector up = each->y, down = each->y;
        up[i] += step;
        down[i] -= step;
        const double lambda = fits[k].lambda;
        df += (learner.fitted(learner.solver().refit(up, lambda, fits[k])) -
               learner.fitted(learner.solver().refit(down, lambda, fits[k])))[i] /
              (2 * step);
      }
      EXPECT_NEAR(sums[k].df, df, 1e-4) << test.lambdas[k];
      EXPECT_NEAR(sums[k].g, learner.count() - sums[k].df, 1e-12);
    }
  }
}

TEST_P(PathLearnerOf, ProbesAverageToTheExactDivergence) {
  const auto x = std::make_shared<const Matrix>(weighted.x);
  const auto probed = [&](std::uint64_t seed) {
    PathLearnerOptions options = test.options(weighted.x, true);
    options.divergence = Divergence::monte_carlo;
    options.probes = 10;
    options.seed = seed;
    return PathLearner(x, weighted.y, weighted.weight, options);
  };
  const PathLearner exact = test.learner(weighted);
  EXPECT_EQ(probed(0).divergence_name(), "Monte-Carlo divergence");
  EXPECT_EQ(exact.divergence_name(), test.name == "additive" ? "trace" : "exact Stein divergence");
  Running df;
  for (std::uint64_t seed = 0; seed < 60; ++seed) df.add(probed(seed).sums(test.lambdas, 0)[0].df);
  EXPECT_LT(df.z(exact.sums(test.lambdas, 0)[0].df), 3) << df.mean();
  // The same seed gives the same probes; another does not.
  EXPECT_EQ(probed(5).sums(test.lambdas, 0)[0].df, probed(5).sums(test.lambdas, 0)[0].df);
  EXPECT_NE(probed(5).sums(test.lambdas, 0)[0].df, probed(6).sums(test.lambdas, 0)[0].df);
}

TEST_P(PathLearnerOf, FoldErrorsAreThoseOfRefitsOnTheOtherRows) {
  const Folds folds = random_folds(30, 4, 9);
  for (const Data* each : {&data, &weighted}) {
    const PathLearner learner = test.learner(*each);
    const FoldErrors errors = learner.fold_errors(test.lambdas, 0, folds);
    for (int f = 0; f < 4; ++f) {
      std::vector<Index> train, held;
      for (Index i = 0; i < 30; ++i)
        (folds.of_row[static_cast<std::size_t>(i)] == f ? held : train).push_back(i);
      const auto pick = [&](const Vector& v, const std::vector<Index>& rows) {
        return v.size() ? Vector(v(rows)) : Vector();
      };
      const PathLearner part =
          test.learner({each->x(train, Eigen::all), each->y(train, Eigen::all), pick(each->weight, train)});
      const Vector w =
          each->weight.size() ? pick(each->weight, held) : Vector::Ones(static_cast<Index>(held.size()));
      EXPECT_NEAR(errors.weights[f], w.sum(), 1e-12);
      for (std::size_t k = 0; k < test.lambdas.size(); ++k) {
        const Vector prediction =
            part.fit(std::vector{test.lambdas[k]}).predict(each->x(held, Eigen::all)).col(0);
        const double sum = w.dot((each->y(held, 0) - prediction).cwiseAbs2());
        EXPECT_NEAR(errors.sums(f, static_cast<Index>(k)), sum, 1e-7 * sum) << f;
      }
    }
  }
}

TEST_P(PathLearnerOf, LeaveOneOutIsNRefits) {
  const PathLearner learner = test.learner(data);
  ASSERT_EQ(learner.no_leave_one_out(), "");
  Folds each{std::vector<int>(30), 30};
  for (int i = 0; i < 30; ++i) each.of_row[static_cast<std::size_t>(i)] = i;
  const ErrorPath path = learner.leave_one_out(test.lambdas, 0);
  const Matrix squared = learner.fold_errors(test.lambdas, 0, each).sums;
  for (Index k = 0; k < path.value.size(); ++k) {
    const double mean = squared.col(k).mean();
    EXPECT_NEAR(path.value[k], mean, 1e-8 * mean);
    const double variance = (squared.col(k).array() - mean).square().sum() / 29;
    EXPECT_NEAR(path.standard_error[k], std::sqrt(variance / 30), 1e-7 * mean);
  }
  if (learner.solver().dependence() != Dependence::affine) {
    EXPECT_NE(test.learner(weighted).no_leave_one_out(), "");
  }
}

TEST_P(PathLearnerOf, AnAutomaticGridReachesTheNullModel) {
  const PathLearner learner = test.learner(data);
  const auto grid = learner.automatic_grid();
  ASSERT_GE(grid.size(), 10u);
  EXPECT_TRUE(std::is_sorted(grid.begin(), grid.end()));
  const auto sums = learner.sums(grid, 0);
  const Vector first = learner.fitted(learner.path(grid, 0).front()),
               last = learner.fitted(learner.path(grid, 0).back());
  const auto spread = [](const Vector& v) { return v.maxCoeff() - v.minCoeff(); };
  // An additive shift moves the null model's fit by nothing either: λ‖a‖² holds a at 0.
  EXPECT_LT(spread(last), 0.02 * spread(first));
}

INSTANTIATE_TEST_SUITE_P(Learners, PathLearnerOf, ::testing::ValuesIn(path_cases(0.3)), case_name);

TEST(PathLearner, APathIsSolvedOnceAndTheModelIsTheFitThatWasJudged) {
  struct Counting final : PathSolver {
    mutable int solved = 0;
    std::string_view name() const override { return "counting"; }
    Dependence dependence() const override { return Dependence::discontinuous; }
    std::vector<PathFit> path(const VectorView& y, std::span<const double> lambdas) const override {
      std::vector<PathFit> fits;
      for (const double lambda : lambdas) fits.push_back(refit(y, lambda, {}));
      return fits;
    }
    PathFit refit(const VectorView& y, double lambda, const PathFit&) const override {
      PathFit fit;
      fit.lambda = lambda;
      fit.coefficients = Vector::Constant(1, ++solved);
      fit.rss = y.squaredNorm();
      return fit;
    }
    double trace(const PathFit&, const MatrixView&) const override { return undefined; }
    std::vector<double> automatic_grid(const MatrixView&) const override { return {1}; }
  };
  const Matrix x = Matrix::Ones(4, 1);
  const PathLearner learner(std::make_shared<const Matrix>(x), Matrix::Ones(4, 1), Vector(),
                            {.representation = Basis::fit("linear", x),
                             .solver = [](const SolverDesign&, const CentredGram*) -> PathSolverPtr {
                               return std::make_unique<Counting>();
                             }});
  const std::vector<double> lambdas{1, 2, 3};
  learner.path(lambdas, 0);
  learner.sums(lambdas, 0);
  EXPECT_EQ(learner.path(lambdas, 0)[1].coefficients[0], 2);
  EXPECT_EQ(learner.fit(std::vector{2.0}).coefficients(0, 0), 2);
  EXPECT_EQ(dynamic_cast<const Counting&>(learner.solver()).solved, 3);
}

TEST(PathLearner, TheCompanionIsRidgeOnTheSameDesign) {
  const Data data = make_data(25, 2, 6, true);
  const PathLearner learner = path_cases(0.3)[2].learner(data);
  const Smoother ridge(data.x, data.y, data.weight,
                       {.representation = Basis::fit("linear", data.x), .filter = tikhonov});
  EXPECT_LT((learner.smoother().coefficients(2, 0) - ridge.coefficients(2, 0)).norm(), 1e-10);
  EXPECT_EQ(learner.linear(), nullptr);
  EXPECT_EQ(learner.solved(), &learner);
}

TEST(PathLearner, TallDesignsGiveTheSameAnswersFromCrossProducts) {
  // 110 000 rows of 4 columns go through one pass of cross products; solvers made from rows must agree.
  const Data data = make_data(110000, 4, 8, true);
  ASSERT_TRUE(smoother_is_tall(110000, 4));
  const PathCase lasso = path_cases(0.3)[2];
  PathLearnerOptions options = lasso.options(data.x, true);
  options.folds = random_folds(110000, 5, 3);
  const auto x = std::make_shared<const Matrix>(data.x);
  const PathLearner learner(x, data.y, data.weight, options);
  const std::vector<double> lambdas{10, 300};
  const auto direct = ElasticNet({x, data.weight, true}).path(data.y.col(0), lambdas);
  const auto& fits = learner.path(lambdas, 0);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_LT((fits[k].coefficients - direct[k].coefficients).norm(), 1e-9);
    EXPECT_NEAR(fits[k].rss, direct[k].rss, 1e-9 * direct[k].rss);
  }
  const FoldErrors fast = learner.fold_errors(lambdas, 0, options.folds);
  options.folds = {};
  const FoldErrors slow =
      PathLearner(x, data.y, data.weight, options).fold_errors(lambdas, 0, random_folds(110000, 5, 3));
  EXPECT_LT((fast.sums - slow.sums).norm(), 1e-8 * slow.sums.norm());
}

TEST(PathLearner, RefusesInWords) {
  const Data data = make_data(10, 2, 4, false);
  const PathCase lasso = path_cases(0.3)[2];
  const auto message = [&](const Data& each) -> std::string {
    try {
      lasso.learner(each);
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(message(data), "accepted");
  EXPECT_NE(message({data.x.topRows(9), data.y, Vector()}).find("9 rows but targets have 10"),
            std::string::npos);
  EXPECT_NE(message({data.x, data.y, Vector::Ones(3)}).find("3 weights for 10 rows"), std::string::npos);
  EXPECT_NE(message({data.x, data.y, Vector::Zero(10)}).find("positive"), std::string::npos);
  EXPECT_NE(message({data.x, Matrix::Constant(10, 1, undefined), Vector()}).find("finite"),
            std::string::npos);
}

}  // namespace
}  // namespace gnomon::testing::path_learner_test
