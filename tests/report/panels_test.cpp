#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "report/panel.hpp"
#include "studies.hpp"

namespace gnomon::panels_test {
namespace {

using testing::asking_for;
using testing::small_study;

std::vector<Chart> charts_of(const std::vector<Block>& blocks) {
  std::vector<Chart> charts;
  for (const Block& block : blocks) {
    if (const Chart* chart = std::get_if<Chart>(&block)) charts.push_back(*chart);
  }
  return charts;
}

TEST(Panels, TheCatalogIsComplete) {
  std::set<std::string_view> names;
  for (const Panel& panel : panel_catalog) {
    names.insert(panel.name);
    EXPECT_FALSE(panel.title.empty());
  }
  EXPECT_EQ(names, (std::set<std::string_view>{"warnings", "summary", "curve", "criteria", "fit", "spectrum",
                                               "solution", "shift", "settings", "parameters", "convergence",
                                               "classes", "equation", "widths", "bias-variance", "models",
                                               "average"}));
  EXPECT_EQ(panel_catalog.front().name, "warnings");
}

TEST(AveragePanel, HasARowForEveryWidth) {
  SelectionRequest request = asking_for({"blend"});
  EXPECT_TRUE(average_panel(small_study(request), 0).empty());
  request.combine = Combine::average;
  const Study study = small_study(request);
  const Combined& combined = study.selection.targets[0].path()->combined;
  const auto blocks = average_panel(study, 0);
  ASSERT_EQ(blocks.size(), 1u);
  const auto& table = std::get<TableBlock>(blocks[0]);
  EXPECT_EQ(table.header, (std::vector<std::string>{"width", "weight", "mean λ", "fits"}));
  ASSERT_EQ(table.rows.size(), combined.size());
  for (std::size_t i = 0; i < combined.size(); ++i)
    EXPECT_EQ(table.rows[i].cells[3].text, std::to_string(combined[i].lambda.size()));
}

TEST(BiasVariancePanel, DrawsWhatSicIsMadeOf) {
  SelectionRequest request = asking_for({"loo", "sic"});
  request.lambda = "1e-3:1e2:26";
  const Study study = small_study(request);
  const auto charts = charts_of(bias_variance_panel(study, 0));
  ASSERT_EQ(charts.size(), 1u);
  ASSERT_EQ(charts[0].series.size(), 3u);
  const CriterionCurve& judged = study.selection.targets[0].path()->criteria[1].curve;
  EXPECT_EQ(charts[0].series[0].y, judged.squared_bias);
  EXPECT_EQ(charts[0].series[1].y, judged.variance);
  EXPECT_LT((charts[0].series[2].y - judged.squared_bias - judged.variance).norm(), 1e-12);
  // More smoothing: less variance, more bias.
  EXPECT_GT(judged.variance[0], judged.variance[25]);
  EXPECT_LT(judged.squared_bias[0], judged.squared_bias[25]);
  EXPECT_TRUE(bias_variance_panel(small_study(asking_for({"loo", "gcv"})), 0).empty());
}

TEST(CurvePanel, CandidatesOfOnePointAreNumbered) {
  SelectionRequest request = asking_for({"gcv", "sic"});
  request.learner = "ridge";
  request.basis = "polynomial:1..4";
  request.lambda = "0";
  const auto charts = charts_of(curve_panel(small_study(request), 0));
  ASSERT_FALSE(charts.empty());
  EXPECT_EQ(charts[0].x.label, "basis");
  EXPECT_FALSE(charts[0].x.log);
  EXPECT_EQ(charts[0].series[0].x, (Vector(4) << 1, 2, 3, 4).finished());
  EXPECT_NE(charts[0].note.find("3 polynomial:3"), std::string::npos) << charts[0].note;
}

TEST(CurvePanel, OfManySubsetsTheBestAreNumbered) {
  SelectionRequest request = asking_for({"gcv", "bic", "loo"});
  request.learner = "ridge";
  request.subsets = "every";
  request.lambda = "0";
  const Study study = small_study(request, 1, 5);
  const SelectionPath& path = *study.selection.targets[0].path();
  ASSERT_EQ(path.lambda.size(), 31u);
  const auto charts = charts_of(curve_panel(study, 0));
  ASSERT_FALSE(charts.empty());
  EXPECT_EQ(charts[0].x.label, "columns");
  const Series& first = charts[0].series[0];
  EXPECT_GE(first.y.size(), 10);
  EXPECT_LE(first.y.size(), 12);  // and those that the other two would choose
  EXPECT_TRUE(std::is_sorted(first.y.begin(), first.y.end()));
  EXPECT_EQ(first.y[0], path.chosen().curve.value.minCoeff());
  EXPECT_EQ(first.picked_x, 1);
  const std::string numbers = "The best of 31 by gcv: 1 " + path.chosen().representation + "; 2 ";
  EXPECT_NE(charts[0].note.find(numbers), std::string::npos) << charts[0].note;
  for (const Chart& chart : charts)
    for (const Series& s : chart.series) EXPECT_TRUE(std::isfinite(s.picked_x)) << s.label;
}

TEST(ModelsPanel, ListsTheBestOfThoseTried) {
  SelectionRequest request = asking_for({"loo"});
  request.learner = "ridge";
  request.subsets = "every";
  const Study study = small_study(request, 1, 5);
  const SelectionPath& path = *study.selection.targets[0].path();
  const auto blocks = models_panel(study, 0);
  ASSERT_EQ(blocks.size(), 2u);
  const auto& table = std::get<TableBlock>(blocks[0]);
  EXPECT_EQ(table.header, (std::vector<std::string>{"columns", "λ", "loo", "df", "training error"}));
  ASSERT_EQ(table.rows.size(), 10u);
  EXPECT_EQ(table.rows[0].cells[0].text, path.chosen().representation);
  EXPECT_EQ(std::get<Paragraph>(blocks[1]).text,
            "The 10 best of 31 that were tried, by loo, each at its best λ.");
  // Each row is the least of its subset's curve, and no subset that is not there is better.
  std::map<std::string, double> least;
  for (std::size_t k = 0; k < path.lambda.size(); ++k) {
    const double value = path.chosen().curve.value[static_cast<Index>(k)];
    const auto [at, is_new] = least.emplace(path.representation[k], value);
    if (!is_new) at->second = std::min(at->second, value);
  }
  std::vector<double> all;
  for (const auto& [name, value] : least) all.push_back(value);
  std::sort(all.begin(), all.end());
  for (std::size_t i = 1; i < 10; ++i) EXPECT_EQ(least.at(table.rows[i].cells[0].text), all[i]) << i;
  EXPECT_TRUE(models_panel(small_study(asking_for({"loo"})), 0).empty());
}

TEST(CurvePanel, DifferentQuantitiesNeverShareAnAxis) {
  const Study study = small_study(asking_for({"all"}));
  for (const Chart& chart : charts_of(curve_panel(study, 0))) {
    std::set<std::pair<ErrorKind, bool>> quantities;
    for (const PathOutcome& c : study.selection.targets[0].path()->criteria) {
      const bool there = std::any_of(chart.series.begin(), chart.series.end(),
                                     [&](const Series& s) { return s.label == c.label; });
      const bool noise = c.criterion.estimates.find("noise included") != std::string_view::npos;
      if (there) quantities.insert({c.kind, noise});
    }
    EXPECT_EQ(quantities.size(), 1u) << chart.title;
  }
}

TEST(CurvePanel, OnlyTheChosenCriterionHasABand) {
  const auto charts = charts_of(curve_panel(small_study(asking_for({"loo", "cp", "gcv"})), 0));
  ASSERT_EQ(charts.size(), 1u);
  for (const Series& s : charts[0].series) EXPECT_EQ(s.band.size() > 0, s.label == "loo") << s.label;
}

// Its rim is higher than the lower end: without it the view is a flat end, a gap and the valley's floor.
TEST(CurvePanel, TheRimOfANarrowValleyIsInView) {
  SelectionRequest request = asking_for({"loo"});
  request.lambda = "1e-3:1e3:41";
  Study study = small_study(request);
  SelectionPath& path = *study.selection.targets[0].path();
  Vector& curve = path.criteria[0].curve.value;
  for (Index k = 0; k < curve.size(); ++k)
    curve[k] = k < 15 ? 40 : k < 25 ? 2 + 0.2 * std::abs(k - 20.0) : 2.1;
  path.criteria[0].lambda = path.lambda[20];
  path.criteria[0].selected->value = 2;
  const auto charts = charts_of(curve_panel(study, 0));
  ASSERT_TRUE(charts[0].y.upper);
  EXPECT_GT(*charts[0].y.upper, 3);
  EXPECT_LT(*charts[0].y.upper, 10);
}

TEST(CurvePanel, AnExplosionDoesNotFlattenTheValley) {
  SelectionRequest request = asking_for({"loo"});
  request.lambda = "1e-3:1e3:41";
  Study study = small_study(request);
  SelectionPath& path = *study.selection.targets[0].path();
  Vector& curve = path.criteria[0].curve.value;
  const Index m = curve.size();
  for (Index k = 0; k < m; ++k) {
    const double t = static_cast<double>(k) / static_cast<double>(m - 1);
    curve[k] = 1 + 8 * (t - 0.5) * (t - 0.5) + (k < 5 ? 1e9 : 0);
  }
  path.criteria[0].lambda = path.lambda[static_cast<std::size_t>(m / 2)];
  path.criteria[0].selected->value = 1;
  const auto charts = charts_of(curve_panel(study, 0));
  ASSERT_TRUE(charts[0].y.lower && charts[0].y.upper);
  EXPECT_LT(*charts[0].y.upper, 10);
  EXPECT_GT(*charts[0].y.upper, 1);
  EXPECT_LT(*charts[0].y.lower, 1);
  EXPECT_NE(charts[0].note.find("leaves out values above"), std::string::npos);
  EXPECT_TRUE(charts[0].zoomed);
}

TEST(CurvePanel, TheTruthStandsBesideEstimatesOfPredictionErrorOnly) {
  Study study = small_study(asking_for({"loo", "evidence"}));
  study.truth = TruthCurve{study.selection.targets[0].path()->train_error, 0.04, "error on new data"};
  const auto charts = charts_of(curve_panel(study, 0));
  ASSERT_EQ(charts.size(), 2u);
  EXPECT_EQ(charts[0].series.back().label, "truth");
  EXPECT_NE(charts[1].series.back().label, "truth");

  Study alone = small_study(asking_for({"evidence"}));
  alone.truth = TruthCurve{alone.selection.targets[0].path()->train_error, 0.04, "error on new data"};
  EXPECT_EQ(charts_of(curve_panel(alone, 0)).size(), 2u);
}

TEST(CurvePanel, ACurveIsThatOfItsOwnBestWidth) {
  SelectionRequest request = asking_for({"loo", "gcv"});
  request.width = "0.5,1,2";
  const Study study = small_study(request);
  const SelectionPath& t = *study.selection.targets[0].path();
  const auto charts = charts_of(curve_panel(study, 0));
  for (std::size_t i = 0; i < t.criteria.size(); ++i) {
    const auto& c = t.criteria[i];
    const Series& s = charts[0].series[i];
    Index k = 0;
    for (std::size_t place = 0; place < t.lambda.size(); ++place) {
      if (t.width[place] != c.width) continue;
      EXPECT_EQ(s.x[k], t.lambda[place]);
      EXPECT_EQ(s.y[k++], c.curve.value[static_cast<Index>(place)]);
    }
    EXPECT_EQ(k, s.x.size());
  }
}

TEST(FitPanel, TheFineLineGoesThroughTheFittedValues) {
  const Study study = small_study(asking_for({"loo"}));
  const auto charts = charts_of(fit_panel(study, 0));
  ASSERT_EQ(charts.size(), 2u);
  const Series& line = charts[0].series[0];
  EXPECT_GT(line.x.size(), study.x.rows());
  for (Index i = 0; i < study.x.rows(); ++i) {
    Index near = 0;
    (line.x.array() - study.x(i, 0)).abs().minCoeff(&near);
    EXPECT_NEAR(line.y[near], study.selection.targets[0].fitted[i], 0.03);
  }
}

TEST(FitPanel, WithoutTheRightScalingTheRowsAreJoined) {
  Study study = small_study(asking_for({"loo"}));
  study.scale = Scale::none;  // not how the model was made
  const Series line = charts_of(fit_panel(study, 0))[0].series[0];
  EXPECT_EQ(line.x.size(), study.x.rows());
  EXPECT_TRUE(std::is_sorted(line.x.begin(), line.x.end()));
}

TEST(FitPanel, SeveralInputsShowPredictedAgainstObserved) {
  const auto charts = charts_of(fit_panel(small_study(asking_for({"loo"}), 1, 3), 0));
  EXPECT_EQ(charts[0].title, "Predicted against observed");
}

TEST(FitPanel, ManyRowsAreThinnedOut) {
  SelectionRequest request = asking_for({"gcv"});
  request.learner = "ridge";
  const auto charts = charts_of(fit_panel(small_study(request, 1, 2, 2500), 0));
  EXPECT_EQ(charts[0].series[0].x.size(), 2000);
  EXPECT_NE(charts[0].note.find("2000 of 2500"), std::string::npos);
}

TEST(SpectrumPanel, FilterFactorsAndTheInterceptAddUpToTheDegreesOfFreedom) {
  const Study study = small_study(asking_for({"loo"}));
  const auto charts = charts_of(spectrum_panel(study, 0));
  ASSERT_EQ(charts.size(), 2u);
  EXPECT_NEAR(charts[1].series[0].y.sum() + 1, study.selection.targets[0].chosen_df, 1e-8);
}

TEST(SpectrumPanel, LongSpectraAreThinnedOutFromFirstToLast) {
  Study study = small_study(asking_for({"loo"}));
  Spectrum& spectrum = study.selection.targets[0].path()->spectrum;
  spectrum.values = Vector::LinSpaced(5000, 1, 1e-6);
  const auto charts = charts_of(spectrum_panel(study, 0));
  const Vector& index = charts[0].series[0].x;
  EXPECT_EQ(index.size(), 500);
  EXPECT_EQ(index[0], 1);
  EXPECT_EQ(index[index.size() - 1], 5000);
  for (Index k = 1; k < index.size(); ++k) EXPECT_LT(index[k - 1], index[k]);
}

TEST(CriteriaPanel, GroupsByWhatIsEstimatedAndMarksTheChoice) {
  const Study study = small_study(asking_for({"loo", "evidence", "sure", "gcv"}));
  const TableBlock table = std::get<TableBlock>(criteria_panel(study, 0)[0]);
  std::vector<std::string> first;
  std::size_t groups = 0;
  for (const TableRow& row : table.rows) {
    groups += row.group;
    EXPECT_EQ(row.emphasised, row.cells[0].text == "loo");
    if (row.group) continue;
    first.push_back(row.cells[0].text);
    EXPECT_EQ(row.cells.size(), table.header.size());
  }
  EXPECT_EQ(groups, 3u);
  EXPECT_EQ(first, (std::vector<std::string>{"loo", "gcv", "sure", "evidence"}));
}

}  // namespace
}  // namespace gnomon::panels_test
