#include <gtest/gtest.h>

#include <limits>

#include "core/text.hpp"
#include "gnomon/report/writers.hpp"
#include "report/panel.hpp"
#include "studies.hpp"

namespace gnomon::html_test {
namespace {

using testing::asking_for;
using testing::small_study;

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++found;
  return found;
}

TEST(HtmlReport, IsOneFileWithoutTheNetwork) {
  const std::string page = html_report(small_study(asking_for({"loo", "gcv", "evidence"})));
  EXPECT_EQ(page.find("<!DOCTYPE html>"), 0u);
  EXPECT_EQ(count(page, "<script src"), 0u);
  EXPECT_EQ(count(page, "<link"), 0u);
  EXPECT_EQ(count(page, "@import"), 0u);
  EXPECT_GT(count(page, "Chart.js v3"), 0u);
  EXPECT_LT(page.size(), 1u << 20);
}

TEST(HtmlReport, ShowsEveryPanelThatHasSomethingToSay) {
  Study study = small_study(asking_for({"loo", "gcv"}));
  study.selection.targets[0].warnings = {"beware"};
  const std::string page = html_report(study);
  for (const Panel& panel : panel_catalog) {
    const std::size_t sections = panel.blocks(study, 0).empty() ? 0 : 1;
    EXPECT_EQ(count(page, "<section class=\"panel " + std::string(panel.name) + "\">"), sections)
        << panel.name;
  }
  study.selection.targets[0].warnings.clear();
  EXPECT_EQ(count(html_report(study), "<section class=\"panel warnings\">"), 0u);
}

TEST(HtmlReport, TheChoiceIsOnThePage) {
  const Study study = small_study(asking_for({"loo"}));
  EXPECT_GT(
      count(html_report(study), "chose λ = " + pretty(study.selection.targets[0].path()->chosen().lambda)),
      0u);
}

TEST(HtmlReport, EscapesWhateverComesFromTheUser) {
  const std::string nasty = "</script><b>\"&'";
  Study study = small_study(asking_for({"loo"}));
  const std::size_t scripts = count(html_report(study), "</script>");
  study.source = nasty;
  study.feature_names[0] = nasty;
  study.notes = {nasty};
  study.selection.targets[0].target = nasty;
  study.selection.targets[0].warnings = {nasty};
  study.truth = TruthCurve{study.selection.targets[0].path()->train_error, 0.1, nasty};
  const std::string page = html_report(study);
  EXPECT_EQ(count(page, "</script>"), scripts);
  EXPECT_EQ(count(page, "<b>\""), 0u);
  EXPECT_GT(count(page, "&lt;/script&gt;&lt;b&gt;&quot;&amp;&#39;"), 0u);
  EXPECT_GT(count(page, "\\u003c/script>"), 0u);
}

TEST(HtmlReport, ChartsAreValidJsonWithWordsForThoseWhoCannotSeeThem) {
  Study study = small_study(asking_for({"all"}));
  study.selection.targets[0].path()->train_error[0] = undefined;
  study.selection.targets[0].path()->criteria[0].curve.value[0] = undefined;
  study.feature_names[0] =
      "gr\xf6\xdf"
      "e";
  const std::string page = html_report(study);
  const std::string opening = "<script type=\"application/json\" id=\"chart-";
  std::size_t charts = 0;
  for (std::size_t at = 0; (at = page.find(opening, at)) != std::string::npos; ++charts) {
    at = page.find('>', at) + 1;
    const auto json = nlohmann::json::parse(page.substr(at, page.find("</script>", at) - at));
    for (const auto& series : json.at("series")) EXPECT_EQ(series.at("x").size(), series.at("y").size());
  }
  EXPECT_GT(charts, 5u);
  EXPECT_EQ(count(page, "<canvas role=\"img\" aria-label=\""), charts);
  EXPECT_EQ(count(page, "aria-label=\"\""), 0u);
}

TEST(HtmlReport, TheSmallestAndLargestNumbersAreDrawn) {
  using Limits = std::numeric_limits<double>;
  Chart chart;
  chart.x.lower = Limits::denorm_min();
  chart.x.upper = Limits::max();
  Series series;
  series.x = (Vector(5) << 0, Limits::denorm_min(), 3e-310, Limits::min(), Limits::max()).finished();
  series.y = -series.x;
  chart.series = {series};
  const std::string page = html_page("title", "lead", {{"section", {chart}}});
  EXPECT_GT(count(page, "[0.0,5e-324,3e-310,2.22507e-308,1.79769e+308]"), 0u);
  EXPECT_GT(count(page, "-5e-324"), 0u);
}

TEST(HtmlReport, SeveralTargetsAreSections) {
  const std::string page = html_report(small_study(asking_for({"loo"}), 2));
  EXPECT_EQ(count(page, "<h2 id=\"target-"), 2u);
  EXPECT_EQ(count(page, "href=\"#target-"), 2u);
}

}  // namespace
}  // namespace gnomon::html_test
