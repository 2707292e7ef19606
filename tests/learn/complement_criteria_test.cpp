#include "reference/by_name.hpp"
#include "reference/fper.hpp"
#include "reference/gpe.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "gnomon/core/error.hpp"
#include "linear_problem.hpp"
#include "reference/rows_of_fold.hpp"

namespace gnomon::reference::complement_criteria_test {
namespace {

using testing::normal_matrix;

constexpr Index n = 17;

Matrix projection(bool intercept) {
  Matrix c = Matrix::Identity(n, n);
  if (intercept) c.array() -= 1.0 / static_cast<double>(n);
  return c;
}

/// Q, e and log|CMC + I| by their definitions.
Complement complement_of(const Matrix& m, const Vector& y, bool intercept) {
  const Matrix c = projection(intercept);
  const Matrix a = c * m * c + Matrix::Identity(n, n);
  Complement out;
  out.y = y;
  out.intercept = intercept;
  out.q = a.fullPivLu().solve(c);
  out.residual = out.q * y;
  out.log_determinant = std::log(a.determinant());
  return out;
}

struct Problem {
  bool intercept;
  Matrix features;  // M = features·features'
  Vector y;

  Matrix m() const { return features * features.transpose(); }
  Complement complement() const { return complement_of(m(), y, intercept); }
};

std::vector<Problem> problems() {
  const Matrix few = normal_matrix(n, 4, 31), many = 0.7 * normal_matrix(n, 25, 32);
  const Vector y = testing::targets(few, 1, 33).array() + 1.5;
  return {{true, few, y}, {false, few, y}, {true, many, y}, {false, many, y}};
}

std::vector<HyperCriterion> criteria() {
  const std::vector<Folds> repeats{random_folds(n, 4, 1), random_folds(n, 5, 1, 1)};
  std::vector<HyperCriterion> all;
  for (const std::string_view name : {"loo", "gcv", "nic", "gen", "fpe", "gpe", "fper", "evidence"})
    all.push_back({name});
  all.push_back({"gen", 1});
  all.push_back({"gen", 4});
  all.push_back({"gen", n - 1});
  all.push_back({"cp", 0, {}, 0.6});
  all.push_back({"sic", 0, {}, 0.6});
  all.push_back({"cv", 0, repeats});
  all.push_back({"cv-blocked", 0, {blocked_folds(n, 3)}});
  all.push_back({"cv", 0, {random_folds(n, static_cast<int>(n), 2)}});
  return all;
}

double difference(const std::function<double(double)>& value, double h) {
  return (8 * (value(h) - value(-h)) - (value(2 * h) - value(-2 * h))) / (12 * h);
}

/// ∂Γ/∂Q written out.
Matrix dense(const ComplementSlope& slope, const Complement& c) {
  const Matrix& q = c.q;
  Matrix g = slope.own * q, product = Matrix::Zero(n, n);
  if (slope.with_y.size()) product += slope.with_y * c.y.transpose();
  if (slope.left.size()) product += slope.left * slope.right.transpose();
  g += 0.5 * (product + product.transpose());
  for (Index m = 0; m < slope.band.cols(); ++m) {
    for (Index k = 0; k + m < q.rows(); ++k) {
      g(k, k + m) += slope.band(k, m);
      if (m > 0) g(k + m, k) += slope.band(k, m);
    }
  }
  return g;
}

TEST(ComplementCriteria, SlopesAreThoseOfTheirValues) {
  const Matrix some = normal_matrix(n, n, 34);
  const Matrix direction = 0.02 * (some + some.transpose());
  for (const Problem& p : problems()) {
    const Complement base = p.complement();
    for (const HyperCriterion& criterion : criteria()) {
      const auto value = [&](double t) {
        Complement moved = base;
        moved.q += t * direction;
        moved.residual = moved.q * moved.y;
        return complement_estimate(criterion, moved, false).value;
      };
      const ComplementEstimate e = complement_estimate(criterion, base);
      EXPECT_EQ(e.value, value(0));
      const double expected = difference(value, 1e-3);
      EXPECT_NEAR(dense(e.slope, base).cwiseProduct(direction).sum(), expected, 1e-7 * std::abs(expected))
          << criterion.name << ' ' << criterion.lags << ", intercept " << p.intercept;
    }
  }
}

TEST(ComplementCriteria, DerivativesInTheGramAndInLambda) {
  const Matrix some = normal_matrix(n, n, 35);
  const Matrix direction = 0.2 * (some + some.transpose());
  for (const Problem& p : problems()) {
    for (const HyperCriterion& criterion : criteria()) {
      const auto value_at = [&](const Matrix& m) {
        return complement_estimate(criterion, complement_of(m, p.y, p.intercept), false).value;
      };
      const Complement c = p.complement();
      const ComplementDerivative d = pull_back(c, complement_estimate(criterion, c).slope);
      const Matrix w = d.gram.selfadjointView<Eigen::Lower>();
      const double in_gram = difference([&](double t) { return value_at(p.m() + t * direction); }, 1e-3);
      const double in_lambda = difference([&](double t) { return value_at(std::exp(-t) * p.m()); }, 1e-3);
      const auto where = fmt::format("{} {}, intercept {}", criterion.name, criterion.lags, p.intercept);
      EXPECT_NEAR(w.cwiseProduct(direction).sum(), in_gram, 1e-7 * std::abs(in_gram) + 1e-9 * w.norm())
          << where;
      EXPECT_NEAR(d.log_lambda, in_lambda, 1e-7 * std::abs(in_lambda)) << where;
      EXPECT_NEAR(d.log_lambda, -w.cwiseProduct(p.m()).sum(), 1e-9 * w.norm() * p.m().norm()) << where;
    }
  }
}

/// The same fit as a grouped ridge on the features, the constant as an unpenalised column.
GroupedRidge ridge_of(const Problem& p) {
  Matrix x = p.features;
  std::vector<int> groups(static_cast<std::size_t>(x.cols()), 0);
  if (p.intercept) {
    x.conservativeResize(Eigen::NoChange, x.cols() + 1);
    x.rightCols(1).setOnes();
    groups.push_back(-1);
  }
  return GroupedRidge(x, p.y, GroupedPenalty::decay(groups));
}

TEST(ComplementCriteria, AgreeWithRidgeOnTheFeatures) {
  const Vector kappa = Vector::Constant(1, 1 / static_cast<double>(n));  // M = ΦΦ'/λ with λ = 1
  for (const Problem& p : problems()) {
    const GroupedRidge ridge = ridge_of(p);
    const Complement c = p.complement();
    const auto expect = [&](const ComplementEstimate& mine, const HyperEstimate& theirs, const char* name) {
      EXPECT_NEAR(mine.value, theirs.value, 1e-10 * std::abs(theirs.value)) << name;
      if (!theirs.gradient.size()) return;
      EXPECT_NEAR(pull_back(c, mine.slope).log_lambda, theirs.gradient[0],
                  1e-9 * std::abs(theirs.gradient[0]))
          << name;
    };
    for (const Index lags : {0, 1, 3, 16})
      expect(complement_estimate({"gen", lags}, c), ridge_gen(ridge, kappa, {.lags = lags}), "gen");
    const CountedError counted = ridge_counted(ridge, kappa);
    expect(complement_estimate({"fper"}, c), fper(counted), "fper");
    expect(complement_estimate({"gpe"}, c), gpe(counted), "gpe");
    expect(complement_estimate({"gcv"}, c), gcv(counted), "gcv");
    HyperEstimate cp = gpe(counted, 0.6);
    expect(complement_estimate({"cp", 0, {}, 0.6}, c), cp, "cp");
    HyperEstimate evidence = profiled_evidence(ridge.evidence(kappa));
    evidence.value *= 2, evidence.gradient *= 2;
    expect(complement_estimate({"evidence"}, c), evidence, "evidence");
    // Its rows held out are fitted with κ against a mean of n − 1: at the same λ.
    expect(complement_estimate({"loo"}, c), ridge_loo(ridge, kappa * (n / (n - 1.0))), "loo");
  }
}

TEST(ComplementCriteria, HeldOutErrorsAreRefits) {
  for (const Problem& p : problems()) {
    const GroupedRidge ridge = ridge_of(p);
    for (const Folds& folds : {random_folds(n, 5, 3), random_folds(n, static_cast<int>(n), 4)}) {
      double sum = 0;
      for (int f = 0; f < folds.count; ++f) {
        std::vector<Index> rows;
        for (Index i = 0; i < n; ++i) {
          if (folds.of_row[static_cast<std::size_t>(i)] != f) rows.push_back(i);
        }
        const Vector kappa = Vector::Constant(1, 1 / static_cast<double>(rows.size()));  // λ = 1 again
        const Matrix w = testing::refit(ridge, kappa, rows);
        const auto held = rows_of_fold(folds, f);
        for (const Index i : held)
          sum += (ridge.y().row(i) - ridge.x().row(i) * w).squaredNorm() /
                 static_cast<double>(static_cast<Index>(held.size()) * folds.count);
      }
      EXPECT_NEAR(complement_estimate({"cv", 0, {folds}}, p.complement()).value, sum, 1e-11 * sum);
      if (folds.count == n) {
        EXPECT_NEAR(complement_estimate({"loo"}, p.complement()).value, sum, 1e-11 * sum);
      }
    }
  }
}

TEST(ComplementCriteria, RepeatsAreAveraged) {
  const Complement c = problems().front().complement();
  const Folds a = random_folds(n, 4, 5), b = random_folds(n, 4, 5, 1);
  const double both = complement_estimate({"cv", 0, {a, b}}, c).value;
  EXPECT_NEAR(
      both,
      0.5 * (complement_estimate({"cv", 0, {a}}, c).value + complement_estimate({"cv", 0, {b}}, c).value),
      1e-13 * both);
}

TEST(ComplementCriteria, SicIsCpWithoutConstants) {
  for (const Problem& p : problems()) {
    const Complement c = p.complement();
    const double total = (projection(p.intercept) * p.y).squaredNorm();
    EXPECT_NEAR(
        complement_estimate({"cp", 0, {}, 0.6}, c).value - complement_estimate({"sic", 0, {}, 0.6}, c).value,
        (total + (p.intercept ? 2 * 0.6 : 0)) / static_cast<double>(n), 1e-12);
  }
}

TEST(ComplementCriteria, SayWhatIsMissing) {
  const Complement c = problems().front().complement();
  const auto message = [](const auto& body) -> std::string {
    try {
      body();
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_NE(message([&] {
              complement_estimate({"gen", n}, c);
            }).find("dependence length"),
            std::string::npos);
  Folds all{std::vector<int>(n, 0), 1};
  EXPECT_NE(message([&] { complement_estimate({"cv", 0, {all}}, c); }).find("every row"), std::string::npos);
  Complement constant = c;
  constant.y.setConstant(2);
  constant.residual.setZero();
  const ComplementEstimate e = complement_estimate({"evidence"}, constant);
  EXPECT_TRUE(std::isnan(e.value) && e.warning.find("constant") != std::string::npos);
}

}  // namespace
}  // namespace gnomon::reference::complement_criteria_test
