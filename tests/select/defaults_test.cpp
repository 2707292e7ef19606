// What is taken where nothing is named: by the kind of data and of search.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gnomon/gnomon.hpp"

namespace gnomon::defaults_test {
namespace {

/// y depends on the first input; the others are copies of it with a little noise, or have nothing to do with it.
TrainingData waves(Index n, Index inputs, bool copies, std::uint64_t seed = 3) {
  Random random(seed);
  TrainingData data{Matrix(n, inputs), Matrix(n, 1), Vector(), {"y"}};
  for (Index i = 0; i < n; ++i) {
    const double z = random.normal();
    for (Index j = 0; j < inputs; ++j)
      data.x(i, j) = j == 0 ? z : copies ? z + 0.3 * random.normal() : random.normal();
    data.y(i, 0) = (copies ? data.x.row(i).sum() / static_cast<double>(inputs) : std::sin(2 * z)) +
                   0.2 * random.normal();
  }
  return data;
}

Index widths_of(const Selection& s) {
  const auto& parameters = s.targets[0].search()->parameters;
  return std::count_if(parameters.begin(), parameters.end(),
                       [](const Parameter& p) { return p.kind == Parameter::Kind::width; });
}

bool warns(const Selection& s, std::string_view of) {
  const auto& warnings = s.targets[0].warnings;
  return std::any_of(warnings.begin(), warnings.end(),
                     [&](const std::string& w) { return w.find(of) != std::string::npos; });
}

TEST(Defaults, KernelRidgeIsChosenByTheBlend) {
  for (const char* penalty : {"function", "coefficients"}) {
    SelectionRequest request;
    request.penalty = penalty;
    const Selection s = select(waves(40, 2, false), request);
    EXPECT_EQ(s.targets[0].chosen().label, "blend") << penalty;
    EXPECT_FALSE(s.default_reason.empty());
  }
}

TEST(Defaults, SeriesAreJudgedInBlocks) {
  for (const char* learner : {"kernel-ridge", "ridge", "lasso"}) {
    SelectionRequest request;
    request.learner = learner;
    request.series = true;
    EXPECT_EQ(select(waves(60, 2, false), request).targets[0].chosen().label, "cv-blocked:5") << learner;
  }
}

TEST(Defaults, DecaysOfGroupsAreChosenByLeaveOneOut) {
  SelectionRequest request;
  request.learner = "ridge";
  request.groups = "each";
  EXPECT_EQ(select(waves(40, 3, true), request).targets[0].chosen().label, "loo");
}

TEST(Defaults, WidthsThatPayStay) {
  SelectionRequest request;
  request.search = Search::gradient;
  const Selection s = select(waves(60, 4, false), request);
  EXPECT_EQ(widths_of(s), 4);
  EXPECT_FALSE(warns(s, "more widths"));
}

TEST(Defaults, WidthsThatDoNotPayAreTied) {
  SelectionRequest request;
  request.search = Search::gradient;
  const TrainingData data = waves(40, 6, true);
  const Selection tied = select(data, request);
  EXPECT_EQ(widths_of(tied), 1);
  EXPECT_TRUE(warns(tied, "5 more widths"));
  request.criteria = {"evidence"};  // named: nothing is second-guessed
  EXPECT_EQ(widths_of(select(data, request)), 6);
}

/// Without noise there is nothing that sic, the default under a shift, could correct by: another one chooses, and says why.
TEST(Defaults, ADefaultThatIsUndefinedLeavesTheChoiceToTheNext) {
  Random random(3);
  TrainingData data{Matrix(20, 2), Matrix(20, 1), Vector(), {"y"}};
  for (Index j = 0; j < 2; ++j) data.x.col(j) = random.normal_vector(20);
  data.y.col(0) = 2 * data.x.col(0);
  data.importance = Vector::Ones(20);
  SelectionRequest request;
  request.learner = "iwls";
  const Selection selection = select(data, request);
  EXPECT_EQ(selection.targets.at(0).chosen().label, "iwcv");
  EXPECT_EQ(selection.default_reason, "sic is undefined on these data");
  request.criteria = {"sic"};
  EXPECT_THROW(select(data, request), Error);
}

}  // namespace
}  // namespace gnomon::defaults_test
