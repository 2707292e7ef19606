// A network's training, and selections inside of folds, hear that they are to stop.

#include <gtest/gtest.h>

#include <set>

#include "core/listening.hpp"
#include "gnomon/core/parallel.hpp"
#include "gnomon/core/random.hpp"
#include "gnomon/data/synthetic.hpp"
#include "gnomon/select/selection.hpp"

namespace gnomon::stopping_test {
namespace {

TrainingData small_data() {
  Random random(1);
  const Synthetic toy = make_synthetic("sinc", 40, 0.2, random);
  return {.x = toy.x, .y = toy.y, .weight = {}, .target_names = {"y"}};
}

/// One network at one decay: nothing is searched.
SelectionRequest one_network() {
  SelectionRequest request;
  request.learner = "mlp";
  request.hidden = "4";
  request.restarts = 1;
  request.lambda = 1;
  request.criteria = {"cv:5"};
  return request;
}

struct Heard {
  int calls = 0;
  std::set<std::string> words{};
};

Heard hear(const SelectionRequest& request, int last_call) {
  Heard heard;
  const Progress progress{[&](std::string_view what, double) {
    heard.words.emplace(what);
    return ++heard.calls < last_call;
  }};
  try {
    select(small_data(), request, progress);
  } catch (const Interrupted&) {
    EXPECT_EQ(heard.calls, last_call);
  }
  return heard;
}

TEST(Stopping, TrainingAsksAtEveryStep) {
  set_threads(1);
  const Heard all = hear(one_network(), 1 << 30);
  EXPECT_GT(all.calls, 50);  // six trainings, and a handful of words besides
  EXPECT_TRUE(all.words.contains("done"));
  const Heard some = hear(one_network(), all.calls / 2);
  EXPECT_EQ(some.calls, all.calls / 2);
  EXPECT_FALSE(some.words.contains("done"));
  set_threads(0);
}

TEST(Stopping, SelectionsInsideFoldsKeepTheOuterWords) {
  SelectionRequest request = one_network();
  const Heard before = hear(request, 1 << 30);
  request.chosen_error = true;
  const Heard judged = hear(request, 1 << 30);
  EXPECT_GT(judged.calls, 2 * before.calls);  // five more trainings
  std::set<std::string> more;
  for (const auto& word : judged.words)
    if (!before.words.contains(word)) more.insert(word);
  EXPECT_EQ(more.size(), 5u);
  for (const auto& word : more) EXPECT_TRUE(word.starts_with("judging the choice, fold ")) << word;
}

TEST(Stopping, ListeningEndsWithItsScope) {
  EXPECT_EQ(Listening::here(), nullptr);
  bool go = true;
  {
    const Listening outer({[&](std::string_view, double) { return go; }});
    EXPECT_EQ(Listening::here(), &outer);
    {
      const Listening inner{Progress{}};
      EXPECT_EQ(Listening::here(), &outer);
      go = false;
      EXPECT_THROW(inner.progress()("inside", 0), Interrupted);
    }
    EXPECT_THROW(stop_if_asked(), Interrupted);
    EXPECT_EQ(Listening::here(), &outer);
  }
  EXPECT_EQ(Listening::here(), nullptr);
  stop_if_asked();
}

}  // namespace
}  // namespace gnomon::stopping_test
