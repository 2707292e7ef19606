#include "reference/spectral_ridge.hpp"
#include "reference/by_name.hpp"
#include "reference/fper.hpp"
#include "reference/gpe.hpp"

#include <gtest/gtest.h>

#include "linear_problem.hpp"

namespace gnomon::reference::spectral_ridge_test {
namespace {

using Curve = SpectralRidge::Curve;

TEST(SpectralRidge, AgreesWithTheGroupedForms) {
  for (const auto& [n, p] : {std::pair<Index, Index>{25, 6}, {9, 15}, {8, 8}}) {
    const Matrix x = testing::normal_matrix(n, p, 1), y = testing::targets(x, 1, 2);
    const GroupedRidge ridge(x, y, GroupedPenalty::decay(std::vector<int>(static_cast<std::size_t>(p), 0)));
    const SpectralRidge spectral(x, y.col(0));
    for (const double kappa : {1e-3, 0.2, 40.0}) {
      const Vector k = Vector::Constant(1, kappa);
      const auto same = [&](Curve curve, const HyperEstimate& grouped) {
        const HyperEstimate e = spectral.at(curve, kappa);
        EXPECT_NEAR(e.value, grouped.value, 1e-9 * std::abs(grouped.value)) << static_cast<int>(curve);
        EXPECT_NEAR(e.gradient[0], grouped.gradient[0], 1e-8 * std::abs(grouped.gradient[0]) + 1e-12);
      };
      same(Curve::loo, ridge_loo(ridge, k));
      same(Curve::gen, ridge_gen(ridge, k));
      same(Curve::gcv, gcv(ridge_counted(ridge, k)));
      same(Curve::gpe, gpe(ridge_counted(ridge, k)));
      same(Curve::fper, fper(ridge_counted(ridge, k)));
      // The grouped form counts the same evidence with another constant: none, for all weights are penalised.
      same(Curve::evidence, profiled_evidence(ridge.evidence(k)));
      EXPECT_NEAR(spectral.at(Curve::gen_eq14, kappa).gradient[0], ridge_gen(ridge, k).gradient_eq14[0],
                  1e-9);
    }
  }
}

/// Two directions whose signals want very different κ.
SpectralRidge two_scales() {
  Matrix x = testing::normal_matrix(40, 4, 3);
  x.rightCols(2) *= 0.01;
  const Vector y = 0.3 * x.col(0) + 150 * x.col(2) + 150 * x.col(3) + 1.2 * testing::normal_matrix(40, 1, 4);
  return {x, y};
}

TEST(SpectralRidge, ScanFindsEveryMinimumAndTheLowest) {
  const SpectralRidge ridge = two_scales();
  for (const auto curve : {Curve::loo, Curve::gen, Curve::gcv, Curve::evidence}) {
    const KappaScan scan = scan_kappa(ridge, curve, 1e-12, 1e5);
    for (const auto& point : scan.stationary) {
      EXPECT_NEAR(ridge.at(curve, point.kappa).gradient[0], 0, 1e-9 * std::abs(point.value));
    }
    double least = std::numeric_limits<double>::infinity();
    for (double kappa = 1e-12; kappa < 1e5; kappa *= 1.01)
      least = std::min(least, ridge.at(curve, kappa).value);
    EXPECT_LE(scan.value, least + 1e-9 * std::abs(least));
    EXPECT_FALSE(scan.status.empty());
  }
}

TEST(SpectralRidge, TwoMinimaAreReportedInWords) {
  // Searches a few draws for a bimodal leave-one-out curve: common at a high spread of the eigenvalues.
  for (std::uint64_t seed = 1; seed < 60; ++seed) {
    Matrix x = testing::normal_matrix(20, 4, seed);
    x.rightCols(2) *= 1e-3;
    const Vector y = x.col(0) + 400 * x.col(2) + testing::normal_matrix(20, 1, seed + 1000);
    const KappaScan scan = scan_kappa(SpectralRidge(x, y), Curve::loo, 1e-12, 1e4);
    int minima = 0;
    for (const auto& point : scan.stationary) minima += point.minimum;
    if (minima < 2) continue;
    EXPECT_NE(scan.status.find("minima"), std::string::npos) << scan.status;
    return;
  }
  FAIL() << "no bimodal curve among 60 draws";
}

TEST(SpectralRidge, EndsOfTheScanAreAnswers) {
  const Matrix wide = testing::normal_matrix(8, 12, 5), y = testing::targets(wide, 1, 6);
  const KappaScan gen = scan_kappa(SpectralRidge(wide, y.col(0)), Curve::gen, 1e-8, 1e5);
  EXPECT_EQ(gen.where, KappaScan::Where::lower_end);
  EXPECT_NE(gen.status.find("zero"), std::string::npos);
  EXPECT_NE(gen.status.find("0.8"), std::string::npos);
  // A target orthogonal to the inputs has nothing to fit.
  const Matrix x = testing::normal_matrix(20, 3, 7);
  Vector noise = testing::normal_matrix(20, 1, 8);
  noise -= x * (x.transpose() * x).ldlt().solve(x.transpose() * noise);
  const KappaScan none = scan_kappa(SpectralRidge(x, noise), Curve::gcv, 1e-8, 1e8);
  EXPECT_EQ(none.where, KappaScan::Where::upper_end);
  EXPECT_NE(none.status.find("infinite"), std::string::npos);
}

}  // namespace
}  // namespace gnomon::reference::spectral_ridge_test
