#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "gnomon/report/writers.hpp"
#include "report/panel.hpp"
#include "studies.hpp"

namespace gnomon::tuned_test {
namespace {

using testing::small_study;

SelectionRequest many_decays(std::vector<std::string> criteria) {
  SelectionRequest request;
  request.learner = "ridge";
  request.groups = "each";
  request.criteria = std::move(criteria);
  return request;
}

std::vector<Chart> charts_of(const std::vector<Block>& blocks) {
  std::vector<Chart> charts;
  for (const Block& block : blocks) {
    if (const auto* chart = std::get_if<Chart>(&block)) charts.push_back(*chart);
  }
  return charts;
}

TEST(ParametersPanel, HasARowPerParameterAndAColumnPerCriterion) {
  const Study study = small_study(many_decays({"evidence", "loo"}), 1, 3);
  const auto blocks = parameters_panel(study, 0);
  const auto& table = std::get<TableBlock>(blocks.front());
  EXPECT_EQ(table.rows.size(), 3u);
  EXPECT_EQ(table.header.back(), "by loo");
  EXPECT_EQ(table.rows[0].cells[0].text, "lambda[x1]");
  EXPECT_TRUE(parameters_panel(small_study(testing::asking_for({"loo"})), 0).empty());
}

TEST(ParametersPanel, SaysWhatWasDropped) {
  Study study = small_study(many_decays({"evidence"}), 1, 3);
  TunedSearch& tuned = *study.selection.targets[0].search();
  tuned.verdicts = {Verdict::interior, Verdict::dropped, Verdict::unregularized};
  const auto blocks = parameters_panel(study, 0);
  const auto& table = std::get<TableBlock>(blocks.front());
  EXPECT_EQ(table.rows[1].cells[1].text, "∞ (dropped)");
  EXPECT_EQ(table.rows[2].cells[1].text, "0 (not regularized)");
  EXPECT_NE(std::get<Paragraph>(blocks.back()).text.find("x2"), std::string::npos);
}

TEST(ConvergencePanel, ShowsEveryStartOfTheSearch) {
  const Study study = small_study(many_decays({"evidence"}), 1, 3);
  const auto& search = study.selection.targets[0].search()->criteria.front().search;
  const auto charts = charts_of(convergence_panel(study, 0));
  ASSERT_EQ(charts.size(), 3u);
  Index points = 0;
  for (const Series& s : charts[0].series) points += s.y.size();
  EXPECT_EQ(points, static_cast<Index>(search.trace.size()));
  EXPECT_TRUE(charts[1].y.log && charts[2].y.log);
  EXPECT_EQ(charts[2].series.size(), 3u);
  EXPECT_EQ(charts[2].series[0].y.size(), study.selection.targets[0].search()->points.rows());
  EXPECT_TRUE(curve_panel(study, 0).empty());
  EXPECT_TRUE(convergence_panel(small_study(testing::asking_for({"loo"})), 0).empty());
}

TEST(ClassesPanel, CountsRowsByTrueAndPredictedClass) {
  Study study;
  study.classes = {"a", "b"};
  study.y = Matrix{{1, 0}, {1, 0}, {0, 1}};
  study.selection.probabilities = Matrix{{0.9, 0.1}, {0.2, 0.8}, {0.3, 0.7}};
  const auto blocks = classes_panel(study, 0);
  const auto& table = std::get<TableBlock>(blocks.front());
  EXPECT_EQ(table.rows[0].cells[1].text, "1");
  EXPECT_EQ(table.rows[0].cells[2].text, "1");
  EXPECT_EQ(table.rows[1].cells[1].text, "0");
  EXPECT_EQ(table.rows[1].cells[2].text, "1");
  EXPECT_NE(std::get<Paragraph>(blocks.back()).text.find("1 of 3"), std::string::npos);
  EXPECT_TRUE(classes_panel(Study(), 0).empty());
}

TEST(JsonOfASearch, HoldsTheTraceAndTheAxesByName) {
  const Study study = small_study(many_decays({"gcv", "evidence"}), 1, 2);
  const auto json = json_report(study);
  const TunedSearch& tuned = *study.selection.targets[0].search();
  EXPECT_EQ(json["trace"].size(),
            tuned.criteria[0].search.trace.size() + tuned.criteria[1].search.trace.size());
  EXPECT_EQ(json["path"]["parameters"].size(), 2u);
  EXPECT_EQ(json["path"]["lambda"]["x1"], json["path"]["parameters"]["lambda[x1]"]);
  EXPECT_EQ(json["chosen"]["lambda"]["x2"].get<double>(), tuned.chosen[1]);
  EXPECT_EQ(json["selected"]["evidence"]["value"].get<double>(), tuned.criteria[1].search.value);
  EXPECT_TRUE(json["noise_variance"]["value"].is_null());
}

TEST(PageOfASearch, HasNoEmptyLists) {
  const std::string page = html_report(small_study(many_decays({"loo"}), 1, 2));
  EXPECT_NE(page.find("converged after"), std::string::npos);
  EXPECT_EQ(page.find("\">\n</dl>"), std::string::npos);
}

TEST(TextOfASearch, NamesParametersAndSaysHowTheSearchEnded) {
  const std::string text = text_report(small_study(many_decays({"loo"}), 1, 6), false);
  for (const char* words : {"6 regularization parameters", "lambda[x6]", "weights determined", "evaluations"})
    EXPECT_NE(text.find(words), std::string::npos) << words << "\n" << text;
}

}  // namespace
}  // namespace gnomon::tuned_test
