// Criteria answer to the names that they have elsewhere.
#include <gtest/gtest.h>

#include "gnomon/core/error.hpp"
#include "gnomon/criteria/criteria.hpp"

namespace gnomon::aliases_test {
namespace {

TEST(Aliases, StandForACriterionUnderItsOwnName) {
  for (const CriterionAlias& alias : criterion_aliases()) {
    const CriterionRequest found = find_criterion(alias.name);
    EXPECT_EQ(found.criterion.name, alias.criterion) << alias.name;
    EXPECT_EQ(found.label, alias.criterion) << alias.name;
    EXPECT_EQ(found.named_folds(), 0) << alias.name;
  }
  EXPECT_EQ(find_criterion("press").criterion.name, "loo");
  EXPECT_EQ(find_criterion("reml").criterion.name, "evidence");
  EXPECT_EQ(find_criterion("tic").criterion.name, "nic");
}

TEST(Aliases, AreNoNamesOfTheCatalogue) {
  for (const CriterionAlias& alias : criterion_aliases())
    for (const Criterion& c : criteria_catalog()) EXPECT_NE(c.name, alias.name);
}

TEST(Aliases, TakeNoNumber) { EXPECT_THROW(find_criterion("press:5"), UsageError); }

TEST(Aliases, LabelsKeepTheirNumber) {
  EXPECT_EQ(find_criterion("cv:5").label, "cv:5");
  EXPECT_EQ(find_criterion("gen:3").label, "gen:3");
}

}  // namespace
}  // namespace gnomon::aliases_test
