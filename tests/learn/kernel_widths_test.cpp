#include "gnomon/learn/kernel_widths.hpp"
#include "reference/by_name.hpp"
#include "reference/fper.hpp"
#include "reference/gpe.hpp"

#include <gtest/gtest.h>

#include "cases.hpp"
#include "gnomon/search/tune.hpp"
#include "linear_problem.hpp"
#include "reference/dense.hpp"
#include "reference/rows_of_fold.hpp"
#include "represent/gram.hpp"
#include "represent/width.hpp"

namespace gnomon::reference::kernel_widths_test {
namespace {

using gnomon::testing::make_data;

const std::vector<std::string> kernels{"gaussian", "laplace",      "matern32",
                                       "matern52", "polynomial:3", "linear"};

std::shared_ptr<const Matrix> shared(Matrix x) { return std::make_shared<const Matrix>(std::move(x)); }

std::vector<int> each_its_own(Index inputs) {
  std::vector<int> groups;
  for (Index j = 0; j < inputs; ++j) groups.push_back(static_cast<int>(j));
  return groups;
}
std::vector<std::string> letters(Index inputs) {
  std::vector<std::string> names;
  for (Index j = 0; j < inputs; ++j) names.emplace_back(1, static_cast<char>('a' + j));
  return names;
}
KernelWidths one_width_per_input(const Matrix& x, const Vector& y, const std::string& kernel, bool intercept,
                                 double start = 1.3) {
  return KernelWidths(shared(x), y, kernel, each_its_own(x.cols()), letters(x.cols()), intercept, start);
}
KernelWidths common_width(const Matrix& x, const Vector& y, const std::string& kernel, bool intercept) {
  return KernelWidths(shared(x), y, kernel, std::vector<int>(static_cast<std::size_t>(x.cols()), 0), {"all"},
                      intercept, 1.3);
}
Vector units(const Tunable& learner) {
  Vector theta(static_cast<Index>(learner.parameters().size()));
  for (Index i = 0; i < theta.size(); ++i)
    theta[i] = std::log(learner.parameters()[static_cast<std::size_t>(i)].unit);
  return theta;
}

std::vector<HyperCriterion> all_criteria(Index n) {
  std::vector<HyperCriterion> all;
  for (const std::string_view name : {"loo", "gcv", "nic", "gen", "fpe", "gpe", "fper", "evidence"})
    all.push_back({name});
  all.push_back({"gen", 3});
  all.push_back({"cp", 0, {}, 0.1});
  all.push_back({"sic", 0, {}, 0.1});
  all.push_back({"cv", 0, {random_folds(n, 5, 7), random_folds(n, 5, 7, 1)}});
  all.push_back({"cv-blocked", 0, {blocked_folds(n, 4)}});
  return all;
}

TEST(KernelWidths, NamesItsParameters) {
  const auto data = make_data(20, 3, 1, false);
  const KernelWidths one = common_width(data.x, data.y, "gaussian", true);
  ASSERT_EQ(one.parameters().size(), 2u);
  EXPECT_EQ(one.parameters()[0].name, "lambda");
  EXPECT_EQ(one.parameters()[0].weights, 20);
  EXPECT_EQ(one.parameters()[1].name, "width");
  const KernelWidths two(shared(data.x), data.y, "gaussian", {0, 1, 0}, {"age, sex", "bmi"}, true, 2);
  ASSERT_EQ(two.parameters().size(), 3u);
  EXPECT_EQ(two.parameters()[1].name, "width[age, sex]");
  EXPECT_EQ(two.parameters()[2].unit, 2);
  EXPECT_LE(
      (two.input_widths((Vector{{0, std::log(3), std::log(5)}}).array().exp()) - Vector{{3, 5, 3}}).norm(),
      1e-14);
  for (const auto& p : two.parameters()) EXPECT_TRUE(p.lower < p.unit && p.unit < p.upper) << p.name;
  // The unit of λ is the mean eigenvalue of the centred Gram.
  const Matrix k = gram(Gaussian{2}, data.x);
  const Matrix c = Matrix::Identity(20, 20).array() - 1.0 / 20;
  EXPECT_NEAR(two.parameters()[0].unit, (c * k * c).trace() / 20, 1e-12);
}

// Values along a path of one λ at a common width, from the criteria of a Smoother.
TEST(KernelWidths, ValuesAreThoseOfAPath) {
  const auto data = make_data(30, 3, 2, false);
  const std::vector<double> lambdas{1e-4, 0.03, 2, 500};
  for (const bool intercept : {true, false}) {
    for (const auto& kernel : kernels) {
      const Smoother smoother(data.x, data.y, Vector(),
                              {.representation = parse_kernel(kernel, 1.3),
                               .filter = tikhonov,
                               .intercept = intercept,
                               .needs = {.leave_one_out = true}});
      const double width = uses_width(kernel) ? 1.3 : 1;
      const KernelWidths learner = one_width_per_input(data.x, data.y, kernel, intercept, width);
      const JudgeOptions options{.sigma2 = 0.1, .folds = 6, .repeats = 2, .seed = 4};
      const std::vector<Folds> repeats{random_folds(30, 6, 4, 0), random_folds(30, 6, 4, 1)};
      const std::vector<std::pair<Criterion, HyperCriterion>> pairs{
          {gnomon::loo, {"loo"}},           {gnomon::gcv, {"gcv"}},
          {gnomon::fpe, {"fpe"}},           {gnomon::evidence, {"evidence"}},
          {gnomon::cp, {"cp", 0, {}, 0.1}}, {gnomon::sic, {"sic", 0, {}, 0.1}},
          {gnomon::cv, {"cv", 0, repeats}}, {gnomon::cv_blocked, {"cv-blocked", 0, {blocked_folds(30, 6)}}}};
      for (const auto& [criterion, hyper] : pairs) {
        const CriterionCurve curve = judge(smoother, criterion, lambdas, options);
        for (std::size_t l = 0; l < lambdas.size(); ++l) {
          Vector theta = units(learner);
          theta[0] = std::log(lambdas[l]);
          const double expected = curve.value[static_cast<Index>(l)];
          EXPECT_NEAR(evaluate(learner, hyper, theta, false).value, expected, 1e-8 * std::abs(expected))
              << kernel << ' ' << hyper.name << " at " << lambdas[l] << ", intercept " << intercept;
        }
      }
    }
  }
}

/// A linear kernel with widths is a ridge with λ_g = λℓ_g² on the inputs themselves.
TEST(KernelWidths, LinearKernelIsGroupedRidge) {
  const auto data = make_data(26, 4, 3, false);
  const std::vector<int> groups{0, 1, 1, 0};
  for (const bool intercept : {true, false}) {
    const KernelWidths learner(shared(data.x), data.y, "linear", groups, {"p", "q"}, intercept, 1);
    Matrix x(26, intercept ? 5 : 4);
    x.leftCols(4) = data.x;
    std::vector<int> of_weight = groups;
    if (intercept) x.col(4).setOnes(), of_weight.push_back(-1);
    const GroupedRidge ridge(x, data.y, GroupedPenalty::decay(of_weight));
    const Vector theta{{std::log(3.0), 0.4, -0.7}};
    const Vector kappa = (theta[0] + 2 * theta.tail(2).array()).exp() / 26;
    const CountedError counted = ridge_counted(ridge, kappa);
    const auto expect = [&](const HyperCriterion& criterion, const HyperEstimate& theirs) {
      const HyperEstimate mine = evaluate(learner, criterion, theta, true);
      EXPECT_NEAR(mine.value, theirs.value, 1e-10 * theirs.value) << criterion.name;
      EXPECT_NEAR(mine.gradient[0], theirs.gradient.sum(), 1e-8 * theirs.gradient.norm()) << criterion.name;
      EXPECT_LE((mine.gradient.tail(2) - 2 * theirs.gradient).norm(), 1e-8 * theirs.gradient.norm())
          << criterion.name;
    };
    expect({"nic"}, ridge_gen(ridge, kappa));
    expect({"gen", 5}, ridge_gen(ridge, kappa, {.lags = 5}));
    expect({"fper"}, fper(counted));
    expect({"gpe"}, gpe(counted));
    const TunedFit fit = fit_of(learner, theta);
    EXPECT_NEAR(fit.df, counted.m1, 1e-10);
    EXPECT_NEAR(fit.training_error, counted.training_error, 1e-11);
    EXPECT_NEAR(fit.gamma[0], counted.m1 - (intercept ? 1 : 0), 1e-10);
    EXPECT_TRUE(std::isnan(fit.gamma[1]) && std::isnan(fit.gamma[2]));
  }
}

/// (1 + ⟨x, x'⟩)² written out in its six monomials.
TEST(KernelWidths, PolynomialKernelIsRidgeOnMonomials) {
  const auto data = make_data(22, 2, 4, false);
  const Vector theta{{std::log(0.8), 0.3, -0.2}};
  const KernelWidths learner = one_width_per_input(data.x, data.y, "polynomial:2", true, 1);
  const Vector a = data.x.col(0) / std::exp(0.3), b = data.x.col(1) / std::exp(-0.2);
  Matrix x(22, 7);
  x.col(0).setOnes();
  x.col(1) = std::sqrt(2) * a;
  x.col(2) = std::sqrt(2) * b;
  x.col(3) = a.cwiseProduct(a);
  x.col(4) = b.cwiseProduct(b);
  x.col(5) = std::sqrt(2) * a.cwiseProduct(b);
  x.col(6).setOnes();
  const GroupedRidge ridge(x, data.y, GroupedPenalty::decay({0, 0, 0, 0, 0, 0, -1}));
  const Vector kappa = Vector::Constant(1, 0.8 / 22);
  for (const Index lags : {0, 2, 21}) {
    const HyperEstimate theirs = ridge_gen(ridge, kappa, {.lags = lags}),
                        mine = evaluate(learner, {"gen", lags}, theta, true);
    EXPECT_NEAR(mine.value, theirs.value, 1e-10 * theirs.value);
    EXPECT_NEAR(mine.gradient[0], theirs.gradient[0], 1e-8 * std::abs(theirs.gradient[0]));
  }
}

TEST(KernelWidths, EveryGradientIsThatOfItsValue) {
  const auto data = make_data(24, 3, 5, false);
  for (const bool intercept : {true, false}) {
    for (const auto& kernel : kernels) {
      const KernelWidths learner(shared(data.x), data.y, kernel, {0, 1, 0}, {"p", "q"}, intercept, 1.5);
      Vector theta = units(learner);
      theta += Vector{{-2.0, 0.3, -0.4}};
      for (const HyperCriterion& criterion : all_criteria(24)) {
        const HyperEstimate e = evaluate(learner, criterion, theta, true);
        EXPECT_NEAR(evaluate(learner, criterion, theta, false).value, e.value, 1e-12 * std::abs(e.value));
        const Vector expected = testing::differences(
            [&](const Vector& p) { return evaluate(learner, criterion, p.array().log(), false).value; },
            theta.array().exp());
        for (Index i = 0; i < 3; ++i)
          EXPECT_NEAR(e.gradient[i], expected[i], 1e-6 * std::abs(expected[i]) + 1e-9 * expected.norm())
              << kernel << ' ' << criterion.name << ' ' << criterion.lags << ", intercept " << intercept
              << ", parameter " << i;
      }
    }
  }
}

TEST(KernelWidths, ManyRowsGoThroughRuns) {
  const auto data = make_data(301, 2, 6, false);
  for (const std::string kernel : {"matern52", "polynomial:2"}) {
    const KernelWidths learner = one_width_per_input(data.x, data.y, kernel, true);
    const Vector theta = units(learner);
    const HyperEstimate e = evaluate(learner, {"loo"}, theta, true);
    const Vector expected = testing::differences(
        [&](const Vector& p) { return evaluate(learner, {"loo"}, p.array().log(), false).value; },
        theta.array().exp());
    EXPECT_LE((e.gradient - expected).norm(), 1e-6 * expected.norm()) << kernel;
  }
}

/// Leaving rows out and solving again with extended precision.
TEST(KernelWidths, HeldOutErrorsAreRefits) {
  const auto data = make_data(15, 2, 7, false);
  const Vector theta{{std::log(0.2), std::log(0.8), std::log(2.5)}};
  const Matrix scaled = data.x.array().rowwise() / Eigen::Array<double, 1, 2>(0.8, 2.5);
  for (const bool intercept : {true, false}) {
    for (const std::string kernel : {"gaussian", "laplace"}) {
      const auto problem =
          reference::problem_of(parse_kernel(kernel, 1), tikhonov, scaled, Vector(), intercept);
      const auto held_out = [&](const Folds& folds) {
        long double sum = 0;
        for (int f = 0; f < folds.count; ++f) {
          reference::Wide w = reference::Wide::Ones(15, 1);
          for (const Index i : rows_of_fold(folds, f)) w(i, 0) = 0;
          const reference::Wide fitted = problem.fitted(problem.solve(data.y.cast<long double>(), w, 0.2L));
          for (const Index i : rows_of_fold(folds, f)) {
            const long double e = data.y(i, 0) - fitted(i, 0);
            sum += e * e / static_cast<long double>(rows_of_fold(folds, f).size());
          }
        }
        return static_cast<double>(sum / folds.count);
      };
      const KernelWidths learner = one_width_per_input(data.x, data.y, kernel, intercept);
      const double one = held_out(blocked_folds(15, 15));
      EXPECT_NEAR(evaluate(learner, {"loo"}, theta, false).value, one, 1e-9 * one) << kernel;
      const Folds folds = random_folds(15, 4, 8);  // of unequal sizes: mean of the folds' means
      const double several = held_out(folds);
      EXPECT_NEAR(evaluate(learner, {"cv", 0, {folds}}, theta, false).value, several, 1e-9 * several)
          << kernel;
    }
  }
}

TEST(KernelWidths, ModelReproducesTheFit) {
  const auto data = make_data(28, 3, 9, false);
  for (const bool intercept : {true, false}) {
    for (const auto& kernel : kernels) {
      const KernelWidths learner = one_width_per_input(data.x, data.y, kernel, intercept);
      Vector theta = units(learner);
      theta += Vector{{-3.0, 0.5, -0.3, 0.1}};
      const TunedFit fit = fit_of(learner, theta);
      EXPECT_LE((fit.model.predict(data.x) - fit.fitted).norm(), 1e-9 * data.y.norm()) << kernel;
      EXPECT_NEAR(fit.training_error, (data.y - fit.fitted).squaredNorm() / 28, 1e-13);
      // It is what a Smoother on the scaled inputs fits.
      const Matrix scaled =
          data.x.array().rowwise() / learner.input_widths((theta).array().exp()).transpose().array();
      const Smoother smoother(
          scaled, data.y, Vector(),
          {.representation = parse_kernel(kernel, 1), .filter = tikhonov, .intercept = intercept});
      const double lambda = std::exp(theta[0]);
      EXPECT_LE((smoother.fitted(lambda, 0) - fit.fitted).norm(), 1e-8 * data.y.norm()) << kernel;
      EXPECT_NEAR(smoother.sums({&lambda, 1}, 0)[0].df, fit.df, 1e-8 * fit.df) << kernel;
      const Matrix fresh = make_data(9, 3, 10, false).x;
      const Matrix fresh_scaled =
          fresh.array().rowwise() / learner.input_widths((theta).array().exp()).transpose().array();
      EXPECT_LE((fit.model.predict(fresh) - smoother.fit({&lambda, 1}).predict(fresh_scaled)).norm(), 1e-7);
    }
  }
}

// A width at its bound leaves the input out exactly, and just below it the input hardly matters.
TEST(KernelWidths, AnInputAtTheBoundIsLeftOut) {
  const auto data = make_data(25, 3, 11, false);
  for (const auto& kernel : kernels) {
    const KernelWidths with = one_width_per_input(data.x, data.y, kernel, true),
                       without = one_width_per_input(data.x.leftCols(2), data.y, kernel, true);
    Vector theta = units(with);
    theta[0] = 0;
    theta[3] = std::log(with.parameters()[3].upper);
    const HyperEstimate dropped = evaluate(with, {"loo"}, theta, true),
                        absent = evaluate(without, {"loo"}, theta.head(3), true);
    EXPECT_NEAR(dropped.value, absent.value, 1e-13 * absent.value) << kernel;
    EXPECT_LE((dropped.gradient.head(3) - absent.gradient).norm(), 1e-6 * absent.gradient.norm()) << kernel;
    EXPECT_LE(std::abs(dropped.gradient[3]), 1e-5 * absent.value) << kernel;
    const TunedFit fit = fit_of(with, theta);
    EXPECT_TRUE(fit.model.linear()->input_widths.allFinite());
    Matrix moved = data.x;
    moved.col(2).array() += 100;
    EXPECT_EQ(fit.model.predict(moved), fit.model.predict(data.x)) << kernel;
    theta[3] -= 1e-6;
    const HyperEstimate near = evaluate(with, {"loo"}, theta, true);
    EXPECT_NEAR(near.value, absent.value, 1e-5 * absent.value) << kernel;
    EXPECT_NEAR(near.gradient[3], dropped.gradient[3], 1e-3 * std::abs(near.gradient[3])) << kernel;
  }
}

SearchResult search(const KernelWidths& learner, const HyperCriterion& criterion) {
  SearchOptions options;
  options.lower = options.upper = units(learner);
  for (Index i = 0; i < options.lower.size(); ++i) {
    const auto& p = learner.parameters()[static_cast<std::size_t>(i)];
    options.lower[i] = std::log(p.lower), options.upper[i] = std::log(p.upper);
  }
  // Wide kernels may hide a wavy input from the search: widths also begin at a third.
  Vector wide = units(learner);
  wide[0] -= std::log(100.0);
  Vector narrow = wide;
  narrow.tail(narrow.size() - 1).array() -= std::log(3.0);
  return minimise_log_parameters([&](const Vector& t) { return evaluate(learner, criterion, t, true); },
                                 {wide, narrow}, options);
}

TEST(KernelWidths, IrrelevantInputsAreDropped) {
  Random random(12);
  Matrix x(90, 4);
  for (Index j = 0; j < 4; ++j) x.col(j) = random.uniform_vector(90, -2, 2);
  Vector y(90);
  for (Index i = 0; i < 90; ++i) y[i] = std::sin(2 * x(i, 0)) + std::cos(3 * x(i, 2)) + 0.1 * random.normal();
  const double start = median_distance(x, Vector());
  for (const std::string kernel : {"gaussian", "matern52"}) {
    for (const std::string_view criterion : {"loo", "evidence"}) {
      const KernelWidths learner = one_width_per_input(x, y, kernel, true, start);
      const SearchResult found = search(learner, {criterion});
      EXPECT_TRUE(found.converged) << found.status;
      const Vector widths = found.parameters.tail(4).array().exp();
      EXPECT_GT(std::min(widths[1], widths[3]), 10 * std::max(widths[0], widths[2]))
          << kernel << ' ' << criterion;
      EXPECT_LT(std::max(widths[0], widths[2]), start) << kernel << ' ' << criterion;
      // One width for all inputs must look at the irrelevant ones too.
      const KernelWidths single(shared(x), y, kernel, {0, 0, 0, 0}, {"all"}, true, start);
      const SearchResult common = search(single, {criterion});
      EXPECT_LT(found.value, common.value);
      const Matrix fresh = make_data(200, 4, 13, false).x;
      const Vector truth = (2 * fresh.col(0).array()).sin() + (3 * fresh.col(2).array()).cos();
      const auto error = [&](const KernelWidths& l, const SearchResult& r) {
        return (fit_of(l, r.parameters).model.predict(fresh) - truth).squaredNorm() / 200;
      };
      EXPECT_LT(error(learner, found), 0.2 * error(single, common)) << kernel << ' ' << criterion;
    }
  }
}

// From the median distance alone the evidence of this function ends at "all is noise" in five of six draws.
TEST(Tune, SeesAFunctionThatChangesFast) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    Random random(seed);
    Matrix x(90, 4);
    for (Index j = 0; j < 4; ++j) x.col(j) = random.uniform_vector(90, -2, 2);
    const Vector y =
        (2 * x.col(0).array()).sin() + (3 * x.col(2).array()).cos() + 0.1 * random.normal_vector(90).array();
    const KernelWidths learner = one_width_per_input(x, y, "gaussian", true, median_distance(x, Vector()));
    const SearchResult found = tune(learner, HyperCriterion{"evidence"});
    EXPECT_LT(fit_of(learner, found.parameters).training_error, 0.03) << seed << ": " << found.status;
  }
}

// A linear function is the limit of ever wider kernels with ever smaller λ: its input must not be called dropped.
TEST(KernelWidths, AWideInputOfALinearFunctionIsNotDropped) {
  Random random(14);
  Matrix x(40, 2);
  for (Index j = 0; j < 2; ++j) x.col(j) = random.uniform_vector(40, -2, 2);
  const Vector y = 2 * x.col(0) + 0.1 * random.normal_vector(40);
  const KernelWidths learner = one_width_per_input(x, y, "gaussian", true, 2);
  Vector theta = units(learner);
  theta[0] = std::log(learner.parameters()[0].lower);
  theta[1] = std::log(learner.parameters()[1].upper);
  const double dropped = evaluate(learner, {"loo"}, theta, false).value;
  theta[1] -= 1e-3;
  EXPECT_LT(evaluate(learner, {"loo"}, theta, false).value, 0.1 * dropped);
  const SearchResult found = search(learner, {"evidence"});
  EXPECT_EQ(found.verdicts[1], Verdict::interior) << found.parameters.transpose();
  EXPECT_EQ(found.verdicts[2], Verdict::dropped) << found.parameters.transpose();
  EXPECT_LT(fit_of(learner, found.parameters).training_error, 0.03);
}

TEST(KernelWidths, DegenerateDataHaveDefinedAnswers) {
  const auto data = make_data(12, 2, 15, false);
  Matrix repeated(12, 2), flat = data.x, equal = Matrix::Constant(12, 2, 1.5), two = data.x.topRows(2);
  repeated << data.x.topRows(6), data.x.topRows(6);
  flat.col(1).setConstant(3);
  for (const auto& kernel : kernels) {
    for (const bool intercept : {true, false}) {
      for (const Matrix* each : {&repeated, &flat, &equal, &two}) {
        const Matrix& x = *each;
        const Vector y = data.y.topRows(x.rows());
        const KernelWidths learner = one_width_per_input(x, y, kernel, intercept);
        for (const double factor : {-60.0, -20.0, 0.0, 20.0, 60.0}) {
          Vector theta = units(learner);
          theta[0] += factor;
          for (HyperCriterion criterion : all_criteria(x.rows() < 5 ? 12 : x.rows())) {
            if (x.rows() < 5 && criterion.folds.size()) criterion.folds = {blocked_folds(x.rows(), 2)};
            if (criterion.lags >= x.rows()) criterion.lags = 1;
            const HyperEstimate e = evaluate(learner, criterion, theta, true);
            const auto where = fmt::format("{} {} of {} rows, intercept {}, factor {}: {}", kernel,
                                           criterion.name, x.rows(), intercept, factor, e.warning);
            EXPECT_TRUE(std::isfinite(e.value) || !e.warning.empty()) << where;
            EXPECT_EQ(e.gradient.size(), 3);
            EXPECT_TRUE(e.gradient.allFinite() || !std::isfinite(e.value)) << where;
            if (each == &flat && !kernel.starts_with("poly") && kernel != "linear" &&
                std::isfinite(e.value)) {
              EXPECT_EQ(e.gradient[2], 0) << where;
            }
          }
          const TunedFit fit = fit_of(learner, theta);
          EXPECT_TRUE(fit.fitted.allFinite() && std::isfinite(fit.df));
          if (each == &equal && intercept) {  // nothing but the mean can be fitted
            EXPECT_NEAR(fit.df, 1, 1e-5) << kernel << ' ' << factor;
            EXPECT_LE((fit.fitted.array() - y.mean()).matrix().norm(), 1e-5) << kernel << ' ' << factor;
          }
          // Coefficients are at most ‖y‖/λ, and their sum over a low rank loses ε‖K‖/λ: nothing to compare below.
          if (factor >= -20) {
            EXPECT_LE((fit.model.predict(x) - fit.fitted).norm(), 1e-4 * y.norm()) << kernel << ' ' << factor;
          }
        }
      }
    }
  }
}

// Where the kernel matrix has no full rank, a vanishing λ means least squares on what rank there is, as along a path.
TEST(KernelWidths, VanishingLambdaOnALowRankGramIsThatOfAPath) {
  const auto data = make_data(30, 3, 16, false);
  for (const bool intercept : {true, false}) {
    const Smoother smoother(data.x, data.y, Vector(),
                            {.representation = Kernel(Linear{}),
                             .filter = tikhonov,
                             .intercept = intercept,
                             .needs = {.leave_one_out = true}});
    const KernelWidths learner = one_width_per_input(data.x, data.y, "linear", intercept, 1);
    const std::vector<double> lambdas{1e-18};
    Vector theta = Vector::Zero(4);
    theta[0] = std::log(lambdas[0]);
    for (const auto& [criterion, name] :
         std::vector<std::pair<Criterion, std::string_view>>{{gnomon::loo, "loo"},
                                                             {gnomon::gcv, "gcv"},
                                                             {gnomon::fpe, "fpe"},
                                                             {gnomon::evidence, "evidence"}}) {
      const double expected = judge(smoother, criterion, lambdas).value[0];
      const HyperEstimate e = evaluate(learner, {name}, theta, true);
      EXPECT_NEAR(e.value, expected, 1e-8 * std::abs(expected)) << name;
      EXPECT_NE(e.warning.find("rounding"), std::string::npos);
      EXPECT_NE(evaluate(learner, {name}, theta, false).warning.find("rounding"), std::string::npos);
      if (name != "evidence") {
        EXPECT_LE(e.gradient.norm(), 1e-10 * expected) << name;
      }
    }
    const TunedFit fit = fit_of(learner, theta);
    EXPECT_NEAR(fit.df, intercept ? 4 : 3, 1e-9);
    EXPECT_LE((fit.model.predict(data.x) - fit.fitted).norm(), 1e-6 * data.y.norm());
  }
}

// Interpolation: leave-one-out and its like tend to a limit, in-sample estimates are marked.
TEST(KernelWidths, VanishingLambdaOfAFullRankGram) {
  const auto data = make_data(20, 2, 17, false);
  const KernelWidths learner = one_width_per_input(data.x, data.y, "laplace", true, 0.5);
  Vector small = units(learner), smaller = small;
  small[0] = std::log(1e-9), smaller[0] = std::log(1e-30);
  for (const HyperCriterion& criterion : all_criteria(20)) {
    const HyperEstimate a = evaluate(learner, criterion, small, true),
                        b = evaluate(learner, criterion, smaller, true);
    const std::string_view name = criterion.name;
    const bool in_sample = name == "nic" || name == "gen" || name == "fpe" || name == "gpe" || name == "fper";
    EXPECT_EQ(a.overfitted, in_sample) << name;
    EXPECT_EQ(b.overfitted, in_sample) << name;
    if (in_sample) {
      EXPECT_FALSE(a.warning.empty());
    } else {
      EXPECT_TRUE(a.warning.empty()) << a.warning;
      EXPECT_NEAR(a.value, b.value, 1e-6 * std::abs(a.value)) << name;
    }
  }
}

TEST(KernelWidths, OverflowIsAnUnusablePointInWords) {
  const auto data = make_data(10, 2, 18, false);
  const KernelWidths learner = one_width_per_input(data.x, data.y, "polynomial:60", true, 1);
  Vector theta = units(learner);
  theta[1] = std::log(1e-3);
  const HyperEstimate e = evaluate(learner, {"loo"}, theta, true);
  EXPECT_TRUE(std::isnan(e.value) && e.warning.find("overflow") != std::string::npos);
  EXPECT_THROW(fit_of(learner, theta), Error);
}

TEST(KernelWidths, SaysWhatIsWrong) {
  const auto data = make_data(10, 2, 19, false);
  const auto message = [](const auto& body) -> std::string {
    try {
      body();
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  const auto make = [&](std::vector<int> groups, std::vector<std::string> names, double width) {
    KernelWidths(shared(data.x), data.y, "gaussian", std::move(groups), std::move(names), true, width);
  };
  EXPECT_NE(message([&] { make({0}, {"a"}, 1); }).find("1 inputs, but there are 2"), std::string::npos);
  EXPECT_NE(message([&] { make({0, 2}, {"a", "b"}, 1); }).find("in group 2"), std::string::npos);
  EXPECT_NE(message([&] { make({0, 0}, {"a", "b"}, 1); }).find("'b' has no inputs"), std::string::npos);
  EXPECT_NE(message([&] { make({0, 0}, {"a"}, -1); }).find("start width"), std::string::npos);
  EXPECT_NE(message([&] {
              KernelWidths(shared(data.x), Vector::Ones(3), "gaussian", {0, 0}, {"a"}, true, 1);
            }).find("3 targets"),
            std::string::npos);
  const KernelWidths learner = one_width_per_input(data.x, data.y, "gaussian", true);
  EXPECT_NE(message([&] { evaluate(learner, {"loo"}, Vector::Zero(2), false); }).find("positive ones"),
            std::string::npos);
  EXPECT_NE(message([&] { evaluate(learner, {"sure"}, Vector::Zero(3), false); }).find("noise variance"),
            std::string::npos);
  EXPECT_NE(message([&] { evaluate(learner, {"cv"}, Vector::Zero(3), false); }).find("no folds"),
            std::string::npos);
  EXPECT_NE(undefined_for(learner, "basic").find("bootstrap"), std::string::npos);
  for (const HyperCriterion& criterion : all_criteria(10))
    EXPECT_EQ(undefined_for(learner, criterion.name), "");
  EXPECT_FALSE(learner.iterative());
  EXPECT_NE(message([&] { learner.decays(Vector::Ones(3)); }).find("decays"), std::string::npos);
}

}  // namespace
}  // namespace gnomon::reference::kernel_widths_test
