#include "report/words.hpp"

#include <gtest/gtest.h>

#include "report/panel.hpp"
#include "studies.hpp"

namespace gnomon::words_test {
namespace {

std::string interval(double value, double low, double high) {
  ChosenError error;
  error.value = value;
  error.low = low;
  error.high = high;
  return interval_in_words(error);
}

TEST(IntervalInWords, RoundsAllNumbersToOnePlace) {
  EXPECT_EQ(interval(0.04277, 0.03178, 0.05304), "0.043 (0.032 to 0.053)");
  EXPECT_EQ(interval(5.13, 0.522, 9.31), "5.1 (0.5 to 9.3)");
  EXPECT_EQ(interval(1234, 1011, 1687), "1230 (1010 to 1690)");
  EXPECT_EQ(interval(0.16, 0.0611, 0.3188), "0.16 (0.06 to 0.32)");
}

TEST(IntervalInWords, KeepsTheDigitsOfAValueWhoseUpperEndIsFarOff) {
  EXPECT_EQ(interval(2.4376, 0.54298, 360.62), "2.4 (0.54 to 360)");
  EXPECT_EQ(interval(13.9, 0.0471, 19993), "14 (0.047 to 20000)");
  EXPECT_EQ(interval(15.84, 1.31, 151), "16 (1.3 to 150)");
  EXPECT_EQ(interval(2.4376, 0, 360.62), "2.4 (0 to 360)");
}

TEST(IntervalInWords, TakesExponentsWhereTheyAreNeeded) {
  EXPECT_EQ(interval(8.68e297, 4.7e297, 1.6e298), "8.68e+297 (4.7e+297 to 1.6e+298)");
  EXPECT_EQ(interval(1.32e-13, 7.3e-14, 2.1e-13), "1.32e-13 (7.3e-14 to 2.1e-13)");
}

/// A difference of two log likelihoods means something, their ratio does not.
TEST(CurvePanel, DrawsErrorsAloneOnALogAxis) {
  Study study = testing::small_study(testing::asking_for({"loo", "evidence", "blend"}));
  for (PathOutcome& c : study.selection.targets[0].path()->criteria)
    c.curve.value = Vector::LinSpaced(c.curve.value.size(), 0, 4).array().exp() * 10;
  for (const Block& block : curve_panel(study, 0)) {
    const Chart& chart = std::get<Chart>(block);
    EXPECT_EQ(chart.y.log, chart.y.label == "squared error") << chart.title;
  }
}

/// Fewer than eight rows have no error on new data: the head line tells the criterion, and what that is.
TEST(HeadLine, SaysWhatTheBlendIs) {
  Study study = testing::small_study(testing::asking_for({"blend"}));
  study.selection.targets[0].error.reset();
  const std::string line = head_line(study, 0);
  EXPECT_NE(line.find("three quarters leave-one-out and one quarter evidence"), std::string::npos) << line;
  EXPECT_EQ(line.find("marginal"), std::string::npos) << line;
}

}  // namespace
}  // namespace gnomon::words_test
