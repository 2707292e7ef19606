#include "decompose/kernel_folds.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <functional>
#include <string>

#include "decompose/reflection.hpp"
#include "decompose/rotated_tridiagonal.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "gnomon/core/random.hpp"
#include "reference/rows_of_fold.hpp"

namespace gnomon::kernel_folds_test {
namespace {

using reference::rows_of_fold;

using LongMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
using LongVector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

struct Problem {
  Matrix gram;
  Vector y, weight;
  Folds folds;
};

Problem make_problem(Index n, int k, double width, std::uint64_t seed, Index inputs = 2) {
  Random random(seed);
  Matrix x(n, inputs);
  for (Index j = 0; j < inputs; ++j) x.col(j) = random.normal_vector(n);
  Problem p;
  p.gram.resize(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      p.gram(i, j) = std::exp(-(x.row(i) - x.row(j)).squaredNorm() / (2 * width * width));
  p.y.resize(n);
  for (Index i = 0; i < n; ++i) p.y[i] = 3 + std::sin(2 * x(i, 0)) + 0.3 * random.normal();
  p.folds = random_folds(n, k, seed);
  return p;
}

/// Refits each fold from the optimality conditions in extended precision:
///   W(Kc + b − y) + λ c = 0 on the training rows, Σ c = 0     (penalty λ cᵀKc; K in front cancelled)
///   (Kᵀ W K + λI) α + Kᵀ W 1 b = Kᵀ W y,  1ᵀ W (Kα + b − y) = 0    (penalty λ ‖α‖², all centres)
Matrix refitted(const Problem& p, const std::vector<double>& lambdas, bool intercept, bool squared) {
  const Index n = p.y.size();
  const Vector w = p.weight.size() ? p.weight : Vector::Ones(n);
  Matrix sums = Matrix::Zero(p.folds.count, static_cast<Index>(lambdas.size()));
  for (int f = 0; f < p.folds.count; ++f)
    for (std::size_t l = 0; l < lambdas.size(); ++l) {
      LongVector trained = LongVector::Zero(n);
      for (Index i = 0; i < n; ++i)
        if (p.folds.of_row[static_cast<std::size_t>(i)] != f) trained[i] = w[i];
      const LongMatrix k = p.gram.cast<long double>();
      LongMatrix system = LongMatrix::Zero(n + 1, n + 1);
      LongVector right = LongVector::Zero(n + 1);
      const LongVector wy = trained.cwiseProduct(p.y.cast<long double>());
      if (squared) {
        system.topLeftCorner(n, n) = k * trained.asDiagonal() * k;
        system.topRightCorner(n, 1) = k * trained;
        right.head(n) = k * wy;
        system.bottomLeftCorner(1, n) = (k * trained).transpose();
        system(n, n) = trained.sum();
        right[n] = wy.sum();
      } else {
        system.topLeftCorner(n, n) = trained.asDiagonal() * k;
        system.topRightCorner(n, 1) = trained;
        right.head(n) = wy;
        system.bottomLeftCorner(1, n).setOnes();
      }
      for (Index i = 0; i < n; ++i) system(i, i) += lambdas[l];
      LongVector solution = LongVector::Zero(n + 1);
      if (intercept)
        solution = system.fullPivLu().solve(right);
      else
        solution.head(n) = LongMatrix(system.topLeftCorner(n, n)).fullPivLu().solve(right.head(n));
      const LongVector prediction = k * solution.head(n);
      long double sum = 0;
      for (Index i = 0; i < n; ++i)
        if (p.folds.of_row[static_cast<std::size_t>(i)] == f)
          sum += w[i] * std::pow(p.y[i] - prediction[i] - solution[n], 2);
      sums(f, static_cast<Index>(l)) = static_cast<double>(sum);
    }
  return sums;
}

FoldErrors fast(const Problem& p, const std::vector<double>& lambdas, const KernelFoldOptions& options) {
  return kernel_fold_errors(p.gram, p.y, p.weight, p.folds, lambdas, options);
}

FoldErrors exact(const Problem& p, const std::vector<double>& lambdas, const KernelFoldOptions& options,
                 const SpectralGain& gain = {}) {
  return kernel_fold_errors_exact(p.gram, p.y, p.weight, p.folds, lambdas, options, {}, gain);
}

void expect_close(const Matrix& a, const Matrix& b, double relative, const std::string& what) {
  ASSERT_EQ(a.rows(), b.rows());
  ASSERT_EQ(a.cols(), b.cols());
  for (Index c = 0; c < a.cols(); ++c)
    for (Index r = 0; r < a.rows(); ++r)
      EXPECT_NEAR(a(r, c), b(r, c), relative * (std::abs(b(r, c)) + b.col(c).mean()))
          << what << " at " << r << "," << c;
}

/// The penalty λ Σ α_i²/c_i on K = X Xᵀ as ridge on as many columns as X has, X R S with √C X = V S Rᵀ: nothing is singular there, and
/// every λ is solved for by QR in extended precision.
Matrix refitted_on_columns(const Matrix& x, const Problem& p, const Vector& centres,
                           const std::vector<double>& lambdas, bool intercept) {
  const Index n = x.rows(), r = x.cols();
  const LongMatrix scaled = (centres.cwiseSqrt().asDiagonal() * x).cast<long double>();
  const Eigen::JacobiSVD<LongMatrix> svd(scaled, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const LongMatrix z = x.cast<long double>() * svd.matrixV() * svd.singularValues().asDiagonal();
  const Vector w = p.weight.size() ? p.weight : Vector::Ones(n);
  Matrix sums = Matrix::Zero(p.folds.count, static_cast<Index>(lambdas.size()));
  for (int f = 0; f < p.folds.count; ++f)
    for (std::size_t l = 0; l < lambdas.size(); ++l) {
      LongMatrix design = LongMatrix::Zero(n + r, r + 1);
      LongVector target = LongVector::Zero(n + r);
      for (Index i = 0; i < n; ++i) {
        if (p.folds.of_row[static_cast<std::size_t>(i)] == f) continue;
        const long double root = std::sqrt(static_cast<long double>(w[i]));
        design.row(i).head(r) = root * z.row(i);
        design(i, r) = intercept ? root : 0;
        target[i] = root * p.y[i];
      }
      for (Index j = 0; j < r; ++j) design(n + j, j) = std::sqrt(static_cast<long double>(lambdas[l]));
      LongVector solution = LongVector::Zero(r + 1);
      const Index columns = intercept ? r + 1 : r;
      solution.head(columns) = design.leftCols(columns).householderQr().solve(target);
      for (Index i = 0; i < n; ++i)
        if (p.folds.of_row[static_cast<std::size_t>(i)] == f)
          sums(f, static_cast<Index>(l)) +=
              static_cast<double>(w[i] * std::pow(p.y[i] - z.row(i).dot(solution.head(r)) - solution[r], 2));
    }
  return sums;
}

const std::vector<double> path{1e-4, 1e-2, 0.3, 10, 1e4};

TEST(KernelFolds, CoefficientsOfASingularGramAreThoseOfItsColumnsAtEveryLambda) {
  const std::vector<double> lambdas{1e-28, 1e-22, 1e-18, 1e-15, 1e-13, 1e-11, 1e-8, 1e-5, 1e-2, 1, 100};
  for (const bool intercept : {false, true})
    for (const bool weighted : {false, true}) {
      Random random(21);
      Problem p;
      Matrix x(40, 3);
      for (Index j = 0; j < 3; ++j) x.col(j) = random.normal_vector(40);
      p.gram = x * x.transpose();
      p.y = x.rowwise().sum() + 0.1 * random.normal_vector(40);
      p.folds = random_folds(40, 5, 2);
      Vector centres = Vector::Ones(40);
      if (weighted) {
        for (double& c : centres) c = std::pow(10, random.uniform(-3, 3));
        p.weight = centres;
      }
      const Matrix slow = refitted_on_columns(x, p, centres, lambdas, intercept);
      const KernelFoldOptions options{
          .intercept = intercept, .squared_gram = true, .centres = weighted ? &centres : nullptr};
      KernelFoldOptions krylov = options;
      krylov.max_steps = 40;
      expect_close(exact(p, lambdas, options).sums, slow, 1e-9, "exact");
      expect_close(fast(p, lambdas, options).sums, slow, 1e-7, "automatic");
      expect_close(fast(p, lambdas, krylov).sums, slow, 1e-6, "Krylov");
    }
}

class Refits : public ::testing::TestWithParam<std::tuple<bool, bool, int>> {};

TEST_P(Refits, AllMethodsEqualSlowRefits) {
  const auto [intercept, squared, weights] = GetParam();
  Problem p = make_problem(31, 4, 0.7, 11);
  if (weights > 0) p.weight = Random(4).uniform_vector(31, 0.2, 3);
  if (weights > 1) p.weight[3] = p.weight[17] = 0;
  const Matrix slow = refitted(p, path, intercept, squared);
  const KernelFoldOptions options{.intercept = intercept, .squared_gram = squared};
  KernelFoldOptions krylov = options;
  krylov.max_steps = 40;
  expect_close(exact(p, path, options).sums, slow, 1e-8, "exact");
  expect_close(fast(p, path, options).sums, slow, 1e-8, "automatic");
  const Matrix iterated = fast(p, path, krylov).sums;
  expect_close(iterated, slow, 1e-6, "Krylov");
  Index best;
  const double least = slow.colwise().sum().minCoeff(&best);
  EXPECT_NEAR(iterated.col(best).sum(), least, 1e-8 * least);
  EXPECT_NE(fast(p, path, krylov).method.find("Krylov"), std::string::npos);
  for (int f = 0; f < 4; ++f) {
    double weight = 0;
    for (const Index row : rows_of_fold(p.folds, f)) weight += weights > 0 ? p.weight[row] : 1;
    EXPECT_NEAR(fast(p, path, options).weights[f], weight, 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(Kernel, Refits,
                         ::testing::Combine(::testing::Bool(), ::testing::Bool(),
                                            ::testing::Values(0, 1, 2)));

TEST(KernelFolds, UnevenFoldsAndLeaveOneOutEqualRefits) {
  for (const bool intercept : {false, true}) {
    Problem p = make_problem(13, 13, 1.0, 3);
    expect_close(fast(p, path, {.intercept = intercept}).sums, refitted(p, path, intercept, false), 1e-8,
                 "one out");
    p.folds = Folds{{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 2, 0}, 3};
    expect_close(fast(p, path, {.intercept = intercept}).sums, refitted(p, path, intercept, false), 1e-8,
                 "uneven");
    expect_close(fast(p, path, {.intercept = intercept, .max_steps = 30}).sums,
                 refitted(p, path, intercept, false), 1e-8, "uneven, Krylov");
  }
}

TEST(KernelFolds, FewestRows) {
  for (const Index n : {2, 3, 4, 5})
    for (const bool intercept : {false, true})
      for (const bool squared : {false, true})
        for (const int steps : {0, 10}) {
          const Problem p = make_problem(n, 2, 1.0, 7);
          const KernelFoldOptions options{
              .intercept = intercept, .squared_gram = squared, .max_steps = steps};
          expect_close(fast(p, path, options).sums, refitted(p, path, intercept, squared), 1e-8, "few rows");
        }
}

TEST(KernelFolds, IntegerWeightsAreRepeatedRows) {
  Problem weighted = make_problem(12, 3, 1.0, 5);
  weighted.weight = Vector::Ones(12);
  weighted.weight[2] = 3;
  weighted.weight[9] = 2;
  std::vector<Index> rows;
  for (Index i = 0; i < 12; ++i)
    for (int r = 0; r < static_cast<int>(weighted.weight[i]); ++r) rows.push_back(i);
  Problem repeated;
  repeated.gram = weighted.gram(rows, rows);
  repeated.y = weighted.y(rows);
  repeated.folds.count = 3;
  for (const Index row : rows)
    repeated.folds.of_row.push_back(weighted.folds.of_row[static_cast<std::size_t>(row)]);
  for (const int steps : {0, 30}) {
    const KernelFoldOptions options{.intercept = true, .max_steps = steps};
    expect_close(fast(weighted, path, options).sums, fast(repeated, path, options).sums, 1e-8,
                 "repeated rows");
  }
}

TEST(KernelFolds, RowOrderDoesNotMatter) {
  const Problem p = make_problem(60, 5, 0.8, 21);
  const std::vector<Index> order = Random(8).permutation(60);
  Problem shuffled;
  shuffled.gram = p.gram(order, order);
  shuffled.y = p.y(order);
  shuffled.folds.count = 5;
  for (const Index row : order)
    shuffled.folds.of_row.push_back(p.folds.of_row[static_cast<std::size_t>(row)]);
  for (const int steps : {0, 60})
    expect_close(fast(shuffled, path, {.intercept = true, .max_steps = steps}).sums,
                 fast(p, path, {.intercept = true, .max_steps = steps}).sums, 1e-8, "shuffled");
}

TEST(KernelFolds, ConstantResponseIsPredictedByTheIntercept) {
  Problem p = make_problem(40, 4, 1.0, 2);
  p.y.setConstant(1e6 / 3);
  for (const int steps : {0, 30}) {
    const FoldErrors errors = fast(p, path, {.intercept = true, .max_steps = steps});
    EXPECT_TRUE(errors.sums.allFinite());
    EXPECT_LE(errors.sums.maxCoeff(), 1e-12);
  }
  p.y.setZero();
  EXPECT_EQ(fast(p, path, {.max_steps = 30}).sums.maxCoeff(), 0);
}

TEST(KernelFolds, ExtremeLambdasGiveTheInterpolantAndTheNullModel) {
  const std::vector<double> extremes{0, 1e-300, 1e-30, 1e300};
  for (const bool intercept : {false, true})
    for (const bool squared : {false, true})
      for (const int steps : {0, 40}) {
        Problem p = make_problem(30, 3, 0.2, 6);
        const FoldErrors errors =
            fast(p, extremes, {.intercept = intercept, .squared_gram = squared, .max_steps = steps});
        ASSERT_TRUE(errors.sums.allFinite());
        for (int f = 0; f < 3; ++f) {
          double mean = 0, count = 0, null = 0;
          for (Index i = 0; i < 30; ++i)
            if (p.folds.of_row[static_cast<std::size_t>(i)] != f) mean += p.y[i], ++count;
          mean = intercept ? mean / count : 0;
          for (const Index i : rows_of_fold(p.folds, f)) null += std::pow(p.y[i] - mean, 2);
          EXPECT_NEAR(errors.sums(f, 3), null, 1e-9 * null);
        }
        // A narrow kernel's Gram matrix is well conditioned, so the refit is reliable at small λ.
        const Matrix limit = refitted(p, {squared ? 1e-10 : 1e-14}, intercept, squared);
        for (Index l = 0; l < 3; ++l)
          expect_close(errors.sums.col(l), limit, squared ? 1e-5 : 1e-7, "interpolant");
      }
}

TEST(KernelFolds, TinyLambdaOnAnIllConditionedKernelStaysFinite) {
  const Problem p = make_problem(80, 5, 3.0, 14, 1);
  const FoldErrors errors = fast(p, {1e-300, 1e-200, 1e-18}, {.intercept = true});
  EXPECT_TRUE(errors.sums.allFinite());
  EXPECT_NEAR(errors.sums(0, 0), errors.sums(0, 1), 1e-9 * errors.sums(0, 0));
}

TEST(KernelFolds, ToleranceIsMetOnAnIllConditionedKernel) {
  Problem p = make_problem(420, 6, 2.0, 30, 4);
  std::vector<double> lambdas;
  for (int l = 0; l < 30; ++l) lambdas.push_back(std::pow(10.0, -7 + 10.0 * l / 29));
  for (const bool intercept : {false, true})
    for (const bool squared : {false, true}) {
      const KernelFoldOptions options{.intercept = intercept, .squared_gram = squared, .max_steps = 120};
      const FoldErrors quick = fast(p, lambdas, options), slow = exact(p, lambdas, options);
      const Vector curve = slow.sums.colwise().sum(), found = quick.sums.colwise().sum();
      const double norm = squared ? p.gram.squaredNorm() : p.gram.norm();
      for (Index l = 0; l < curve.size(); ++l) {
        const bool near = curve[l] <= 1.2 * curve.minCoeff();
        const double lambda = lambdas[static_cast<std::size_t>(l)];
        const double rounding = 10 * machine_epsilon * norm / lambda;  // of either method
        EXPECT_NEAR(found[l], curve[l], (near ? 1e-8 : 1e-6 + rounding) * curve[l]) << lambda;
      }
      EXPECT_LE(quick.error_estimate, 1e-6);
    }
}

/// The rotation of all rows, as a smoother keeps it.
struct Rotation {
  using As = RotatedTridiagonal::Rotation;
  Matrix q, band;
  double norm = 0;

  Rotation(const Problem& p, bool intercept, As kept = As::keep) {
    const Vector root = p.weight.size() ? Vector(p.weight.cwiseSqrt()) : Vector(Vector::Ones(p.y.size()));
    Matrix a = root.asDiagonal() * p.gram * root.asDiagonal(), target = root.cwiseProduct(p.y);
    const Reflection constant(root / root.norm());
    if (intercept) {
      a = constant.compress_symmetric(std::move(a));
      target = constant.compress(target);
    }
    RotatedTridiagonal reduced(std::move(a), target.col(0), kept);
    band = reduced.band();
    norm = reduced.norm();
    q = std::move(reduced).form_q();
    if (intercept) q = constant.expand(q);
  }
  RotatedRows rows(double least_lambda) const { return {&q, &band, norm, least_lambda}; }
};

TEST(KernelFolds, AKnownRotationServesEveryLambda) {
  Problem p = make_problem(160, 7, 1.0, 31, 3);
  p.weight = Vector::Ones(160);
  for (Index i = 0; i < 160; i += 9) p.weight[i] = i % 2 ? 2.5 : 0;  // rows of weight 0 constrain nothing
  const std::vector<double> lambdas{1e-9, 1e-6, 1e-3, 0.1, 3, 500};
  for (const bool intercept : {false, true})
    for (const Rotation::As kept : {Rotation::As::keep, Rotation::As::to_band}) {
      const Rotation rotation(p, intercept, kept);
      const RotatedRows rows = rotation.rows(1e-12);
      const FoldErrors known = fast(p, lambdas, {.intercept = intercept, .known = &rows});
      expect_close(known.sums, exact(p, lambdas, {.intercept = intercept}).sums, 1e-6, "known rotation");
      // λ at or below the least one is nobody's but the dense method's.
      const Matrix residual =
          rotated_fold_residuals(rows, rows_by_fold(p.folds), std::vector<double>{1e-12, 1}, 1e-8, {})
              .residual;
      EXPECT_TRUE(residual.col(0).array().isNaN().all());
      EXPECT_TRUE(residual.col(1).allFinite());
    }
}

TEST(KernelFolds, TheGramMatrixIsMadeForWhatTheRotationLeavesAlone) {
  const Problem p = make_problem(120, 5, 1.0, 31, 3);
  const Rotation rotation(p, true);
  const RotatedRows rows = rotation.rows(1e-4);
  const KernelFoldOptions options{.intercept = true, .known = &rows};
  int made = 0;
  const std::function<Matrix()> gram = [&] {
    ++made;
    return p.gram;
  };
  const std::vector<double> served{1e-3, 0.1, 30}, some_left{1e-5, 0.1, 30};
  expect_close(kernel_fold_errors(gram, p.y, p.weight, p.folds, served, options, {}).sums,
               exact(p, served, {.intercept = true}).sums, 1e-6, "all served");
  EXPECT_EQ(made, 0);
  expect_close(kernel_fold_errors(gram, p.y, p.weight, p.folds, some_left, options, {}).sums,
               exact(p, some_left, {.intercept = true}).sums, 1e-6, "one left");
  EXPECT_EQ(made, 1);
}

/// Inputs in one row of three repeated with other noise, as replicates are.
Problem with_replicates(Problem p, double noise, std::uint64_t seed) {
  const Index n = p.y.size();
  std::vector<Index> rows;
  for (Index i = 0; i < n; ++i) rows.push_back(i % 3 == 0 ? 0 : i);
  p.gram = Matrix(p.gram(rows, rows));
  p.y = Vector(p.y(rows)) + noise * Random(seed).normal_vector(n);
  return p;
}

TEST(KernelFolds, TheWholeDefaultGridFromOneRotationEqualsRefits) {
  std::vector<double> lambdas;
  for (int l = 0; l <= 70; ++l) lambdas.push_back(std::pow(10.0, -8 + l / 5.0));
  for (const Index n : {90, 240})
    for (const double width : {0.4, 1.5, 6.0})
      for (const double noise : {0.0, 0.2, 5.0})
        for (const bool replicates : {false, true}) {
          Problem p = make_problem(n, n == 90 ? 3 : 10, width, 77, 3);
          p.y += noise * Random(5).normal_vector(n);
          if (replicates) p = with_replicates(p, 0.1, 6);
          const Rotation rotation(p, true, width < 1 ? Rotation::As::to_band : Rotation::As::keep);
          const RotatedRows rows = rotation.rows(1e-12);
          const FoldErrors found = fast(p, lambdas, {.intercept = true, .known = &rows});
          const Matrix slow = exact(p, lambdas, {.intercept = true}).sums;
          const Vector pooled = slow.colwise().sum();
          EXPECT_GT(found.error_estimate, 0);
          EXPECT_LE(found.error_estimate, 1e-8);
          for (Index l = 0; l < pooled.size(); ++l) {
            // Refits know the predictions to the rounding error of the Gram matrix, seen through 1/λ.
            const double size = static_cast<double>(n);
            const double rounding = 20 * machine_epsilon * size / lambdas[static_cast<std::size_t>(l)];
            for (Index f = 0; f < slow.rows(); ++f)
              EXPECT_NEAR(found.sums(f, l), slow(f, l), (1e-8 + rounding) * (slow(f, l) + pooled[l] / 10))
                  << n << " rows, width " << width << ", noise " << noise << ", λ "
                  << lambdas[static_cast<std::size_t>(l)];
          }
        }
}

TEST(KernelFolds, ResidualsBetweenAnchorsAreThoseOfFactors) {
  Problem p = make_problem(200, 4, 1.0, 19, 2);
  p.weight = Random(3).uniform_vector(200, 0.1, 4);
  p.folds = Folds{std::vector<int>(200, 0), 4};
  for (std::size_t i = 0; i < 200; ++i)
    p.folds.of_row[i] = i < 120 ? 0 : i < 199 ? 1 + static_cast<int>(i % 2) : 3;
  const Rotation rotation(p, false);
  // In no order, some of them twice, some far from all others.
  std::vector<double> lambdas{3, 3, 1e-300, 1e200, 7e-6};
  for (const double u : Random(9).uniform_vector(60, -6, 5)) lambdas.push_back(std::pow(10, u));
  lambdas.push_back(lambdas.back());
  const auto held = rows_by_fold(p.folds);
  const RotatedResiduals factored = rotated_fold_residuals(rotation.rows(1e-12), held, lambdas, 0, {});
  EXPECT_EQ(factored.error_estimate, 0);
  for (const double tolerance : {1e-4, 1e-8}) {
    const RotatedResiduals found = rotated_fold_residuals(rotation.rows(1e-12), held, lambdas, tolerance, {});
    EXPECT_GT(found.error_estimate, 0);
    EXPECT_LE(found.error_estimate, tolerance);
    for (Index l = 0; l < factored.residual.cols(); ++l) {
      if (lambdas[static_cast<std::size_t>(l)] < 1e-12) {
        EXPECT_TRUE(found.residual.col(l).array().isNaN().all());
        continue;
      }
      for (const auto& rows : held) {
        const double sum = factored.residual.col(l)(rows).squaredNorm();
        EXPECT_NEAR(found.residual.col(l)(rows).squaredNorm(), sum, tolerance * sum);
      }
    }
    // Nothing is left to the order of λ, and nothing to the number of threads but rounding.
    set_threads(3);
    const RotatedResiduals again = rotated_fold_residuals(rotation.rows(1e-12), held, lambdas, tolerance, {});
    set_threads(0);
    for (Index l = 0; l < factored.residual.cols(); ++l)
      if (lambdas[static_cast<std::size_t>(l)] > 1e-12) {
        EXPECT_LE((again.residual.col(l) - found.residual.col(l)).norm(),
                  1e-12 * (1 + found.residual.col(l).norm()));
      }
  }
}

TEST(KernelFolds, AnyNumberOfFoldsSharesTheProducts) {
  for (const int k : {2, 3, 7, 9, 10, 12, 31, 33}) {
    const Problem p = make_problem(203, k, 1.5, 50, 3);
    const KernelFoldOptions options{.intercept = true, .max_steps = 120};
    const FoldErrors iterated = fast(p, {0.01, 1, 100}, options);
    EXPECT_EQ(iterated.method.find("eigen"), std::string::npos) << iterated.method;
    expect_close(iterated.sums, exact(p, {0.01, 1, 100}, options).sums, 1e-6, std::to_string(k) + " folds");
  }
}

TEST(KernelFolds, ThreadCountDoesNotMatter) {
  const Problem p = make_problem(150, 5, 1.0, 40, 3);
  set_threads(1);
  const Matrix one = fast(p, path, {.intercept = true, .max_steps = 80}).sums;
  set_threads(3);
  const Matrix three = fast(p, path, {.intercept = true, .max_steps = 80}).sums;
  set_threads(0);
  expect_close(three, one, 1e-9, "threads");
}

TEST(KernelFolds, GivenFiltersAreApplied) {
  const Problem p = make_problem(25, 3, 0.5, 9);
  const KernelFoldOptions options{.intercept = true};
  const SpectralGain tikhonov = [](double d, double lambda) { return 1 / (d + lambda); };
  expect_close(exact(p, path, options, tikhonov).sums, exact(p, path, options).sums, 1e-9,
               "Tikhonov as a filter");
  // A cut-off above the spectrum is the null model; Landweber with many steps interpolates like tiny λ.
  const SpectralGain cutoff = [](double d, double lambda) { return d >= lambda ? 1 / d : 0.0; };
  expect_close(exact(p, {1e9}, options, cutoff).sums, exact(p, {1e300}, options).sums, 1e-9, "cut-off");
  expect_close(exact(p, {1e-9}, options, cutoff).sums, exact(p, {1e-300}, options).sums, 1e-6, "no cut-off");
}

std::string message(const Problem& p, const std::vector<double>& lambdas) {
  try {
    fast(p, lambdas, {});
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

TEST(KernelFolds, RefuseBadInput) {
  Problem p = make_problem(10, 2, 1.0, 1);
  EXPECT_EQ(message(p, {-1}), "lambda is -1: it must be finite and not negative");
  p.weight = Vector::Ones(9);
  EXPECT_EQ(message(p, {1}), "9 weights for 10 rows: give one per row or none");
  p.weight = Vector::Ones(10);
  p.weight[4] = -2;
  EXPECT_EQ(message(p, {1}), "weight 4 is -2: weights must be finite and not negative");
  p.weight = Vector::Zero(10);
  EXPECT_EQ(message(p, {1}), "fold 0 leaves no training row of positive weight: use fewer or other folds");
  p.weight.resize(0);
  p.y[2] = std::nan("");
  EXPECT_EQ(message(p, {1}), "response 2 is not finite");
}

TEST(KernelFolds, CanBeInterrupted) {
  const Problem p = make_problem(100, 5, 1.0, 1);
  const Progress stop{[](std::string_view, double) { return false; }};
  EXPECT_THROW(kernel_fold_errors(p.gram, p.y, p.weight, p.folds, path, {.max_steps = 50}, stop),
               Interrupted);
}

}  // namespace
}  // namespace gnomon::kernel_folds_test
