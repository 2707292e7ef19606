// GEN and its relatives in a selection: what they may choose, and what is said where they may not.

#include <gtest/gtest.h>

#include <algorithm>

#include "gnomon/gnomon.hpp"
#include "select/refusal.hpp"

namespace gnomon::testing::gen_selection_test {
namespace {

TrainingData toy(Index n, std::uint64_t seed = 1) {
  Random random(seed);
  const Synthetic data = make_synthetic("sinc", n, 0.2, random);
  return {data.x, data.y, Vector(), {"y"}};
}

using testing::message_of;

bool says(const std::vector<std::string>& warnings, std::string_view words) {
  return std::any_of(warnings.begin(), warnings.end(),
                     [&](const std::string& w) { return w.find(words) != std::string::npos; });
}

TEST(GenInSelection, InSampleCriteriaDoNotChooseNearInterpolation) {
  const TrainingData data = toy(40);
  for (const std::string name : {"gen", "gen:2", "nic", "fpe", "gpe", "fper"}) {
    for (const Search search : {Search::grid, Search::refine}) {
      SelectionRequest request;
      request.kernel = "laplace";
      request.criteria = {name};
      request.search = search;
      const TargetSelection t = select(data, request).targets[0];
      EXPECT_LE(t.chosen_df, 0.8 * 40) << name;
      Index least;
      const Vector& curve = t.chosen().curve.value;
      const double lowest = curve.minCoeff(&least);
      ASSERT_TRUE(curve.allFinite()) << name;  // the curve itself is whole
      if (name == "fper") continue;            // has a limit above zero at the interpolant
      EXPECT_GT(t.path()->df[least], 0.8 * 40) << name;
      EXPECT_LT(lowest, 1e-3 * t.chosen().selected->value) << name;
      EXPECT_TRUE(says(t.warnings, "left out of the choice")) << name;
      EXPECT_TRUE(says(t.warnings, name)) << name;
    }
  }
}

TEST(GenInSelection, NothingIsSaidWhereNothingWasRefused) {
  SelectionRequest request;
  request.learner = "ridge";
  request.criteria = {"gen", "gen:3", "nic", "fper", "gpe", "fpe"};
  const TargetSelection t = select(toy(80), request).targets[0];
  EXPECT_FALSE(says(t.warnings, "left out of the choice"));
  for (const auto& c : t.path()->criteria) ASSERT_TRUE(c.selected) << c.label;
  EXPECT_EQ(t.path()->criteria[0].lambda, t.path()->criteria[2].lambda);
  EXPECT_NE(t.path()->criteria[0].selected->value, t.path()->criteria[1].selected->value);
}

TEST(GenInSelection, APathWithoutAnAdmissiblePointIsAnErrorOrANote) {
  SelectionRequest request;
  request.kernel = "laplace";
  request.lambda = "1e-7:1e-5:4";
  request.criteria = {"gen"};
  EXPECT_NE(message_of(toy(30), request).find("every fit of the path has more than 0.8 n"),
            std::string::npos);
  request.criteria = {"loo", "fpe", "gen"};
  const TargetSelection t = select(toy(30), request).targets[0];
  EXPECT_FALSE(t.path()->criteria[1].selected);
  EXPECT_TRUE(says(t.warnings, "fpe, gen chose nothing"));
  EXPECT_FALSE(says(t.warnings, "undefined along the whole path"));
}

TEST(GenInSelection, BadLengthsAreRefusedInWords) {
  for (const std::string name : {"gen:x", "gen:-1", "gen:1.5", "gen:", "gen:nan"}) {
    EXPECT_THROW(find_criterion(name), UsageError) << name;
  }
  for (const std::string name : {"nic:1", "fper:2", "gpe:3", "cv:1"}) {
    EXPECT_THROW(find_criterion(name), UsageError) << name;
  }
  EXPECT_EQ(find_criterion("gen:7").lags, 7);
  EXPECT_EQ(find_criterion("gen:0").lags, 0);
  EXPECT_EQ(find_criterion("gen").lags, 0);
  EXPECT_EQ(find_criterion("cv:7").folds, 7);
  SelectionRequest request;
  request.criteria = {"gen:20"};
  EXPECT_NE(message_of(toy(20), request).find("needs more than 20 rows; there are 20"), std::string::npos);
  request.criteria = {"gen:19"};
  EXPECT_EQ(message_of(toy(20), request), "accepted");
  TrainingData weighted = toy(20);
  weighted.weight = Vector::Constant(20, 2);
  request.criteria = {"gen:1"};
  EXPECT_NE(message_of(weighted, request).find("weights repeat rows"), std::string::npos);
  request.criteria = {"gen"};
  EXPECT_EQ(message_of(weighted, request), "accepted");
}

TEST(GenInSelection, HubersOwnLossCannotChooseTau) {
  SelectionRequest request;
  request.learner = "huber";
  request.basis = "polynomial:4";
  request.tau = "0.1,0.3";
  request.criteria = {"gen"};
  EXPECT_NE(message_of(toy(50), request).find("cannot choose tau"), std::string::npos);
  request.criteria = {"evidence", "fper"};
  EXPECT_EQ(message_of(toy(50), request), "accepted");
  request.criteria = {"all"};
  const Selection all = select(toy(50), request);
  for (const auto& c : all.targets[0].path()->criteria) {
    EXPECT_NE(c.label, "gen");
    EXPECT_NE(c.label, "nic");
  }
  request.tau = "0.3";
  request.criteria = {"gen", "gen:2", "evidence"};
  const TargetSelection t = select(toy(50), request).targets[0];
  for (const auto& c : t.path()->criteria) EXPECT_TRUE(c.selected) << c.label;
}

TEST(GenInSelection, GapsOfHuberAreSaid) {
  TrainingData data{Matrix(8, 1), Matrix(8, 1), Vector(), {"y"}};
  data.x << 1, -1, 0.9, -1, 1, -1, 0.9, -1;
  data.y << 5, 5, -5, -5, 5.1, 5.1, -5.1, -5.1;
  SelectionRequest request;
  request.learner = "huber";
  request.tau = "0.01,8";
  request.lambda = "1,1e4";
  request.criteria = {"cv:2", "fper"};
  const TargetSelection t = select(data, request).targets[0];
  EXPECT_TRUE(says(t.warnings, "fper is undefined at 2 of 4 points"));
}

TEST(GenInSelection, ImportanceWeightsAreRefused) {
  TrainingData data = toy(40);
  data.importance = Vector::LinSpaced(40, 0.5, 2);
  SelectionRequest request;
  request.learner = "huber";
  for (const std::string name : {"gen", "fper", "gpe", "evidence"}) {
    request.criteria = {name};
    EXPECT_NE(message_of(data, request).find("not at the test inputs"), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace gnomon::testing::gen_selection_test
