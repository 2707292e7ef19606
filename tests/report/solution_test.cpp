#include <gtest/gtest.h>

#include <algorithm>

#include "core/text.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/report/writers.hpp"
#include "learn/equation.hpp"
#include "report/panel.hpp"
#include "studies.hpp"

namespace gnomon::solution_test {
namespace {

Study study_of(const std::string& learner, const std::string& tuning = "auto",
               const std::string& basis = "polynomial:4", const std::string& lambda = "0.01:10:7") {
  SelectionRequest request = testing::asking_for({"cv:4", "sic"});
  request.learner = learner;
  request.basis = basis;
  request.lambda = lambda;
  request.mix = request.tau = request.epsilon = request.amplitude = tuning;
  return testing::small_study(request, 1, 2);
}

std::vector<Chart> charts_of(const std::vector<Block>& blocks) {
  std::vector<Chart> charts;
  for (const Block& block : blocks) {
    if (const Chart* chart = std::get_if<Chart>(&block)) charts.push_back(*chart);
  }
  return charts;
}

const TableBlock* table_of(const std::vector<Block>& blocks) {
  for (const Block& block : blocks) {
    if (const TableBlock* table = std::get_if<TableBlock>(&block)) return table;
  }
  return nullptr;
}

const Chart* find(const std::vector<Chart>& charts, std::string_view title) {
  const auto at =
      std::find_if(charts.begin(), charts.end(), [&](const Chart& c) { return c.title == title; });
  return at == charts.end() ? nullptr : &*at;
}

Index points_in(const Chart& chart, bool emphasised) {
  Index count = 0;
  for (const Series& s : chart.series) {
    if (s.style == Series::Style::points && s.emphasised == emphasised) count += s.x.size();
  }
  return count;
}

TEST(SolutionPanel, IsEmptyForLearnersLinearInY) {
  EXPECT_TRUE(solution_panel(testing::small_study(testing::asking_for({"loo"})), 0).empty());
  SelectionRequest ridge = testing::asking_for({"loo"});
  ridge.learner = "ridge";
  EXPECT_TRUE(solution_panel(testing::small_study(ridge), 0).empty());
}

TEST(SolutionPanel, IsInTheCatalog) {
  EXPECT_TRUE(std::any_of(panel_catalog.begin(), panel_catalog.end(),
                          [](const Panel& panel) { return panel.name == "solution"; }));
}

TEST(SolutionPanel, CoefficientPathPassesThroughTheChosenFit) {
  for (const std::string learner : {"lasso", "elastic-net", "huber", "additive"}) {
    const Study study = study_of(learner, learner == "lasso"         ? "auto"
                                          : learner == "elastic-net" ? "0.3,0.8"
                                                                     : "0.2,0.5");
    const SelectionPath& t = *study.selection.targets[0].path();
    const auto charts = charts_of(solution_panel(study, 0));
    const Chart* chart = find(charts, "Coefficients along the path");
    ASSERT_NE(chart, nullptr) << learner;
    EXPECT_EQ(chart->series.size(), 8u) << learner;  // two inputs to the fourth power
    EXPECT_TRUE(chart->x.log);
    ASSERT_EQ(chart->markers.size(), 1u);
    EXPECT_EQ(chart->markers[0].x, t.chosen().lambda);
    EXPECT_EQ(chart->markers[0].label, "cv:4 is least");
    for (const Series& s : chart->series) {
      ASSERT_EQ(s.x.size(), 7) << learner;  // the λ of the chosen tuning alone
      EXPECT_EQ(s.picked_x, t.chosen().lambda);
      Index at = 0;
      (s.x.array() - t.chosen().lambda).abs().minCoeff(&at);
      EXPECT_EQ(s.picked_y, s.y[at]) << learner << " " << s.label;
    }
  }
}

TEST(EquationPanel, ListsTheOffsetAndWhatIsNotZeroInTheUnitsOfTheColumns) {
  const Study study = study_of("lasso", "auto", "linear", "8,20");
  const SelectionPath& t = *study.selection.targets[0].path();
  const auto blocks = equation_panel(study, 0);
  const TableBlock* table = table_of(blocks);
  ASSERT_NE(table, nullptr);
  EXPECT_EQ(table_of(solution_panel(study, 0)), nullptr) << "the coefficients are listed once";
  const Index kept = (t.solution->coefficients.array() != 0).count();
  ASSERT_LT(kept, 2) << "the penalty is meant to drop a column";
  ASSERT_EQ(table->rows.size(), static_cast<std::size_t>(kept) + 2);  // and the offset, and the zeros
  EXPECT_EQ(table->rows.back().cells[0].text, fmt::format("{} column{}", 2 - kept, kept == 1 ? "" : "s"));
  const auto equation =
      linear_equation(study.selection.model, Scaling::fit(study.x, Vector(), study.scale), 0);
  ASSERT_TRUE(equation);
  EXPECT_EQ(table->rows[0].cells[0].text, "offset");
  EXPECT_EQ(table->rows[0].cells[1].text, pretty(equation->offset, 6));
  if (kept == 1) {
    const auto& cells = table->rows[1].cells;
    const Index at = cells[0].text == "x1" ? 0 : 1;
    EXPECT_EQ(cells[1].text, pretty(equation->coefficients[at], 6));
    EXPECT_EQ(cells[2].text, pretty(t.solution->coefficients[at], 4));
  }
}

TEST(SolutionPanel, ManyColumnsShowTheLargest) {
  const Study study = study_of("huber", "0.3", "polynomial:15");
  const auto blocks = solution_panel(study, 0);
  const auto charts = charts_of(blocks);
  const Chart* chart = find(charts, "Coefficients along the path");
  ASSERT_NE(chart, nullptr);
  EXPECT_EQ(chart->series.size(), 20u);
  EXPECT_EQ(chart->note, "The 20 largest of 30 coefficients at the chosen λ are shown.");
  for (std::size_t k = 1; k < 20; ++k)
    EXPECT_GE(std::abs(chart->series[k - 1].picked_y), std::abs(chart->series[k].picked_y));
  const TableBlock* table = table_of(blocks);
  ASSERT_NE(table, nullptr);
  EXPECT_EQ(table->rows.size(), 22u);
  EXPECT_EQ(table->rows.back().cells[0].text, "and 10 smaller ones");
}

TEST(SolutionPanel, OneLambdaHasATableAndNoPath) {
  const auto blocks = solution_panel(study_of("lasso", "auto", "polynomial:2", "0.5"), 0);
  EXPECT_TRUE(charts_of(blocks).empty());
  EXPECT_NE(table_of(blocks), nullptr);
}

TEST(SolutionPanel, HuberShowsItsQuadraticRegion) {
  const Study study = study_of("huber", "0.1");
  const auto charts = charts_of(solution_panel(study, 0));
  const Chart* chart = find(charts, "Residuals and the quadratic region");
  ASSERT_NE(chart, nullptr);
  const Vector residual = study.y.col(0) - study.selection.targets[0].fitted;
  const Index inside = (residual.array().abs() <= 0.1).count();
  ASSERT_GT(inside, 0);
  ASSERT_LT(inside, 30);
  EXPECT_EQ(points_in(*chart, true), inside);
  EXPECT_EQ(points_in(*chart, false), 30 - inside);
  std::vector<double> lines;
  for (const Series& s : chart->series) {
    if (s.style == Series::Style::dashed) {
      EXPECT_EQ(s.y[0], s.y[1]);
      lines.push_back(s.y[0]);
    } else {
      for (Index i = 0; i < s.y.size(); ++i) EXPECT_EQ(std::abs(s.y[i]) <= 0.1 + 1e-12, s.emphasised);
    }
  }
  EXPECT_EQ(lines, (std::vector<double>{0.1, -0.1}));
  EXPECT_NE(chart->description.find(fmt::format("{} rows are in the quadratic region", inside)),
            std::string::npos);
}

TEST(SolutionPanel, SvrShowsTubeAndSupportVectors) {
  for (const std::string basis : {"", "linear"}) {
    const Study study = study_of("svr", "0.15", basis);
    const SelectionPath& t = *study.selection.targets[0].path();
    const auto blocks = solution_panel(study, 0);
    const auto charts = charts_of(blocks);
    const Chart* chart = find(charts, "Residuals, tube and support vectors");
    ASSERT_NE(chart, nullptr);
    EXPECT_EQ(points_in(*chart, true), static_cast<Index>(t.solution->active.size()));
    EXPECT_EQ(points_in(*chart, false), 30 - static_cast<Index>(t.solution->active.size()));
    // Support vectors lie on the tube or outside, the others on it or inside.
    for (const Series& s : chart->series) {
      if (s.style != Series::Style::points) continue;
      for (Index i = 0; i < s.y.size(); ++i) {
        const double size = std::abs(s.y[i]);
        EXPECT_TRUE(s.emphasised ? size >= 0.15 - 1e-8 : size <= 0.15 + 1e-8) << size;
      }
    }
    // A kernel's coefficients belong to rows, not columns: no path of them is drawn.
    EXPECT_EQ(find(charts, "Coefficients along the path") != nullptr, !basis.empty());
    EXPECT_EQ(table_of(equation_panel(study, 0)) != nullptr, !basis.empty());
  }
}

TEST(SolutionPanel, AbsentFittedValuesMakeNoChart) {
  Study study = study_of("huber", "0.1");
  study.selection.targets[0].fitted.resize(0);
  EXPECT_TRUE(solution_panel(study, 0).empty());
}

TEST(SolutionPanel, EveryWriterShowsTheseStudies) {
  for (const std::string learner : {"lasso", "elastic-net", "huber", "svr", "additive"}) {
    const Study study = study_of(learner, learner == "lasso" ? "auto" : "0.2,0.6", "linear");
    const auto json = json_report(study);
    const auto& chosen = json.at("chosen");
    const SelectionPath& t = *study.selection.targets[0].path();
    EXPECT_EQ(chosen.at("solution").at("coefficients").size(),
              static_cast<std::size_t>(t.solution->coefficients.size()));
    EXPECT_EQ(chosen.at("solution").at("converged"), t.solution->converged);
    EXPECT_EQ(chosen.at("solution").at("active").size(), t.solution->active.size());
    EXPECT_EQ(json.at("path").contains("parameters"), learner != "lasso");
    if (learner != "lasso") {
      EXPECT_EQ(json.at("path").at("parameters").size(), 2u);
      EXPECT_EQ(json.at("path").at("parameters").at(t.tuning_name).size(), 14u);
      EXPECT_EQ(json.at("path").at(t.tuning_name), json.at("path").at("parameters").at(t.tuning_name));
    }
    EXPECT_FALSE(json.at("path").at("criteria").at("sic").at("covariance").get<std::string>().empty());
    EXPECT_FALSE(json.at("path").at("criteria").at("cv:4").contains("covariance"));
  }
}

}  // namespace
}  // namespace gnomon::solution_test
