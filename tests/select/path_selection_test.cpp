// Selection with learners that are not linear in y: two parameters at once, and the bad news that belongs to them.

#include <gtest/gtest.h>

#include <algorithm>

#include "core/text.hpp"
#include "gnomon/gnomon.hpp"
#include "select/path_search.hpp"
#include "select/refusal.hpp"

namespace gnomon::path_selection_test {
namespace {

enum class Noise { gaussian, heavy };

const std::vector<LearnerEntry> solved_learners{find_learner("lasso"), find_learner("elastic-net"),
                                                find_learner("huber"), find_learner("svr"),
                                                find_learner("additive")};

TrainingData linear_data(Index n, Index p, std::uint64_t seed = 1, Noise noise = Noise::gaussian) {
  Random random(seed);
  TrainingData data{Matrix(n, p), Matrix(n, 1), Vector(), {"y"}};
  for (Index j = 0; j < p; ++j) data.x.col(j) = random.normal_vector(n);
  for (Index i = 0; i < n; ++i) {
    double e = random.normal();
    if (noise == Noise::heavy) {  // Student's t with 2 degrees of freedom
      const double chi2 = -2 * std::log(random.uniform());
      e /= std::sqrt(chi2 / 2);
    }
    data.y(i, 0) = 1 + 2 * data.x(i, 0) - (p > 1 ? data.x(i, 1) : 0) + 0.5 * e;
  }
  return data;
}

SelectionRequest request_for(const std::string& learner, std::vector<std::string> criteria) {
  SelectionRequest request;
  request.learner = learner;
  request.criteria = std::move(criteria);
  request.lambda = "0.01:1000:6";
  request.noise = "0.25";
  return request;
}

using testing::message_of;

bool warns(const Selection& selection, std::string_view of) {
  const auto& warnings = selection.targets.at(0).warnings;
  return std::any_of(warnings.begin(), warnings.end(),
                     [&](const std::string& w) { return w.find(of) != std::string::npos; });
}

struct TwoParameters {
  std::string learner, values;
  Values SelectionRequest::*tuning;
};

class PathSelection : public ::testing::TestWithParam<TwoParameters> {};

TEST_P(PathSelection, TakesTheJointMinimum) {
  const auto& test = GetParam();
  const TrainingData data = linear_data(40, 4);
  for (const std::string criterion : {"cv:4", "sic", "gcv", "basic"}) {
    SelectionRequest request = request_for(test.learner, {criterion});
    request.bootstrap.replications = 10;
    request.*test.tuning = test.values;
    const Selection joint = select(data, request);
    const TargetSelection& t = joint.targets[0];
    const SelectionPath& path = *t.path();
    double least = HUGE_VAL, lambda = undefined, tuning = undefined;
    std::size_t points = 0;
    for (const std::string& value : split(test.values, ',')) {
      request.*test.tuning = value;
      const SelectionPath alone = *select(data, request).targets[0].path();
      EXPECT_TRUE(alone.tuning.empty());
      EXPECT_EQ(alone.chosen().tuning, parse_number(value));
      const Vector part = t.chosen().curve.value.segment(static_cast<Index>(points), 6);
      EXPECT_EQ(part, alone.chosen().curve.value) << test.learner << " " << value;
      for (std::size_t k = 0; k < 6; ++k) {
        EXPECT_EQ(path.tuning.at(points + k), *parse_number(value));
        EXPECT_EQ(path.lambda.at(points + k), alone.lambda.at(k));
      }
      points += 6;
      if (alone.chosen().selected->value < least) {
        least = alone.chosen().selected->value;
        lambda = alone.chosen().lambda;
        tuning = *parse_number(value);
      }
    }
    EXPECT_EQ(path.lambda.size(), points);
    EXPECT_EQ(t.chosen().selected->value, least);
    EXPECT_EQ(t.chosen().selected->value, t.chosen().curve.value.minCoeff());
    EXPECT_EQ(path.chosen().lambda, lambda);
    EXPECT_EQ(path.chosen().tuning, tuning);
    // The chosen fit is the one that is kept.
    ASSERT_TRUE(path.solution.has_value());
    EXPECT_EQ(path.solution->lambda, lambda);
    EXPECT_LT((joint.model.predict(data.x).col(0) - t.fitted).norm(), 1e-12);
    EXPECT_EQ(path.coefficient_path.cols(), joint.model.linear()->centres.size() ? 0 : 6);
  }
}

INSTANTIATE_TEST_SUITE_P(Learners, PathSelection,
                         ::testing::Values(TwoParameters{"elastic-net", "0,0.5,1", &SelectionRequest::mix},
                                           TwoParameters{"huber", "0.2,0.7,5", &SelectionRequest::tau},
                                           TwoParameters{"svr", "0,0.3,1", &SelectionRequest::epsilon},
                                           TwoParameters{"additive", "-1,0,0.5",
                                                         &SelectionRequest::amplitude}),
                         [](const auto& test) {
                           std::string name = test.param.learner;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(PathSelect, WidthsAndTubesAreChosenTogether) {
  SelectionRequest request = request_for("svr", {"cv:3"});
  request.width = "0.5,2";
  request.epsilon = "0.1,0.4";
  const SelectionPath path = *select(linear_data(30, 2), request).targets[0].path();
  ASSERT_EQ(path.lambda.size(), 24u);
  Index least = 0;
  path.chosen().curve.value.minCoeff(&least);
  EXPECT_EQ(path.chosen().width, path.width[static_cast<std::size_t>(least)]);
  EXPECT_EQ(path.chosen().tuning, path.tuning[static_cast<std::size_t>(least)]);
  EXPECT_EQ(path.chosen().lambda, path.lambda[static_cast<std::size_t>(least)]);
}

TEST(PathSelect, PlainHuberChoosesTauByTheBootstrapAndSaysSo) {
  SelectionRequest request = request_for("huber", {"sic"});
  request.lambda = "0";
  request.tau = "0.2,0.6,50";
  const Selection s = select(linear_data(40, 3), request);
  EXPECT_EQ(s.targets[0].chosen().curve.covariance, "residual bootstrap, 200 replications");
  EXPECT_TRUE(warns(s, "the Stein term is the same for every tau"));
  EXPECT_TRUE(warns(s, "the bootstrap is used instead"));
  request.criteria = {"basic"};
  EXPECT_EQ(s.targets[0].chosen().curve.value,
            select(linear_data(40, 3), request).targets[0].chosen().curve.value);

  // With a ridge term the exact divergence tells tau apart, and one tau needs no telling.
  request.criteria = {"sic"};
  request.lambda = "0.5,2";
  Selection other = select(linear_data(40, 3), request);
  EXPECT_EQ(other.targets[0].chosen().curve.covariance, "exact Stein divergence");
  EXPECT_FALSE(warns(other, "the Stein term is the same"));
  request.lambda = "0";
  request.tau = "0.6";
  other = select(linear_data(40, 3), request);
  EXPECT_EQ(other.targets[0].chosen().curve.covariance, "exact Stein divergence");
  EXPECT_FALSE(warns(other, "the Stein term is the same"));
}

TEST(PathSelect, PlainHuberWarnsOfTheBlindTermUnderEveryCriterionThatRestsOnIt) {
  SelectionRequest request = request_for("huber", {"cv:4", "sic"});
  request.lambda = "0";
  request.tau = "0.2,0.6,50";
  EXPECT_TRUE(warns(select(linear_data(40, 3), request), "the Stein term is the same for every tau"));
  for (const std::string criterion : {"sure", "cp"}) {
    request.criteria = {criterion};
    EXPECT_TRUE(warns(select(linear_data(40, 3), request), "the Stein term is the same for every tau"))
        << criterion;
  }
}

TEST(PathSelect, HeavyTailsAreSeenInTheResiduals) {
  for (const std::string learner : {"lasso", "elastic-net", "huber", "svr"}) {
    SelectionRequest request = request_for(learner, {"sic"});
    if (learner == "svr") request.basis = "linear";
    EXPECT_TRUE(warns(select(linear_data(200, 3, 2, Noise::heavy), request), "heavier tails than Gaussian"))
        << learner;
    EXPECT_FALSE(warns(select(linear_data(200, 3, 2), request), "heavier tails")) << learner;
    request.criteria = {"cv"};  // needs no Stein, so nothing to warn of
    EXPECT_FALSE(warns(select(linear_data(200, 3, 2, Noise::heavy), request), "heavier tails")) << learner;
    request.criteria = {"auto"};  // reports sic beside cv, which chose
    EXPECT_FALSE(warns(select(linear_data(200, 3, 2, Noise::heavy), request), "heavier tails")) << learner;
  }
  // The trace of an affine learner is right for any noise law.
  EXPECT_FALSE(
      warns(select(linear_data(200, 3, 2, Noise::heavy), request_for("additive", {"sic"})), "heavier tails"));
}

TEST(PathSelect, NoPenaltyIsNoBadNewsWhereRowsAreMany) {
  const TrainingData data = linear_data(200, 2);
  SelectionRequest request = request_for("huber", {"cv"});
  request.lambda = "auto";
  const Selection plain = select(data, request);
  ASSERT_TRUE(plain.targets[0].chosen().selected->at_edge);
  EXPECT_FALSE(warns(plain, "end of the grid"));
  request.lambda = "10:100:5";
  EXPECT_TRUE(warns(select(data, request), "lower end of the grid"));
}

TEST(PathSelect, GaussianNoiseIsRarelyCalledHeavy) {
  int alarms = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SelectionRequest request = request_for("lasso", {"sic"});
    alarms += warns(select(linear_data(60, 3, 100 + seed), request), "heavier tails");
  }
  EXPECT_LE(alarms, 4);
}

TEST(PathSelect, FewerRowsThanColumnsIsSaid) {
  SelectionRequest request = request_for("lasso", {"sic"});
  const TrainingData wide = linear_data(15, 15);
  EXPECT_TRUE(warns(select(wide, request), "15 rows for 15 columns: no unbiased reference exists away from"));
  request.metric = Metric{Metric::Kind::points, metric_points(linear_data(20, 15, 3).x), "test"};
  EXPECT_TRUE(warns(select(wide, request), "no unbiased reference exists on the given points"));
  request.metric.reset();
  EXPECT_FALSE(warns(select(linear_data(40, 15), request), "unbiased reference"));
  request.criteria = {"cv"};
  EXPECT_FALSE(warns(select(wide, request), "unbiased reference"));
}

/// Fits that are perfect and say that they are not to be trusted wherever λ < 1, and the mean elsewhere.
struct Unreliable final : PathSolver {
  Index columns;
  explicit Unreliable(Index p) : columns(p) {}
  std::string_view name() const override { return "unreliable"; }
  Dependence dependence() const override { return Dependence::differentiable; }
  std::vector<PathFit> path(const VectorView& y, std::span<const double> lambdas) const override {
    std::vector<PathFit> fits;
    for (const double lambda : lambdas) fits.push_back(refit(y, lambda, {}));
    return fits;
  }
  PathFit refit(const VectorView& y, double lambda, const PathFit&) const override {
    PathFit fit;
    fit.lambda = lambda;
    fit.coefficients = Vector::Zero(columns);
    fit.offset = y.mean();
    fit.converged = lambda >= 1;
    fit.rss = fit.converged ? (y.array() - y.mean()).square().sum() : 0;
    fit.df = 1;
    fit.gap = fit.converged ? 0 : 1;
    return fit;
  }
  double trace(const PathFit&, const MatrixView& m) const override { return m.col(columns).mean(); }
  std::vector<double> automatic_grid(const MatrixView&) const override { return {0.1, 1, 10}; }
};

TEST(PathSelect, AFitThatDidNotConvergeNeverWins) {
  const TrainingData data = linear_data(20, 2);
  SelectionRequest request = request_for("lasso", {"sic"});
  const Metric metric{Metric::Kind::train, {}, "train"};
  for (const std::string criterion : {"sic", "gcv", "cp", "basic", "bic"}) {
    std::vector<Candidate> candidates(1);
    candidates[0].lambdas = {0.1, 0.5, 1, 10};
    candidates[0].learner = std::make_unique<PathLearner>(
        std::make_shared<const Matrix>(data.x), data.y, data.weight,
        PathLearnerOptions{.representation = Basis::fit("linear", data.x),
                           .solver = [](const SolverDesign& design, const CentredGram*) -> PathSolverPtr {
                             return std::make_unique<Unreliable>(design.features->cols());
                           }});
    const TargetFindings found =
        find_for_target(data, request, metric, candidates, {{find_criterion(criterion)}}, 0, {});
    EXPECT_GE(found.laid_out().chosen().lambda, 1) << criterion;
    EXPECT_TRUE(found.laid_out().solution->converged) << criterion;
    const auto& warnings = found.result.warnings;
    EXPECT_TRUE(std::any_of(warnings.begin(), warnings.end(), [](const std::string& w) {
      return w.find("2 of 4 fits of the path stopped before") != std::string::npos;
    })) << criterion;
  }
}

TEST(PathSelect, TheModelIsTheFitThatWasJudged) {
  // To the bit, also where minimisers are many and another start would end at another one.
  TrainingData twice = linear_data(12, 40);
  twice.x.rightCols(20) = twice.x.leftCols(20);
  for (const TrainingData& data : {linear_data(40, 4), twice}) {
    for (const auto& learner : solved_learners) {
      SelectionRequest request = request_for(std::string(learner.name), {"cv:4"});
      request.basis = "linear";
      const Selection s = select(data, request);
      const SelectionPath& path = *s.targets[0].path();
      EXPECT_EQ(s.model.linear()->coefficients.col(0), path.solution->coefficients)
          << learner.name << " differs by "
          << (s.model.linear()->coefficients.col(0) - path.solution->coefficients).norm();
      EXPECT_EQ(s.model.linear()->offset[0], path.solution->offset) << learner.name;
    }
  }
}

TEST(PathSelect, SeveralTargetsBelongToLearnersWithoutATuningParameter) {
  TrainingData data = linear_data(30, 3);
  data.y.conservativeResize(30, 2);
  data.y.col(1) = -2 * data.y.col(0);
  data.target_names = {"y", "z"};
  for (const std::string learner : {"elastic-net", "huber", "svr", "additive"}) {
    const std::string message = message_of(data, request_for(learner, {"cv"}));
    EXPECT_NE(message.find("one target at a time"), std::string::npos) << learner << ": " << message;
  }
  const Selection lasso = select(data, request_for("lasso", {"cv"}));
  ASSERT_EQ(lasso.targets.size(), 2u);
  for (Index t = 0; t < 2; ++t) {
    const Vector& coefficients = lasso.targets[static_cast<std::size_t>(t)].path()->solution->coefficients;
    EXPECT_LT((lasso.model.linear()->coefficients.col(t) - coefficients).norm(), 1e-8);
  }
}

TEST(PathSelect, RequestsThatMakeNoSenseAreRefusedInWords) {
  const TrainingData data = linear_data(30, 2);
  const auto refused = [&](const std::string& learner, auto change, std::string_view says) {
    SelectionRequest request = request_for(learner, {"sic"});
    std::string message;
    try {
      change(request);
      message = message_of(data, request);
    } catch (const Error& error) {  // a name that does not exist is refused where it is given
      message = error.what();
    }
    EXPECT_NE(message.find(says), std::string::npos) << learner << ": " << message;
    EXPECT_EQ(message.find('\n'), std::string::npos);
  };
  refused(
      "additive", [](auto& r) { r.shift = "free"; }, "least squares");
  refused(
      "additive", [](auto& r) { r.shift = "cubic"; }, "x:1");
  refused(
      "additive", [](auto& r) { r.amplitude = "big"; }, "`amplitude` 'big'");
  refused(
      "svr", [](auto& r) { r.lambda = "0,1"; }, "`lambda` 0 is not allowed for svr");
  refused(
      "elastic-net", [](auto& r) { r.mix = "0.5,1.5"; }, "`mix` 1.5 is not allowed");
  refused(
      "elastic-net", [](auto& r) { r.mix = "-0.5"; }, "mix");
  refused(
      "huber", [](auto& r) { r.tau = "0"; }, "`tau` 0 is not allowed");
  refused(
      "huber", [](auto& r) { r.tau = "nonsense"; }, "tau");
  refused(
      "svr", [](auto& r) { r.epsilon = "-1"; }, "epsilon");
  refused(
      "lasso", [](auto& r) { r.bootstrap.replications = 0; }, "at least 1 replication");
  refused(
      "lasso", [](auto& r) { r.criteria = {"evidence"}; }, "'evidence' is not defined for lasso");
  refused(
      "lasso", [](auto& r) { r.criteria = {"rsic"}; }, "'rsic' is not defined for lasso");
  refused(
      "svr",
      [](auto& r) {
        r.metric = Metric{Metric::Kind::function_space, {}, "function-space"};
      },
      "'sic' is not defined for svr");
  refused(
      "svr",
      [](auto& r) {
        r.metric = Metric{Metric::Kind::points, metric_points(Matrix::Ones(2, 2)), "test"};
      },
      "'sic' is not defined for svr");
}

TEST(PathSelect, DegenerateDataHaveDefinedAnswers) {
  struct Named {
    std::string name;
    TrainingData data;
  };
  std::vector<Named> inputs;
  TrainingData wide = linear_data(8, 30);
  wide.x.rightCols(15) = wide.x.leftCols(15);
  inputs.push_back({"more columns than rows, all twice", wide});
  TrainingData constant = linear_data(20, 3);
  constant.y.setConstant(4);
  inputs.push_back({"all targets equal", constant});
  TrainingData flat = linear_data(20, 3);
  flat.x.col(1).setConstant(2);
  inputs.push_back({"a constant column", flat});
  TrainingData blank = linear_data(20, 3);
  blank.x.setZero();
  inputs.push_back({"no information at all", blank});
  inputs.push_back({"three rows", linear_data(3, 2)});
  for (const auto& [name, data] : inputs) {
    for (const auto& learner : solved_learners) {
      for (const std::string lambda : {"auto", "1e-8,1,1e8", "0"}) {
        if (learner.name == "svr" && lambda == "0") continue;
        SelectionRequest request = request_for(std::string(learner.name), {"cv:3", "sic", "gcv", "basic"});
        request.lambda = lambda;
        request.bootstrap.replications = 3;
        if (name == "no information at all") request.shift = "constant";  // x:1 has no input to follow
        const Selection s = select(data, request);
        const TargetSelection& t = s.targets[0];
        const SelectionPath& path = *t.path();
        EXPECT_TRUE(std::isfinite(t.chosen().selected->value))
            << name << " " << learner.name << " " << lambda;
        EXPECT_TRUE(t.fitted.allFinite()) << name << " " << learner.name << " " << lambda;
        EXPECT_TRUE(path.solution->converged) << name << " " << learner.name << " " << lambda;
        EXPECT_TRUE(path.tuning.empty() || path.tuning.size() == path.lambda.size());
        if (path.tuning.empty() && path.width.empty()) {
          EXPECT_EQ(std::adjacent_find(path.lambda.begin(), path.lambda.end(), std::greater_equal<>()),
                    path.lambda.end())
              << "the path has one axis: " << name << " " << learner.name << " " << lambda;
        }
      }
    }
  }
}

TEST(PathSelect, TinyAndHugeTau) {
  const TrainingData data = linear_data(40, 3);
  SelectionRequest request = request_for("huber", {"cv:4", "sic", "basic"});
  request.bootstrap.replications = 5;
  request.lambda = "0,0.1,10";
  request.tau = "1e-9";
  const Selection tiny = select(data, request);
  EXPECT_TRUE(tiny.targets[0].path()->solution->converged);
  EXPECT_TRUE(tiny.targets[0].fitted.allFinite());
  request.tau = "1e9";
  SelectionRequest ridge = request_for("ridge", {"cv:4"});
  ridge.lambda = request.lambda;
  ridge.search = Search::grid;
  const TargetSelection a = select(data, request).targets[0], b = select(data, ridge).targets[0];
  for (Index k = 0; k < 3; ++k)
    EXPECT_NEAR(a.chosen().curve.value[k], b.chosen().curve.value[k], 1e-8 * b.chosen().curve.value[k]);
  EXPECT_EQ(a.path()->chosen().lambda, b.path()->chosen().lambda);
  EXPECT_LT((a.fitted - b.fitted).norm(), 1e-7);
}

TEST(PathSelect, AboveTheLargestLambdaIsTheNullModel) {
  const TrainingData data = linear_data(40, 3);
  for (const std::string learner : {"lasso", "elastic-net"}) {
    SelectionRequest request = request_for(learner, {"sic", "cv"});
    request.mix = "0.5";
    if (learner == "lasso") request.mix = "auto";
    request.lambda = "1e6,1e9";
    const TargetSelection t = select(data, request).targets[0];
    if (learner == "lasso") {
      EXPECT_EQ(t.path()->solution->coefficients.cwiseAbs().maxCoeff(), 0);
      EXPECT_NEAR(t.chosen_df, 1, 1e-12);
    }
    EXPECT_NEAR(t.fitted[0], data.y.col(0).mean(), 1e-3);
  }
}

TEST(PathSelect, AutomaticSettingsWork) {
  const TrainingData data = linear_data(60, 3);
  for (const auto& learner : solved_learners) {
    SelectionRequest request = request_for(std::string(learner.name), {"auto"});
    request.lambda = "auto";
    request.noise = "auto";
    const Selection s = select(data, request);
    const TargetSelection& t = s.targets[0];
    const SelectionPath& path = *t.path();
    EXPECT_EQ(t.chosen().label, "cv") << learner.name;
    ASSERT_EQ(path.criteria.size(), 2u) << learner.name;
    EXPECT_EQ(path.criteria[1].label, "sic");
    EXPECT_FALSE(s.default_reason.empty());
    EXPECT_EQ(path.tuning_name, learner.tuning ? learner.tuning->name : "");
    EXPECT_NEAR(t.noise.at(0), 0.25, 0.15) << learner.name;
    EXPECT_LT((t.fitted - data.y.col(0)).squaredNorm() / 60, 0.6) << learner.name;
    EXPECT_EQ(std::isfinite(path.chosen().tuning), learner.tuning.has_value());
  }
}

TEST(PathSelect, ThreadsAndSeeds) {
  const TrainingData data = linear_data(40, 3);
  for (const auto& learner : solved_learners) {
    SelectionRequest request = request_for(std::string(learner.name), {"cv:5", "basic", "sic"});
    request.bootstrap.replications = 20;
    request.divergence = Divergence::monte_carlo;
    const auto with = [&](int threads, std::uint64_t seed) {
      set_threads(threads);
      request.seed = seed;
      return select(data, request).targets[0];
    };
    const TargetSelection one = with(1, 3), two = with(2, 3), other = with(2, 4);
    set_threads(0);
    for (std::size_t c = 0; c < 3; ++c) {
      EXPECT_EQ(one.path()->criteria[c].curve.value, two.path()->criteria[c].curve.value)
          << learner.name << c;
      EXPECT_NE(one.path()->criteria[c].curve.value, other.path()->criteria[c].curve.value)
          << learner.name << c;
    }
    EXPECT_EQ(one.fitted, two.fitted);
  }
}

TEST(PathSelect, InterruptionStopsTheWork) {
  const TrainingData data = linear_data(40, 3);
  for (const int patience : {2, 4, 8}) {
    int calls = 0;
    const Progress impatient{[&](std::string_view, double) { return ++calls < patience; }};
    EXPECT_THROW(select(data, request_for("huber", {"basic"}), impatient), Interrupted);
    EXPECT_EQ(calls, patience);
  }
}

}  // namespace
}  // namespace gnomon::path_selection_test
