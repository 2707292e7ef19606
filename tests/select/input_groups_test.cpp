#include "select/input_groups.hpp"

#include <gtest/gtest.h>

#include "gnomon/core/error.hpp"

namespace gnomon::input_groups_test {
namespace {

const InputColumns inputs{{"age", "sex=F", "sex=M", "height"}, {"age", "sex", "sex", "height"}};

std::string complaint(std::string_view text) {
  try {
    make_groups(text, inputs);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "accepted";
}

TEST(InputGroups, NamedColumnsAndTheOthers) {
  const InputGroups g = make_groups("sex; height", inputs);
  EXPECT_EQ(g.of_feature, (std::vector<int>{2, 0, 0, 1}));
  EXPECT_EQ(g.names, (std::vector<std::string>{"sex", "height", "others"}));
  const InputGroups all_named = make_groups("age,height;sex", inputs);
  EXPECT_EQ(all_named.of_feature, (std::vector<int>{0, 1, 1, 0}));
  EXPECT_EQ(all_named.names, (std::vector<std::string>{"age, height", "sex"}));
}

TEST(InputGroups, EachColumnIsOneGroupWhateverItsFeatures) {
  const InputGroups g = make_groups("each", inputs);
  EXPECT_EQ(g.of_feature, (std::vector<int>{0, 1, 1, 2}));
  EXPECT_EQ(g.names.size(), 3u);
  for (const std::string_view text : {"", "all"})
    EXPECT_EQ(make_groups(text, inputs).of_feature, (std::vector<int>{0, 0, 0, 0}));
}

TEST(InputGroups, AFeatureOfATextColumnMayStandAlone) {
  EXPECT_EQ(make_groups("sex=F", inputs).of_feature, (std::vector<int>{1, 0, 1, 1}));
}

TEST(InputGroups, AColumnCalledOthersKeepsItsName) {
  const std::vector<std::string> names{"a", "others", "b"};
  EXPECT_EQ(make_groups("others", {names, names}).names, (std::vector<std::string>{"others", "all others"}));
}

TEST(InputGroups, BadTextsAreRefused) {
  EXPECT_NE(complaint("agee").find("did you mean 'age'"), std::string::npos);
  EXPECT_NE(complaint("age;age").find("two groups"), std::string::npos);
  EXPECT_NE(complaint("sex;sex=F").find("two groups"), std::string::npos);
  EXPECT_NE(complaint("age;;sex").find("empty group"), std::string::npos);
}

}  // namespace
}  // namespace gnomon::input_groups_test
