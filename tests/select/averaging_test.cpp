// `combine` average: the delivered fit is the sum of separately made fits with weights exp(−blend/4), its errors are those of that sum.

#include "select/averaging.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <type_traits>

#include "gnomon/gnomon.hpp"
#include "select/after_choosing.hpp"

namespace gnomon::averaging_test {
namespace {

TrainingData waves(Index n, std::uint64_t seed = 5, double noise = 0.3) {
  Random random(seed);
  TrainingData data{Matrix(n, 2), Matrix(n, 1), Vector(), {"y"}};
  for (Index j = 0; j < 2; ++j) data.x.col(j) = random.uniform_vector(n, -1, 1);
  for (Index i = 0; i < n; ++i)
    data.y(i, 0) = 2 + std::sin(4 * data.x(i, 0)) + 0.3 * data.x(i, 1) + noise * random.normal();
  return data;
}

SelectionRequest averaging() {
  SelectionRequest request;
  request.combine = Combine::average;
  return request;
}

/// Three widths and a coarse path of λ, all of which count for something.
SelectionRequest named_widths_and_lambdas() {
  SelectionRequest request = averaging();
  request.width = {0.6, 1.2, 2.4};
  request.lambda = {0.03, 0.1, 0.3, 1.0, 3.0};
  return request;
}

Matrix new_inputs() {
  Random random(77);
  Matrix x(40, 2);
  for (Index j = 0; j < 2; ++j) x.col(j) = random.uniform_vector(40, -1.2, 1.2);
  return x;
}

const SelectionPath& path_of(const Selection& s) { return *s.targets.front().path(); }

/// The plain fit at one width and λ, by a request of its own.
Selection single(const TrainingData& data, SelectionRequest request, double width, double lambda) {
  request.combine = Combine::none;
  if (std::isfinite(width)) request.width = width;
  request.lambda = lambda;
  request.criteria = {"blend"};
  return select(data, request);
}

/// The sum over all fits of what a function makes of each of them alone.
template <class Part>
auto slow_sum(const TrainingData& data, const SelectionRequest& request, const Combined& combined,
              const Part& part) {
  std::invoke_result_t<Part, const Selection&> sum{};
  bool first = true;
  for (const CombinedFits& fits : combined) {
    SelectionRequest own = request;
    if (!fits.representation.empty()) own.basis = fits.representation;
    for (std::size_t k = 0; k < fits.lambda.size(); ++k) {
      const auto each = part(single(data, own, fits.width, fits.lambda[k]));
      if (first)
        sum = fits.weight[k] * each;
      else
        sum += fits.weight[k] * each;
      first = false;
    }
  }
  return sum;
}

TEST(AveragingWeights, AreASoftmaxOfMinusAQuarter) {
  const Vector value = Eigen::Vector4d(100, 104, undefined, 90);
  const Vector weight = averaging_weights(value);
  const double sum = std::exp(-25.0) + std::exp(-26.0) + std::exp(-22.5);
  EXPECT_NEAR(weight[0], std::exp(-25.0) / sum, 1e-14);
  EXPECT_NEAR(weight[1], std::exp(-26.0) / sum, 1e-14);
  EXPECT_EQ(weight[2], 0);
  EXPECT_NEAR(weight[3], std::exp(-22.5) / sum, 1e-14);
  EXPECT_EQ(averaging_weights(Vector::Constant(1, -1e6)), Vector::Ones(1));
  EXPECT_EQ(averaging_weights(Vector::Constant(3, undefined)), Vector::Zero(3));
}

TEST(AveragingWeights, WhatAddsUpToNothingIsDropped) {
  Vector value = Vector::Constant(1001, 4 * std::log(1e10));  // 1000 × 1e-10 < 1e-6
  value[7] = 0;
  EXPECT_EQ(averaging_weights(value), Vector::Unit(1001, 7));
  value.setConstant(4 * std::log(1e8));  // 1000 × 1e-8 > 1e-6
  value[7] = 0;
  const Vector weight = averaging_weights(value);
  EXPECT_NEAR(weight.sum(), 1, 1e-12);
  EXPECT_GT((weight.array() > 0).count(), 880);
  EXPECT_LT((weight.array() > 0).count(), 920);
}

TEST(Averaging, IsTheSumOfSeparateFits) {
  const TrainingData data = waves(40);
  const SelectionRequest request = named_widths_and_lambdas();
  const Selection s = select(data, request);
  const SelectionPath& path = path_of(s);
  ASSERT_EQ(path.combined.size(), 3u);
  ASSERT_TRUE(s.model.sum());
  const Matrix x = new_inputs();
  const Matrix expected =
      slow_sum(data, request, path.combined, [&](const Selection& one) { return one.model.predict(x); });
  EXPECT_LT((s.model.predict(x) - expected).cwiseAbs().maxCoeff(), 1e-9);
  const Vector fitted =
      slow_sum(data, request, path.combined, [](const Selection& one) { return one.targets[0].fitted; });
  EXPECT_LT((s.targets[0].fitted - fitted).cwiseAbs().maxCoeff(), 1e-9);
  const double df =
      slow_sum(data, request, path.combined, [](const Selection& one) { return one.targets[0].chosen_df; });
  EXPECT_NEAR(s.targets[0].chosen_df, df, 1e-8 * df);
  EXPECT_NEAR(s.targets[0].chosen_train_error, (data.y.col(0) - fitted).squaredNorm() / 40, 1e-9);
}

TEST(Averaging, WeightsComeFromTheReportedBlend) {
  const TrainingData data = waves(40);
  const SelectionPath path = path_of(select(data, named_widths_and_lambdas()));
  const Vector& value = path.chosen().curve.value;
  const double least = value.minCoeff();
  double sum = 0;
  for (const double v : value) sum += std::exp(-(v - least) / 4);
  double total = 0, squares = 0;
  for (const CombinedFits& fits : path.combined) {
    for (std::size_t k = 0; k < fits.lambda.size(); ++k) {
      Index place = -1;
      for (std::size_t i = 0; i < path.lambda.size(); ++i)
        if (path.lambda[i] == fits.lambda[k] && path.width[i] == fits.width) place = static_cast<Index>(i);
      ASSERT_GE(place, 0);
      EXPECT_EQ(fits.value[k], value[place]);
      EXPECT_NEAR(fits.weight[k], std::exp(-(value[place] - least) / 4) / sum, 2e-6);
      total += fits.weight[k];
      squares += fits.weight[k] * fits.weight[k];
    }
  }
  EXPECT_NEAR(total, 1, 1e-12);
  EXPECT_NEAR(effective_fit_count(path.combined), 1 / squares, 1e-9);
}

TEST(Averaging, AnAutomaticWidthAddsItsPrior) {
  const TrainingData data = waves(60, 8);
  const Selection s = select(data, averaging());
  SelectionRequest plain;
  const Selection best = select(data, plain);
  const SelectionPath& path = path_of(s);
  // The best fit alone is what would have been chosen.
  EXPECT_EQ(path.chosen().lambda, path_of(best).chosen().lambda);
  EXPECT_EQ(path.chosen().width, path_of(best).chosen().width);
  EXPECT_EQ(path.df, path_of(best).df);
  ASSERT_GT(path.combined.size(), 1u);
  for (std::size_t i = 1; i < path.combined.size(); ++i)
    EXPECT_LT(path.combined[i - 1].width, path.combined[i].width);
  for (const CombinedFits& fits : path.combined) {
    const double power = std::log2(fits.width / s.widths->median);
    for (std::size_t k = 0; k < fits.lambda.size(); k += 3) {
      const double value =
          single(data, plain, fits.width, fits.lambda[k]).targets[0].chosen().selected->value;
      EXPECT_NEAR(fits.value[k], value + (power - 0.25) * (power - 0.25), 1e-7 * std::abs(value));
    }
  }
  const Matrix x = new_inputs();
  const Matrix expected =
      slow_sum(data, plain, path.combined, [&](const Selection& one) { return one.model.predict(x); });
  EXPECT_LT((s.model.predict(x) - expected).cwiseAbs().maxCoeff(), 1e-8);
}

TEST(Averaging, OneWidthWillDo) {
  // Too few rows to choose a width by, and a width beside which no other counts: a mapping without noise that only it can follow.
  const Selection few = select(waves(6), averaging());
  EXPECT_EQ(path_of(few).combined.size(), 1u);
  EXPECT_EQ(path_of(few).combined[0].width, few.widths->median);
  WidthSearch search{.median = 1, .chosen = 1, .width = {0.5, 1, 2, 4}, .value = {80, 5, undefined, 78}};
  EXPECT_EQ(widths_to_average(search), std::vector<double>{4});  // 4·log(1e8) = 73.7
  search.value = {80, 5, undefined, 100};
  EXPECT_TRUE(widths_to_average(search).empty());
}

TEST(Averaging, OneFitIsThePlainAnswer) {
  const TrainingData data = waves(30);
  SelectionRequest request = averaging();
  request.width = 1.0;
  request.lambda = 0.3;
  request.chosen_error = true;
  const Selection average = select(data, request);
  request.combine = Combine::none;
  const Selection plain = select(data, request);
  EXPECT_EQ(average.model.predict(new_inputs()), plain.model.predict(new_inputs()));
  const TargetSelection &a = average.targets[0], &b = plain.targets[0];
  EXPECT_EQ(a.fitted, b.fitted);
  EXPECT_EQ(a.chosen_df, b.chosen_df);
  EXPECT_NEAR(a.chosen_train_error, b.chosen_train_error, 1e-10 * b.chosen_train_error);
  EXPECT_LT((a.path()->leave_one_out_residual - b.path()->leave_one_out_residual).norm(), 1e-12);
  EXPECT_NEAR(a.error->value, b.error->value, 1e-12 * b.error->value);
  EXPECT_NEAR(a.error->low, b.error->low, 1e-12 * b.error->low);
  EXPECT_NEAR(a.error->high, b.error->high, 1e-12 * b.error->high);
  EXPECT_EQ(a.error->method, b.error->method);
}

TEST(Averaging, LeavingOneOutEqualsRefitsAtTheSameWeights) {
  const TrainingData data = waves(16);
  for (const bool intercept : {true, false}) {
    SelectionRequest request = named_widths_and_lambdas();
    request.intercept = intercept;
    request.keep_held_out = true;
    const Selection s = select(data, request);
    const Combined& combined = path_of(s).combined;
    for (Index i = 0; i < 16; ++i) {
      std::vector<Index> others;
      for (Index j = 0; j < 16; ++j)
        if (j != i) others.push_back(j);
      double predicted = 0;
      for (const CombinedFits& fits : combined) {
        const Smoother without(data.x(others, Eigen::all), data.y(others, Eigen::all), Vector(),
                               {.representation = parse_kernel("gaussian", fits.width),
                                .filter = tikhonov,
                                .intercept = intercept});
        for (std::size_t k = 0; k < fits.lambda.size(); ++k)
          predicted += fits.weight[k] * without.fit({&fits.lambda[k], 1}).predict(data.x.row(i))(0, 0);
      }
      EXPECT_NEAR(path_of(s).leave_one_out_residual[i], data.y(i, 0) - predicted, 1e-8);
      EXPECT_NEAR(s.targets[0].held_out[i], predicted, 1e-8);
    }
    EXPECT_EQ(s.targets[0].held_out_by, "leave-one-out");
  }
}

TEST(Averaging, CountsAreRepeatedRows) {
  TrainingData once = waves(20), repeated = once;
  once.weight = Vector::Ones(20);
  repeated.x.conservativeResize(24, 2), repeated.y.conservativeResize(24, 1);
  for (Index i = 0; i < 4; ++i) {
    once.weight[i] = 2;
    repeated.x.row(20 + i) = once.x.row(i), repeated.y.row(20 + i) = once.y.row(i);
  }
  SelectionRequest request = averaging();
  request.width = {0.8, 1.6};
  request.lambda = {0.1, 0.5, 2.5};
  EXPECT_LT((select(once, request).model.predict(new_inputs()) -
             select(repeated, request).model.predict(new_inputs()))
                .cwiseAbs()
                .maxCoeff(),
            1e-7);
}

TEST(Averaging, FitsThroughCopiesHaveNoWeight) {
  const TrainingData half = waves(20);
  TrainingData data = half;
  data.x.conservativeResize(40, 2), data.y.conservativeResize(40, 1);
  data.x.bottomRows(20) = half.x, data.y.bottomRows(20) = half.y;
  const Selection s = select(data, averaging());
  SelectionRequest plain;
  for (const CombinedFits& fits : path_of(s).combined)
    for (const double lambda : fits.lambda)
      EXPECT_LE(single(data, plain, fits.width, lambda).targets[0].chosen_df, 0.8 * 20);
}

TEST(Averaging, AlongLambdaAloneIsOneExpansion) {
  const TrainingData data = waves(50);
  SelectionRequest request = averaging();
  request.learner = "ridge";
  request.basis = "polynomial:3";
  const Selection s = select(data, request);
  ASSERT_TRUE(s.model.linear());
  ASSERT_EQ(path_of(s).combined.size(), 1u);
  const Matrix expected = slow_sum(data, request, path_of(s).combined,
                                   [&](const Selection& one) { return one.model.predict(new_inputs()); });
  EXPECT_LT((s.model.predict(new_inputs()) - expected).cwiseAbs().maxCoeff(), 1e-8);
}

TEST(Averaging, SeveralBasesAreAveragedToo) {
  const TrainingData data = waves(50);
  SelectionRequest request = averaging();
  request.learner = "ridge";
  request.basis = "linear,polynomial:3,fourier:1";
  const Selection s = select(data, request);
  ASSERT_TRUE(s.model.sum());
  const Matrix expected = slow_sum(data, request, path_of(s).combined,
                                   [&](const Selection& one) { return one.model.predict(new_inputs()); });
  EXPECT_LT((s.model.predict(new_inputs()) - expected).cwiseAbs().maxCoeff(), 1e-8);
}

TEST(Averaging, PredictsNewRowsAndSaysHowWell) {
  // The interval of the error holds the error on many fresh rows, and the average is no worse than a fit that saw nothing.
  const TrainingData data = waves(80, 3), fresh = waves(4000, 4);
  SelectionRequest request = averaging();
  request.chosen_error = true;
  const Selection s = select(data, request);
  const double truth = (fresh.y - s.model.predict(fresh.x)).squaredNorm() / 4000;
  const ChosenError& error = *s.targets[0].error;
  EXPECT_LT(error.low, truth);
  EXPECT_GT(error.high, truth);
  EXPECT_NE(error.method.find("leave-one-out, the weights made again"), std::string::npos);
  EXPECT_EQ(error.residual, path_of(s).leave_one_out_residual);
  EXPECT_EQ(error.differences.size(), path_of(s).criteria.size() - 1);
}

TEST(Averaging, ThreadsNeverChangeAnAnswer) {
  const TrainingData data = waves(120);
  SelectionRequest request = averaging();
  request.chosen_error = true;
  std::vector<Matrix> predicted;
  std::vector<double> error;
  for (const int threads : {1, 3}) {
    set_threads(threads);
    const Selection s = select(data, request);
    predicted.push_back(s.model.predict(new_inputs()));
    error.push_back(s.targets[0].error->value);
  }
  set_threads(0);
  EXPECT_EQ(predicted[0], predicted[1]);
  EXPECT_EQ(error[0], error[1]);
}

TEST(Averaging, WithoutABlendThereIsOneFitAndAWarning) {
  TrainingData data = waves(20);
  data.y.setConstant(3);
  const Selection s = select(data, averaging());
  EXPECT_TRUE(path_of(s).combined.empty());
  ASSERT_TRUE(s.model.linear());
  const auto& warnings = s.targets[0].warnings;
  EXPECT_TRUE(std::any_of(warnings.begin(), warnings.end(),
                          [](const std::string& w) { return w.find("Nothing was averaged: blend") == 0; }));
}

std::string refusal(const TrainingData& data, const SelectionRequest& request) {
  try {
    select(data, request);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Averaging, RefusesWhatHasNoSuchAverage) {
  const TrainingData data = waves(20);
  const auto with = [&](auto change) {
    SelectionRequest request = averaging();
    change(request);
    return refusal(data, request);
  };
  const auto says = [](const std::string& said, const char* what) {
    EXPECT_NE(said.find("`combine` average"), std::string::npos) << said;
    EXPECT_NE(said.find(what), std::string::npos) << said;
    EXPECT_EQ(said.find('\n'), std::string::npos);
  };
  says(with([](auto& r) { r.learner = "lasso"; }), "not for lasso");
  says(with([](auto& r) { r.learner = "spectral-cutoff"; }), "not for spectral-cutoff");
  says(with([](auto& r) { r.search = Search::gradient; }), "a search over several parameters");
  says(with([](auto& r) { r.criteria = {"gcv", "blend"}; }), "begin with auto or blend");
  says(with([](auto& r) { r.rule = Rule::one_standard_error; }), "`rule` 1se");
  says(with([](auto& r) { r.lambda = {0.0, 1.0}; }), "positive `lambda`");
  TrainingData two = data;
  two.y = Matrix::Random(20, 2);
  two.target_names = {"a", "b"};
  says(refusal(two, averaging()), "one target");
  TrainingData shifted = data;
  shifted.importance = Vector::Ones(20);
  says(refusal(shifted, averaging()), "importance weights");
  TrainingData series = data;
  series.dependence = 3;
  says(refusal(series, averaging()), "time series");
}

TEST(Averaging, WeightsAreMadeAgainFromResampledErrors) {
  RepeatedChoice choice;
  choice.value = Eigen::Vector3d(10, 12, undefined);
  choice.mean = Eigen::Vector3d(1, 2, 3);
  choice.moves = {MovesWithError::How::by_logarithm, 0.75};
  choice.count = 8;
  const Vector resampled = Eigen::Vector3d(1.5, 1.2, 0.1);
  const Vector weight = choice.weights_from(resampled);
  const double a = std::exp(-(10 + 6 * std::log(1.5)) / 4), b = std::exp(-(12 + 6 * std::log(0.6)) / 4);
  EXPECT_NEAR(weight[0], a / (a + b), 1e-12);
  EXPECT_NEAR(weight[1], b / (a + b), 1e-12);
  EXPECT_EQ(weight[2], 0);
}

TEST(Averaging, EqualFitsHaveTheErrorOfOneOfThem) {
  const Vector residual = Random(4).normal_vector(60);
  UnseenErrors one{residual.cwiseAbs2(), {}, {}, 1, residual};
  RepeatedChoice single;
  single.value = Vector::Zero(1), single.mean = weighted_means(one.loss, {});
  const AfterChoosing expected = error_after_choosing(one, single, 0.9, 2);
  UnseenErrors five{one.loss.replicate(1, 5), {}, {}, 1, residual.replicate(1, 5)};
  RepeatedChoice average;
  average.value = Vector::LinSpaced(5, 0, 3), average.mean = weighted_means(five.loss, {});
  average.moves = {MovesWithError::How::by_logarithm, 0.75};
  average.count = 60, average.averages = true;
  const AfterChoosing found = error_after_choosing(five, average, 0.9, 2);
  EXPECT_NEAR(found.value, expected.value, 1e-10);
  EXPECT_NEAR(found.low, expected.low, 1e-10);
  EXPECT_NEAR(found.high, expected.high, 1e-10);
  // Errors that cancel: ±1 in turn, two fits of equal weight on all draws but for their means, which are equal.
  const Vector sign = Vector::NullaryExpr(60, [](Index i) { return i % 2 ? 1.0 : -1.0; });
  UnseenErrors opposite{Matrix::Ones(60, 2), {}, {}, 1, Matrix(60, 2)};
  opposite.residual << sign, -sign;
  average.value = Vector::Zero(2), average.mean = Vector::Ones(2);
  EXPECT_NEAR(error_after_choosing(opposite, average, 0.9, 2).value, 0, 1e-20);
}

}  // namespace
}  // namespace gnomon::averaging_test
