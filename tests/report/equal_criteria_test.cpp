// Criteria that are one up to a constant stand together, others apart.
#include "report/equal_criteria.hpp"

#include <gtest/gtest.h>

#include "report/panel.hpp"
#include "studies.hpp"

namespace gnomon::equal_criteria_test {
namespace {

using testing::asking_for;
using testing::small_study;
using Groups = std::vector<std::vector<std::size_t>>;

Groups groups_of(const SelectionRequest& request) {
  const Study study = small_study(request);
  return by_choice(study, study.selection.targets[0]);
}

TEST(EqualCriteria, StandTogether) {
  SelectionRequest request = asking_for({"loo", "sic", "fpe", "cp", "gcv", "sure", "gpe", "gen", "nic"});
  request.noise = 0.04;
  EXPECT_EQ(groups_of(request), (Groups{{0}, {1, 3, 5}, {2, 6}, {4}, {7, 8}}));
}

TEST(EqualCriteria, AreJudgedByTheirCurvesAndNotAtOnePoint) {
  SelectionRequest request = asking_for({"cp", "gcv", "loo", "sic"});
  request.noise = 0.04;
  request.lambda = 0.1;  // every two curves differ by a constant here
  EXPECT_EQ(groups_of(request), (Groups{{0, 3}, {1}, {2}}));
}

TEST(EqualCriteria, SicElsewhereIsAnotherCriterion) {
  SelectionRequest request = asking_for({"cp", "sic"});
  request.noise = 0.04;
  request.penalty = Penalty::coefficients;  // measured in the function space
  request.lambda = 0.1;
  EXPECT_EQ(groups_of(request), (Groups{{0}, {1}}));
}

TEST(EqualCriteria, AVariancePerLambdaTellsThemApart) {
  SelectionRequest request = asking_for({"cp", "sure"});
  request.noise = "residual";
  EXPECT_EQ(groups_of(request), (Groups{{0}, {1}}));
}

TEST(EqualCriteria, DependenceTellsGenAndNicApart) {
  EXPECT_EQ(groups_of(asking_for({"gen:3", "nic"})), (Groups{{0}, {1}}));
}

TEST(EqualCriteria, ShareARowThatIsChosenIfOneOfThemChose) {
  SelectionRequest request = asking_for({"sic", "cp"});
  request.noise = 0.04;
  const auto blocks = criteria_panel(small_study(request), 0);
  const auto& table = std::get<TableBlock>(blocks.at(0));
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[1].cells[0].text, "cp = sic");
  EXPECT_TRUE(table.rows[1].emphasised);
}

}  // namespace
}  // namespace gnomon::equal_criteria_test
