#include "gnomon/learn/mlp_tunable.hpp"
#include "reference/by_name.hpp"
#include "search/mackay.hpp"

#include <gtest/gtest.h>

#include "gnomon/core/error.hpp"
#include "gnomon/learn/ridge_groups.hpp"
#include "gnomon/search/tune.hpp"
#include "linear_problem.hpp"

namespace gnomon::reference::mlp_tunable_test {
namespace {

constexpr std::string_view names[] = {"cv",  "cv-blocked", "evidence", "gen", "nic",
                                      "fpe", "fper",       "gpe",      "gcv"};

HyperCriterion criterion(std::string_view name, Index n, Index lags = 0) {
  HyperCriterion c{name, lags, {}, undefined};
  if (name == "cv") c.folds = {random_folds(n, 4, 7, 0), random_folds(n, 5, 7, 1)};
  if (name == "cv-blocked") c.folds = {blocked_folds(n, 3)};
  return c;
}

struct Sample {
  Matrix x, y;
};

/// The first input matters, the second a little, the others not at all.
Sample sample(Index rows, Index inputs, Index outputs, std::uint64_t seed, double noise = 0.3) {
  Sample s{testing::normal_matrix(rows, inputs, seed), Matrix(rows, outputs)};
  const Matrix e = testing::normal_matrix(rows, outputs, seed + 1);
  for (Index o = 0; o < outputs; ++o) {
    s.y.col(o) = 5 + 3 * (1.5 * s.x.col(0).array() + static_cast<double>(o)).tanh() +
                 0.5 * s.x.col(1).array() + noise * e.col(o).array();
  }
  return s;
}

Matrix classes(const Sample& s) {
  Matrix indicator = Matrix::Zero(s.x.rows(), 3);
  for (Index i = 0; i < s.x.rows(); ++i) indicator(i, s.y(i, 0) < 4 ? 0 : s.y(i, 0) < 6.5 ? 1 : 2) = 1;
  return indicator;
}

struct Case {
  const char* name;
  Index outputs;
  bool classify, per_input;
};

MlpTunable make(const Case& c, std::vector<Index> hidden = {3}) {
  const Sample s = sample(28, 3, c.outputs, 21);
  MlpTunableOptions options;
  options.hidden = std::move(hidden);
  options.training.tolerance = 1e-12;
  if (c.classify) options.loss = MlpLoss::cross_entropy;
  if (c.per_input) options.group_of_input = {0, 1, 1}, options.group_names = {"first", "others"};
  return {s.x, c.classify ? classes(s) : s.y, std::move(options)};
}

constexpr Case cases[] = {{"layers", 1, false, false},
                          {"inputs", 1, false, true},
                          {"two outputs", 2, false, false},
                          {"classes", 1, true, false},
                          {"classes, inputs", 1, true, true}};

TEST(MlpTunable, EveryGradientIsThatOfItsValue) {
  for (const Case& c : cases) {
    const MlpTunable net = make(c);
    Vector theta = Vector::LinSpaced(static_cast<Index>(net.parameters().size()), -0.5, 0.4);
    for (const std::string_view name : names) {
      if (!undefined_for(net, name).empty()) continue;
      const HyperCriterion asked = criterion(name, 28, name == "gen" ? 1 : 0);
      const HyperEstimate e = evaluate(net, asked, theta, true);
      ASSERT_TRUE(std::isfinite(e.value)) << c.name << ", " << name << ": " << e.warning;
      EXPECT_NEAR(evaluate(net, asked, theta, false).value, e.value, 1e-10 * std::abs(e.value)) << name;
      for (Index g = 0; g < theta.size(); ++g) {
        const auto at = [&](double by) {
          Vector moved = theta;
          moved[g] += by;
          return evaluate(net, asked, moved, false).value;
        };
        constexpr double step = 3e-4;
        const double coarse = (at(2 * step) - at(-2 * step)) / (4 * step),
                     fine = (at(step) - at(-step)) / (2 * step);
        const double expected = (4 * fine - coarse) / 3;
        EXPECT_NEAR(e.gradient[g], expected, 1e-6 * std::abs(expected) + 1e-8 * std::abs(e.value))
            << c.name << ", " << name << ", decay " << g;
      }
    }
  }
}

// A network without hidden units is ridge regression with a free constant.
TEST(MlpTunable, WithoutHiddenUnitsItIsGroupedRidge) {
  const Sample s = sample(28, 3, 1, 21);
  const MlpTunable net = make(cases[1], {});
  ASSERT_EQ(net.parameters().size(), 2u);
  // λ acts on weights of standardised targets; those of ridge are larger by σ_y, which changes no λ.
  const RidgeGroups ridge(s.x, s.y.col(0), Basis::fit("linear", s.x), {0, 1, 1}, {"first", "others"}, true);
  const Vector theta{{0.7, 2.1}};
  for (const std::string_view name : names) {
    const HyperCriterion c = criterion(name, 28, name == "gen" ? 2 : 0);
    const HyperEstimate a = evaluate(net, c, theta, true), b = evaluate(ridge, c, theta, true);
    EXPECT_NEAR(a.value, b.value, 1e-9 * std::abs(b.value)) << name;
    EXPECT_LE((a.gradient - b.gradient).norm(), 1e-7 * b.gradient.norm() + 1e-10) << name;
  }
  const TunedFit one = fit_of(net, theta), two = fit_of(ridge, theta);
  EXPECT_LT((one.fitted - two.fitted).norm(), 1e-9);
  EXPECT_NEAR(one.df, two.df, 1e-9);
  EXPECT_LT((one.gamma - two.gamma).norm(), 1e-9);
  EXPECT_NEAR(one.training_error, two.training_error, 1e-11);
}

TEST(MlpTunable, UnitsOfTheTargetDoNotMatter) {
  const Sample s = sample(30, 2, 1, 5);
  MlpTunableOptions options;
  options.hidden = {2};
  const double a = 250, b = -1e4;
  const MlpTunable plain(s.x, s.y, options), scaled(s.x, (a * s.y).array() + b, options);
  const Vector theta{{-1, 0.5}};
  for (const std::string_view name : names) {
    const double v = evaluate(plain, criterion(name, 30), theta, false).value,
                 w = evaluate(scaled, criterion(name, 30), theta, false).value;
    const double expected = name == "evidence" ? v + 2 * 29 * std::log(a) : a * a * v;
    EXPECT_NEAR(w, expected, 1e-6 * std::abs(expected)) << name;
  }
  const Matrix fresh = testing::normal_matrix(10, 2, 77);
  const Matrix p = fit_of(plain, theta).model.predict(fresh), q = fit_of(scaled, theta).model.predict(fresh);
  EXPECT_LT((q - ((a * p).array() + b).matrix()).norm(), 1e-6 * q.norm());
}

TEST(MlpTunable, CrossValidationRefitsAtTheSameLambda) {
  const MlpTunable net = make(cases[0]);
  const Vector theta{{-0.5, 0.4}};
  const HyperCriterion c = criterion("cv-blocked", 28);
  const MlpFit full = net.trained_at((theta).array().exp());
  const MlpCost cost = net.cost_at((theta).array().exp());
  const Sample s = sample(28, 3, 1, 21);
  const double variance = (s.y.array() - s.y.mean()).square().mean();
  double sum = 0;
  for (const auto& held : rows_by_fold(c.folds.front())) {
    std::vector<Index> kept;
    for (Index k = 0; k < 28; ++k) {
      if (std::find(held.begin(), held.end(), k) == held.end()) kept.push_back(k);
    }
    const MlpCost training =
        cost.on_rows(kept).with_kappa(theta.array().exp() / static_cast<double>(kept.size()));
    const Vector w = mlp_train_from(training, full.model.w, {.tolerance = 1e-12}).model.w;
    sum += cost.on_rows(held).error(w);
  }
  EXPECT_NEAR(evaluate(net, c, theta, false).value, variance * sum / 3, 1e-10 * sum);
}

TEST(MlpTunable, InputDecaysFindWhatDoesNotMatter) {
  // An input of four useless weights keeps some of them by accident now and then; most are dropped outright.
  int dropped = 0;
  for (const std::uint64_t seed : {31, 41, 51, 61}) {
    const Sample s = sample(80, 5, 1, seed);
    MlpTunableOptions options;
    options.hidden = {4};
    options.group_of_input = {0, 1, 2, 3, 4};
    options.group_names = {"a", "b", "c", "d", "e"};
    const MlpTunable net(s.x, s.y, options);
    const SearchResult r = tune(net, HyperCriterion{"evidence"});
    const Vector gamma = fit_of(net, r.parameters).gamma;
    EXPECT_GT(gamma[0], 1) << seed;
    EXPECT_GT(gamma[1], 0.8) << seed;
    for (Index g = 2; g < 5; ++g) dropped += gamma[g] < 0.05;
  }
  EXPECT_GE(dropped, 8);
}

TEST(MlpTunable, TheSameCallsGiveTheSameBits) {
  const auto walk = [] {
    const MlpTunable net = make(cases[0]);
    Vector values(4);
    for (Index k = 0; k < 4; ++k)
      values[k] =
          evaluate(net, criterion("cv", 28), Vector::Constant(2, -2.0 + static_cast<double>(k)), false).value;
    return values;
  };
  EXPECT_EQ(walk(), walk());
}

TEST(MlpTunable, BoundsOfTheDecaysGiveDefinedAnswers) {
  for (const Case& c : cases) {
    const MlpTunable net = make(c);
    Vector lower(static_cast<Index>(net.parameters().size())), upper = lower;
    for (Index g = 0; g < lower.size(); ++g) {
      lower[g] = std::log(net.parameters()[static_cast<std::size_t>(g)].lower);
      upper[g] = std::log(net.parameters()[static_cast<std::size_t>(g)].upper);
    }
    for (const Vector& theta : {lower, upper}) {
      for (const std::string_view name : names) {
        if (!undefined_for(net, name).empty()) continue;
        const HyperEstimate e = evaluate(net, criterion(name, 28), theta, true);
        EXPECT_TRUE(std::isfinite(e.value) || !e.warning.empty()) << c.name << ", " << name;
      }
    }
    const TunedFit none = fit_of(net, upper);
    EXPECT_LT(none.df, 3.1) << c.name;  // the free output biases
    EXPECT_FALSE(none.status.empty());
  }
}

TEST(MlpTunable, MackayStandsStillWhereHisGradientVanishes) {
  const Sample s = sample(60, 2, 1, 5, 0.8);
  MlpTunableOptions options;
  options.hidden = {2};
  const MlpTunable net(s.x, s.y, options);
  const SearchResult r = tune_by_mackay(net);
  EXPECT_EQ(r.verdicts, (std::vector<Verdict>{Verdict::interior, Verdict::interior})) << r.status;
  EXPECT_TRUE(r.parameters.allFinite()) << r.status;
  const DecayEvidence parts = net.decays((r.parameters).array().exp());
  const MackayUpdate next = mackay_update(parts);
  for (Index g = 0; g < 2; ++g) {
    EXPECT_NEAR(std::log(next.kappa[g] / parts.kappa[g]), 0, 1e-4) << r.status;
  }
}

// Without any row of a class its bias runs off and the error of the fold is a matter of when training stops.
TEST(MlpTunable, AFoldWithAllRowsOfAClassLeavesCrossValidationUndefined) {
  Matrix y = Matrix::Zero(12, 2);
  y.col(0).setOnes();
  y.row(0) << 0, 1;
  y.row(1) << 0, 1;
  MlpTunableOptions options;
  options.hidden = {2};
  options.loss = MlpLoss::cross_entropy;
  const MlpTunable net(testing::normal_matrix(12, 2, 3), y, options);
  const HyperEstimate e = evaluate(net, {"cv-blocked", 0, {blocked_folds(12, 3)}}, Vector::Zero(2), true);
  EXPECT_TRUE(std::isnan(e.value));
  EXPECT_NE(e.warning.find("class"), std::string::npos) << e.warning;
}

TEST(MlpTunable, SaysHowTrainingEnded) {
  const MlpTunable network = make(cases[0]);
  const TunedFit good = fit_of(network, Vector::Zero(2));
  EXPECT_EQ(good.outcome, MlpOutcome::minimum);
  EXPECT_FALSE(good.short_of_minimum());
  // Inputs so small that the weights must be huge, and next to no decay.
  const Sample s = sample(28, 3, 1, 21);
  MlpTunableOptions options;
  options.hidden = {3}, options.training.restarts = 1;
  const TunedFit bad = fit_of(MlpTunable(1e-8 * s.x, s.y, options), Vector::Constant(2, std::log(1e-18)));
  EXPECT_TRUE(bad.short_of_minimum()) << bad.status;
  EXPECT_TRUE(bad.status.starts_with(in_words(bad.outcome.value()))) << bad.status;
}

// The words of the worst outcome speak of a minimum too: only the enum tells them apart.
TEST(TunedFit, EveryOutcomeButAMinimumIsShortOfOne) {
  TunedFit fit;
  EXPECT_FALSE(fit.short_of_minimum());  // closed form
  fit.outcome = MlpOutcome::minimum;
  EXPECT_FALSE(fit.short_of_minimum());
  for (const MlpOutcome outcome :
       {MlpOutcome::flat, MlpOutcome::saddle, MlpOutcome::iteration_limit, MlpOutcome::unbounded}) {
    fit.outcome = outcome;
    fit.status = in_words(outcome);
    EXPECT_TRUE(fit.short_of_minimum()) << fit.status;
  }
}

TEST(MlpTunable, SaysWhatItDoesNotOffer) {
  const MlpTunable net = make(cases[0]), classifier = make(cases[3]);
  EXPECT_NE(undefined_for(net, "loo").find("cv"), std::string::npos);
  EXPECT_NE(undefined_for(net, "sic"), "");
  EXPECT_NE(undefined_for(net, "basic"), "");
  EXPECT_EQ(undefined_for(net, "gcv"), "");
  EXPECT_NE(undefined_for(classifier, "gcv"), "");
  EXPECT_THROW(MlpTunable(Matrix::Random(10, 2), Matrix::Ones(10, 1), {}), Error);
  EXPECT_THROW(MlpTunable(Matrix::Random(10, 2), Matrix::Constant(10, 1, 1.0 / 3), {}), Error);
  MlpTunableOptions options;
  options.loss = MlpLoss::cross_entropy;
  Matrix one_class = Matrix::Zero(10, 2);
  one_class.col(0).setOnes();
  EXPECT_THROW(MlpTunable(Matrix::Random(10, 2), one_class, options), Error);
}

}  // namespace
}  // namespace gnomon::reference::mlp_tunable_test
