#include "search/mackay.hpp"
#include "reference/by_name.hpp"

#include <gtest/gtest.h>

#include "../learn/linear_problem.hpp"
#include "reference/group_scale.hpp"

namespace gnomon::reference::mackay_test {
namespace {

MackayResult fixed_point(const GroupedRidge& ridge, double start = 0.1, double tolerance = 1e-12) {
  MackayOptions options;
  options.scale = reference::group_scale(ridge);
  options.tolerance = tolerance;
  options.max_iterations = 3000;
  const auto at = [&](const Vector& kappa) { return ridge.evidence(kappa); };
  return mackay(at, Vector::Constant(ridge.penalty().groups(), start), options);
}

void expect_defined(const MackayResult& r) {
  EXPECT_TRUE(r.kappa.allFinite() && r.alpha.allFinite() && r.gamma.allFinite());
  EXPECT_TRUE(std::isfinite(r.beta) && std::isfinite(r.negative_log_evidence));
  EXPECT_FALSE(r.status.empty());
}

TEST(Mackay, FixedPointIsStationaryForTheExactEvidence) {
  const Matrix x = testing::normal_matrix(40, 6, 1), y = testing::targets(x, 1, 2);
  const GroupedRidge ridge(x, y, GroupedPenalty::decay({0, 0, 1, 1, 2, -1}));
  const MackayResult r = fixed_point(ridge);
  EXPECT_TRUE(r.converged) << r.status;
  const auto value = [&](const Vector& k) { return profiled_evidence(ridge.evidence(k, false)).value; };
  EXPECT_LE(testing::differences(value, r.kappa).cwiseAbs().maxCoeff(), 1e-7);
  EXPECT_NEAR(r.gamma.sum() + 1, r.gamma_total, 1e-12);
  EXPECT_LE(r.residual, 1e-9);
}

TEST(Mackay, NeverLowersTheEvidence) {
  const Matrix x = testing::normal_matrix(20, 5, 3), y = testing::targets(x, 1, 4, 3.0);
  const MackayResult r = fixed_point(GroupedRidge(x, y, GroupedPenalty::decay({0, 0, 1, 1, 2})), 10);
  for (std::size_t i = 1; i < r.trace.size(); ++i) {
    EXPECT_LE(r.trace[i].negative_log_evidence, r.trace[i - 1].negative_log_evidence + 1e-9);
  }
}

TEST(Mackay, ExpectationMaximisationHasTheSameFixedPoint) {
  const Matrix x = testing::normal_matrix(40, 4, 5), y = testing::targets(x, 1, 6);
  const GroupedRidge ridge(x, y, GroupedPenalty::decay({0, 0, 1, 1}));
  const MackayResult r = fixed_point(ridge);
  const MackayUpdate em = em_update(ridge.evidence(r.kappa), r.beta);
  EXPECT_LE((em.kappa - r.kappa).norm(), 1e-8 * r.kappa.norm());
  EXPECT_NEAR(em.beta, r.beta, 1e-8 * r.beta);
}

TEST(Mackay, UselessGroupIsDropped) {
  Matrix x = testing::normal_matrix(60, 4, 7);
  Vector y = x.col(0) + x.col(1) + 0.5 * testing::normal_matrix(60, 1, 8);
  x.rightCols(2) -= y * (y.transpose() * x.rightCols(2)) / y.squaredNorm();  // orthogonal to the target
  x.leftCols(2) -=
      x.rightCols(2) *
      (x.rightCols(2).transpose() * x.rightCols(2)).ldlt().solve(x.rightCols(2).transpose() * x.leftCols(2));
  const MackayResult r = fixed_point(GroupedRidge(x, y, GroupedPenalty::decay({0, 0, 1, 1})));
  expect_defined(r);
  EXPECT_EQ(r.verdicts[0], Verdict::interior);
  EXPECT_EQ(r.verdicts[1], Verdict::dropped);
  EXPECT_NE(r.status.find("dropped: 1"), std::string::npos) << r.status;
}

TEST(Mackay, NoiselessDataNeedNoRegularization) {
  const Matrix x = testing::normal_matrix(30, 3, 9), y = testing::targets(x, 1, 10, 0.0);
  const MackayResult r = fixed_point(GroupedRidge(x, y, GroupedPenalty::decay({0, 0, 0})));
  expect_defined(r);
  EXPECT_EQ(r.verdicts[0], Verdict::unregularized);
  EXPECT_NE(r.status.find("not regularized: 0"), std::string::npos) << r.status;
}

TEST(Mackay, AsManyWeightsAsRowsAndMoreStayDefined) {
  for (const Index p : {10, 16}) {
    const Matrix x = testing::normal_matrix(10, p, 11), y = testing::targets(x, 1, 12);
    const GroupedRidge ridge(x, y, GroupedPenalty::decay(std::vector<int>(static_cast<std::size_t>(p), 0)));
    for (const double start : {1e-7, 1.0, 1e6}) expect_defined(fixed_point(ridge, start));
    const MackayUpdate update = mackay_update(ridge.evidence(Vector::Constant(1, 1e-14)));  // γ → N
    EXPECT_TRUE(update.kappa.allFinite() && std::isfinite(update.beta));
  }
}

TEST(Mackay, ZeroTargetIsDropped) {
  const Matrix x = testing::normal_matrix(12, 2, 13);
  const MackayResult r = fixed_point(GroupedRidge(x, Matrix::Zero(12, 1), GroupedPenalty::decay({0, 0})));
  EXPECT_TRUE(r.kappa.allFinite() && std::isfinite(r.beta));
  EXPECT_FALSE(r.status.empty());
}

}  // namespace
}  // namespace gnomon::reference::mackay_test
