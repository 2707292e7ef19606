#include <gtest/gtest.h>

#include "gnomon/report/writers.hpp"

namespace gnomon::html_page_test {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++found;
  return found;
}

TEST(HtmlPage, HoldsItsSectionsInOrder) {
  Chart chart;
  chart.title = "a curve";
  chart.series.push_back({.label = "line", .x = Vector::LinSpaced(3, 0, 1), .y = Vector::Ones(3)});
  const std::string page = html_page("a title", "what was found",
                                     {{"first", {chart, Paragraph{"some words"}}},
                                      {"second", {TableBlock{{"head"}, {{{text_cell("cell")}}}}}}});
  EXPECT_EQ(page.find("<!DOCTYPE html>"), 0u);
  EXPECT_EQ(count(page, "<section class=\"panel\">"), 2u);
  EXPECT_EQ(count(page, "<canvas"), 1u);
  std::size_t at = 0;
  for (const char* part : {"<title>gnomon · a title</title>", "what was found", "<h3>first</h3>", "a curve",
                           "some words", "<h3>second</h3>", "<td>cell</td>", "</html>"}) {
    at = page.find(part, at);
    EXPECT_NE(at, std::string::npos) << part;
  }
}

TEST(HtmlPage, EscapesItsTexts) {
  const std::string nasty = "</script><b>\"&'", safe = "&lt;/script&gt;&lt;b&gt;&quot;&amp;&#39;";
  const std::string plain = html_page("t", "l", {{"s", {Paragraph{"p"}}}}),
                    page = html_page(nasty, nasty, {{nasty, {Paragraph{nasty}}}});
  EXPECT_EQ(count(page, "</script>"), count(plain, "</script>"));
  EXPECT_EQ(count(page, safe), 5u);  // the title stands in the head and on the page
}

}  // namespace
}  // namespace gnomon::html_page_test
