#include "decompose/gram_statistics.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <functional>
#include <string>

#include "decompose/gram_leave_one_out.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "gnomon/core/random.hpp"
#include "gnomon/data/folds.hpp"
#include "reference/gram_spectrum.hpp"
#include "reference/rows_of_fold.hpp"

namespace gnomon::gram_statistics_test {
namespace {

using reference::gram_spectrum, reference::rows_of_fold, reference::tikhonov_filter;

struct Data {
  Matrix x, y;
  Vector weight;
  Folds folds;
};

Data make_data(Index n, Index p, Index targets, int k, std::uint64_t seed) {
  Random random(seed);
  Data d;
  d.x.resize(n, p);
  d.y.resize(n, targets);
  for (Index j = 0; j < p; ++j) d.x.col(j) = random.normal_vector(n).array() + 5.0 * static_cast<double>(j);
  for (Index t = 0; t < targets; ++t) {
    d.y.col(t) = random.normal_vector(n).array() + 100;
    if (p > 0) d.y.col(t) += d.x.col(0) - 0.5 * d.x.col(p - 1);
  }
  d.folds = random_folds(n, k, seed);
  return d;
}

GramStatistics collect(const Data& d, Index block = 1 << 20) {
  GramStatistics s(d.x.cols(), d.y.cols(), d.folds.count);
  for (Index from = 0; from < d.x.rows(); from += block) {
    const Index rows = std::min(block, d.x.rows() - from);
    const Vector w = d.weight.size() ? Vector(d.weight.segment(from, rows)) : Vector();
    s.add(d.x.middleRows(from, rows), d.y.middleRows(from, rows), w,
          std::span(d.folds.of_row).subspan(static_cast<std::size_t>(from), static_cast<std::size_t>(rows)));
  }
  return s;
}

/// Refits by a QR of the augmented system [√w (x, 1); √λ (I, 0)] and predicts the rows with `held`.
double refit_error(const Data& d, Index target, double lambda, bool intercept, const std::vector<char>& held,
                   const Vector& train_weight, const Vector& test_weight) {
  const Index n = d.x.rows(), p = d.x.cols(), columns = p + (intercept ? 1 : 0);
  Matrix a = Matrix::Zero(n + p, columns);
  Vector b = Vector::Zero(n + p);
  for (Index i = 0; i < n; ++i) {
    a.row(i).head(p) = std::sqrt(train_weight[i]) * d.x.row(i);
    if (intercept) a(i, p) = std::sqrt(train_weight[i]);
    b[i] = std::sqrt(train_weight[i]) * d.y(i, target);
  }
  for (Index j = 0; j < p; ++j) a(n + j, j) = std::sqrt(lambda);
  const Vector beta = columns > 0 ? Vector(a.completeOrthogonalDecomposition().solve(b)) : Vector();
  double sum = 0;
  for (Index i = 0; i < n; ++i) {
    if (!held[static_cast<std::size_t>(i)]) continue;
    const double f = d.x.row(i).dot(beta.head(p)) + (intercept ? beta[p] : 0);
    sum += test_weight[i] * std::pow(d.y(i, target) - f, 2);
  }
  return sum;
}

Matrix refitted(const Data& d, Index target, const std::vector<double>& lambdas, bool intercept) {
  const Index n = d.x.rows();
  const Vector w = d.weight.size() ? d.weight : Vector::Ones(n);
  Matrix sums(d.folds.count, static_cast<Index>(lambdas.size()));
  for (int f = 0; f < d.folds.count; ++f) {
    std::vector<char> held(static_cast<std::size_t>(n), 0);
    Vector train = w;
    for (const Index row : rows_of_fold(d.folds, f)) {
      held[static_cast<std::size_t>(row)] = 1;
      train[row] = 0;
    }
    for (std::size_t l = 0; l < lambdas.size(); ++l)
      sums(f, static_cast<Index>(l)) = refit_error(d, target, lambdas[l], intercept, held, train, w);
  }
  return sums;
}

void expect_close(const Matrix& a, const Matrix& b, double relative, const std::string& what) {
  ASSERT_EQ(a.rows(), b.rows());
  ASSERT_EQ(a.cols(), b.cols());
  const double scale = b.size() ? b.cwiseAbs().mean() : 0;
  for (Index c = 0; c < a.cols(); ++c)
    for (Index r = 0; r < a.rows(); ++r)
      EXPECT_NEAR(a(r, c), b(r, c), relative * (std::abs(b(r, c)) + scale))
          << what << " at " << r << "," << c;
}

void expect_same(const CentredGram& a, const CentredGram& b, double relative) {
  expect_close(a.xx, b.xx, relative, "xx");
  expect_close(a.xy, b.xy, relative, "xy");
  expect_close(a.yy, b.yy, relative, "yy");
  expect_close(a.x_mean, b.x_mean, relative, "x mean");
  expect_close(a.y_mean, b.y_mean, relative, "y mean");
  EXPECT_NEAR(a.weight, b.weight, relative * b.weight);
  EXPECT_EQ(a.rows, b.rows);
}

CentredGram direct(const Data& d, int without, bool intercept) {
  CentredGram g;
  Vector w = d.weight.size() ? d.weight : Vector::Ones(d.x.rows());
  for (Index i = 0; i < w.size(); ++i)
    if (d.folds.of_row[static_cast<std::size_t>(i)] == without) w[i] = 0;
  g.weight = w.sum();
  g.rows = (w.array() > 0).count();
  g.x_mean = intercept ? Vector(d.x.transpose() * w / g.weight) : Vector::Zero(d.x.cols());
  g.y_mean = intercept ? Vector(d.y.transpose() * w / g.weight) : Vector::Zero(d.y.cols());
  const Matrix x = d.x.rowwise() - g.x_mean.transpose(), y = d.y.rowwise() - g.y_mean.transpose();
  g.xx = x.transpose() * w.asDiagonal() * x;
  g.xy = x.transpose() * w.asDiagonal() * y;
  g.yy = (y.transpose() * w.asDiagonal() * y).diagonal();
  return g;
}

const std::vector<double> path{1e-3, 0.5, 20, 1e4};

TEST(GramStatistics, EqualDirectCrossProducts) {
  for (const bool weighted : {false, true})
    for (const bool intercept : {false, true}) {
      Data d = make_data(700, 7, 2, 5, 1);
      if (weighted) {
        d.weight = Random(3).uniform_vector(700, 0, 2);
        d.weight[5] = d.weight[333] = 0;
      }
      const GramStatistics s = collect(d);
      expect_same(s.total(intercept), direct(d, -1, intercept), 1e-12);
      for (int f = 0; f < 5; ++f) expect_same(s.without(f, intercept), direct(d, f, intercept), 1e-12);
    }
}

TEST(GramStatistics, WideDataTakeTheSamePathAsNarrow) {
  const Data d = make_data(900, 300, 1, 3, 2);
  const GramStatistics s = collect(d);
  expect_same(s.total(), direct(d, -1, true), 1e-11);
  expect_same(s.without(1), direct(d, 1, true), 1e-11);
}

TEST(GramStatistics, BlocksAndMergesAgree) {
  Data d = make_data(6000, 4, 1, 3, 4);
  d.weight = Random(5).uniform_vector(6000, 0.5, 1.5);
  const GramStatistics whole = collect(d);
  for (const Index block : {1, 37, 5999}) expect_same(collect(d, block).without(2), whole.without(2), 1e-11);
  Data front = d, back = d;
  front.x = d.x.topRows(100), front.y = d.y.topRows(100), front.weight = d.weight.head(100);
  front.folds.of_row.resize(100);
  back.x = d.x.bottomRows(5900), back.y = d.y.bottomRows(5900), back.weight = d.weight.tail(5900);
  back.folds.of_row.erase(back.folds.of_row.begin(), back.folds.of_row.begin() + 100);
  GramStatistics merged(4, 1, 3);
  merged.merge(collect(front));
  merged.merge(collect(back));
  merged.merge(GramStatistics(4, 1, 3));
  expect_same(merged.without(2), whole.without(2), 1e-11);
  expect_same(merged.total(false), whole.total(false), 1e-11);
}

TEST(GramStatistics, LargeMeansKeepTheirDigits) {
  Data d = make_data(2000, 3, 1, 4, 6);
  const Data shifted{d.x.array() + 1e8, d.y.array() - 1e9, d.weight, d.folds};
  const CentredGram a = collect(shifted).without(1), b = direct(d, 1, true);
  expect_close(a.xx, b.xx, 1e-7, "xx");  // the shift itself rounds the inputs to 1e-8
  expect_close(a.xy, b.xy, 1e-6, "xy");
}

TEST(GramStatistics, ThreadCountChangesNothing) {
  for (const Index p : {5, 280}) {
    const Data d = make_data(12000, p, 1, 4, 8);
    set_threads(1);
    const GramStatistics one = collect(d);
    const FoldErrors one_errors = gram_fold_errors(one, 0, path, true);
    set_threads(3);
    const GramStatistics three = collect(d);
    const FoldErrors three_errors = gram_fold_errors(three, 0, path, true);
    set_threads(0);
    EXPECT_EQ(one.total().xx, three.total().xx);
    EXPECT_EQ(one_errors.sums, three_errors.sums);
  }
}

TEST(GramFolds, EqualRefits) {
  for (const bool intercept : {false, true})
    for (const bool weighted : {false, true}) {
      Data d = make_data(90, 5, 2, 4, 10);
      if (weighted) {
        d.weight = Random(11).uniform_vector(90, 0.1, 2);
        d.weight[7] = 0;
      }
      const GramStatistics s = collect(d);
      for (const Index target : {0, 1}) {
        const FoldErrors errors = gram_fold_errors(s, target, path, intercept);
        expect_close(errors.sums, refitted(d, target, path, intercept), 1e-9, "refit");
        EXPECT_LT(errors.error_estimate, 1e-10);
        const SpectralGain tikhonov = [](double e, double lambda) { return 1 / (e + lambda); };
        expect_close(gram_fold_errors(s, target, path, intercept, tikhonov).sums, errors.sums, 1e-9,
                     "filter");
      }
    }
}

TEST(GramFolds, FewRowsFewColumnsUnevenFolds) {
  for (const Index n : {2, 3, 4, 5})
    for (const Index p : {0, 1, 2, 6})
      for (const bool intercept : {false, true}) {
        Data d = make_data(n, p, 1, 2, 12);
        expect_close(gram_fold_errors(collect(d), 0, path, intercept).sums, refitted(d, 0, path, intercept),
                     1e-7, "two folds");
        d.folds = blocked_folds(n, static_cast<int>(n));
        expect_close(gram_fold_errors(collect(d), 0, path, intercept).sums, refitted(d, 0, path, intercept),
                     1e-7, "one out");
      }
  Data d = make_data(60, 3, 1, 2, 13);
  for (std::size_t i = 0; i < 60; ++i) d.folds.of_row[i] = i < 50 ? 0 : 1;
  expect_close(gram_fold_errors(collect(d), 0, path, true).sums, refitted(d, 0, path, true), 1e-9, "uneven");
}

TEST(GramFolds, KrylovAndTridiagonalPathsEqualTheEigendecomposition) {
  const SpectralGain tikhonov = [](double e, double lambda) { return 1 / (e + lambda); };
  const std::vector<double> lambdas{100, 1e3, 1e5};
  for (const double spread : {1.0, 1e5}) {
    Data d = make_data(2500, 320, 1, 4, 22);
    for (Index j = 0; j < 320; ++j) d.x.col(j) *= std::pow(spread, -static_cast<double>(j) / 319);
    const GramStatistics s = collect(d);
    const FoldErrors errors = gram_fold_errors(s, 0, lambdas, true);
    EXPECT_EQ(errors.method.find("Krylov") != std::string::npos, spread == 1.0) << errors.method;
    EXPECT_LT(errors.error_estimate, 1e-9);
    expect_close(errors.sums, gram_fold_errors(s, 0, lambdas, true, tikhonov).sums, 1e-9,
                 "eigendecomposition");
  }
}

TEST(GramFolds, RepeatedColumnsAndExtremeLambdas) {
  Data d = make_data(80, 4, 1, 4, 14);
  d.x.col(3) = d.x.col(1);
  const FoldErrors errors = gram_fold_errors(collect(d), 0, std::vector<double>{0, 1e-300, 1e300}, true);
  ASSERT_TRUE(errors.sums.allFinite());
  Data three = d;
  three.x = d.x.leftCols(3);
  expect_close(errors.sums.col(0), refitted(three, 0, {0}, true), 1e-8, "least squares");
  expect_close(errors.sums.col(1), errors.sums.col(0), 1e-10, "limit");
  three.x.setZero();
  expect_close(errors.sums.col(2), refitted(three, 0, {1}, true), 1e-9, "null model");
}

TEST(GramFolds, ConstantTargetAndPerfectFitAreFlagged) {
  Data d = make_data(200, 3, 1, 4, 15);
  d.y.setConstant(7);
  const FoldErrors constant = gram_fold_errors(collect(d), 0, path, true);
  EXPECT_TRUE(constant.sums.allFinite());
  EXPECT_LT(constant.sums.maxCoeff(), 1e-12);
  d.y.col(0) = 3 * d.x.col(0) - d.x.col(2);
  const FoldErrors perfect = gram_fold_errors(collect(d), 0, std::vector<double>{1e-8, 1.0}, true);
  EXPECT_GT(perfect.error_estimate, 1e-6);
  EXPECT_NE(perfect.method.find("cancellation"), std::string::npos);
}

TEST(GramLeaveOneOut, EqualsRefitsWithOneUnitOfWeightLeftOut) {
  for (const bool intercept : {false, true})
    for (const bool weighted : {false, true}) {
      Data d = make_data(45, 4, 1, 2, 16);
      d.weight = Vector::Ones(45);
      if (weighted) {
        d.weight = Random(17).uniform_vector(45, 0.2, 0.9);
        d.weight[3] = 3;
        d.weight[20] = 2.5;
        d.weight[30] = 0;
      }
      const GramStatistics s = collect(d);
      const GramSpectrum spectrum = gram_spectrum(s.total(intercept), 0);
      LeaveOneOutSums sums;
      const Matrix h = tikhonov_filter(spectrum, path);
      gram_leave_one_out(d.x.topRows(20), d.y.col(0).head(20), d.weight.head(20), spectrum, h, intercept,
                         sums);
      gram_leave_one_out(d.x.bottomRows(25), d.y.col(0).tail(25), d.weight.tail(25), spectrum, h, intercept,
                         sums);
      for (std::size_t l = 0; l < path.size(); ++l) {
        double squares = 0, fourths = 0;
        for (Index i = 0; i < 45; ++i) {
          if (d.weight[i] == 0) continue;
          std::vector<char> held(45, 0);
          held[static_cast<std::size_t>(i)] = 1;
          Vector train = d.weight;
          train[i] -= std::min(1.0, train[i]);
          const double e2 = refit_error(d, 0, path[l], intercept, held, train, Vector::Ones(45));
          squares += d.weight[i] * e2;
          fourths += d.weight[i] * e2 * e2;
        }
        EXPECT_NEAR(sums.squares[static_cast<Index>(l)], squares, 1e-8 * squares);
        EXPECT_NEAR(sums.fourths[static_cast<Index>(l)], fourths, 1e-8 * fourths);
      }
      EXPECT_NEAR(sums.weight, d.weight.sum(), 1e-12);
      EXPECT_EQ(sums.rows, weighted ? 44 : 45);
    }
}

TEST(GramLeaveOneOut, IsLeaveOneOutFolds) {
  Data d = make_data(40, 6, 1, 40, 18);
  const GramStatistics s = collect(d);
  const GramSpectrum spectrum = gram_spectrum(s.total(), 0);
  LeaveOneOutSums sums;
  gram_leave_one_out(d.x, d.y.col(0), Vector(), spectrum, tikhonov_filter(spectrum, path), true, sums);
  expect_close(sums.squares, gram_fold_errors(s, 0, path, true).sums.colwise().sum().transpose(), 1e-9,
               "folds");
}

/// Filters of a fine grid are worked on by few of their columns; a single λ is worked on as it is.
TEST(GramLeaveOneOut, AFineGridEqualsItsPointsOneByOne) {
  Data d = make_data(70, 30, 1, 2, 22);
  for (Index j = 0; j < 30; ++j) d.x.col(j) *= std::pow(10.0, -0.1 * static_cast<double>(j));
  const GramSpectrum spectrum = gram_spectrum(collect(d).total(), 0);
  std::vector<double> grid{0};
  for (int k = 0; k <= 160; ++k) grid.push_back(std::pow(10.0, -8 + 0.1 * k));
  LeaveOneOutSums together;
  gram_leave_one_out(d.x, d.y.col(0), Vector(), spectrum, tikhonov_filter(spectrum, grid), true, together);
  for (std::size_t l = 0; l < grid.size(); ++l) {
    LeaveOneOutSums alone;
    gram_leave_one_out(d.x, d.y.col(0), Vector(), spectrum,
                       tikhonov_filter(spectrum, std::vector<double>{grid[l]}), true, alone);
    const auto at = static_cast<Index>(l);
    EXPECT_NEAR(together.squares[at], alone.squares[0], 1e-12 * alone.squares[0]) << grid[l];
    EXPECT_NEAR(together.fourths[at], alone.fourths[0], 1e-12 * alone.fourths[0]) << grid[l];
    EXPECT_NEAR(together.least[at], alone.least[0], 1e-13) << grid[l];
  }
}

TEST(GramLeaveOneOut, LeverageOneIsUndefined) {
  Data d = make_data(6, 8, 1, 2, 19);
  const GramSpectrum spectrum = gram_spectrum(collect(d).total(), 0);
  LeaveOneOutSums sums;
  gram_leave_one_out(d.x, d.y.col(0), Vector(), spectrum,
                     tikhonov_filter(spectrum, std::vector<double>{0, 1.0}), true, sums);
  EXPECT_TRUE(std::isnan(sums.squares[0]));
  EXPECT_TRUE(std::isfinite(sums.squares[1]));
}

TEST(GramLeaveOneOut, ThreadCountChangesNothing) {
  const Data d = make_data(9000, 6, 1, 2, 20);
  const GramSpectrum spectrum = gram_spectrum(collect(d).total(), 0);
  const Matrix h = tikhonov_filter(spectrum, path);
  LeaveOneOutSums one, three;
  set_threads(1);
  gram_leave_one_out(d.x, d.y.col(0), Vector(), spectrum, h, true, one);
  set_threads(3);
  gram_leave_one_out(d.x, d.y.col(0), Vector(), spectrum, h, true, three);
  set_threads(0);
  EXPECT_EQ(one.squares, three.squares);
}

std::string message(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

TEST(GramStatistics, RefuseBadInput) {
  Data d = make_data(10, 2, 1, 2, 1);
  EXPECT_EQ(message([] { GramStatistics(2, 0, 2); }),
            "Gram statistics need at least one target and one fold, not 2 inputs, 0 targets, 2 folds");
  d.weight = Vector::Constant(10, -1);
  EXPECT_EQ(message([&] { collect(d); }), "weight 0 is -1: weights must be finite and not negative");
  d.weight = Vector::Zero(10);
  EXPECT_EQ(message([&] { collect(d).total(); }),
            "there is no row of positive weight to train on: use fewer or other folds");
  d.weight.resize(0);
  d.folds.of_row[4] = 2;
  EXPECT_EQ(message([&] { collect(d); }), "row 4 is in fold 2, but folds are numbered 0 to 1");
  d.folds.of_row[4] = 0;
  EXPECT_EQ(message([&] { gram_fold_errors(collect(d), 1, path, true); }),
            "there is no target 1: targets are numbered 0 to 0");
  EXPECT_EQ(message([&] { collect(d).merge(GramStatistics(3, 1, 2)); }),
            "cannot merge statistics of 2 inputs, 1 targets, 2 folds with 3, 1, 2");
}

}  // namespace
}  // namespace gnomon::gram_statistics_test
