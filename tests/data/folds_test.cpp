#include "gnomon/data/folds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "gnomon/core/error.hpp"
#include "reference/rows_of_fold.hpp"

namespace gnomon::folds_test {
namespace {

using reference::rows_of_fold;

std::vector<int> sizes(const Folds& folds) {
  std::vector<int> count(static_cast<std::size_t>(folds.count));
  for (const int f : folds.of_row) ++count.at(static_cast<std::size_t>(f));
  return count;
}

TEST(Folds, AreBalancedPartitions) {
  for (const Index n : {2, 3, 10, 101})
    for (const int k : {2, 3, 7, 101}) {
      if (k > n) continue;
      for (const Folds& folds : {random_folds(n, k, 5, 0), blocked_folds(n, k)}) {
        ASSERT_EQ(folds.rows(), n);
        ASSERT_EQ(folds.count, k);
        const std::vector<int> count = sizes(folds);
        EXPECT_LE(
            *std::max_element(count.begin(), count.end()) - *std::min_element(count.begin(), count.end()), 1);
      }
    }
}

TEST(Folds, LeaveOneOutHoldsOutEachRowAlone) {
  for (const int size : sizes(random_folds(17, 17, 3))) EXPECT_EQ(size, 1);
}

TEST(Folds, DependOnSeedAndRepeatOnly) {
  EXPECT_EQ(random_folds(50, 5, 1, 0).of_row, random_folds(50, 5, 1, 0).of_row);
  EXPECT_NE(random_folds(50, 5, 1, 0).of_row, random_folds(50, 5, 1, 1).of_row);
  EXPECT_NE(random_folds(50, 5, 1, 0).of_row, random_folds(50, 5, 2, 0).of_row);
}

TEST(Folds, EveryPairOfRowsMeetsAboutAsOftenAsChanceSays) {
  // Two given rows of 20 share one of 4 folds of five with probability 4/19.
  int together = 0;
  constexpr int repeats = 4000;
  for (std::uint64_t r = 0; r < repeats; ++r) {
    const Folds folds = random_folds(20, 4, 9, r);
    together += folds.of_row[3] == folds.of_row[4];
  }
  const double p = 4.0 / 19;
  EXPECT_NEAR(together, repeats * p, 4 * std::sqrt(repeats * p * (1 - p)));
}

TEST(Folds, BlockedFoldsAreContiguous) {
  const Folds folds = blocked_folds(11, 4);
  EXPECT_TRUE(std::is_sorted(folds.of_row.begin(), folds.of_row.end()));
}

TEST(Folds, ListTheirRows) {
  const Folds folds = random_folds(23, 4, 2);
  const auto all = rows_by_fold(folds);
  std::vector<Index> joined;
  for (int f = 0; f < 4; ++f) {
    EXPECT_EQ(all[static_cast<std::size_t>(f)], rows_of_fold(folds, f));
    for (const Index row : rows_of_fold(folds, f)) {
      EXPECT_EQ(folds.of_row[static_cast<std::size_t>(row)], f);
      joined.push_back(row);
    }
  }
  EXPECT_EQ(joined.size(), 23u);
}

const RowGroups uneven = groups_of({"b", "a", "b", "c", "d", "b", "c", "e", "a", "b"});

TEST(Folds, GroupsAreNumberedAsTheyCome) {
  EXPECT_EQ(uneven.of_row, (std::vector<int>{0, 1, 0, 2, 3, 0, 2, 4, 1, 0}));
  EXPECT_EQ(uneven.count(), 5);
  EXPECT_EQ(uneven.of({7, 3, 4, 6}).of_row, (std::vector<int>{0, 1, 2, 1}));
  EXPECT_EQ(RowGroups().count(), 0);
  EXPECT_TRUE(RowGroups().of({3, 4}).empty());
}

TEST(Folds, GroupsStayTogetherAndFillFoldsEvenly) {
  std::vector<std::string> names;
  for (int i = 0; i < 200; ++i) names.push_back(std::to_string(i * i % 37));
  const RowGroups groups = groups_of(names);
  for (const int k : {2, 5, groups.count()}) {
    const Folds folds = grouped_folds(groups, k, 3);
    std::vector<int> fold_of_group(static_cast<std::size_t>(groups.count()), -1);
    for (std::size_t i = 0; i < names.size(); ++i) {
      int& own = fold_of_group[static_cast<std::size_t>(groups.of_row[i])];
      if (own < 0) own = folds.of_row[i];
      EXPECT_EQ(own, folds.of_row[i]);
    }
    const std::vector<int> count = sizes(folds);
    ASSERT_EQ(static_cast<int>(count.size()), k);
    const std::vector<int> group = sizes({groups.of_row, groups.count()});
    EXPECT_LE(*std::max_element(count.begin(), count.end()) - *std::min_element(count.begin(), count.end()),
              *std::max_element(group.begin(), group.end()));
    EXPECT_GT(*std::min_element(count.begin(), count.end()), 0);
  }
  EXPECT_NE(grouped_folds(groups, 5, 3).of_row, grouped_folds(groups, 5, 4).of_row);
  EXPECT_NE(grouped_folds(groups, 5, 3).of_row, grouped_folds(groups, 5, 3, 1).of_row);
}

TEST(Folds, GroupsThatAreFoldsStayWhatTheyAre) {
  RowGroups given = uneven;
  given.are_folds = true;
  EXPECT_EQ(grouped_folds(given, 2, 8).of_row, given.of_row);
  EXPECT_EQ(grouped_folds(given, 2, 8).count, 5);
  EXPECT_TRUE(given.of({0, 2}).are_folds);
}

TEST(Folds, WithoutGroupsAreThoseOfRows) {
  EXPECT_EQ(unordered_folds(30, {}, 4, 2, 1).of_row, random_folds(30, 4, 2, 1).of_row);
  EXPECT_EQ(unordered_folds(3, {}, 10, 2).count, 3);
  EXPECT_EQ(unordered_folds(10, uneven, 10, 2).count, 5);
}

std::string message(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

TEST(Folds, RefuseImpossibleRequests) {
  EXPECT_EQ(message([] { random_folds(5, 6, 1); }),
            "cannot make 6 folds of 5 rows: choose between 2 and the number of rows");
  EXPECT_EQ(message([] { blocked_folds(5, 1); }),
            "cannot make 1 folds of 5 rows: choose between 2 and the number of rows");
  EXPECT_EQ(message([] { rows_of_fold(blocked_folds(5, 2), 2); }),
            "there is no fold 2: folds are numbered 0 to 1");
  EXPECT_EQ(message([] { check_folds(blocked_folds(5, 2), 6); }),
            "the folds are of 5 rows but the data have 6");
  EXPECT_EQ(message([] {
              check_folds(Folds{{0, 1, 2}, 2}, 3);
            }),
            "row 2 is in fold 2, but folds are numbered 0 to 1");
  EXPECT_EQ(message([] { grouped_folds(uneven, 6, 1); }),
            "cannot make 6 folds of 5 groups: choose between 2 and the number of groups");
  EXPECT_EQ(message([] { unordered_folds(11, uneven, 2, 1); }),
            "the groups are of 10 rows but the data have 11");
  EXPECT_EQ(message([] {
              grouped_folds(groups_of({"a", "a"}), 2, 1);
            }),
            "all rows belong to one group, so none can be held out; folds need two groups or more");
}

}  // namespace
}  // namespace gnomon::folds_test
