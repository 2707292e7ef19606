#pragma once

// What the tests of GEN share: dependent rows, the definition in weight space, Huber with ridge.

#include <Eigen/Cholesky>
#include <cmath>

#include "../learn/path_cases.hpp"
#include "../reference/dense.hpp"
#include "gnomon/gnomon.hpp"

namespace gnomon::testing::gen_cases {

const std::vector<double> gen_lambdas{0.02, 0.6, 7, 200};

/// Neighbouring rows are made dependent, so that products of rows apart matter.
inline Data series(Index n, Index d, std::uint64_t seed) {
  Data data = make_data(n, d, seed, false);
  for (Index i = 1; i < n; ++i) {
    data.x.row(i) += 0.7 * data.x.row(i - 1);
    data.y(i, 0) += 0.5 * data.y(i - 1, 0);
  }
  return data;
}

inline Vector gen_of(const Learner& learner, int lags, const std::vector<double>& at = gen_lambdas) {
  return judge(learner, gen, at, {.lags = lags}).value;
}

inline double lag_total(int lags, double n) { return 2.0 * lags + 1 - lags * (lags + 1.0) / n; }

inline void expect_same(const Vector& a, const Vector& b, double tolerance, const std::string& what) {
  ASSERT_EQ(a.size(), b.size());
  for (Index k = 0; k < a.size(); ++k)
    EXPECT_NEAR(a[k], b[k], tolerance * std::abs(b[k])) << what << " at " << k;
}

/// The definition in weight space: scores, their lagged products, the Hessian and the penalty's gradient, all explicit.
inline double gen_from_scores(const Matrix& scores, const Matrix& hessian, const Vector& penalty_gradient,
                              double s, int lags) {
  const double n = static_cast<double>(scores.rows());
  Matrix l = scores.transpose() * scores / n;
  for (Index lag = 1; lag <= lags; ++lag) {
    const Index rows = scores.rows() - lag;
    const Matrix k = scores.topRows(rows).transpose() * scores.bottomRows(rows) / n;
    l += k + k.transpose();
  }
  const auto factor = hessian.ldlt();
  return s + factor.solve(l).trace() / n -
         lag_total(lags, n) / n * penalty_gradient.dot(factor.solve(penalty_gradient));
}

inline PathLearner huber_learner(const Data& data, double tau, bool intercept = true) {
  const PathCase huber{"huber", {}, [tau](double) { return huber_factory(tau); }};
  return huber.learner(data, intercept);
}

}  // namespace gnomon::testing::gen_cases
