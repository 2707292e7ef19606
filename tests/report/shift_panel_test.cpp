#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/text.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/data/weights.hpp"
#include "gnomon/report/writers.hpp"
#include "report/panel.hpp"
#include "studies.hpp"

namespace gnomon::shift_panel_test {
namespace {

constexpr Index rows = 60, test_rows = 50;

/// Training inputs N(0, 1); the first test input N(1, 1), the others as in training. Weights are the true ratio
/// exp(x₁ − 1/2).
Study shifted_study(Index inputs, const std::string& flattening = "0:1:5",
                    const std::vector<std::string>& criteria = {"sic", "iwcv", "cv"}, bool tested = true,
                    const std::string& learner = "iwls") {
  Random random(3);
  Study study;
  study.source = "train.csv";
  study.x = Matrix(rows, inputs);
  Matrix test(test_rows, inputs);
  for (Index j = 0; j < inputs; ++j) {
    study.x.col(j) = random.normal_vector(rows);
    test.col(j) = random.normal_vector(test_rows);
    study.feature_names.push_back("x" + std::to_string(j + 1));
  }
  test.col(0).array() += 1;
  study.y = (study.x.col(0).array().square() + 0.1 * random.normal_vector(rows).array()).matrix();
  study.test_error.resize(1);

  ShiftStudy shift{
      "known", {{"width", 0.5}}, (study.x.col(0).array() - 0.5).exp().matrix(), std::nullopt, {}};
  SelectionRequest request = testing::asking_for(criteria);
  request.learner = learner;
  request.flattening = flattening;
  if (tested) {
    shift.verdict = judge_shift(study.x, test, shift.weight,
                                {.test = {.permutations = 99}, .input_names = study.feature_names});
    shift.test_x = test;
    request.metric = Metric{Metric::Kind::points, metric_points(test), "test"};
  }
  TrainingData training;
  training.x = study.x;
  training.y = study.y;
  training.target_names = {"y"};
  training.importance = shift.weight;
  study.shift = std::move(shift);
  study.selection = select(training, request);
  return study;
}

template <class Kind>
std::vector<Kind> all_of(const std::vector<Block>& blocks) {
  std::vector<Kind> found;
  for (const Block& block : blocks) {
    if (const Kind* one = std::get_if<Kind>(&block)) found.push_back(*one);
  }
  return found;
}

const Chart* find(const std::vector<Chart>& charts, std::string_view title) {
  const auto at =
      std::find_if(charts.begin(), charts.end(), [&](const Chart& c) { return c.title == title; });
  return at == charts.end() ? nullptr : &*at;
}

const Series* find(const Chart& chart, std::string_view label) {
  const auto at = std::find_if(chart.series.begin(), chart.series.end(),
                               [&](const Series& s) { return s.label == label; });
  return at == chart.series.end() ? nullptr : &*at;
}

double area(const Series& s) {
  double sum = 0;
  for (Index k = 1; k < s.x.size(); ++k) sum += (s.x[k] - s.x[k - 1]) * (s.y[k] + s.y[k - 1]) / 2;
  return sum;
}

double mean_under(const Series& s) {
  Series moment = s;
  moment.y = s.x.cwiseProduct(s.y);
  return area(moment) / area(s);
}

std::string text_of(const std::vector<Block>& blocks) {
  std::string text;
  for (const Paragraph& p : all_of<Paragraph>(blocks)) text += p.text + "\n";
  return text;
}

TEST(ShiftPanel, IsEmptyWithoutImportanceWeights) {
  EXPECT_TRUE(shift_panel(testing::small_study(testing::asking_for({"loo"})), 0).empty());
}

TEST(ShiftPanel, ComesAfterTheCurves) {
  const auto place = [](std::string_view name) {
    return std::find_if(panel_catalog.begin(), panel_catalog.end(),
                        [&](const Panel& p) { return p.name == name; });
  };
  ASSERT_NE(place("shift"), panel_catalog.end());
  EXPECT_EQ(place("shift"), place("widths") + 1);
  EXPECT_EQ(place("shift")->title, "Covariate shift");
}

TEST(ShiftPanel, DensitiesAreDensitiesAndTheWeightedOneMovesToTheTestInputs) {
  const Study study = shifted_study(1);
  const auto charts = all_of<Chart>(shift_panel(study, 0));
  const Chart* chart = find(charts, "Density of x1");
  ASSERT_NE(chart, nullptr);
  const Series *train = find(*chart, "training inputs"), *test = find(*chart, "test inputs"),
               *weighted = find(*chart, "training inputs, weighted");
  ASSERT_TRUE(train && test && weighted);
  for (const Series* s : {train, test, weighted}) {
    EXPECT_TRUE((s->y.array() >= 0).all());
    EXPECT_NEAR(area(*s), 1, 0.02) << s->label;
  }
  EXPECT_NEAR(mean_under(*train), study.x.col(0).mean(), 0.02);
  EXPECT_NEAR(mean_under(*test), study.shift->test_x.col(0).mean(), 0.02);
  const Vector& w = study.shift->weight;
  EXPECT_NEAR(mean_under(*weighted), w.dot(study.x.col(0)) / w.sum(), 0.02);
}

TEST(ShiftPanel, OneInputShowsEveryWeightOverIt) {
  const Study study = shifted_study(1);
  const double exponent = study.selection.targets[0].path()->chosen().tuning;
  const auto charts = all_of<Chart>(shift_panel(study, 0));
  const Chart* chart = find(charts, "Weights of the training rows");
  ASSERT_NE(chart, nullptr);
  const Series* weight = find(*chart, "weight");
  ASSERT_NE(weight, nullptr);
  EXPECT_EQ(weight->style, Series::Style::points);
  EXPECT_EQ(weight->x, Vector(study.x.col(0)));
  EXPECT_EQ(weight->y, study.shift->weight);
  const Series* flat = find(*chart, fmt::format("weight^{}, as in the fit", pretty(exponent, 3)));
  EXPECT_EQ(flat != nullptr, exponent != 1);
  if (flat) {
    EXPECT_LT((flat->y.array() - weight->y.array().pow(exponent)).abs().maxCoeff(), 1e-12);
  }
}

TEST(ShiftPanel, SeveralInputsShowSortedWeightsAndTheMostShiftedInputsFirst) {
  const Study study = shifted_study(5);
  const auto blocks = shift_panel(study, 0);
  const auto charts = all_of<Chart>(blocks);
  const Chart* chart = find(charts, "Weights of the training rows, largest first");
  ASSERT_NE(chart, nullptr);
  EXPECT_TRUE(chart->y.log);
  const Series& weight = chart->series[0];
  ASSERT_EQ(weight.y.size(), rows);
  EXPECT_TRUE(std::is_sorted(weight.y.begin(), weight.y.end(), std::greater<>()));
  EXPECT_DOUBLE_EQ(weight.y.sum(), study.shift->weight.sum());
  EXPECT_EQ(charts.size(), 4u);  // and three densities
  EXPECT_EQ(charts[1].title, "Density of x1");
  const auto tables = all_of<TableBlock>(blocks);
  ASSERT_EQ(tables.size(), 1u);
  ASSERT_EQ(tables[0].rows.size(), 5u);
  EXPECT_EQ(tables[0].rows[0].cells[0].text, "x1");
  const Vector a = study.x.col(0), b = study.shift->test_x.col(0);
  const auto spread = [](const Vector& v) {
    return (v.array() - v.mean()).square().sum() / static_cast<double>(v.size() - 1);
  };
  EXPECT_EQ(tables[0].rows[0].cells[3].text,
            pretty((b.mean() - a.mean()) / std::sqrt((spread(a) + spread(b)) / 2), 2));
}

TEST(ShiftPanel, ConstantAndTwoValuedInputsAreNotDrawn) {
  Study study = shifted_study(3);
  study.x.col(1).setConstant(2);
  study.shift->test_x.col(1).setConstant(2);
  for (Index i = 0; i < rows; ++i) study.x(i, 2) = i % 2;
  for (Index i = 0; i < test_rows; ++i) study.shift->test_x(i, 2) = i % 3 == 0;
  const auto blocks = shift_panel(study, 0);
  const auto charts = all_of<Chart>(blocks);
  EXPECT_EQ(charts.size(), 2u);
  EXPECT_NE(find(charts, "Density of x1"), nullptr);
  EXPECT_EQ(all_of<TableBlock>(blocks)[0].rows.size(), 3u);
}

TEST(ShiftPanel, FactsAreThoseOfTheVerdict) {
  const Study study = shifted_study(1);
  const auto facts = all_of<Facts>(shift_panel(study, 0));
  ASSERT_EQ(facts.size(), 1u);
  const auto value = [&](std::string_view label) {
    for (const Fact& f : facts[0].facts) {
      if (f.label == label) return f.value;
    }
    return std::string("absent");
  };
  const ShiftVerdict& verdict = *study.shift->verdict;
  EXPECT_TRUE(verdict.sentence.starts_with(value("verdict") + ": "));
  EXPECT_EQ(value("p-value"), pretty(verdict.test.p_value, 3));
  EXPECT_EQ(value("effective sample size"), pretty(effective_sample_size(study.shift->weight), 3));
  EXPECT_EQ(value("weights"), "known, width = 0.5");
}

TEST(ShiftPanel, TellsWhatEachCriterionPicksAndWhatPlainValidationWouldHaveDone) {
  const Study study = shifted_study(1);
  const SelectionPath& t = *study.selection.targets[0].path();
  const std::string text = text_of(shift_panel(study, 0));
  EXPECT_NE(text.find("sic picks " + pretty(t.criteria[0].tuning)), std::string::npos) << text;
  EXPECT_NE(text.find("iwcv picks " + pretty(t.criteria[1].tuning)), std::string::npos) << text;
  const bool same = t.criteria[2].tuning == t.chosen().tuning;
  EXPECT_NE(text.find(same ? "Plain cv would have chosen the same."
                           : "Plain cv would have chosen " + pretty(t.criteria[2].tuning)),
            std::string::npos)
      << text;
  if (!same) {  // the change by iwcv, read off its curve
    const auto at = [&](double exponent) {
      const auto k = std::find(t.tuning.begin(), t.tuning.end(), exponent) - t.tuning.begin();
      return t.criteria[1].curve.value[k];
    };
    const double ratio = at(t.criteria[2].tuning) / at(t.chosen().tuning);
    const std::string words = ratio >= 2 ? fmt::format("is {} times as large", pretty(ratio, 2))
                                         : fmt::format("is {} % {}", pretty(100 * std::abs(ratio - 1), 2),
                                                       ratio < 1 ? "smaller" : "larger");
    EXPECT_NE(text.find(words), std::string::npos) << text;
  }
  EXPECT_NE(text_of(shift_panel(shifted_study(1, "0:1:5", {"cv", "sic"}), 0)).find("made by cv"),
            std::string::npos);
}

TEST(ShiftPanel, TellsTheTruthWhereItIsKnown) {
  Study study = shifted_study(1);
  const SelectionPath& t = *study.selection.targets[0].path();
  EXPECT_EQ(text_of(shift_panel(study, 0)).find("The truth"), std::string::npos);
  study.truth = TruthCurve{Vector{{5.0, 4.0, 3.0, 2.5, 7.0}}, 0.01, "error on labelled rows"};
  const auto k = std::find(t.tuning.begin(), t.tuning.end(), t.chosen().tuning) - t.tuning.begin();
  const std::string text = text_of(shift_panel(study, 0));
  EXPECT_NE(text.find(fmt::format("The truth (error on labelled rows) is {} for the chosen fit",
                                  pretty(study.truth->value[k], 3))),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("least at 0.75, with 2.5."), std::string::npos) << text;
}

TEST(ShiftPanel, AnUndefinedCriterionIsSurvived) {
  Study study = shifted_study(1);
  testing::undefine(study.selection.targets[0].path()->criteria[0]);
  study.truth = TruthCurve{Vector::Ones(5), 0.01, "error"};
  EXPECT_FALSE(shift_panel(study, 0).empty());
}

TEST(ShiftPanel, AFixedExponentHasNothingToCompare) {
  const std::string text = text_of(shift_panel(shifted_study(1, "0.5"), 0));
  EXPECT_NE(text.find("It was fixed at 0.5."), std::string::npos) << text;
  EXPECT_EQ(text.find("picks"), std::string::npos);
}

TEST(ShiftPanel, GivenWeightsWithoutTestInputsMakeNoClaims) {
  for (const Index inputs : {1, 3}) {
    const Study study = shifted_study(inputs, "0:1:5", {"sic", "cv"}, false);
    const auto blocks = shift_panel(study, 0);
    const auto facts = all_of<Facts>(blocks);
    ASSERT_EQ(facts.size(), 1u);
    for (const Fact& f : facts[0].facts) {
      EXPECT_NE(f.label, "verdict");
      EXPECT_NE(f.label, "p-value");
    }
    EXPECT_TRUE(all_of<TableBlock>(blocks).empty());
    for (const Chart& chart : all_of<Chart>(blocks)) EXPECT_EQ(find(chart, "test inputs"), nullptr);
    const auto json = json_report(study).at("shift");
    EXPECT_TRUE(json.at("verdict").is_null());
    EXPECT_TRUE(json.at("p_value").is_null());
    EXPECT_EQ(json.at("weights").size(), static_cast<std::size_t>(rows));
  }
}

TEST(ShiftPanel, EveryWriterShowsTheShift) {
  const Study study = shifted_study(2);
  const auto json = json_report(study);
  const auto& shift = json.at("shift");
  EXPECT_EQ(shift.at("method"), "known");
  EXPECT_EQ(shift.at("parameters").at("width"), 0.5);
  EXPECT_EQ(shift.at("verdict"), study.shift->verdict->sentence);
  EXPECT_EQ(shift.at("outside_share"), study.shift->verdict->outside_share);
  EXPECT_EQ(shift.at("effective_sample_size"), effective_sample_size(study.shift->weight));
  EXPECT_EQ(json.at("path").at("flattening").size(), 5u);
  const std::string text = text_report(study, false);
  EXPECT_NE(text.find("covariate shift"), std::string::npos);
  EXPECT_NE(text.find("effective sample size"), std::string::npos);
  EXPECT_NE(html_report(study).find("Covariate shift"), std::string::npos);
}

/// What the settings panel says was used, by setting.
std::map<std::string, std::string> used_settings(const Study& study) {
  std::map<std::string, std::string> used;
  const auto tables = all_of<TableBlock>(settings_panel(study, 0));
  for (const TableRow& row : tables.front().rows) used[row.cells[0].text] = row.cells[2].text;
  return used;
}

TEST(SettingsPanel, WeightedRidgeClaimsNoFilterSearchOrStrategy) {
  for (const char* learner : {"ridge", "kernel-ridge"}) {
    auto used = used_settings(shifted_study(1, "1", {"iwcv"}, true, learner));
    EXPECT_EQ(used["learner"].find(std::string(learner) + ", rows weighted by importance"), 0u)
        << used["learner"];
    EXPECT_EQ(used["search"], "grid");
    EXPECT_FALSE(used.contains("strategy"));
  }
}

TEST(SettingsPanel, PlainRidgeNamesItsFilterSearchAndStrategy) {
  SelectionRequest request = testing::asking_for({"loo"});
  request.learner = "ridge";
  auto used = used_settings(testing::small_study(request));
  EXPECT_EQ(used["learner"], "tikhonov filter");
  EXPECT_EQ(used["search"], "refine");
  EXPECT_TRUE(used.contains("strategy"));
}

TEST(ShiftPanel, ZeroWeightsStayOnTheChart) {
  Study study = shifted_study(2);
  study.shift->weight.head(10).setZero();
  const auto charts = all_of<Chart>(shift_panel(study, 0));
  const Chart* chart = find(charts, "Weights of the training rows, largest first");
  ASSERT_NE(chart, nullptr);
  EXPECT_NE(chart->note.find("10 weights of 0"), std::string::npos);
  ASSERT_TRUE(chart->y.lower.has_value());
  EXPECT_GT(*chart->y.lower, 0);
}

}  // namespace
}  // namespace gnomon::shift_panel_test
