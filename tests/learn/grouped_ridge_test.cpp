#include "learn/ridge_groups/grouped_ridge.hpp"
#include "reference/by_name.hpp"
#include "reference/fper.hpp"
#include "reference/gpe.hpp"

#include <gtest/gtest.h>

#include "gnomon/core/error.hpp"
#include "learn/ridge_groups/ridge_folds.hpp"
#include "linear_problem.hpp"
#include "reference/fpe.hpp"
#include "reference/rows_of_fold.hpp"
#include "reference/trained_gen.hpp"

namespace gnomon::reference::grouped_ridge_test {
namespace {

using testing::Problem;

using Criterion = std::function<HyperEstimate(const Problem&, const Vector&, bool)>;

const std::vector<std::pair<const char*, Criterion>>& criteria() {
  static const std::vector<std::pair<const char*, Criterion>> all{
      {"loo", [](const Problem& p, const Vector& k, bool g) { return ridge_loo(p.ridge, k, g); }},
      {"cv",
       [](const Problem& p, const Vector& k, bool g) {
         return folds_cv(RidgeFolds(p.ridge, random_folds(p.ridge.samples(), 4, 3)), k, g);
       }},
      {"gcv",
       [](const Problem& p, const Vector& k, bool g) { return gcv(ridge_counted(p.ridge, k, g, false)); }},
      {"cp", [](const Problem& p, const Vector& k,
                bool g) { return gpe(ridge_counted(p.ridge, k, g, false), 0.6); }},
      {"gpe", [](const Problem& p, const Vector& k, bool g) { return gpe(ridge_counted(p.ridge, k, g)); }},
      {"fpe", [](const Problem& p, const Vector& k, bool g) { return fpe(ridge_counted(p.ridge, k, g)); }},
      {"fper", [](const Problem& p, const Vector& k, bool g) { return fper(ridge_counted(p.ridge, k, g)); }},
      {"gen",
       [](const Problem& p, const Vector& k, bool g) { return ridge_gen(p.ridge, k, {.gradient = g}); }},
      {"gen:3", [](const Problem& p, const Vector& k,
                   bool g) { return ridge_gen(p.ridge, k, {.lags = 3, .gradient = g}); }},
      {"gen:3 bartlett",
       [](const Problem& p, const Vector& k, bool g) {
         return ridge_gen(p.ridge, k, {.lags = 3, .window = LagWindow::bartlett, .gradient = g});
       }},
      {"evidence",
       [](const Problem& p, const Vector& k, bool g) {
         return p.ridge.penalty().is_decay() ? profiled_evidence(p.ridge.evidence(k, g))
                                             : HyperEstimate{0, Vector::Zero(k.size()), ""};
       }},
      {"evidence at beta", [](const Problem& p, const Vector& k, bool g) {
         return p.ridge.penalty().is_decay() ? negative_log_evidence(p.ridge.evidence(k, g), 0.8)
                                             : HyperEstimate{0, Vector::Zero(k.size()), ""};
       }}};
  return all;
}

TEST(GroupedRidge, EveryGradientIsThatOfItsValue) {
  for (const auto& problem : testing::problems()) {
    for (const auto& [name, criterion] : criteria()) {
      const HyperEstimate e = criterion(problem, problem.kappa, true);
      if (std::isinf(e.value)) continue;  // FPE of a wide model
      EXPECT_NEAR(criterion(problem, problem.kappa, false).value, e.value, 1e-12 * std::abs(e.value)) << name;
      const auto value = [&, &criterion = criterion](const Vector& k) {
        return criterion(problem, k, false).value;
      };
      const Vector expected = testing::differences(value, problem.kappa);
      EXPECT_LE((e.gradient - expected).norm(), 1e-6 * expected.norm() + 1e-12)
          << problem.name << ", " << name;
    }
  }
}

TEST(GroupedRidge, LeaveOneOutIsRefitting) {
  for (const auto& problem : testing::problems()) {
    double sum = 0;
    for (Index k = 0; k < problem.ridge.samples(); ++k) {
      std::vector<Index> rows;
      for (Index i = 0; i < problem.ridge.samples(); ++i) {
        if (i != k) rows.push_back(i);
      }
      const Matrix w = testing::refit(problem.ridge, problem.kappa, rows);
      sum += (problem.ridge.y().row(k) - problem.ridge.x().row(k) * w).squaredNorm();
    }
    const double expected = sum / static_cast<double>(problem.ridge.samples());
    EXPECT_NEAR(ridge_loo(problem.ridge, problem.kappa).value, expected, 1e-11 * expected) << problem.name;
  }
}

TEST(GroupedRidge, FoldsAreRefitting) {
  for (const auto& problem : testing::problems()) {
    const Folds folds = random_folds(problem.ridge.samples(), 5, 9);
    double equal = 0;
    for (int f = 0; f < folds.count; ++f) {
      std::vector<Index> rows;
      for (Index i = 0; i < folds.rows(); ++i) {
        if (folds.of_row[static_cast<std::size_t>(i)] != f) rows.push_back(i);
      }
      const Matrix w = testing::refit(problem.ridge, problem.kappa, rows);
      const auto out = rows_of_fold(folds, f);
      double error = 0;
      for (const Index k : out)
        error += (problem.ridge.y().row(k) - problem.ridge.x().row(k) * w).squaredNorm();
      equal += error / static_cast<double>(out.size()) / folds.count;
    }
    EXPECT_NEAR(folds_cv(RidgeFolds(problem.ridge, folds), problem.kappa).value, equal, 1e-11 * equal)
        << problem.name;
  }
}

TEST(GroupedRidge, AgreesWithTheEstimatesOfAnyModel) {
  for (const auto& problem : testing::problems()) {
    const GroupedPenalty& penalty = problem.ridge.penalty();
    const TrainedModel model = trained_model(problem.ridge, problem.kappa);
    const Curvature curvature(model, penalty, problem.kappa);
    for (const Index lags : {0, 2}) {
      for (const auto window : {LagWindow::corrected}) {
        const GenOptions options{.lags = lags, .window = window};
        const GenEstimate slow = reference::gen(model, penalty, problem.kappa, options);
        const GenEstimate fast = ridge_gen(problem.ridge, problem.kappa, options);
        EXPECT_NEAR(fast.value, slow.value, 1e-11 * slow.value) << problem.name;
        EXPECT_NEAR(fast.m_eff, slow.m_eff, 1e-10 * std::abs(slow.m_eff));
        EXPECT_NEAR(fast.gamma, slow.gamma, 1e-10 * slow.gamma);
        EXPECT_LE((fast.gradient - slow.gradient).norm(), 1e-9 * slow.gradient.norm()) << problem.name;
        EXPECT_LE((fast.gradient_eq14 - slow.gradient_eq14).norm(), 1e-9 * slow.gradient_eq14.norm());
      }
    }
    EXPECT_NEAR(reference::nic(model, penalty, problem.kappa).value,
                ridge_gen(problem.ridge, problem.kappa).value, 1e-10);
    const CountedError slow = counted_error(model, penalty, problem.kappa, curvature);
    const CountedError fast = ridge_counted(problem.ridge, problem.kappa);
    EXPECT_NEAR(fast.m1, slow.m1, 1e-10);
    EXPECT_NEAR(fast.m2, slow.m2, 1e-10);
    EXPECT_NEAR(fast.left_squared, slow.left_squared, 1e-9);
    EXPECT_LE((fast.d_m2 - slow.d_m2).norm(), 1e-9 * slow.d_m2.norm());
    EXPECT_LE((fast.d_training_error - slow.d_training_error).norm(), 1e-9 * slow.d_training_error.norm());
    if (!penalty.is_decay()) continue;
    const HyperEstimate a = profiled_evidence(problem.ridge.evidence(problem.kappa));
    const HyperEstimate b = profiled_evidence(evidence_parts(model, penalty, problem.kappa, curvature));
    EXPECT_NEAR(a.value, b.value, 1e-10 * std::abs(b.value));
    EXPECT_LE((a.gradient - b.gradient).norm(), 1e-8 * b.gradient.norm() + 1e-10);
  }
}

TEST(GroupedRidge, EvidenceIsTheGaussianMarginalLikelihood) {
  const Matrix x = testing::normal_matrix(8, 3, 11), y = testing::targets(x, 1, 12);
  const GroupedRidge ridge(x, y, GroupedPenalty::decay({0, 1, 1}));
  const Vector kappa{{0.3, 0.08}};
  const double beta = 0.7, n = 8;
  // y ~ N(0, σ²I + X diag(1/(2α)) X')
  Matrix covariance = Matrix::Identity(8, 8) / (2 * beta);
  const Vector variance = (2 * beta * n * Vector{{0.3, 0.08, 0.08}}).cwiseInverse();
  covariance += x * variance.asDiagonal() * x.transpose();
  const Eigen::LLT<Matrix> llt(covariance);
  const double half_log = llt.matrixLLT().diagonal().array().log().sum();
  const double expected = 0.5 * y.col(0).dot(llt.solve(y.col(0))) + half_log + 0.5 * n * std::log(2 * M_PI);
  EXPECT_NEAR(negative_log_evidence(ridge.evidence(kappa), beta).value, expected, 1e-11);
}

TEST(GroupedRidge, ManyRowsGoThroughBlocks) {
  const Matrix x = testing::normal_matrix(5000, 3, 13), y = testing::targets(x, 1, 14);
  const GroupedRidge ridge(x, y, GroupedPenalty::decay({0, 0, 1}));
  const Vector kappa{{0.2, 0.5}};
  const GenOptions options{.lags = 4};
  const GenEstimate slow = reference::gen(trained_model(ridge, kappa), ridge.penalty(), kappa, options),
                    fast = ridge_gen(ridge, kappa, options);
  EXPECT_NEAR(fast.m_eff, slow.m_eff, 1e-10 * slow.m_eff);
  EXPECT_LE((fast.gradient - slow.gradient).norm(), 1e-10 * slow.gradient.norm());
  EXPECT_NEAR(ridge.fit(kappa).training_error, (y.col(0) - x * ridge.fit(kappa).weights).squaredNorm() / 5000,
              1e-13);
}

TEST(GroupedRidge, VanishingPenaltyOfAWideModelStaysDefined) {
  const Matrix x = testing::normal_matrix(8, 12, 15), y = testing::targets(x, 1, 16);
  const GroupedRidge ridge(x, y, GroupedPenalty::decay(std::vector<int>(12, 0)));
  const Vector kappa = Vector::Constant(1, 1e-12);
  EXPECT_GT(ridge_loo(ridge, kappa).value, 0.0);
  EXPECT_NEAR(ridge_loo(ridge, kappa).value, ridge_loo(ridge, Vector::Constant(1, 1e-9)).value,
              1e-6);  // tends to a constant
  EXPECT_NEAR(gcv(ridge_counted(ridge, kappa)).value,
              gcv(ridge_counted(ridge, Vector::Constant(1, 1e-9))).value, 1e-6);
  EXPECT_LT(ridge_gen(ridge, kappa).value, 1e-18);  // like κ²: nothing to minimise
  EXPECT_NE(ridge_gen(ridge, kappa).warning.find("0.8"), std::string::npos);
  EXPECT_TRUE(std::isfinite(profiled_evidence(ridge.evidence(kappa)).value));
}

TEST(GroupedRidge, IllConditionedInputsAreSolvedByRows) {
  Matrix x = testing::normal_matrix(40, 3, 17);
  x.col(2) = x.col(0) + 1e-6 * x.col(2);
  const Matrix y = testing::targets(x, 1, 18);
  const GroupedRidge ridge(x, y, GroupedPenalty::decay({0, 0, 0}));
  const Vector kappa = Vector::Constant(1, 1e-13);
  const Vector w = ridge.fit(kappa).weights;
  Eigen::Matrix<long double, 3, 3> b = (x.cast<long double>().transpose() * x.cast<long double>()) / 40;
  b.diagonal().array() += 1e-13L;
  const Eigen::Matrix<long double, 3, 1> right =
      x.cast<long double>().transpose() * y.cast<long double>() / 40;
  const Vector exact = b.ldlt().solve(right).cast<double>();
  EXPECT_LE((w - exact).norm(), 1e-5 * exact.norm());
}

TEST(GroupedRidge, SaysWhatIsWrong) {
  const Matrix x = testing::normal_matrix(5, 8, 19), y = testing::targets(x, 1, 20);
  const auto message = [](const auto& body) -> std::string {
    try {
      body();
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  const GroupedRidge ridge(x, y, GroupedPenalty::decay(std::vector<int>(8, 0)));
  EXPECT_NE(message([&] { ridge.fit(Vector::Zero(1)); }).find("singular"), std::string::npos);
  EXPECT_NE(message([&] { ridge.fit(Vector::Constant(1, -1)); }).find("not negative"), std::string::npos);
  EXPECT_NE(message([&] { ridge.fit(Vector::Ones(2)); }).find("one per group"), std::string::npos);
  EXPECT_NE(message([&] { ridge_gen(ridge, Vector::Ones(1), {.lags = 5}); }).find("dependence length"),
            std::string::npos);
  EXPECT_NE(message([&] {
              GroupedPenalty::decay({0, 2});
            }).find("group 1 has no weights"),
            std::string::npos);
  EXPECT_NE(message([&] { GroupedRidge(x, y, GroupedPenalty::decay({0})); }).find("covers 1 weights"),
            std::string::npos);
}

}  // namespace
}  // namespace gnomon::reference::grouped_ridge_test
