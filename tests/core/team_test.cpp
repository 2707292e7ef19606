#include "core/team.hpp"

#include <cblas.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <stdexcept>
#include <thread>

#include "gnomon/core/parallel.hpp"

namespace gnomon::team_test {
namespace {

TEST(Team, RunsEveryTaskOfManyRoundsOnce) {
  Team team(4);
  EXPECT_EQ(team.size(), 4);
  for (Index round = 0; round < 2000; ++round) {
    const Index count = round % 7;
    std::vector<std::atomic<int>> seen(static_cast<std::size_t>(count));
    team.run(count, [&](Index i) { ++seen[static_cast<std::size_t>(i)]; });
    for (const auto& times : seen) ASSERT_EQ(times, 1) << "round " << round;
  }
}

TEST(Team, SeesWhatTheRoundBeforeWrote) {
  Team team(3);
  std::vector<Index> values(50, 0);
  for (Index round = 1; round <= 300; ++round) {
    std::vector<Index> next(values.size());
    team.run(50, [&](Index i) {
      next[static_cast<std::size_t>(i)] = values[static_cast<std::size_t>((i + 1) % 50)] + 1;
    });
    values = next;
    ASSERT_EQ(std::accumulate(values.begin(), values.end(), Index{0}), 50 * round);
  }
}

TEST(Team, TasksBeginInOrder) {
  Team team(4);
  std::atomic<Index> begun{0};
  std::atomic<int> early{0};
  team.run(200, [&](Index i) {
    if (begun++ < i - team.size()) ++early;
  });
  EXPECT_EQ(early, 0);
}

TEST(Team, AnExceptionEndsTheRoundAndTheNextOneWorks) {
  Team team(3);
  std::atomic<int> run{0};
  EXPECT_THROW(team.run(100000,
                        [&](Index i) {
                          ++run;
                          if (i == 5) throw std::runtime_error("no");
                        }),
               std::runtime_error);
  EXPECT_LT(run, 100000);
  run = 0;
  team.run(10, [&](Index) { ++run; });
  EXPECT_EQ(run, 10);
}

TEST(Team, InsideATaskIsTheCallerAlone) {
  Team team(2);
  std::atomic<int> alone{0};
  team.run(8, [&](Index) { alone += Team(4).size() == 1; });
  EXPECT_EQ(alone, 8);
  EXPECT_EQ(library_threads(100000), threads());
  team.run(2, [&](Index) { alone += library_threads(100000) == 1; });
  EXPECT_EQ(alone, 10);
}

/// A team that was made outside may work for a task; what follows in that task is inside it all the same.
TEST(Team, MayWorkForATaskOfAnother) {
  Team outer(2), inner(3);
  std::atomic<int> run{0}, alone{0};
  outer.run(1, [](Index) {});
  outer.run(4, [&](Index i) {
    if (i == 0) inner.run(20, [&](Index) { ++run; });
    alone += Team(4).size() == 1;
  });
  EXPECT_EQ(run, 20);
  EXPECT_EQ(alone, 4);
}

/// On a busy machine a worker may come to a round at the moment when the team leaves, and must not wait for another one.
TEST(Team, LeavesAtAnyMoment) {
  std::atomic<bool> over{false};
  std::vector<std::jthread> crowd;
  for (int c = 0; c < 2; ++c)
    crowd.emplace_back([&] {
      while (!over) std::this_thread::yield();
    });
  std::atomic<int> run{0};
  for (int t = 0; t < 100000; ++t) Team(2).run(2, [&](Index) { ++run; });
  over = true;
  EXPECT_EQ(run, 200000);
}

TEST(Threads, AreNotStartedByTheMillion) {
  set_threads(1000000);
  EXPECT_LE(threads(), std::max(256, static_cast<int>(std::thread::hardware_concurrency())));
  set_threads(0);
}

TEST(BlasThreads, AreGivenBackInAnyOrder) {
  openblas_set_num_threads(2);
  auto first = std::make_unique<BlasThreads>(1);
  EXPECT_EQ(openblas_get_num_threads(), 1);
  std::unique_ptr<BlasThreads> other;
  std::thread([&] { other = std::make_unique<BlasThreads>(1); }).join();
  first.reset();
  EXPECT_EQ(openblas_get_num_threads(), 1) << "the other thread still holds it";
  {
    const BlasThreads all(2);
    EXPECT_EQ(openblas_get_num_threads(), 2);
    {
      const BlasThreads one(1);
      EXPECT_EQ(openblas_get_num_threads(), 1);
    }
    EXPECT_EQ(openblas_get_num_threads(), 2) << "within the outer scope";
  }
  EXPECT_EQ(openblas_get_num_threads(), 1);
  std::thread([&] { other.reset(); }).join();
  EXPECT_EQ(openblas_get_num_threads(), 2);
}

}  // namespace
}  // namespace gnomon::team_test
