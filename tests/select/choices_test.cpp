// Choices of a request: by name or by object, and names that do not exist are refused where they are given.

#include "gnomon/select/choices.hpp"

#include <gtest/gtest.h>

#include "../report/studies.hpp"
#include "gnomon/core/error.hpp"
#include "select/options.hpp"

namespace gnomon::choices_test {
namespace {

template <class Choice>
std::string complaint(const std::string& text) {
  try {
    const Choice choice(text);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Choices, UnknownNamesAreUsageErrors) {
  EXPECT_NE(complaint<LearnerChoice>("rigde").find("did you mean 'ridge'"), std::string::npos);
  EXPECT_NE(complaint<KernelChoice>("gausian").find("did you mean 'gaussian'"), std::string::npos);
  EXPECT_NE(complaint<BasisChoice>("polynom:3").find("unknown basis"), std::string::npos);
  EXPECT_NE(complaint<ShiftFamily>("cubic").find("unknown shift family"), std::string::npos);
  EXPECT_NE(
      complaint<Named<Penalty>>("ridge").find("penalty 'ridge' is unknown; allowed: function, coefficients"),
      std::string::npos);
  EXPECT_NE(complaint<Named<DecayGroups>>("each").find("decay-groups 'each' is unknown"), std::string::npos);
  EXPECT_NE(complaint<Named<Search>>("gradeint").find("did you mean 'gradient'"), std::string::npos);
  EXPECT_NE(complaint<Named<Rule>>("2se").find("rule '2se' is unknown"), std::string::npos);
  EXPECT_NE(complaint<Named<Strategy>>("fast").find("strategy 'fast' is unknown"), std::string::npos);
  EXPECT_NE(complaint<Named<Divergence>>("guess").find("divergence 'guess' is unknown"), std::string::npos);
  EXPECT_NE(complaint<HiddenLayers>("8,x").find("is not understood"), std::string::npos);
  EXPECT_NE(complaint<HiddenLayers>("8,0").find("a layer without units"), std::string::npos);
  EXPECT_NE(complaint<GroupChoice>("a;;b").find("an empty group"), std::string::npos);
  EXPECT_THROW(parse_divergence("exact:3"), UsageError);
  EXPECT_THROW(parse_divergence("mc:0"), UsageError);
}

TEST(Choices, NamesGoThereAndBack) {
  for (const auto& name : names_of_values<Search>()) EXPECT_EQ(Named<Search>(name).name(), name);
  for (const auto& name : names_of_values<Strategy>()) EXPECT_EQ(Named<Strategy>(name).name(), name);
  EXPECT_EQ(HiddenLayers("8,4").text(), "8,4");
  EXPECT_EQ(HiddenLayers("0").units(), std::vector<Index>{});
  EXPECT_EQ(GroupChoice("age, height;sex").text(), "age,height;sex");
  EXPECT_EQ(KernelChoice("polynomial:3").name(), "polynomial:3");
}

TEST(Choices, SeveralBasesAndKernels) {
  const BasisChoice bases("linear, polynomial:2..4,polynomial:3");
  ASSERT_EQ(bases.alternatives().size(), 4u);
  EXPECT_EQ(bases.alternatives()[0].name(), "linear");
  EXPECT_EQ(bases.alternatives()[3].name(), "polynomial:4");
  EXPECT_TRUE(BasisChoice("polynomial:3").alternatives().empty());
  EXPECT_EQ(BasisChoice("polynomial:3..3").name(), "polynomial:3");
  EXPECT_THROW(bases.fit(Matrix::Zero(3, 1)), Error);
  const KernelChoice kernels("linear,matern52");
  EXPECT_EQ(kernels.name(), "linear,matern52");
  EXPECT_EQ(KernelChoice(kernels.name()).alternatives().size(), 2u);
  EXPECT_TRUE(kernels.takes_width());
  EXPECT_FALSE(KernelChoice("linear,polynomial:2").alternatives()[0].takes_width());
  EXPECT_NE(complaint<BasisChoice>("linear,polynom:3").find("unknown basis"), std::string::npos);
  EXPECT_NE(complaint<BasisChoice>("linear,").find("unknown basis"), std::string::npos);
  for (const char* range : {"polynomial:3..1", "polynomial:0..2", "polynomial:1.5..3", "polynomial:1..900"})
    EXPECT_NE(complaint<BasisChoice>(range).find("a range of whole numbers"), std::string::npos) << range;
  EXPECT_NE(complaint<KernelChoice>("gaussian,mattern52").find("did you mean 'matern52'"), std::string::npos);
}

TEST(Choices, NumbersMeanWhatTheirTextMeans) {
  EXPECT_EQ(Values({3, 1, 2, 1}).read({"lambda"}), Values("3,1,2,1").read({"lambda"}));
  EXPECT_EQ(Values(0.5).text(), "0.5");
  EXPECT_TRUE(Values().read({"lambda"}).empty());
  EXPECT_TRUE(Values("auto").automatic());
  EXPECT_THROW(Values({-1, 1}).read({"lambda"}), Error);
  EXPECT_THROW(Values({0.5, 1.5}).read({"flattening", Spacing::even}), Error);
  EXPECT_THROW(Values("median").read({"lambda"}), UsageError);  // the word of another parameter
}

Vector fitted(const SelectionRequest& request) {
  return testing::small_study(request).selection.targets.front().fitted;
}

TEST(Choices, ObjectsWorkLikeNames) {
  SelectionRequest by_name = testing::asking_for({"gcv"}), by_object = by_name;
  by_name.kernel = "laplace";
  by_name.width = "0.7";
  by_object.kernel = Kernel(Laplace{0.7});
  EXPECT_EQ(fitted(by_name), fitted(by_object));

  by_name.learner = by_object.learner = "ridge";
  by_name.basis = "gaussian:4";
  const Matrix x = Vector::LinSpaced(30, -1, 1);
  const Basis own = Basis::fit("gaussian:4", x);
  by_object.basis = own;
  const Study study = testing::small_study(by_object);
  EXPECT_EQ(std::get<Basis>(study.selection.model.linear()->representation).centres(), own.centres());

  by_name.learner = by_object.learner = "lasso";
  by_name.basis = by_object.basis = "polynomial:3";
  by_name.lambda = "0.1,1";
  by_object.lambda = {1, 0.1};
  by_name.search = "grid";
  by_object.search = Search::grid;
  EXPECT_EQ(fitted(by_name), fitted(by_object));
}

TEST(Options, EveryOptionGoesThereAndBack) {
  std::vector<std::string> names;
  for (const auto& option : selection_options()) {
    SelectionRequest request;
    const std::string by_default = option.get(request);
    EXPECT_NO_THROW(option.set(request, by_default)) << option.name;
    EXPECT_EQ(option.get(request), by_default) << option.name;
    EXPECT_FALSE(option.help.empty() || option.manual.empty() || option.group.empty()) << option.name;
    EXPECT_EQ(std::count(names.begin(), names.end(), option.name), 0) << option.name;
    names.push_back(option.name);
    if (option.kind != OptionKind::text || option.name == "basis") continue;
    for (const auto& name : option.allowed) {
      if (name.find(":D") != std::string::npos) continue;  // takes a number
      option.set(request, name);
      EXPECT_EQ(option.get(request), name) << option.name;
    }
  }
  // What a learner lists as its own is in the table, save what only data can tell.
  for (const auto& learner : learner_catalog()) {
    for (const auto& own : learner.options)
      EXPECT_TRUE(own == "classify" || std::count(names.begin(), names.end(), own) == 1) << own;
  }
}

TEST(Options, ThoseOfOtherLearnersSayWhoseTheyAre) {
  SelectionRequest request;
  request.learner = "ridge";
  for (const auto& option : selection_options()) {
    const std::string why = option.refusal ? option.refusal(request) : "";
    if (option.name == "tau") {
      EXPECT_EQ(why, "belongs to `learner` huber, not to `learner` ridge");
    } else if (option.name == "kernel") {
      EXPECT_EQ(why, "belongs to learners with a kernel, not to `learner` ridge");
    } else if (option.name == "lambda" || option.name == "basis") {
      EXPECT_EQ(why, "") << option.name;
    }
  }
}

}  // namespace
}  // namespace gnomon::choices_test
