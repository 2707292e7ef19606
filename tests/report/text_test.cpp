#include <gtest/gtest.h>

#include <sstream>

#include "gnomon/report/writers.hpp"
#include "studies.hpp"

namespace gnomon::text_test {
namespace {

using testing::asking_for;
using testing::small_study;

/// Columns of a line of text whose characters are all one column wide.
std::size_t width(const std::string& line) {
  std::size_t count = 0;
  for (const unsigned char c : line) count += (c & 0xC0) != 0x80;
  return count;
}

void expect_narrow(const std::string& text) {
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) EXPECT_LE(width(line), 80u) << line;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(TextReport, FitsEightyColumns) {
  expect_narrow(text_report(small_study(asking_for({"all"})), false));
  SelectionRequest widths = asking_for({"loo", "gcv", "evidence"});
  widths.width = "0.5,1,2";
  expect_narrow(text_report(small_study(widths), false));
  expect_narrow(text_report(small_study(asking_for({"cv:5", "aic"}), 2, 4), false));
}

TEST(TextReport, FitsEightyColumnsWhateverTheNamesAre) {
  Study study = small_study(asking_for({"loo"}), 2);
  const std::string endless(300, 'n');
  study.source = endless + ".csv";
  study.selection.targets[0].target = endless;
  study.selection.targets[1].target = "two\nlines\x1b[2J";
  study.selection.targets[0].path()->criteria[0].label = "cv:" + endless;
  study.selection.targets[0].noise.reason = endless + " " + endless;
  study.selection.targets[0].warnings = {endless, "a " + endless + " b"};
  const std::string text = text_report(study, false);
  expect_narrow(text);
  EXPECT_FALSE(contains(text, "\x1b"));
  EXPECT_TRUE(contains(text, "two?lines?[2J"));
}

TEST(TextReport, SaysWhatWasChosenAndWhatItMeans) {
  Study study = small_study(asking_for({"loo", "gcv"}));
  PathOutcome& chosen = study.selection.targets[0].path()->criteria[0];
  chosen.lambda = 0.0123;
  chosen.selected->value = 0.0432;
  chosen.selected->standard_error = 0.0061;
  const std::string text = text_report(study, false);
  EXPECT_TRUE(contains(text,
                       "gnomon chose λ = 0.0123 by leave-one-out; the expected squared error on new data\n"
                       "is about 0.0432 ± 0.0061."))
      << text;
  EXPECT_TRUE(contains(text, "What each criterion would have picked"));
  EXPECT_TRUE(contains(text, "\n    gcv "));
}

TEST(TextReport, DoesNotCallTheEvidenceAnError) {
  const std::string text = text_report(small_study(asking_for({"evidence"})), false);
  EXPECT_TRUE(contains(text, "no prediction error"));
  EXPECT_FALSE(contains(text, "expected squared error"));
  EXPECT_FALSE(contains(text, "estimated error"));
}

TEST(TextReport, NamesTheDefaultAndItsReason) {
  const Study study = small_study(asking_for({"auto"}));
  ASSERT_FALSE(study.selection.default_reason.empty());
  EXPECT_TRUE(contains(text_report(study, false), "the default: "));
  EXPECT_FALSE(contains(text_report(small_study(asking_for({"gcv"})), false), "the default"));
}

TEST(TextReport, UndefinedIsSaidInWords) {
  Study study = small_study(asking_for({"loo", "gcv"}));
  TargetSelection& t = study.selection.targets[0];
  testing::undefine(t.path()->criteria[1]);
  t.noise.value[0] = undefined;
  const std::string text = text_report(study, false);
  EXPECT_FALSE(contains(text, "nan"));
  std::istringstream in(text);
  bool noise = false, gcv = false;
  for (std::string line; std::getline(in, line);) {
    noise |= contains(line, "noise variance") && contains(line, "not determined");
    gcv |= contains(line, "    gcv ") && contains(line, "undefined");
  }
  EXPECT_TRUE(noise);
  EXPECT_TRUE(gcv);
}

TEST(TextReport, WarningsComeLast) {
  Study study = small_study(asking_for({"loo"}));
  study.selection.targets[0].warnings = {"the sky is falling"};
  const std::string text = text_report(study, false);
  EXPECT_EQ(text.substr(text.size() - 28), "warning: the sky is falling\n");
}

TEST(TextReport, ColourAddsEscapesAndNothingElse) {
  Study study = small_study(asking_for({"loo", "sic"}));
  std::string coloured = text_report(study, true);
  EXPECT_TRUE(contains(coloured, "\x1b["));
  for (std::size_t at = 0; (at = coloured.find("\x1b[", at)) != std::string::npos;) {
    coloured.erase(at, coloured.find('m', at) - at + 1);
  }
  EXPECT_EQ(coloured, text_report(study, false));
}

TEST(TextReport, EveryTargetHasItsPart) {
  const std::string text = text_report(small_study(asking_for({"loo"}), 2), false);
  EXPECT_TRUE(contains(text, "y1: gnomon chose"));
  EXPECT_TRUE(contains(text, "y2: gnomon chose"));
}

}  // namespace
}  // namespace gnomon::text_test
