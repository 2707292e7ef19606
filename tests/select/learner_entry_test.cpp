#include "gnomon/select/learner_entry.hpp"

#include <gtest/gtest.h>

#include "gnomon/core/error.hpp"
#include "gnomon/select/names.hpp"

namespace gnomon::learner_entry_test {
namespace {

Filter find_filter(std::string_view learner, Named<Penalty> penalty) {
  return find_learner(learner).filter(penalty).filter;
}

TEST(Catalog, EveryLinearLearnerHasAFilterAndNoOtherHas) {
  for (const auto& learner : learner_catalog()) {
    for (const char* penalty : {"function", "coefficients"}) {
      if (learner.linear())
        EXPECT_FALSE(find_filter(learner.name, penalty).name.empty()) << learner.name;
      else
        EXPECT_THROW(find_filter(learner.name, penalty), Error) << learner.name;
    }
  }
  EXPECT_THROW(find_filter("rigde", "function"), UsageError);
  EXPECT_THROW(find_filter("ridge", "functions"), UsageError);
}

TEST(Catalog, FiltersAreThoseOfTheirLearners) {
  const auto name = [](const char* learner, const char* penalty = "function") {
    return find_filter(learner, penalty).name;
  };
  EXPECT_EQ(name("ridge"), "tikhonov");
  EXPECT_EQ(name("kernel-ridge"), "tikhonov");
  EXPECT_EQ(name("kernel-ridge", "coefficients"), "coefficient-tikhonov");
  EXPECT_EQ(name("spectral-cutoff"), "spectral-cutoff");
  EXPECT_EQ(name("landweber"), "landweber");
}

}  // namespace
}  // namespace gnomon::learner_entry_test
