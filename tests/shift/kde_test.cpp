#include "shift/kde.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "samples_of.hpp"

namespace gnomon::kde_test {
namespace {

using shift_test::normal;

/// The definition, in extended precision.
long double density(const Matrix& points, const Vector& h, const Eigen::RowVectorXd& x, Index without = -1) {
  long double sum = 0;
  for (Index i = 0; i < points.rows(); ++i) {
    if (i == without) continue;
    long double product = 1;
    for (Index j = 0; j < x.size(); ++j) {
      const long double z = (static_cast<long double>(x[j]) - points(i, j)) / h[j];
      product *= std::exp(-z * z / 2) / (h[j] * std::sqrt(2 * std::numbers::pi_v<long double>));
    }
    sum += product;
  }
  return sum / static_cast<long double>(points.rows() - (without >= 0));
}

TEST(KernelDensity, EqualsItsDefinition) {
  for (const Index d : {1, 2, 3, 8})
    for (const Index n : {1, 7, 8, 130, 263}) {
      const KernelDensity kde{normal(n, d, 5), Vector::LinSpaced(d, 0.4, 0.9)};
      const Matrix x = normal(19, d, 6, 0.5, 1.5);
      const Vector log_p = kde.log_at(x);
      for (Index i = 0; i < x.rows(); ++i)
        EXPECT_NEAR(log_p[i], static_cast<double>(std::log(density(kde.points, kde.bandwidth, x.row(i)))),
                    1e-12)
            << d << " " << n;
    }
}

TEST(KernelDensity, StaysFiniteFarAway) {
  const KernelDensity kde{Matrix{{0.0}, {1.0}}, Vector::Constant(1, 1e-3)};
  const double log_p = kde.log_at(Matrix{{1e5}})[0];
  const double expected =
      -0.5 * std::pow((1e5 - 1) / 1e-3, 2) - std::log(2 * 1e-3 * std::sqrt(2 * std::numbers::pi));
  EXPECT_NEAR(log_p / expected, 1, 1e-14);
  EXPECT_TRUE(std::isfinite(kde.log_at(Matrix{{1e200}})[0]));
}

TEST(KernelDensity, DoesNotDependOnThreadsOrNeighbours) {
  const KernelDensity kde{normal(300, 3, 1), Vector::Constant(3, 0.5)};
  const Matrix x = normal(101, 3, 2);
  set_threads(1);
  const Vector alone = kde.log_at(x);
  set_threads(3);
  EXPECT_EQ(kde.log_at(x), alone);
  set_threads(0);
  EXPECT_EQ(kde.log_at(x.row(57))[0], alone[57]);
}

TEST(NormalReferenceBandwidth, FollowsTheRule) {
  const Matrix x{{1, 5}, {3, 5}, {5, 5}};
  const Vector h = normal_reference_bandwidth(x);
  EXPECT_NEAR(h[0], 2 * std::pow(4.0 / (4 * 3), 1.0 / 6), 1e-15);
  EXPECT_EQ(h[1], 0);
  EXPECT_THROW(normal_reference_bandwidth(x.topRows(1)), Error);
}

TEST(LeaveOneOutLikelihood, EqualsRefitting) {
  const KernelDensity kde{normal(140, 2, 3), Vector{{0.3, 0.6}}};
  const std::vector<double> factors{0.2, 1, 3};
  const Vector fast = leave_one_out_log_likelihood(kde, factors);
  for (std::size_t f = 0; f < factors.size(); ++f) {
    long double sum = 0;
    for (Index i = 0; i < kde.points.rows(); ++i)
      sum += std::log(density(kde.points, factors[f] * kde.bandwidth, kde.points.row(i), i));
    EXPECT_NEAR(fast[static_cast<Index>(f)], static_cast<double>(sum / 140), 1e-10);
  }
}

TEST(RatioOfLogs, IsLimitedAndNeverUndefined) {
  const Vector ratio = ratio_of_logs(Vector{{0, 1e6, -1e6}}, Vector{{0, -1e6, 0}});
  EXPECT_EQ(ratio[0], 1);
  EXPECT_NEAR(ratio[1] / 1e150, 1, 1e-10);
  EXPECT_EQ(ratio[2], 0);
}

TEST(KernelDensity, RejectsBadBandwidths) {
  EXPECT_THROW((KernelDensity{normal(4, 2, 1), Vector{{1, 0}}}.log_at(normal(1, 2, 1))), Error);
  EXPECT_THROW((KernelDensity{normal(4, 2, 1), Vector{{1}}}.log_at(normal(1, 2, 1))), Error);
  EXPECT_THROW((KernelDensity{normal(4, 2, 1), Vector{{1, 1}}}.log_at(normal(1, 3, 1))), Error);
}

}  // namespace
}  // namespace gnomon::kde_test
