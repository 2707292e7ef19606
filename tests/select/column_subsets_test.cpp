// Subsets of the columns as models to choose from: which there are, and that each is judged as it would be alone.
#include "select/column_subsets.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "gnomon/core/error.hpp"
#include "gnomon/core/random.hpp"
#include "gnomon/select/selection.hpp"
#include "select/refusal.hpp"

namespace gnomon::column_subsets_test {
namespace {

/// y = 1 + 2a − c + noise of variance 1; b and d play no part but are correlated with a and c.
TrainingData sample(Index n, std::uint64_t seed, double noise = 1) {
  Random random(seed);
  TrainingData data;
  data.x.resize(n, 4);
  for (Index j = 0; j < 4; ++j) data.x.col(j) = random.normal_vector(n);
  data.x.col(1) += 0.7 * data.x.col(0);
  data.x.col(3) += 0.5 * data.x.col(2);
  data.y = (2 * data.x.col(0) - data.x.col(2) + noise * random.normal_vector(n)).array() + 1;
  data.target_names = {"y"};
  data.feature_names = {"a", "b", "c", "d"};
  return data;
}

TrainingData only(const TrainingData& data, const std::vector<Index>& columns) {
  TrainingData some = data;
  some.x = data.x(Eigen::all, columns);
  some.feature_names.clear();
  for (const Index j : columns) some.feature_names.push_back(data.feature_names[static_cast<std::size_t>(j)]);
  return some;
}

SelectionRequest asking(const char* learner, const char* subsets, std::vector<std::string> criteria) {
  SelectionRequest request;
  request.learner = learner;
  request.subsets = subsets;
  request.criteria = std::move(criteria);
  return request;
}

std::vector<std::string> names_of(const TrainingData& data, const char* subsets) {
  std::vector<std::string> names;
  for (const ColumnSubset& subset : column_subsets(data, asking("ridge", subsets, {"loo"})))
    names.push_back(subset.name);
  return names;
}

using testing::message_of;

/// The values of a criterion along the path of one subset.
Vector curve_of(const SelectionPath& path, std::size_t criterion, const std::string& name) {
  std::vector<double> values;
  for (std::size_t k = 0; k < path.lambda.size(); ++k)
    if (path.representation[k] == name)
      values.push_back(path.criteria[criterion].curve.value[static_cast<Index>(k)]);
  return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

TEST(ColumnSubsets, NestedEveryAndNamed) {
  const TrainingData data = only(sample(10, 1), {0, 1, 2});
  using Names = std::vector<std::string>;
  EXPECT_EQ(names_of(data, "nested"), (Names{"a", "a, b", "a, b, c"}));
  EXPECT_EQ(names_of(data, "every"), (Names{"a", "b", "c", "a, b", "a, c", "b, c", "a, b, c"}));
  EXPECT_EQ(names_of(data, "c , a; b"), (Names{"a, c", "b"}));
  TrainingData nameless = data;
  nameless.feature_names.clear();
  EXPECT_EQ(names_of(nameless, "x3;x1"), (Names{"x3", "x1"}));
}

TEST(ColumnSubsets, ATextColumnGoesInOrOutAsOne) {
  TrainingData data = sample(10, 1);
  data.feature_names = {"age", "sex=F", "sex=M", "bmi"};
  data.feature_columns = {"age", "sex", "sex", "bmi"};
  const auto subsets = column_subsets(data, asking("ridge", "every", {"loo"}));
  ASSERT_EQ(subsets.size(), 7u);
  for (const ColumnSubset& subset : subsets) {
    const auto has = [&](Index j) {
      return std::binary_search(subset.features.begin(), subset.features.end(), j);
    };
    EXPECT_EQ(has(1), has(2)) << subset.name;
    EXPECT_EQ(has(1), subset.name.find("sex") != std::string::npos) << subset.name;
  }
  EXPECT_EQ(column_subsets(data, asking("ridge", "sex=M,age", {"loo"}))[0].features,
            (std::vector<Index>{0, 2}));
}

TEST(ColumnSubsets, WrongNamesAreRefusedInOneLine) {
  const TrainingData data = sample(20, 1);
  const auto says = [&](const char* subsets) { return message_of(data, asking("ridge", subsets, {"loo"})); };
  EXPECT_EQ(says("a;aa"), "`subsets`: no input column 'aa' among a, b, c, d; did you mean 'a'?");
  EXPECT_EQ(says("b,a,b"), "`subsets`: 'a, b, b' names a column twice; name it once");
  EXPECT_EQ(says("a,b;c;b,a"), "`subsets`: 'a, b' is named twice; name it once");
  for (const char* empty : {"a;;b", "a,,b", ";", "a;", ","})
    EXPECT_THROW(SubsetChoice{empty}, UsageError) << empty;
  EXPECT_THROW(SubsetChoice(std::vector<std::vector<std::string>>{}), UsageError);
  EXPECT_EQ(SubsetChoice("a, b;c").text(), "a,b;c");
  EXPECT_EQ(SubsetChoice("").kind(), SubsetChoice::Kind::none);
}

TEST(ColumnSubsets, TooManyAreRefused) {
  Random random(1);
  TrainingData wide;
  wide.x.resize(20, 13);
  for (Index j = 0; j < 13; ++j) wide.x.col(j) = random.normal_vector(20);
  wide.y = random.normal_vector(20);
  wide.target_names = {"y"};
  EXPECT_NE(message_of(wide, asking("ridge", "every", {"loo"})).find("13 columns have 2^13 − 1 subsets"),
            std::string::npos);
  SelectionRequest request = asking("ridge", "every", {"loo"});
  request.basis = "polynomial:1..2";
  wide.x = Matrix(wide.x.leftCols(12));
  EXPECT_NE(message_of(wide, request).find("8190 models (4095 subsets on 2 bases)"), std::string::npos);
  TrainingData tall;
  tall.x = Matrix::Zero(100'000, 9);
  tall.y = Matrix::Zero(100'000, 1);
  EXPECT_THROW(column_subsets(tall, asking("ridge", "every", {"loo"})), Error);
}

TEST(ColumnSubsets, BelongToALearnerOnABasisAlongAPath) {
  const TrainingData data = sample(20, 1);
  EXPECT_NE(
      message_of(data, asking("kernel-ridge", "every", {"loo"})).find("`search` gradient gives every input"),
      std::string::npos);
  EXPECT_NE(message_of(data, asking("svr", "every", {"cv"})).find("give `basis`"), std::string::npos);
  EXPECT_NE(message_of(data, asking("mlp", "every", {"evidence"})).find("not to `learner` mlp"),
            std::string::npos);
  SelectionRequest request = asking("ridge", "nested", {"loo"});
  request.groups = "each";
  EXPECT_NE(message_of(data, request).find("not to a search over several parameters"), std::string::npos);
  request.groups = {};
  request.basis = Basis::fit("linear", data.x);
  EXPECT_NE(message_of(data, request).find("needs a basis by name"), std::string::npos);
  request.basis = {};
  TrainingData two = data;
  two.y = Matrix(data.y.replicate(1, 2));
  two.target_names = {"y", "z"};
  EXPECT_NE(message_of(two, request).find("several subsets of columns and several targets"),
            std::string::npos);
}

/// Every subset by itself, its columns alone being there, has the same λ and the same values; the least of them is chosen.
void expect_as_alone(const TrainingData& data, SelectionRequest request) {
  request.noise = 1.0;
  const Selection all = select(data, request);
  const SelectionPath& path = *all.targets[0].path();
  EXPECT_EQ(path.representation_name, "columns");
  const auto subsets = column_subsets(data, request);
  request.subsets = {};
  for (std::size_t c = 0; c < path.criteria.size(); ++c) {
    SCOPED_TRACE(request.learner.name() + ", " + path.criteria[c].label);
    double least = HUGE_VAL, lambda = undefined;
    std::string best;
    for (const ColumnSubset& subset : subsets) {
      const Selection alone = select(only(data, subset.features), request);
      const PathOutcome& own = alone.targets[0].path()->criteria[c];
      const Vector together = curve_of(path, c, subset.name);
      ASSERT_EQ(together.size(), own.curve.value.size()) << subset.name;
      const double size = own.curve.value.cwiseAbs().maxCoeff();
      EXPECT_LT((together - own.curve.value).cwiseAbs().maxCoeff(), 1e-9 * size) << subset.name;
      if (own.selected->value < least) least = own.selected->value, lambda = own.lambda, best = subset.name;
    }
    EXPECT_EQ(path.criteria[c].representation, best);
    EXPECT_NEAR(path.criteria[c].selected->value, least, 1e-9 * std::abs(least));
    EXPECT_NEAR(path.criteria[c].lambda, lambda, 1e-6 * lambda);
    if (c > 0) continue;
    const auto chosen = std::find_if(subsets.begin(), subsets.end(),
                                     [&](const ColumnSubset& each) { return each.name == best; });
    const Selection alone = select(only(data, chosen->features), request);
    const Vector here = all.model.predict(data.x).col(0);
    const Vector there = alone.model.predict(data.x(Eigen::all, chosen->features)).col(0);
    EXPECT_LT((here - there).cwiseAbs().maxCoeff(), 1e-6 * here.cwiseAbs().maxCoeff());
    EXPECT_NEAR(all.targets[0].chosen_df, alone.targets[0].chosen_df, 1e-6);
  }
}

TEST(ColumnSubsets, EachIsJudgedAsItWouldBeAlone) {
  const TrainingData data = sample(40, 3);
  expect_as_alone(data, asking("ridge", "every", {"sic", "cp", "loo", "gcv", "evidence", "cv:5"}));
  for (const char* basis : {"polynomial:2", "fourier:2", "gaussian:6"}) {
    SelectionRequest request = asking("ridge", "nested", {"loo", "gcv"});
    request.basis = basis;
    expect_as_alone(data, request);
  }
  for (const char* learner : {"lasso", "elastic-net", "additive"})
    expect_as_alone(data, asking(learner, "nested", {"cv:5", "gcv", "sic"}));
  SelectionRequest robust = asking("huber", "nested", {"cv:5"});
  robust.tau = 1;
  expect_as_alone(data, robust);
  SelectionRequest tube = asking("svr", "a;a,c", {"cv:5"});
  tube.basis = "linear";
  tube.lambda = "0.1,1,10";
  expect_as_alone(data, tube);
}

TEST(ColumnSubsets, SoItIsUnderACovariateShift) {
  TrainingData data = sample(60, 4);
  data.importance = (0.5 * data.x.col(0)).array().exp();
  SelectionRequest request = asking("iwls", "nested", {"iwcv:5"});
  request.flattening = "0,0.5,1";
  expect_as_alone(data, request);
}

TEST(ColumnSubsets, MallowsOfLeastSquaresIsThatOfDenseSolves) {
  const TrainingData data = sample(40, 5);
  SelectionRequest request = asking("ridge", "every", {"cp", "sic", "loo"});
  request.lambda = 0;
  const Selection all = select(data, request);
  const SelectionPath& path = *all.targets[0].path();
  const Index n = data.x.rows();
  const auto hat_of = [&](const std::vector<Index>& columns) {
    Matrix design(n, static_cast<Index>(columns.size()) + 1);
    design << data.x(Eigen::all, columns), Vector::Ones(n);
    return Matrix(design * (design.transpose() * design).ldlt().solve(design.transpose()));
  };
  const auto rss_of = [&](const Matrix& hat) { return (data.y - hat * data.y).squaredNorm(); };
  // The noise variance is that of all columns, whatever is chosen.
  const double sigma2 = rss_of(hat_of({0, 1, 2, 3})) / static_cast<double>(n - 5);
  EXPECT_NEAR(all.targets[0].noise.at(0), sigma2, 1e-10 * sigma2);
  const auto subsets = column_subsets(data, request);
  ASSERT_EQ(path.lambda.size(), subsets.size());
  double constant = undefined;
  for (std::size_t i = 0; i < subsets.size(); ++i) {
    const Matrix hat = hat_of(subsets[i].features);
    const Index k = static_cast<Index>(i);
    const double cp = (rss_of(hat) + 2 * sigma2 * hat.trace()) / static_cast<double>(n);
    EXPECT_NEAR(path.criteria[0].curve.value[k], cp, 1e-9 * cp) << subsets[i].name;
    // SIC is the same less a constant.
    if (i == 0) constant = cp - path.criteria[1].curve.value[k];
    EXPECT_NEAR(cp - path.criteria[1].curve.value[k], constant, 1e-9 * std::abs(constant));
    const Vector left_out = (data.y - hat * data.y).cwiseQuotient((1 - hat.diagonal().array()).matrix());
    EXPECT_NEAR(path.criteria[2].curve.value[k], left_out.squaredNorm() / static_cast<double>(n), 1e-9);
    EXPECT_EQ(path.representation[i], subsets[i].name);
  }
}

TEST(ColumnSubsets, MallowsAndSicAreUnbiasedForEverySubset) {
  constexpr int trials = 400;
  constexpr Index n = 30;
  SelectionRequest request = asking("ridge", "every", {"cp", "sic"});
  request.lambda = 0;
  TrainingData data = sample(n, 6);
  const Vector truth = (2 * data.x.col(0) - data.x.col(2)).array() + 1;
  const auto subsets = column_subsets(data, request);
  const auto models = static_cast<Index>(subsets.size());
  Matrix gap(trials, models), sic_gap(trials, models);
  std::map<std::string, int> chosen;
  for (int t = 0; t < trials; ++t) {
    data.y = truth + Random(7, static_cast<std::uint64_t>(t)).normal_vector(n);
    const Selection s = select(data, request);
    const SelectionPath& path = *s.targets[0].path();
    Vector error(models);
    for (Index i = 0; i < models; ++i) {
      Matrix design(n, static_cast<Index>(subsets[static_cast<std::size_t>(i)].features.size()) + 1);
      design << data.x(Eigen::all, subsets[static_cast<std::size_t>(i)].features), Vector::Ones(n);
      const Vector fit = design * (design.transpose() * design).ldlt().solve(design.transpose() * data.y);
      error[i] = (fit - truth).squaredNorm() / n;
    }
    gap.row(t) = path.criteria[0].curve.value - error - Vector::Ones(models);
    const Vector less = path.criteria[1].curve.value - error;  // up to one constant for all subsets
    sic_gap.row(t) = (less.array() - less[models - 1]).matrix();
    ++chosen[path.chosen().representation];
  }
  const auto within = [&](const Matrix& gaps, Index i) {
    const double mean = gaps.col(i).mean();
    const double error = std::sqrt((gaps.col(i).array() - mean).square().sum()) / trials;
    EXPECT_LE(std::abs(mean), 3 * error) << subsets[static_cast<std::size_t>(i)].name;
  };
  for (Index i = 0; i < models; ++i) {
    within(gap, i);
    if (i + 1 < models) within(sic_gap, i);
  }
  // The true subset is found more often than any other, though not always.
  for (const auto& [name, count] : chosen) EXPECT_TRUE(name == "a, c" || 2 * count < chosen["a, c"]) << name;
}

TEST(ColumnSubsets, BasesAndSubsetsAreNamedTogether) {
  TrainingData data = sample(60, 8, 0.3);
  data.y.col(0) += data.x.col(0).cwiseAbs2();
  SelectionRequest request = asking("ridge", "a;a,c;b,d", {"loo", "gcv"});
  request.basis = "linear,polynomial:2";
  const Selection s = select(data, request);
  const SelectionPath& path = *s.targets[0].path();
  EXPECT_EQ(path.representation_name, "model");
  EXPECT_EQ(path.chosen().representation, "polynomial:2 of a, c");
  const Basis& basis = std::get<Basis>(s.model.linear()->representation);
  EXPECT_EQ(basis.spec(), "polynomial:2");
  EXPECT_EQ(basis.columns(), (std::vector<Index>{0, 2}));
  EXPECT_EQ(s.request.subsets.text(), "a;a,c;b,d");
}

TEST(ColumnSubsets, HeldOutRowsArePredictedByTheChosenOne) {
  // By folds, for the lasso: each refits the chosen subset, or the chosen basis, and nothing else.
  const TrainingData data = sample(40, 9);
  SelectionRequest request = asking("lasso", "b;d;a,c", {"cv:5"});
  request.keep_held_out = true;
  const Selection s = select(data, request);
  const PathOutcome& chosen = s.targets[0].path()->chosen();
  ASSERT_EQ(chosen.representation, "a, c");
  SelectionRequest alone = request;
  alone.subsets = {};
  alone.lambda = chosen.lambda;
  const auto held_out = [](const TrainingData& rows, const SelectionRequest& r) {
    return Vector(select(rows, r).targets[0].held_out);
  };
  EXPECT_LT((s.targets[0].held_out - held_out(only(data, {0, 2}), alone)).cwiseAbs().maxCoeff(), 1e-6);
  request.subsets = {};
  request.basis = "polynomial:3,linear";
  const Selection bases = select(data, request);
  alone.basis = bases.targets[0].path()->chosen().representation;
  alone.lambda = bases.targets[0].path()->chosen().lambda;
  ASSERT_EQ(alone.basis.name(), "linear");
  EXPECT_LT((bases.targets[0].held_out - held_out(data, alone)).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(ColumnSubsets, TheErrorCountsTheChoiceAmongThem) {
  // Nothing can be learned: the best of 63 subsets looks better than it is, the error after choosing does not.
  constexpr int trials = 40;
  constexpr Index n = 30;
  SelectionRequest request = asking("ridge", "every", {"loo"});
  request.lambda = 0;
  request.chosen_error = true;
  double naive = 0, corrected = 0, truth = 0;
  for (int t = 0; t < trials; ++t) {
    Random random(10, static_cast<std::uint64_t>(t));
    TrainingData data;
    data.x.resize(n, 6);
    for (Index j = 0; j < 6; ++j) data.x.col(j) = random.normal_vector(n);
    data.y = random.normal_vector(n);
    data.target_names = {"y"};
    const Selection s = select(data, request);
    naive += s.targets[0].chosen().selected->value / trials;
    corrected += s.targets[0].error->value / trials;
    const LinearModel& model = *s.model.linear();
    truth +=
        (1 + model.coefficients.squaredNorm() + model.offset.squaredNorm()) / trials;  // inputs: variance 1
    EXPECT_NE(s.targets[0].error->method.find("the choice repeated"), std::string::npos);
  }
  EXPECT_LT(naive, corrected);
  EXPECT_LT(std::abs(corrected - truth), 0.5 * std::abs(naive - truth));
}

}  // namespace
}  // namespace gnomon::column_subsets_test
