#include "learn/ridge_groups/grouped_ridge.hpp"
#include "reference/by_name.hpp"
#include "reference/fper.hpp"
#include "reference/gpe.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

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
  const Matrix two = testing::targets(x, 2, 21);
  EXPECT_NE(message([&] {
              GroupedRidge(x, two, GroupedPenalty::quadratic({Matrix::Ones(16, 16)}));
            }).find("block per output"),
            std::string::npos);
}

using Long = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
using LongVector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

/// One κ, N ≤ p: with M = XX' + NκI nothing cancels as κ → 0. α = M⁻¹y, residual e = Nκα, complement C = NκM⁻¹, dM/dκ = N.
struct LongDual {
  Long inverse, square;      // M⁻¹, M⁻²
  LongVector alpha, turned;  // M⁻¹y, M⁻²y

  LongDual(const Matrix& x, const Vector& y, long double kappa) {
    Long m = x.cast<long double>() * x.cast<long double>().transpose();
    m.diagonal().array() += static_cast<long double>(x.rows()) * kappa;
    inverse = m.llt().solve(Long::Identity(x.rows(), x.rows()));
    square = inverse * inverse;
    alpha = inverse * y.cast<long double>();
    turned = inverse * alpha;
  }
};

/// Criteria of one κ and their derivatives by κ, from LongDual.
struct LongCriteria {
  long double loo = 0, d_loo = 0, folds = 0, d_folds = 0, fper = 0, gen = 0, d_gen = 0, d_evidence = 0;

  LongCriteria(const Matrix& x, const Vector& y, double kappa, Index lags, const Folds& split) {
    const Index rows = x.rows();
    const auto n = static_cast<long double>(rows);
    // Leave-one-out at Nκ → (N−1)κ: e_(k) = α_k/(M⁻¹)_kk.
    const LongDual reduced(x, y, kappa * (n - 1) / n);
    for (Index k = 0; k < rows; ++k) {
      const long double q = reduced.inverse(k, k), e = reduced.alpha[k] / q;
      loo += e * e / n;
      d_loo += 2 * e * (n - 1) * (e * reduced.square(k, k) - reduced.turned[k]) / q / n;
    }
    for (int f = 0; f < split.count; ++f) {
      const auto out = rows_of_fold(split, f);
      std::vector<Index> in;
      for (Index i = 0; i < rows; ++i) {
        if (split.of_row[static_cast<std::size_t>(i)] != f) in.push_back(i);
      }
      const Matrix kept = x(in, Eigen::all);
      const LongDual fold(kept, y(in), kappa);
      const Long cross =
          Matrix(x(out, Eigen::all)).cast<long double>() * kept.cast<long double>().transpose();
      const LongVector e = Vector(y(out)).cast<long double>() - cross * fold.alpha;
      const LongVector de = static_cast<long double>(in.size()) * (cross * fold.turned);
      const long double share = static_cast<long double>(out.size()) * split.count;
      folds += e.squaredNorm() / share, d_folds += 2 * e.dot(de) / share;
    }
    const LongDual whole(x, y, kappa);
    const long double scale = n * kappa;
    const LongVector e = scale * whole.alpha, de = n * (whole.alpha - scale * whole.turned);
    const Long hat = Long::Identity(rows, rows) - scale * whole.inverse;
    const Long dhat = -n * (whole.inverse - scale * whole.square);
    const long double left = scale * scale * whole.inverse.squaredNorm();
    fper = e.squaredNorm() / n * (n + hat.squaredNorm()) / left;
    Long window = Long::Zero(rows, rows);
    for (Index i = 0; i < rows; ++i) {
      for (Index j = 0; j < rows; ++j) window(i, j) = std::abs(i - j) <= lags ? 1 : 0;
    }
    const long double a = (2 * lags + 1 - lags * (lags + 1) / n) / n;
    const Long lagged = hat.cwiseProduct(window), dlagged = dhat.cwiseProduct(window);
    gen = e.squaredNorm() / n + 2 / n * (e.dot(lagged * e) - a * e.dot(hat * e));
    d_gen = 2 * e.dot(de) / n + 2 / n * (2 * de.dot(lagged * e) + e.dot(dlagged * e)) -
            2 * a / n * (2 * de.dot(hat * e) + e.dot(dhat * e));
    // N/2 log C + ½ log|I + XX'/Nκ| with C = κy'α: its terms in 1/κ cancel.
    d_evidence =
        n / 2 *
        (whole.inverse.trace() - n * whole.alpha.squaredNorm() / whole.alpha.dot(y.cast<long double>()));
  }
};

void expect_digits(double got, long double want, double digits, const std::string& what) {
  EXPECT_LE(std::abs(static_cast<long double>(got) - want), digits * std::abs(want))
      << what << ": " << got << " is not " << static_cast<double>(want);
}

TEST(GroupedRidge, WideModelsKeepTheirDigitsAsThePenaltyVanishes) {
  for (const Index columns : {9, 14}) {
    const Matrix x = testing::normal_matrix(9, columns, 31), y = testing::targets(x, 1, 32);
    const GroupedRidge ridge(
        x, y, GroupedPenalty::decay(std::vector<int>(static_cast<std::size_t>(columns), 0)), SlopesBy::kappa);
    const Folds folds = random_folds(9, 3, 4);
    for (const double k : {1e-3, 1e-7, 1e-12, 1e-15}) {
      const LongCriteria want(x, y.col(0), k, 2, folds);
      const Vector kappa = Vector::Constant(1, k);
      const std::string at = fmt::format(" of {} columns at {}", columns, k);
      const auto loo = ridge_loo(ridge, kappa), cv = folds_cv(RidgeFolds(ridge, folds), kappa);
      const auto gen = ridge_gen(ridge, kappa, {.lags = 2});
      expect_digits(loo.value, want.loo, 1e-11, "loo" + at);
      expect_digits(loo.gradient[0], want.d_loo, 1e-10, "slope of loo" + at);
      expect_digits(cv.value, want.folds, 1e-11, "cv" + at);
      expect_digits(cv.gradient[0], want.d_folds, 1e-10, "slope of cv" + at);
      expect_digits(gen.value, want.gen, 1e-11, "gen" + at);
      expect_digits(gen.gradient[0], want.d_gen, 1e-10, "slope of gen" + at);
      expect_digits(fper(ridge_counted(ridge, kappa)).value, want.fper, 1e-11, "fper" + at);
      expect_digits(profiled_evidence(ridge.evidence(kappa)).gradient[0] / k, want.d_evidence, 1e-10,
                    "slope of the evidence" + at);
    }
  }
}

/// A fit of some rows by normal equations in long double, for κ far apart whose small ones have few weights.
struct LongRefit {
  Long inverse;  // B⁻¹
  LongVector w;

  LongRefit(const Matrix& x, const Vector& y, const Vector& decay, const std::vector<Index>& rows) {
    const Long kept = Matrix(x(rows, Eigen::all)).cast<long double>();
    const auto n = static_cast<long double>(rows.size());
    Long b = kept.transpose() * kept / n;
    b.diagonal() += decay.cast<long double>();
    inverse = b.ldlt().solve(Long::Identity(x.cols(), x.cols()));
    w = inverse * (kept.transpose() * Vector(y(rows)).cast<long double>()) / n;
  }
  /// Σ (y − x'w)² over other rows, and its derivatives by κ_g.
  long double error(const Matrix& x, const Vector& y, const std::vector<Index>& rows,
                    const GroupedPenalty& penalty, LongVector& slopes) const {
    const Long out = Matrix(x(rows, Eigen::all)).cast<long double>();
    const LongVector e = Vector(y(rows)).cast<long double>() - out * w;
    for (Index g = 0; g < penalty.groups(); ++g) {
      const LongVector member = penalty.apply(g, Vector::Ones(x.cols())).cast<long double>();
      slopes[g] += 2 * e.dot(out * (inverse * member.cwiseProduct(w)));
    }
    return e.squaredNorm();
  }
};

TEST(GroupedRidge, PenaltiesFarApartKeepTheirDigits) {
  const Matrix x = testing::normal_matrix(8, 11, 33), y = testing::targets(x, 1, 34);
  const auto penalty = GroupedPenalty::decay({0, 0, 1, 1, 1, 1, 1, 1, 1, 2, 2});
  const GroupedRidge ridge(x, y, penalty, SlopesBy::kappa);
  const Folds folds = random_folds(8, 4, 5);
  std::vector<Index> all(8);
  std::iota(all.begin(), all.end(), Index{0});
  for (const Vector& kappa : {Vector{{1e-9, 0.3, 1}}, Vector{{1e-12, 1, 1e7}}, Vector{{1e-5, 0.01, 0.1}}}) {
    const std::string at = fmt::format(" at {}", kappa[0]);
    const Vector decay = penalty.decay_of_weight(kappa);
    const LongRefit fit(x, y.col(0), decay, all);
    EXPECT_LE((ridge.fit(kappa).weights.cast<long double>() - fit.w).norm(), 1e-12L * fit.w.norm()) << at;
    LongVector unused = LongVector::Zero(3);
    const Long hat = x.cast<long double>() * fit.inverse * x.cast<long double>().transpose() / 8;
    const Counts c = ridge.counts(kappa);
    expect_digits(c.rss, fit.error(x, y.col(0), all, penalty, unused), 1e-12, "rss" + at);
    expect_digits(c.df, hat.trace(), 1e-12, "df" + at);
    expect_digits(c.left, 8 - hat.trace(), 1e-11, "left" + at);
    expect_digits(c.left_squared, (Long::Identity(8, 8) - hat).squaredNorm(), 1e-11, "left squared" + at);
    const DecayEvidence parts = ridge.evidence(kappa);
    for (Index g = 0; g < 3; ++g) {
      const LongVector member = penalty.apply(g, Vector::Ones(11)).cast<long double>();
      expect_digits(parts.squared_norm[g], fit.w.cwiseAbs2().dot(member), 1e-11, "squared norm" + at);
      const Long gram = x.cast<long double>().transpose() * x.cast<long double>() / 8;
      expect_digits(parts.gamma[g], (fit.inverse * gram).diagonal().dot(member), 1e-11, "gamma" + at);
    }
    long double loo = 0, cv = 0;
    LongVector d_loo = LongVector::Zero(3), d_cv = LongVector::Zero(3);
    for (int f = 0; f < folds.count + 8; ++f) {
      const bool single = f >= folds.count;
      const auto out = single ? std::vector<Index>{f - folds.count} : rows_of_fold(folds, f);
      std::vector<Index> in;
      for (const Index i : all) {
        if (std::find(out.begin(), out.end(), i) == out.end()) in.push_back(i);
      }
      LongVector slopes = LongVector::Zero(3);
      const long double error = LongRefit(x, y.col(0), decay, in).error(x, y.col(0), out, penalty, slopes);
      const long double share = single ? 8 : static_cast<long double>(out.size()) * folds.count;
      (single ? loo : cv) += error / share;
      (single ? d_loo : d_cv) += slopes / share;
    }
    const auto fast_loo = ridge_loo(ridge, kappa), fast_cv = folds_cv(RidgeFolds(ridge, folds), kappa);
    expect_digits(fast_loo.value, loo, 1e-11, "loo" + at);
    expect_digits(fast_cv.value, cv, 1e-11, "cv" + at);
    for (Index g = 0; g < 3; ++g) {
      expect_digits(fast_loo.gradient[g], d_loo[g], 1e-9, "slope of loo" + at);
      expect_digits(fast_cv.gradient[g], d_cv[g], 1e-9, "slope of cv" + at);
    }
  }
}

TEST(GroupedRidge, SlopesByKappaAreDefinedWithoutAPenalty) {
  const Matrix x = testing::normal_matrix(12, 3, 35), y = testing::targets(x, 1, 36);
  const auto penalty = GroupedPenalty::decay({0, 0, 1});
  const GroupedRidge by_log(x, y, penalty), by_kappa(x, y, penalty, SlopesBy::kappa);
  const Folds folds = random_folds(12, 4, 6);
  const auto slopes = [&](const GroupedRidge& ridge, const Vector& kappa) {
    const CountedError c = ridge_counted(ridge, kappa);
    return std::vector<Vector>{ridge_loo(ridge, kappa).gradient,
                               folds_cv(RidgeFolds(ridge, folds), kappa).gradient,
                               ridge_gen(ridge, kappa).gradient,
                               ridge_gen(ridge, kappa, {.lags = 2}).gradient,
                               ridge_gen(ridge, kappa).gradient_eq14,
                               c.d_training_error,
                               c.d_m1,
                               c.d_left_squared};
  };
  const Vector some{{0.2, 0.03}}, none{{0, 0.4}}, next{{1e-9, 0.4}};
  const auto a = slopes(by_log, some), b = slopes(by_kappa, some), c = slopes(by_kappa, none),
             d = slopes(by_kappa, next);
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_LE((a[i] - some.cwiseProduct(b[i])).norm(), 1e-14 * a[i].norm()) << i;
    EXPECT_LE((c[i] - d[i]).norm(), 1e-6 * c[i].norm()) << i;  // continuous at 0
    EXPECT_NE(c[i][0], 0) << i;
  }
  // Of leave-one-out, by refitting.
  LongVector want = LongVector::Zero(2);
  for (Index k = 0; k < 12; ++k) {
    std::vector<Index> in;
    for (Index i = 0; i < 12; ++i) {
      if (i != k) in.push_back(i);
    }
    LongRefit(x, y.col(0), penalty.decay_of_weight(none), in).error(x, y.col(0), {k}, penalty, want);
  }
  for (Index g = 0; g < 2; ++g) expect_digits(c[0][g], want[g] / 12, 1e-12, "slope of loo");
}

TEST(GroupedRidge, AQuadraticPenaltyMayCoverSeveralOutputs) {
  const Matrix x = testing::normal_matrix(14, 3, 37), y = testing::targets(x, 2, 38);
  const std::vector<int> groups{0, 0, 1, 1, 0, 0};
  std::vector<Matrix> matrices(2, Matrix::Zero(6, 6));
  for (Index i = 0; i < 6; ++i)
    matrices[static_cast<std::size_t>(groups[static_cast<std::size_t>(i)])](i, i) = 1;
  const Vector kappa{{0.3, 0.07}};
  const GroupedRidge decays(x, y, GroupedPenalty::decay(groups)),
      quadratic(x, y, GroupedPenalty::quadratic(matrices));
  const Folds folds = random_folds(14, 3, 7);
  EXPECT_LE((decays.fit(kappa).weights - quadratic.fit(kappa).weights).norm(), 1e-13);
  EXPECT_NEAR(decays.fit(kappa).cost, quadratic.fit(kappa).cost, 1e-13);
  for (std::size_t i = 0; i + 2 < criteria().size(); ++i) {  // the evidence is of decays
    const auto& [name, criterion] = criteria()[i];
    const HyperEstimate a = criterion({"", decays, kappa}, kappa, true),
                        b = criterion({"", quadratic, kappa}, kappa, true);
    EXPECT_NEAR(a.value, b.value, 1e-12 * std::abs(a.value)) << name;
    EXPECT_LE((a.gradient - b.gradient).norm(), 1e-11 * a.gradient.norm()) << name;
  }
}

}  // namespace
}  // namespace gnomon::reference::grouped_ridge_test
