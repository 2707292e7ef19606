// A tall table that is read block by block gives the same answers, to the last bit, as one in memory, and is never made as a whole.

#include "data/row_blocks.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "gnomon/core/random.hpp"
#include "gnomon/learn/filters.hpp"
#include "gnomon/select/selection.hpp"
#include "noise/replicates.hpp"

namespace gnomon::row_blocks_test {
namespace {

constexpr Index rows = 4203, columns = 97;  // tall enough for cross products, no multiple of a block

/// Rows of a matrix that are handed out in blocks, and the largest block that was asked for.
struct Watched {
  explicit Watched(const Matrix& x)
      : blocks(std::make_shared<const RowBlocks>(
            x.rows(), x.cols(), [this, &x](Index first, Eigen::Ref<Matrix> to) {
              to = x.middleRows(first, to.rows());
              Index before = largest;
              while (before < to.rows() && !largest.compare_exchange_weak(before, to.rows())) {
              }
            })) {}

  std::atomic<Index> largest = 0;
  std::shared_ptr<const RowBlocks> blocks;
};

Matrix normal_matrix(Random& random, Index n, Index p) { return random.normal_vector(n * p).reshaped(n, p); }

TrainingData tall_data(Index targets, bool weighted) {
  Random random(5, 1);
  TrainingData data;
  data.x = normal_matrix(random, rows, columns);
  data.y = data.x.leftCols(3) * Matrix::Ones(3, targets) + 2 * normal_matrix(random, rows, targets);
  for (Index t = 0; t < targets; ++t) data.target_names.push_back("y" + std::to_string(t));
  if (weighted) {
    data.weight = Vector::Ones(rows);
    for (Index i = 0; i < rows; i += 5) data.weight[i] = 3;
  }
  return data;
}

void expect_same(const Vector& a, const Vector& b) {
  ASSERT_EQ(a.size(), b.size());
  EXPECT_TRUE((a.array() == b.array() || (a.array().isNaN() && b.array().isNaN())).all());
}

class InBlocks : public ::testing::TestWithParam<std::tuple<Index, bool>> {};

TEST_P(InBlocks, SelectionIsTheSame) {
  const auto [targets, weighted] = GetParam();
  TrainingData whole = tall_data(targets, weighted), held = whole;
  const Watched watched(whole.x);
  held.x = Matrix();
  held.blocks = watched.blocks;
  const SelectionRequest request{
      .learner = "ridge", .criteria = {"blend", "loo", "cv:5", "nic"}, .chosen_error = true};
  const Selection a = select(whole, request), b = select(held, request);
  for (std::size_t t = 0; t < a.targets.size(); ++t) {
    for (std::size_t c = 0; c < request.criteria.size(); ++c) {
      const CriterionOutcome &ours = *a.targets[t].criteria()[c], &theirs = *b.targets[t].criteria()[c];
      expect_same(ours.curve.value, theirs.curve.value);
      expect_same(ours.curve.standard_error, theirs.curve.standard_error);
    }
    expect_same(a.targets[t].fitted, b.targets[t].fitted);
    EXPECT_EQ(a.targets[t].noise.at(0), b.targets[t].noise.at(0));
    EXPECT_EQ(a.targets[t].error->value, b.targets[t].error->value);
    expect_same(a.targets[t].error->residual, b.targets[t].error->residual);
  }
  EXPECT_LE(watched.largest, 4096);
}

INSTANTIATE_TEST_SUITE_P(Tables, InBlocks,
                         ::testing::Values(std::tuple(1, false), std::tuple(1, true), std::tuple(2, false)));

// Cross products lose a direction: the design itself is decomposed, and the rows are made as a whole.
TEST(RowBlocks, AreMadeAsAWholeWhereCrossProductsLoseDigits) {
  TrainingData whole = tall_data(1, false), held = whole;
  whole.x.col(1) = whole.x.col(0) + 2e-5 * whole.x.col(1);
  const Watched watched(whole.x);
  held.x = Matrix();
  held.blocks = watched.blocks;
  const SelectionRequest request{.learner = "ridge", .criteria = {"loo"}};
  const Selection a = select(whole, request), b = select(held, request);
  expect_same(a.targets[0].chosen().curve.value, b.targets[0].chosen().curve.value);
  EXPECT_EQ(watched.largest, rows);
}

TEST(RowBlocks, AreMadeAsAWholeForLearnersThatNeedThem) {
  TrainingData whole = tall_data(1, false), held = whole;
  whole.x.conservativeResize(rows, 3);
  const Watched watched(whole.x);
  held.x = Matrix();
  held.blocks = watched.blocks;
  const SelectionRequest request{.learner = "lasso", .criteria = {"cv:3"}};
  expect_same(select(whole, request).targets[0].chosen().curve.value,
              select(held, request).targets[0].chosen().curve.value);
}

TEST(RowBlocks, RepeatedRowsAreFound) {
  Random random(2, 1);
  Matrix x = normal_matrix(random, 5000, 4);
  Vector y = random.normal_vector(5000), weight = Vector::Ones(5000);
  for (Index i = 0; i < 900; ++i) x.row(4999 - i) = x.row(i % 600);
  for (Index i = 0; i < 100; ++i) y[4999 - i] = y[i];
  weight[4] = 3, weight[2000] = 2;
  const Watched watched(x);
  for (const Vector& w : {Vector(), weight}) {
    const Replicates ours = replicates_of(MatrixView(x), y, w), theirs = replicates_of(*watched.blocks, y, w);
    EXPECT_GT(ours.freedom, 800);
    EXPECT_GE(ours.copies, 100);
    EXPECT_EQ(ours.freedom, theirs.freedom);
    EXPECT_EQ(ours.copies, theirs.copies);
    EXPECT_EQ(ours.squares, theirs.squares);
  }
}

}  // namespace
}  // namespace gnomon::row_blocks_test
