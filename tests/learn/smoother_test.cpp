// A contract for every linear smoother, run over filters × representations × intercept × weights.

#include "gnomon/learn/smoother.hpp"

#include <gtest/gtest.h>

#include "../reference/dense.hpp"
#include "cases.hpp"
#include "decompose/decomposition.hpp"
#include "decompose/pivoted_cholesky.hpp"
#include "reference/rows_of_fold.hpp"
#include "represent/gram.hpp"

namespace gnomon::testing::smoother_test {
namespace {

using reference::rows_of_fold;

constexpr double tight = 1e-9;

class SmootherContract : public ::testing::TestWithParam<Case> {
 protected:
  const Case& c = GetParam();
  Data data = make_data(24, 2, 11, c.weighted);
  Smoother smoother{data.x, data.y, data.weight, c.options(data.x)};
};

double relative(double a, double b) { return std::abs(a - b) / std::max({std::abs(a), std::abs(b), 1e-12}); }

class PenalisedSmoother : public SmootherContract {};

TEST_P(PenalisedSmoother, MatchesTheDenseReference) {
  const auto reference =
      reference::problem_of(smoother.representation(), c.filter, data.x, data.weight, c.intercept);
  const reference::Wide y = data.y.cast<long double>();
  const reference::Wide w =
      data.weight.size() ? reference::Wide(data.weight.cast<long double>()) : reference::Wide::Ones(24, 1);
  const auto sums = smoother.sums(some_lambdas, 0);
  for (std::size_t k = 0; k < some_lambdas.size(); ++k) {
    const reference::Wide hat = reference.hat(w, some_lambdas[k]), residual = y - hat * y;
    const double rss = static_cast<double>((residual.cwiseAbs2().transpose() * w)(0, 0));
    EXPECT_LT(relative(sums[k].df, static_cast<double>(hat.trace())), tight);
    EXPECT_LT(relative(sums[k].g, static_cast<double>(w.sum() - hat.trace())), tight);
    EXPECT_LT(relative(sums[k].z2g2, rss), tight);
    const Vector fitted = smoother.fitted(some_lambdas[k], 0);
    EXPECT_LT((fitted - (hat * y).cast<double>()).cwiseAbs().maxCoeff(), tight);
  }
}

TEST_P(SmootherContract, DegreesOfFreedomAreTheDerivativeOfTheFit) {
  // tr H by perturbing each target value: fitted values are linear in y, so differences are exact up to
  // rounding.
  for (const double lambda : some_lambdas) {
    double trace = 0;
    const Vector base = smoother.fitted(lambda, 0);
    for (Index i = 0; i < data.x.rows(); ++i) {
      Matrix y = data.y;
      y(i, 0) += 1;
      trace += Smoother(data.x, y, data.weight, c.options(data.x)).fitted(lambda, 0)[i] - base[i];
    }
    EXPECT_NEAR(smoother.sums({&lambda, 1}, 0)[0].df, trace, 1e-8);
  }
}

TEST_P(SmootherContract, OtherTargetsAreAsIfTheyHadBeenTheFirst) {
  const Data other = make_data(24, 2, 12, false);
  const auto moved = smoother.with_targets(other.y);
  const Smoother direct(data.x, other.y, data.weight, c.options(data.x));
  EXPECT_EQ(moved->decomposition().strategy(), direct.decomposition().strategy());
  for (const double lambda : some_lambdas) {
    EXPECT_LT((moved->fitted(lambda, 0) - direct.fitted(lambda, 0)).norm(), tight * other.y.norm());
    EXPECT_LT(relative(moved->sums({&lambda, 1}, 0)[0].z2g2, direct.sums({&lambda, 1}, 0)[0].z2g2), 1e-7);
  }
  EXPECT_THROW(smoother.with_targets(Matrix::Ones(23, 1)), Error);
}

TEST_P(SmootherContract, LeaveOneOutEqualsRefitting) {
  if (!c.filter.closed_form_deletion) {
    EXPECT_THROW(smoother.leave_one_out(some_lambdas, 0), Error);
    return;
  }
  const auto reference =
      reference::problem_of(smoother.representation(), c.filter, data.x, data.weight, c.intercept);
  const reference::Wide y = data.y.cast<long double>();
  const reference::Wide w =
      data.weight.size() ? reference::Wide(data.weight.cast<long double>()) : reference::Wide::Ones(24, 1);
  const ErrorPath path = smoother.leave_one_out(some_lambdas, 0);
  for (std::size_t k = 0; k < some_lambdas.size(); ++k) {
    long double sum = 0;
    const Vector residuals = smoother.leave_one_out_residuals(some_lambdas[k], 0);
    for (Index i = 0; i < data.x.rows(); ++i) {
      const long double e = reference.left_out_error(y, w, some_lambdas[k], i, std::min(1.0L, w(i, 0)));
      EXPECT_NEAR(residuals[i], static_cast<double>(e), 1e-7);
      sum += w(i, 0) * e * e;
    }
    EXPECT_LT(relative(path.value[static_cast<Index>(k)], static_cast<double>(sum / w.sum())), 1e-7);
    EXPECT_GT(path.standard_error[static_cast<Index>(k)], 0);
  }
}

/// The learners whose refit on fewer rows is the same learner: the coefficient penalty keeps the centres of
/// held-out rows, and Landweber's step size belongs to the whole design.
class RefittableSmoother : public SmootherContract {};

TEST_P(RefittableSmoother, FoldErrorsEqualRefitsWithoutTheFold) {
  const Folds folds = random_folds(data.x.rows(), 4, 3);
  const FoldErrors errors = smoother.fold_errors(some_lambdas, 0, folds);
  for (int f = 0; f < folds.count; ++f) {
    std::vector<Index> train;
    for (Index i = 0; i < data.x.rows(); ++i) {
      if (folds.of_row[static_cast<std::size_t>(i)] != f) train.push_back(i);
    }
    const std::vector<Index> held = rows_of_fold(folds, f);
    SmootherOptions options = c.options(data.x);  // the basis is that of all rows
    const Vector weight = data.weight.size() ? Vector(data.weight(train)) : Vector();
    const Smoother refit(data.x(train, Eigen::all), data.y(train, Eigen::all), weight, options);
    for (std::size_t k = 0; k < some_lambdas.size(); ++k) {
      const Vector e =
          data.y(held, 0) - refit.fit({&some_lambdas[k], 1}).predict(data.x(held, Eigen::all)).col(0);
      const double sum =
          data.weight.size() ? (data.weight(held).array() * e.array().square()).sum() : e.squaredNorm();
      EXPECT_LT(relative(errors.sums(f, static_cast<Index>(k)), sum), 1e-6)
          << "fold " << f << " lambda " << some_lambdas[k];
    }
  }
}

class WeightedSmoother : public SmootherContract {};

TEST_P(WeightedSmoother, WeightKIsTheRowRepeatedKTimes) {
  const Data copies = repeated(data);
  SmootherOptions options = c.options(data.x);  // same basis functions
  const Smoother other(copies.x, copies.y, Vector(), options);
  const auto a = smoother.sums(some_lambdas, 0), b = other.sums(some_lambdas, 0);
  for (std::size_t k = 0; k < a.size(); ++k) {
    EXPECT_LT(relative(a[k].df, b[k].df), tight);
    EXPECT_LT(relative(a[k].g, b[k].g), tight);
    EXPECT_LT(relative(a[k].g4, b[k].g4), tight);
    EXPECT_LT(relative(a[k].z2g, b[k].z2g), tight);
    EXPECT_LT(relative(a[k].z2g2, b[k].z2g2), tight);
    EXPECT_LT(relative(a[k].xz2, b[k].xz2), tight);
    EXPECT_LT(relative(a[k].dx2z2, b[k].dx2z2), tight);
    EXPECT_LT(relative(a[k].x, b[k].x), tight);
    if (c.filter.log_prior_ratio) {
      EXPECT_LT(relative(a[k].log_prior_ratio, b[k].log_prior_ratio), tight);
    }
  }
  if (c.filter.closed_form_deletion) {
    const ErrorPath loo_a = smoother.leave_one_out(some_lambdas, 0),
                    loo_b = other.leave_one_out(some_lambdas, 0);
    for (Index k = 0; k < loo_a.value.size(); ++k) {
      EXPECT_LT(relative(loo_a.value[k], loo_b.value[k]), 1e-8);
      EXPECT_LT(relative(loo_a.standard_error[k], loo_b.standard_error[k]), 1e-8);
    }
  }
}

TEST_P(SmootherContract, RowOrderDoesNotMatter) {
  Random random(5);
  const auto order = random.permutation(data.x.rows());
  const Vector weight = data.weight.size() ? Vector(data.weight(order)) : Vector();
  const Smoother other(data.x(order, Eigen::all), data.y(order, Eigen::all), weight, c.options(data.x));
  const auto a = smoother.sums(some_lambdas, 0), b = other.sums(some_lambdas, 0);
  for (std::size_t k = 0; k < a.size(); ++k) {
    EXPECT_LT(relative(a[k].df, b[k].df), tight);
    EXPECT_LT(relative(a[k].z2g2, b[k].z2g2), tight);
  }
}

TEST_P(SmootherContract, UnitWeightsChangeNothing) {
  const Smoother plain(data.x, data.y, Vector(), c.options(data.x));
  const Smoother other(data.x, data.y, Vector::Ones(data.x.rows()), c.options(data.x));
  const auto a = plain.sums(some_lambdas, 0), b = other.sums(some_lambdas, 0);
  for (std::size_t k = 0; k < a.size(); ++k) EXPECT_EQ(a[k].z2g2, b[k].z2g2);
}

TEST_P(SmootherContract, ExtremeLambdasStayFinite) {
  for (const double lambda : {1e-300, 1e-150, 1e-20, 1e20, 1e150, 1e300}) {
    const auto s = smoother.sums({&lambda, 1}, 0)[0];
    EXPECT_TRUE(std::isfinite(s.df) && std::isfinite(s.g) && std::isfinite(s.z2g2) && std::isfinite(s.z2g))
        << lambda;
    EXPECT_GE(s.df, -1e-9);
    EXPECT_LE(s.df, smoother.count() + 1e-9);
    EXPECT_GE(s.z2g2, 0);
    EXPECT_TRUE(smoother.fitted(lambda, 0).allFinite()) << lambda;
    if (c.filter.closed_form_deletion) {
      EXPECT_FALSE(std::isinf(smoother.leave_one_out({&lambda, 1}, 0).value[0])) << lambda;
    }
  }
}

template <class Keep>
std::vector<Case> cases_where(const Keep& keep) {
  std::vector<Case> kept;
  for (const auto& each : all_cases()) {
    if (keep(each)) kept.push_back(each);
  }
  return kept;
}
const auto case_name = [](const auto& param) { return param.param.name; };

INSTANTIATE_TEST_SUITE_P(Catalogue, SmootherContract, ::testing::ValuesIn(all_cases()), case_name);
INSTANTIATE_TEST_SUITE_P(Catalogue, PenalisedSmoother, ::testing::ValuesIn(cases_where([](const Case& x) {
                           return x.filter.shift != Shift::none;
                         })),
                         case_name);
INSTANTIATE_TEST_SUITE_P(Catalogue, RefittableSmoother, ::testing::ValuesIn(cases_where([](const Case& x) {
                           return x.filter.shift != Shift::squared && x.filter.name != "landweber";
                         })),
                         case_name);
INSTANTIATE_TEST_SUITE_P(Catalogue, WeightedSmoother,
                         ::testing::ValuesIn(cases_where([](const Case& x) { return x.weighted; })),
                         case_name);

// ---------------------------------------------------------------- strategies

struct StrategyCase {
  std::string name;
  Strategy strategy;
  std::string kernel, basis;
};

class StrategyAgreement : public ::testing::TestWithParam<std::tuple<StrategyCase, bool, bool>> {};

TEST_P(StrategyAgreement, WithTheFullDecomposition) {
  const auto& [which, intercept, weighted] = GetParam();
  const Data data = make_data(60, 2, 21, weighted);
  const Case base{"", tikhonov, which.kernel, which.basis, intercept, weighted};
  const Smoother fast(data.x, data.y, data.weight, base.options(data.x, which.strategy));
  const Smoother full(data.x, data.y, data.weight, base.options(data.x, Strategy::full));
  EXPECT_EQ(full.decomposition().strategy(), "full");
  EXPECT_EQ(fast.decomposition().strategy(), which.name);
  const std::vector<double> lambdas{1e-4, 1e-2, 1, 100};
  const auto a = fast.sums(lambdas, 0), b = full.sums(lambdas, 0);
  for (std::size_t k = 0; k < lambdas.size(); ++k) {
    EXPECT_LT(relative(a[k].df, b[k].df), 1e-8);
    EXPECT_LT(relative(a[k].g, b[k].g), 1e-8);
    EXPECT_LT(relative(a[k].g2, b[k].g2), 1e-8);
    EXPECT_LT(relative(a[k].g4, b[k].g4), 1e-8);
    EXPECT_LT(relative(a[k].z2g, b[k].z2g), 1e-8);
    EXPECT_LT(relative(a[k].z2g2, b[k].z2g2), 1e-8);
    EXPECT_LT(relative(a[k].z2g4, b[k].z2g4), 1e-8);
    EXPECT_LT(relative(a[k].log_prior_ratio, b[k].log_prior_ratio), 1e-8);
    EXPECT_LT(relative(a[k].x, b[k].x), 1e-8);
    EXPECT_LT(relative(a[k].xz2, b[k].xz2), 1e-8);
    EXPECT_LT(relative(a[k].dx2z2, b[k].dx2z2), 1e-8);
    EXPECT_LT(relative(a[k].a2, b[k].a2), 1e-8);
    EXPECT_LT(relative(a[k].a2z2, b[k].a2z2), 1e-8);
    EXPECT_LT((fast.fitted(lambdas[k], 0) - full.fitted(lambdas[k], 0)).cwiseAbs().maxCoeff(), 1e-8);
  }
  const auto loo_a = fast.leave_one_out(lambdas, 0), loo_b = full.leave_one_out(lambdas, 0);
  for (Index k = 0; k < loo_a.value.size(); ++k) EXPECT_LT(relative(loo_a.value[k], loo_b.value[k]), 1e-7);
  const auto scales_a = fast.decomposition().scales(), scales_b = full.decomposition().scales();
  EXPECT_LT(relative(scales_a.top, scales_b.top), 1e-5);
  EXPECT_LT(relative(scales_a.trace, scales_b.trace), 1e-8);
}

INSTANTIATE_TEST_SUITE_P(
    All, StrategyAgreement,
    ::testing::Combine(::testing::Values(StrategyCase{"tridiagonal", Strategy::tridiagonal, "laplace", ""},
                                         StrategyCase{"pivoted-cholesky", Strategy::pivoted_cholesky,
                                                      "matern52", ""},
                                         StrategyCase{"gram", Strategy::gram, "", "polynomial:3"}),
                       ::testing::Bool(), ::testing::Bool()));

TEST(Strategies, TridiagonalCoefficientPenaltyAgrees) {
  const Data data = make_data(50, 2, 3, false);
  const Case base{"", coefficient_tikhonov, "matern32", "", true, false};
  auto options = base.options(data.x, Strategy::tridiagonal);
  options.needs.leave_one_out = false;
  const Smoother fast(data.x, data.y, data.weight, options),
      full(data.x, data.y, data.weight, base.options(data.x, Strategy::full));
  EXPECT_EQ(fast.decomposition().strategy(), "tridiagonal");
  for (const double lambda : some_lambdas) {
    EXPECT_LT((fast.fitted(lambda, 0) - full.fitted(lambda, 0)).cwiseAbs().maxCoeff(), 1e-9);
    EXPECT_LT(relative(fast.sums({&lambda, 1}, 0)[0].z2g2, full.sums({&lambda, 1}, 0)[0].z2g2), 1e-9);
  }
}

/// So many rows that folds are held out from a band: fits and left-out rows come from it too.
TEST(Strategies, ARotationToABandServesFitsAndRows) {
  const Data data = make_data(2250, 2, 5, true);
  const SmootherOptions options{
      .representation = parse_kernel("laplace", 1), .filter = tikhonov, .strategy = Strategy::tridiagonal};
  SmootherOptions for_folds = options;
  for_folds.needs.held_out = true;
  const Smoother banded(data.x, data.y, data.weight, for_folds),
      factored(data.x, data.y, data.weight, options);
  ASSERT_TRUE(banded.decomposition().rotated_rows());
  EXPECT_GT(banded.decomposition().rotated_rows()->band->rows(), 2);
  const double lambda = 0.4;
  const Vector left_out = factored.leave_one_out_residuals(lambda, 0), fitted = factored.fitted(lambda, 0);
  EXPECT_LT((banded.leave_one_out_residuals(lambda, 0) - left_out).norm(), 1e-9 * left_out.norm());
  EXPECT_LT((banded.fitted(lambda, 0) - fitted).norm(), 1e-9 * fitted.norm());
}

TEST(Strategies, WithoutARotationRowsAreLeftOutByAFactor) {
  const Data data = make_data(40, 2, 12, true);
  for (const bool intercept : {false, true}) {
    const auto smoother = [&](Strategy strategy) {
      return Smoother(data.x, data.y, data.weight,
                      {.representation = parse_kernel("gaussian", 0.7),
                       .filter = tikhonov,
                       .intercept = intercept,
                       .strategy = strategy});
    };
    const Smoother bare = smoother(Strategy::tridiagonal), full = smoother(Strategy::full);
    for (const double lambda : {1e-6, 0.02, 3.0}) {
      const Vector a = bare.leave_one_out_residuals(lambda, 0), b = full.leave_one_out_residuals(lambda, 0);
      EXPECT_LT((a - b).norm(), 1e-8 * b.norm()) << lambda;
    }
    // More than a few λ, or λ below the rounding error, are worth eigenvectors.
    const std::vector<double> many{1e-12, 1e-3, 0.1, 1, 10};
    const Vector a = bare.leave_one_out(many, 0).value, b = full.leave_one_out(many, 0).value;
    EXPECT_LT((a - b).norm(), 1e-6 * b.norm());
  }
}

TEST(Strategies, PivotedCholeskyBoundsItsError) {
  const Data data = make_data(80, 1, 4, false);
  const Kernel kernel = parse_kernel("gaussian", 1.5);
  const Matrix k = gram(kernel, data.x);
  const auto factor = pivoted_cholesky(k, 80);
  ASSERT_TRUE(factor.has_value());
  EXPECT_LT(factor->factor.cols(), 40);
  const double trace_error = (k - factor->factor * factor->factor.transpose()).trace();
  EXPECT_LE(trace_error, factor->error_bound + 80 * 1e-15);
  EXPECT_LT(factor->error_bound, 1e-12);
  EXPECT_FALSE(pivoted_cholesky(Matrix::Identity(400, 400), 40).has_value());
}

TEST(Strategies, RepeatedRowsAreNotRange) {
  Data data = make_data(300, 1, 8, false);
  data.x.bottomRows(150) = data.x.topRows(150);
  const Case base{"", tikhonov, "laplace", "", true, false};
  const Smoother automatic(data.x, data.y, Vector(), base.options(data.x)),
      full(data.x, data.y, Vector(), base.options(data.x, Strategy::full));
  const std::vector<double> lambdas{1e-12, 1e-6, 1};
  const auto a = automatic.sums(lambdas, 0), b = full.sums(lambdas, 0);
  for (std::size_t k = 0; k < lambdas.size(); ++k) {
    EXPECT_LT(relative(a[k].x, b[k].x), 1e-6);
    EXPECT_LT(relative(a[k].g, b[k].g), 1e-8);
  }
  EXPECT_GE(b[0].g, 149.9);  // half of the directions are noise that no λ may fit
}

TEST(Strategies, SeveralTargetsEqualOneAtATime) {
  Data data = make_data(40, 2, 31, true);
  Matrix y(40, 3);
  y.col(0) = data.y;
  y.col(1) = data.x.col(0).array().square();
  y.col(2) = data.x.col(1).array().cos() * 10;
  const Case base{"", tikhonov, "gaussian", "", true, true};
  auto options = base.options(data.x);
  const Smoother together(data.x, y, data.weight, options);
  for (Index t = 0; t < 3; ++t) {
    const Smoother alone(data.x, y.col(t), data.weight, options);
    const auto a = together.sums(some_lambdas, t), b = alone.sums(some_lambdas, 0);
    for (std::size_t k = 0; k < a.size(); ++k) EXPECT_LT(relative(a[k].z2g2, b[k].z2g2), 1e-10);
    EXPECT_LT(
        (together.leave_one_out(some_lambdas, t).value - alone.leave_one_out(some_lambdas, 0).value).norm(),
        1e-9);
  }
}

// ---------------------------------------------------------------- degenerate data

TEST(Degenerate, OneRow) {
  const Matrix x = Matrix::Constant(1, 1, 2.0), y = Matrix::Constant(1, 1, 5.0);
  for (const bool intercept : {false, true}) {
    const Smoother s(
        x, y, Vector(),
        {.representation = parse_kernel("gaussian", 1), .filter = tikhonov, .intercept = intercept});
    EXPECT_NEAR(s.fitted(1e-9, 0)[0], 5, 1e-6);
    EXPECT_TRUE(std::isfinite(s.sums(some_lambdas, 0)[0].df));
  }
}

TEST(Degenerate, MoreColumnsThanRows) {
  const Data data = make_data(10, 40, 2, false);
  const Smoother s(data.x, data.y, Vector(),
                   {.representation = Basis::fit("linear", data.x), .filter = tikhonov});
  const auto sums = s.sums(std::vector<double>{1e-8, 1.0}, 0);
  EXPECT_NEAR(sums[0].df, 10, 1e-4);
  EXPECT_TRUE(s.leave_one_out(std::vector<double>{1e-8, 1.0}, 0).value.allFinite());
  EXPECT_TRUE(std::isnan(least_squares_variance(s.spectrum(), 0)));  // nothing is left over: undefined, not 0
}

TEST(Degenerate, ConstantColumnsAndConstantTarget) {
  Data data = make_data(20, 2, 2, false);
  data.x.col(1).setConstant(7);
  const Smoother s(data.x, data.y, Vector(),
                   {.representation = Basis::fit("linear", data.x), .filter = tikhonov});
  EXPECT_EQ(s.spectrum().values.size(), 1);
  data.y.setConstant(4);
  const Smoother flat(data.x, data.y, Vector(),
                      {.representation = parse_kernel("gaussian", 1), .filter = tikhonov});
  EXPECT_NEAR(flat.sums(some_lambdas, 0)[1].z2g2, 0, 1e-20);
  EXPECT_NEAR(flat.fitted(1, 0)[3], 4, 1e-12);
}

// Where a kernel hardly varies, the rounding of its entries is no signal: what is reported must be what the fit predicts.
TEST(Degenerate, AKernelOfEqualRowsFitsTheConstant) {
  const std::vector<double> lambdas{1e-30, 1e-16, 1e-8, 1.0};
  for (const Index n : {3, 7, 40, 300})
    for (const auto strategy :
         {Strategy::automatic, Strategy::full, Strategy::tridiagonal, Strategy::pivoted_cholesky})
      for (const Filter& filter : {tikhonov, coefficient_tikhonov}) {
        const Data data = make_data(n, 1, 5, true);
        for (const double at : {0.1, 3.0, 1e3}) {
          const Smoother s(
              Matrix::Constant(n, 2, at), data.y, data.weight,
              {.representation = parse_kernel("matern52", 1), .filter = filter, .strategy = strategy});
          const double total = s.total(0);
          for (const SpectralSums& sums : s.sums(lambdas, 0)) {
            EXPECT_EQ(sums.df, 1) << n << " rows at " << at;
            EXPECT_NEAR(sums.z2g2, total, 1e-12 * total);
          }
        }
      }
}

TEST(Degenerate, VeryWideKernelsReportTheErrorOfTheirPredictions) {
  for (const Index n : {60, 300}) {
    const Data data = make_data(n, 3, 6, false);
    for (const double width : {1e2, 1e4, 1e6, 1e9}) {
      const Smoother s(data.x, data.y, Vector(),
                       {.representation = parse_kernel("gaussian", width), .filter = tikhonov});
      const double top = s.decomposition().scales().top;
      for (const double share : {1e-10, 1e-6, 1e-2, 1e2}) {
        const double lambda = top > 0 ? share * top : share;
        const double rss = s.sums(std::vector<double>{lambda}, 0)[0].z2g2;
        const LinearModel model = s.fit(std::vector<double>{lambda});
        EXPECT_NEAR((data.y - model.predict(data.x)).squaredNorm(), rss, 0.05 * rss)
            << "width " << width << ", share " << share;
      }
    }
  }
}

TEST(Degenerate, IntegerInputsGiveLeaveOneOutThatMoves) {
  Matrix x(12, 1), y(12, 1);
  for (Index i = 0; i < 12; ++i) x(i, 0) = static_cast<double>(i), y(i, 0) = static_cast<double>((i * 7) % 5);
  const Smoother s(x, y, Vector(), {.representation = Basis::fit("polynomial:4", x), .filter = tikhonov});
  const Vector loo = s.leave_one_out(std::vector<double>{1e-6, 1e3, 1e9}, 0).value;
  EXPECT_GT(std::abs(loo[0] - loo[2]), 1e-3);
}

TEST(Degenerate, LargeOffsetsDoNotEatTheDigits) {
  Data data = make_data(30, 2, 9, false);
  Data moved = data;
  moved.x.array() += 1048576.0;  // exactly representable shift
  moved.y.array() += 1e6;
  moved.x = (moved.x.array() * 1024).round() / 1024;
  data.x = moved.x.array() - 1048576.0;
  const SmootherOptions options{.representation = parse_kernel("gaussian", 1), .filter = tikhonov};
  const auto a = Smoother(data.x, data.y, Vector(), options).sums(some_lambdas, 0);
  const auto b = Smoother(moved.x, moved.y, Vector(), options).sums(some_lambdas, 0);
  for (std::size_t k = 0; k < a.size(); ++k) {
    EXPECT_LT(relative(a[k].df, b[k].df), 1e-12);
    EXPECT_LT(relative(a[k].z2g2, b[k].z2g2), 1e-7);
  }
}

TEST(Degenerate, NearlyPerfectFitsKeepTheirCrossValidationError) {
  // Residuals nine orders below y: cross products of a fold have no digits left for Σe², the rows have.
  Random random(12);
  Matrix x(300, 4);
  for (Index j = 0; j < 4; ++j) x.col(j) = random.normal_vector(300);
  const Matrix y = 1e6 * x.col(0) + 1e-3 * random.normal_vector(300);
  const Smoother s(x, y, Vector(), {.representation = Basis::fit("linear", x), .filter = tikhonov});
  const std::vector<double> lambdas{1e-12};
  const FoldErrors errors = s.fold_errors(lambdas, 0, random_folds(300, 5, 1));
  EXPECT_NEAR(errors.sums.sum() / 300 / s.leave_one_out(lambdas, 0).value[0], 1, 0.05);
}

TEST(Degenerate, AnOverflowingKernelIsRefused) {
  const Data data = make_data(400, 1, 1, false);
  try {
    Smoother(data.x * 1e6, data.y, Vector(),
             {.representation = parse_kernel("polynomial:64", 1), .filter = tikhonov});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("the kernel matrix overflows"), std::string::npos);
  }
}

TEST(Degenerate, MisuseIsNamed) {
  const Data data = make_data(5, 1, 1, false);
  const SmootherOptions options{.representation = parse_kernel("gaussian", 1), .filter = tikhonov};
  const auto message = [&](const Matrix& x, const Matrix& y, const Vector& w) {
    try {
      Smoother(x, y, w, options);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(message(data.x, data.y.topRows(3), Vector()).find("5 rows but targets have 3"),
            std::string::npos);
  EXPECT_NE(message(data.x, data.y, Vector::Zero(5)).find("weights must be positive"), std::string::npos);
  Matrix bad = data.x;
  bad(2, 0) = undefined;
  EXPECT_NE(message(bad, data.y, Vector()).find("finite"), std::string::npos);
}

}  // namespace
}  // namespace gnomon::testing::smoother_test
