#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>

#include "gnomon/report/writers.hpp"
#include "report/writers/chart_scale.hpp"

namespace gnomon {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size()))
    ++found;
  return found;
}

Vector numbers(std::initializer_list<double> values) {
  return Eigen::Map<const Vector>(values.begin(), static_cast<Index>(values.size()));
}

Chart one_line(Vector x, Vector y) {
  return {.title = "Title",
          .description = "What is seen",
          .x = {"across"},
          .y = {"up"},
          .series = {{.label = "curve", .x = std::move(x), .y = std::move(y)}}};
}

std::vector<std::string> labels(const ChartScale& scale) {
  std::vector<std::string> all;
  for (const Tick& tick : scale.ticks(8)) all.push_back(tick.label);
  return all;
}

TEST(Svg, HasTitleDescriptionAndAxisNames) {
  const std::string svg = svg_figure(one_line(numbers({0, 1}), numbers({2, 3})));
  EXPECT_NE(svg.find("<title>Title</title>"), std::string::npos);
  EXPECT_NE(svg.find("<desc>What is seen</desc>"), std::string::npos);
  EXPECT_NE(svg.find(">across</text>"), std::string::npos);
  EXPECT_NE(svg.find(">up</text>"), std::string::npos);
  EXPECT_EQ(count(svg, "curve"), 0u);  // one curve needs no legend
}

TEST(Svg, EscapesEveryText) {
  Chart chart = one_line(numbers({0, 1}), numbers({2, 3}));
  chart.title = "a < b & \"c\" \x01";
  chart.x.label = chart.y.label = chart.note = chart.title;
  chart.series.push_back(chart.series[0]);
  chart.series[0].label = "<script>";
  chart.markers = {{0.5, "<here>"}};
  const std::string svg = svg_figure(chart);
  EXPECT_EQ(count(svg, "<script>"), 0u);
  EXPECT_EQ(count(svg, "<here>"), 0u);
  EXPECT_EQ(count(svg, "a < b"), 0u);
  EXPECT_EQ(count(svg, "\x01"), 0u);
  EXPECT_EQ(count(svg, "&lt;script&gt;"), 1u);
  EXPECT_EQ(count(svg, "a &lt; b &amp; &quot;c&quot; ?"), 5u);  // title twice, both axes, note
}

TEST(Svg, LeavesGapsWhereNothingIsDefined) {
  const std::string svg =
      svg_figure(one_line(numbers({0, 1, 2, 3, 4}), numbers({1, 2, undefined, infinite, 5})));
  EXPECT_EQ(count(svg, "nan"), 0u);
  EXPECT_EQ(count(svg, "inf"), 0u);
  const std::size_t from = svg.find("<path d=\"M", svg.rfind("overflow"));
  const std::string path = svg.substr(from, svg.find("\"/>", from) - from);
  EXPECT_EQ(count(path.substr(0, path.find("\" fill")), "M"), 2u) << path;
}

TEST(Svg, StaysFiniteWithoutDataAndWithAnyNumber) {
  for (const bool log : {false, true}) {
    for (const Vector& y : {Vector(), numbers({undefined, undefined}), numbers({0, 0}), numbers({-1, -2}),
                            numbers({1e308, -1e308}), numbers({1e-308, 1e308}), numbers({1e16, 1e16 + 2})}) {
      Chart chart = one_line(y.size() == 2 ? numbers({1e300, -1e300}) : Vector(), y);
      chart.series[0].band = Vector::Constant(y.size(), 1e308);
      chart.y.log = chart.x.log = log;
      const std::string svg = svg_figure(chart);
      EXPECT_EQ(count(svg, "nan") + count(svg, "inf"), 0u) << svg;
      EXPECT_LT(svg.size(), 20000u);
    }
  }
}

TEST(Svg, DrawsBandsOfLinesAndBarsOfPoints) {
  Chart chart = one_line(numbers({0, 1, 2}), numbers({1, 2, 3}));
  chart.series[0].band = numbers({0.1, 0.1, 0.1});
  EXPECT_EQ(count(svg_figure(chart), "fill-opacity=\"0.2\""), 1u);
  chart.series[0].band[1] = undefined;  // two stretches of one point have no area
  EXPECT_EQ(count(svg_figure(chart), "fill-opacity=\"0.2\""), 0u);
  chart.series[0].style = Series::Style::points;
  EXPECT_EQ(count(svg_figure(chart), "<circle"), 3u);
  EXPECT_EQ(count(svg_figure(chart), "m-3 0h6"), 2u);
}

TEST(Svg, ShowsWholePointsOrNone) {
  Chart chart = one_line(numbers({0, 1, 2, 3}), numbers({0, 1, 2, 3}));
  chart.series[0].style = Series::Style::points;
  chart.series[0].picked_x = chart.series[0].picked_y = 3;
  EXPECT_EQ(count(svg_figure(chart), "<circle"), 5u);
  chart.x.upper = 2;
  EXPECT_EQ(count(svg_figure(chart), "<circle"), 3u);
}

TEST(Svg, NamesSeveralSeries) {
  Chart chart = one_line(numbers({0, 1}), numbers({1, 2}));
  chart.series.push_back(
      {.label = "truth", .style = Series::Style::dashed, .x = numbers({0, 1}), .y = numbers({1, 1})});
  const std::string svg = svg_figure(chart);
  EXPECT_EQ(count(svg, ">curve</text>"), 1u);
  EXPECT_EQ(count(svg, ">truth</text>"), 1u);
  EXPECT_EQ(count(svg, "stroke-dasharray=\"5 4\""), 2u);  // the line and its sign in the legend
}

TEST(ChartScale, PutsRoundNumbersOnALinearAxis) {
  const ChartScale scale({"x"}, {0.03, 0.97}, true);
  EXPECT_EQ(labels(scale), (std::vector<std::string>{"0", "0.2", "0.4", "0.6", "0.8", "1"}));
  EXPECT_DOUBLE_EQ(scale.fraction(0), 0);
  EXPECT_DOUBLE_EQ(scale.fraction(1), 1);
  EXPECT_TRUE(std::isnan(scale.fraction(undefined)));
}

TEST(ChartScale, PutsPowersOfTenOnALogAxis) {
  const ChartScale near({"x", true}, {0.01, 100, -1, 0}, false);
  EXPECT_EQ(labels(near), (std::vector<std::string>{"0.01", "0.1", "1", "10", "100"}));
  EXPECT_DOUBLE_EQ(near.fraction(1), 0.5);
  EXPECT_TRUE(std::isnan(near.fraction(0)));
  const ChartScale far({"x", true}, {1e-8, 1e4}, false);
  EXPECT_EQ(labels(far), (std::vector<std::string>{"10⁻⁸", "10⁻⁶", "10⁻⁴", "10⁻²", "10⁰", "10²", "10⁴"}));
  const ChartScale short_one({"x", true}, {0.08, 3}, false);
  EXPECT_EQ(labels(short_one), (std::vector<std::string>{"0.1", "0.2", "0.5", "1", "2"}));
  const ChartScale narrow({"x", true}, {2, 9}, false);
  EXPECT_EQ(labels(narrow), (std::vector<std::string>{"2", "3", "4", "5", "6", "7", "8", "9"}));
}

TEST(ChartScale, PutsTheFirstOfItsNamesAtTheTop) {
  const ChartScale scale({.label = "", .names = {"first", "second"}}, {}, true);
  EXPECT_EQ(labels(scale), (std::vector<std::string>{"first", "second"}));
  EXPECT_GT(scale.fraction(0), scale.fraction(1));
  EXPECT_LT(scale.fraction(0), 1);
  EXPECT_GT(scale.fraction(1), 0);
}

TEST(ChartScale, KeepsTheEndsOfItsAxis) {
  const ChartScale scale({"x", false, -1.0, 2.0}, {-100, 100}, true);
  EXPECT_DOUBLE_EQ(scale.fraction(-1), 0);
  EXPECT_DOUBLE_EQ(scale.fraction(2), 1);
  EXPECT_GT(scale.fraction(100), 1);
}

}  // namespace
}  // namespace gnomon
