// Covariate shift: Ĵ is unbiased where the model holds the target, whatever the exponent; and every criterion under
// importance weights against refits written out.

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <algorithm>
#include <numeric>

#include "gnomon/criteria/judge.hpp"
#include "gnomon/data/weights.hpp"
#include "gnomon/learn/weighted_ridge.hpp"
#include "harness.hpp"
#include "learn/held_out_moments.hpp"
#include "reference/rows_of_fold.hpp"

namespace gnomon::testing::shift_unbiased_test {
namespace {

using reference::rows_of_fold;

constexpr int folds = 5;
constexpr std::uint64_t seed = 7;
const std::vector<double> no_penalty{0};

/// Training inputs N(0, I); errors are measured at points drawn from N(m, s²I); the ratio of the densities is known.
struct Shifted {
  Matrix x, points;
  Vector y, w, omega;

  Shifted(Index n, Index p, std::uint64_t stream = 0) : x(n, p), points(12, p), y(n), w(n) {
    constexpr double mean = 0.7, sd = 0.6;
    Random random(41, stream);
    for (Index j = 0; j < p; ++j) {
      x.col(j) = random.normal_vector(n);
      points.col(j) = mean + sd * random.normal_vector(12).array();
    }
    for (Index i = 0; i < n; ++i) {
      const double test = ((x.row(i).array() - mean) / sd).square().sum();
      w[i] = std::exp(0.5 * x.row(i).squaredNorm() - 0.5 * test) / std::pow(sd, static_cast<double>(p));
    }
    omega = random.uniform_vector(12, 0.2, 1);
    omega /= omega.sum();
    y = (x.col(0).array().sin() + x.rowwise().sum().array()).matrix() + 0.3 * random.normal_vector(n);
  }
  MetricPoints metric() const { return {points, omega}; }
};

PathLearner learner_of(const Matrix& x, const Vector& y, const Vector& w, double exponent, bool intercept,
                       bool from_moments = false) {
  PathLearnerOptions options{.representation = Basis::fit("linear", x),
                             .solver = [](const SolverDesign& design,
                                          const CentredGram* known) { return weighted_ridge(design, known); },
                             .intercept = intercept,
                             .folds = random_folds(x.rows(), folds, seed),
                             .importance = w};
  if (from_moments) {
    options.held_out =
        std::make_shared<const HeldOutMoments>(x, y, w, options.folds.of_row, options.folds.count);
  }
  return PathLearner(std::make_shared<const Matrix>(x), y, flattened(w, exponent), options);
}

double jhat(const PathLearner& learner, const MetricPoints& metric, double sigma2) {
  const JudgeOptions options{.sigma2 = sigma2, .metric = {Metric::Kind::points, metric, "test"}};
  return judge(learner, sic, no_penalty, options).value[0];
}

CriterionCurve validated(const PathLearner& learner, const Criterion& criterion,
                         const std::vector<double>& lambdas) {
  return judge(learner, criterion, lambdas, {.folds = folds, .seed = seed});
}

/// (coefficients; offset) of min Σ v (f − y)² + λ‖a‖² by QR of the rows; the offset is 0 without an intercept.
Vector refit(const Matrix& x, const Vector& y, const Vector& v, double lambda, bool intercept) {
  const Index n = x.rows(), p = x.cols(), q = p + (intercept ? 1 : 0);
  Matrix a = Matrix::Zero(n + p, q);
  Vector b = Vector::Zero(n + p);
  a.topLeftCorner(n, p) = v.cwiseSqrt().asDiagonal() * x;
  if (intercept) a.col(p).head(n) = v.cwiseSqrt();
  a.bottomLeftCorner(p, p).diagonal().setConstant(std::sqrt(lambda));
  b.head(n) = v.cwiseSqrt().cwiseProduct(y);
  Vector theta = Vector::Zero(p + 1);
  theta.head(q) = a.colPivHouseholderQr().solve(b);
  return theta;
}

/// Errors at the rows held out by refits on the others.
Vector held_out_errors(const Shifted& s, const Vector& v, double lambda, bool intercept, const Folds& parts) {
  const Index p = s.x.cols();
  Vector errors(s.x.rows());
  for (int f = 0; f < parts.count; ++f) {
    const auto held = rows_of_fold(parts, f);
    std::vector<Index> train;
    for (Index i = 0; i < s.x.rows(); ++i) {
      if (parts.of_row[static_cast<std::size_t>(i)] != f) train.push_back(i);
    }
    const Vector theta = refit(s.x(train, Eigen::all), s.y(train), v(train), lambda, intercept);
    for (const Index i : held) errors[i] = s.y[i] - s.x.row(i).dot(theta.head(p)) - theta[p];
  }
  return errors;
}

double mean_of_fold_means(const Vector& each, const Folds& parts) {
  double sum = 0;
  for (int f = 0; f < parts.count; ++f) sum += each(rows_of_fold(parts, f)).mean();
  return sum / parts.count;
}

class Shift : public ::testing::TestWithParam<bool> {};  // with an intercept or without
INSTANTIATE_TEST_SUITE_P(Intercept, Shift, ::testing::Bool(),
                         [](const auto& test) { return test.param ? "yes" : "no"; });

TEST_P(Shift, JhatIsUnbiasedWhereTheModelHoldsTheTarget) {
  const bool intercept = GetParam();
  constexpr double sigma = 0.8;
  const Shifted s(25, 3);
  const Vector beta = Vector::LinSpaced(3, -0.5, 1);
  const double offset = intercept ? 0.7 : 0;
  const Vector truth = (s.x * beta).array() + offset, at_points = (s.points * beta).array() + offset;
  const double constant = s.omega.dot(at_points.cwiseAbs2());
  const std::vector<double> exponents{0, 0.5, 1};
  std::vector<Running> known(3), estimated(3), without_trace(3);
  Random random(97);
  for (int d = 0; d < 8000; ++d) {
    const Vector y = truth + sigma * random.normal_vector(truth.size());
    double s2 = undefined;
    for (std::size_t e = 0; e < exponents.size(); ++e) {
      const PathLearner learner = learner_of(s.x, y, s.w, exponents[e], intercept);
      if (e == 0) s2 = least_squares_variance(learner.smoother().spectrum(), 0);
      const Vector f = learner.fit(no_penalty).predict(s.points).col(0);
      const double j = s.omega.dot((f - at_points).cwiseAbs2()) - constant;
      const double at_zero = jhat(learner, s.metric(), 0), at_one = jhat(learner, s.metric(), 1);
      known[e].add(at_zero + sigma * sigma * (at_one - at_zero) - j);
      estimated[e].add(at_zero + s2 * (at_one - at_zero) - j);
      without_trace[e].add(at_zero - j);
    }
  }
  for (std::size_t e = 0; e < exponents.size(); ++e) {
    EXPECT_LT(known[e].z(0), 3) << exponents[e] << ": mean " << known[e].mean();
    EXPECT_LT(estimated[e].z(0), 3) << exponents[e] << ": mean " << estimated[e].mean();
    EXPECT_GT(without_trace[e].z(0), 10);  // the simulation is sharp enough to see the term
  }
}

/// The matrices of Ĵ on 30 rows of three inputs, written out: U at the points, and L_l = (XᵀDX)⁻¹XᵀD.
struct WrittenOut {
  const Shifted& s;
  Matrix design, u;

  WrittenOut(const Shifted& shifted, bool intercept) : s(shifted) {
    const Index q = 3 + (intercept ? 1 : 0);
    design = Matrix::Ones(30, q);
    Matrix at = Matrix::Ones(12, q);
    design.leftCols(3) = s.x;
    at.leftCols(3) = s.points;
    u = at.transpose() * s.omega.asDiagonal() * at;
  }
  Matrix map(double exponent) const {
    const Vector root = s.w.array().pow(exponent / 2);
    return (root.asDiagonal() * design).colPivHouseholderQr().solve(Matrix(root.asDiagonal()));
  }
};

TEST_P(Shift, JhatIsTheFormulaOfThePaper) {
  // ⟨UL_l y, L_l y⟩ − 2⟨UL_l y, L_1 y⟩ + 2σ² tr(U L_l L_1ᵀ), with (XᵀDX)⁻¹XᵀD written out.
  const bool intercept = GetParam();
  const Shifted s(30, 3);
  const WrittenOut written(s, intercept);
  const Matrix &u = written.u, reference = written.map(1);
  for (const double exponent : {0.0, 0.35, 1.0}) {
    const Matrix l = written.map(exponent);
    const Vector a = l * s.y;
    const double wanted =
        a.dot(u * (a - 2 * reference * s.y)) + 2 * 0.09 * (u * l * reference.transpose()).trace();
    for (const bool moments : {false, true}) {
      const PathLearner learner = learner_of(s.x, s.y, s.w, exponent, intercept, moments);
      EXPECT_NEAR(jhat(learner, s.metric(), 0.09), wanted, 1e-9 * std::abs(wanted)) << exponent;
    }
  }
}

TEST_P(Shift, StandardErrorOfJhatIsThatOfItsQuadraticForm) {
  // Ĵ = yᵀBy + const: its variance is 2σ⁴ tr B² + 4σ²|BE y|², estimated without bias.
  const bool intercept = GetParam();
  const Shifted s(30, 3);
  const WrittenOut written(s, intercept);
  const Matrix &u = written.u, reference = written.map(1);
  constexpr double sigma2 = 0.09;
  for (const double exponent : {0.0, 0.35, 1.0}) {
    const Matrix l = written.map(exponent), cross = l.transpose() * u * reference,
                 b = l.transpose() * u * l - cross - cross.transpose();
    const double variance = 4 * sigma2 * (b * s.y).squaredNorm() - 2 * sigma2 * sigma2 * b.squaredNorm();
    const PathLearner learner = learner_of(s.x, s.y, s.w, exponent, intercept);
    const JudgeOptions options{.sigma2 = sigma2, .metric = {Metric::Kind::points, s.metric(), "test"}};
    const CriterionCurve curve = judge(learner, sic, no_penalty, options);
    ASSERT_EQ(curve.standard_error.size(), 1);
    EXPECT_NEAR(curve.standard_error[0], std::sqrt(variance), 1e-8 * std::sqrt(variance)) << exponent;
    EXPECT_NEAR(curve.variance[0], sigma2 * (u * l * l.transpose()).trace(), 1e-9) << exponent;
  }
}

TEST_P(Shift, StandardErrorOfJhatIsItsSpread) {
  const bool intercept = GetParam();
  constexpr double sigma = 0.8;
  const Shifted s(25, 3);
  const Vector truth = s.x.rowwise().sum();
  Running value, estimated;
  Random random(98);
  std::vector<double> values;
  const JudgeOptions options{.sigma2 = sigma * sigma, .metric = {Metric::Kind::points, s.metric(), "test"}};
  for (int d = 0; d < 6000; ++d) {
    const Vector y = truth + sigma * random.normal_vector(truth.size());
    const CriterionCurve curve = judge(learner_of(s.x, y, s.w, 0.5, intercept), sic, no_penalty, options);
    values.push_back(curve.value[0]);
    value.add(curve.value[0]);
    estimated.add(curve.standard_error[0] * curve.standard_error[0]);
  }
  Running spread;
  for (std::size_t d = 0; d < values.size(); ++d) spread.add(std::pow(values[d] - value.mean(), 2));
  const double gap = std::hypot(spread.standard_error(), estimated.standard_error());
  EXPECT_LT(std::abs(spread.mean() - estimated.mean()), 3 * gap) << spread.mean() << " " << estimated.mean();
}

TEST_P(Shift, InformationCriterionIsItsFormula) {
  Shifted s(26, 3);
  s.w[4] = 0;
  const std::vector<double> lambdas{0, 0.7};
  const bool intercept = GetParam();
  for (const double exponent : {0.0, 0.4, 1.0}) {
    const Vector v = flattened(s.w, exponent);
    const Vector got = judge(learner_of(s.x, s.y, s.w, exponent, intercept), iwaic, lambdas).value;
    for (Index k = 0; k < 2; ++k) {
      const double lambda = lambdas[static_cast<std::size_t>(k)];
      const Vector theta = refit(s.x, s.y, v, lambda, intercept);
      const Vector e = (s.y - s.x * theta.head(3)).array() - theta[3];
      // Leverages by moving one target at a time: the fit is linear in y.
      Vector h(26);
      for (Index i = 0; i < 26; ++i) {
        const Vector moved = refit(s.x, Vector::Unit(26, i), v, lambda, intercept);
        h[i] = s.x.row(i).dot(moved.head(3)) + moved[3];
      }
      const double wanted = (s.w.array() * e.array().square() * (1 + 2 * h.array())).sum() / s.w.sum();
      EXPECT_NEAR(got[k], wanted, 1e-9 * wanted) << exponent << " " << lambda;
    }
  }
}

TEST_P(Shift, InformationCriterionIsAlmostUnbiasedForAWrongModel) {
  // A line for a curve: the weighted training error alone is too small by twice the penalty.
  Running gap, without_penalty;
  Random random(55);
  for (int d = 0; d < 1500; ++d) {
    Matrix x = random.normal_vector(150);
    const Vector f = x.col(0).array().square();
    const Vector y = f + 0.5 * random.normal_vector(150);
    Vector w(150);  // N(0.7, 0.6²) over N(0, 1)
    for (Index i = 0; i < 150; ++i)
      w[i] = std::exp(0.5 * x(i, 0) * x(i, 0) - 0.5 * std::pow((x(i, 0) - 0.7) / 0.6, 2)) / 0.6;
    const PathLearner learner = learner_of(x, y, w, 0.5, GetParam());
    const LinearModel model = learner.fit(no_penalty);
    const Matrix fresh = 0.7 + 0.6 * random.normal_vector(2000).array();
    const double truth =
        (model.predict(fresh).col(0).array() - fresh.col(0).array().square()).square().mean() + 0.25;
    const Vector e = y - model.predict(x).col(0);
    gap.add(judge(learner, iwaic, no_penalty).value[0] / truth - 1);
    without_penalty.add(w.dot(e.cwiseAbs2()) / w.sum() / truth - 1);
  }
  EXPECT_LT(std::abs(gap.mean()), 0.03);
  EXPECT_LT(without_penalty.mean(), gap.mean() - 0.01);
}

TEST_P(Shift, ScaleOfTheWeights) {
  const Shifted s(30, 3);
  const double factor = 37;
  for (const double exponent : {0.0, 0.4, 1.0}) {
    const PathLearner a = learner_of(s.x, s.y, s.w, exponent, GetParam()),
                      b = learner_of(s.x, s.y, factor * s.w, exponent, GetParam());
    const double j = jhat(a, s.metric(), 0.1);
    EXPECT_NEAR(jhat(b, s.metric(), 0.1), j, 1e-10 * std::abs(j));
    const double plain = validated(a, cv, no_penalty).value[0],
                 weighted = validated(a, iwcv, no_penalty).value[0];
    EXPECT_NEAR(validated(b, cv, no_penalty).value[0], plain, 1e-10 * plain);
    EXPECT_NEAR(validated(b, iwcv, no_penalty).value[0], weighted, 1e-10 * weighted);
    const double information = judge(a, iwaic, no_penalty).value[0];
    EXPECT_NEAR(judge(b, iwaic, no_penalty).value[0], information, 1e-10 * information);
  }
}

TEST_P(Shift, OrderOfTheRows) {
  const Shifted s(30, 3);
  const auto order = Random(3).permutation(30);
  for (const double exponent : {0.0, 0.4, 1.0}) {
    const PathLearner a = learner_of(s.x, s.y, s.w, exponent, GetParam()),
                      b = learner_of(s.x(order, Eigen::all), s.y(order), s.w(order), exponent, GetParam());
    const double j = jhat(a, s.metric(), 0.1);
    EXPECT_NEAR(jhat(b, s.metric(), 0.1), j, 1e-10 * std::abs(j));
    EXPECT_NEAR(validated(b, loo, no_penalty).value[0], validated(a, loo, no_penalty).value[0], 1e-10);
  }
}

TEST_P(Shift, WithoutAShiftTheExponentDoesNotMatter) {
  const Shifted s(30, 3);
  const Vector ones = Vector::Ones(30);
  const double at_zero = jhat(learner_of(s.x, s.y, ones, 0, GetParam()), s.metric(), 0.1);
  for (const double exponent : {0.25, 0.5, 1.0}) {
    const PathLearner learner = learner_of(s.x, s.y, ones, exponent, GetParam());
    EXPECT_NEAR(jhat(learner, s.metric(), 0.1), at_zero, 1e-12 * std::abs(at_zero));
    EXPECT_NEAR(validated(learner, iwcv, no_penalty).value[0], validated(learner, cv, no_penalty).value[0],
                1e-12);
  }
}

TEST_P(Shift, ExponentsAreRefits) {
  // Exponent 0 is ordinary least squares even where weights are 0; any other exponent drops those rows.
  Shifted s(30, 3);
  s.w.head(6).setZero();
  for (const double exponent : {0.0, 0.4, 1.0}) {
    const PathLearner learner = learner_of(s.x, s.y, s.w, exponent, GetParam());
    const LinearModel model = learner.fit(no_penalty);
    const Vector v = exponent == 0 ? Vector::Ones(30) : Vector(s.w.array().pow(exponent));
    const Vector wanted = refit(s.x, s.y, v, 0, GetParam());
    EXPECT_LT((model.coefficients.col(0) - wanted.head(3)).norm(), 1e-10) << exponent;
    EXPECT_NEAR(model.offset[0], wanted[3], 1e-10) << exponent;
  }
}

TEST_P(Shift, LeaveOneOutEqualsRefits) {
  Shifted s(24, 3);
  s.w[5] = s.w[11] = 0;
  const std::vector<double> lambdas{0, 0.8};
  const Folds each = blocked_folds(24, 24);
  for (const double exponent : {0.0, 0.4, 1.0}) {
    const Vector got = validated(learner_of(s.x, s.y, s.w, exponent, GetParam()), loo, lambdas).value;
    for (Index k = 0; k < 2; ++k) {
      const double wanted =
          held_out_errors(s, flattened(s.w, exponent), lambdas[static_cast<std::size_t>(k)], GetParam(), each)
              .squaredNorm() /
          24;
      EXPECT_NEAR(got[k], wanted, 1e-9 * wanted)
          << exponent << ", lambda " << lambdas[static_cast<std::size_t>(k)];
    }
  }
}

TEST_P(Shift, CrossValidationEqualsRefits) {
  Shifted s(37, 3);
  s.w[5] = s.w[11] = 0;
  const std::vector<double> lambdas{0, 0.8};
  const Folds parts = random_folds(37, folds, seed);
  for (const bool moments : {false, true}) {
    for (const double exponent : {0.0, 0.4, 1.0}) {
      const PathLearner learner = learner_of(s.x, s.y, s.w, exponent, GetParam(), moments);
      const Vector plain = validated(learner, cv, lambdas).value,
                   weighted = validated(learner, iwcv, lambdas).value;
      for (Index k = 0; k < 2; ++k) {
        const Vector squared = held_out_errors(s, flattened(s.w, exponent),
                                               lambdas[static_cast<std::size_t>(k)], GetParam(), parts)
                                   .cwiseAbs2();
        const double wanted = mean_of_fold_means(squared, parts),
                     wanted_weighted = mean_of_fold_means(s.w.cwiseProduct(squared), parts) /
                                       mean_of_fold_means(s.w, parts);
        EXPECT_NEAR(plain[k], wanted, 1e-8 * wanted) << exponent << ", moments " << moments;
        EXPECT_NEAR(weighted[k], wanted_weighted, 1e-8 * wanted_weighted)
            << exponent << ", moments " << moments;
      }
    }
  }
}

}  // namespace
}  // namespace gnomon::testing::shift_unbiased_test
