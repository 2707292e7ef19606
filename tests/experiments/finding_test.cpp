#include "experiments/finding.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace gnomon::app {
namespace {

Finding row(double ours, double error, double expected, double expected_error) {
  return {.name = "x",
          .ours = ours,
          .standard_error = error,
          .expected = expected,
          .expected_error = expected_error};
}

TEST(Finding, CountsBothErrorsInZ) {
  EXPECT_DOUBLE_EQ(row(10, 3, 0, 4).z(), 2);
  EXPECT_DOUBLE_EQ(row(0, 3, 10, 4).z(), -2);
}

TEST(Finding, AgreesUpToThreeStandardErrors) {
  EXPECT_EQ(row(3, 1, 0, 0).verdict(), Verdict::agrees);
  EXPECT_EQ(row(-3, 1, 0, 0).verdict(), Verdict::agrees);
  EXPECT_EQ(row(3.001, 1, 0, 0).verdict(), Verdict::differs);
  EXPECT_EQ(row(-3.001, 1, 0, 0).verdict(), Verdict::differs);
}

TEST(Finding, HoldsToTheRuleOfItsSource) {
  Finding wide = row(3.5, 1, 0, 0);
  wide.most_z = 4;
  EXPECT_EQ(wide.verdict(), Verdict::agrees);
  wide.ours = 4.5;
  EXPECT_EQ(wide.verdict(), Verdict::differs);
}

TEST(Finding, WithoutErrorsOnlyEqualNumbersAgree) {
  EXPECT_EQ(row(40, 0, 40, 0).verdict(), Verdict::agrees);
  EXPECT_EQ(row(41, 0, 40, 0).verdict(), Verdict::differs);
  EXPECT_EQ(row(41, 0, 40, 0).z(), std::numeric_limits<double>::infinity());
}

TEST(Finding, CannotBeComparedWithoutNumbers) {
  EXPECT_EQ(row(undefined, 1, 0, 0).verdict(), Verdict::not_comparable);
  EXPECT_EQ(row(1, undefined, 0, 0).verdict(), Verdict::not_comparable);
  EXPECT_EQ((Finding{.name = "x", .ours = 1, .standard_error = 1}).verdict(), Verdict::not_comparable);
  Finding elsewhere = row(100, 1, 0, 0);
  elsewhere.comparable = false;
  EXPECT_EQ(elsewhere.verdict(), Verdict::not_comparable);
}

TEST(Finding, SaysWhyItDiffersOrThatNoneIsKnown) {
  EXPECT_EQ(row(1, 1, 0, 0).why(), "");
  Finding far = row(9, 1, 0, 0);
  EXPECT_NE(far.why().find("no reason is known"), std::string::npos);
  far.reason = "another design";
  EXPECT_EQ(far.why(), "another design");
}

TEST(Finding, CountsItsVerdicts) {
  const std::vector<Finding> rows{row(1, 1, 0, 0), row(9, 1, 0, 0), row(2, 1, 0, 0), row(undefined, 1, 0, 0)};
  const VerdictCounts counts = count_verdicts(rows);
  EXPECT_EQ(counts.agrees, 2);
  EXPECT_EQ(counts.differs, 1);
  EXPECT_EQ(counts.not_comparable, 1);
  EXPECT_EQ(in_words(counts), "2 rows agree, 1 differs, 1 cannot be compared");
}

TEST(Finding, TableAndJsonSayTheSame) {
  Finding far = row(9, 1, 0, 0);
  far.source = "published";
  far.reason = "another design";
  const Finding lone{.name = "alone", .ours = undefined};
  const ResultTable table = table_of({far, lone});
  EXPECT_EQ(table.header,
            (std::vector<std::string>{"name", "ours", "s.e.", "expected", "z", "verdict", "reason"}));
  EXPECT_EQ(table.rows[0],
            (std::vector<std::string>{"x", "9", "1", "0", "+9.00", "differs", "another design"}));
  EXPECT_EQ(table.rows[1], (std::vector<std::string>{"alone", "", "", "", "", "not comparable", ""}));
  const auto json = rows_of({far, lone});
  EXPECT_EQ(json[0]["name"], "x");
  EXPECT_EQ(json[0]["ours"], 9);
  EXPECT_EQ(json[0]["se"], 1);
  EXPECT_EQ(json[0]["expected"], 0);
  EXPECT_EQ(json[0]["z"], 9);
  EXPECT_EQ(json[0]["verdict"], "differs");
  EXPECT_EQ(json[0]["source"], "published");
  EXPECT_EQ(json[0]["reason"], "another design");
  EXPECT_TRUE(json[1]["ours"].is_null());
  EXPECT_TRUE(json[1]["expected"].is_null());
  EXPECT_EQ(json[1]["verdict"], "not comparable");
}

}  // namespace
}  // namespace gnomon::app
