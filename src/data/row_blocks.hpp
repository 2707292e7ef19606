#pragma once

#include <functional>
#include <memory>
#include <mutex>

#include "gnomon/core/types.hpp"

namespace gnomon {

/// Rows of numbers that are read a block at a time: where they lie, in a matrix, or from a source that makes them when it is asked, so
/// that a tall table need not be in memory twice. Both give the same numbers in the same blocks, and so the same answers.
class RowBlocks {
 public:
  /// Writes the rows from `first` on, as many as `to` has. Several threads call it at once.
  using Source = std::function<void(Index first, Eigen::Ref<Matrix> to)>;

  explicit RowBlocks(std::shared_ptr<const Matrix> whole);
  RowBlocks(Index rows, Index columns, Source source);

  Index rows() const { return rows_; }
  Index cols() const { return columns_; }
  /// Whether they lie in memory.
  bool is_whole() const { return !source_; }

  /// Some rows, column by column; `room` takes them where they have to be made.
  struct View {
    const double* data;
    Index stride;
  };
  View view(Index first, Index count, Matrix& room) const;
  /// A copy of some rows.
  Matrix block(Index first, Index count) const;
  /// All rows. Those of a source are made when they are asked for first, and kept.
  const Matrix& whole() const;

 private:
  Index rows_, columns_;
  Source source_;
  mutable std::once_flag made_;
  mutable std::shared_ptr<const Matrix> whole_;
};

}  // namespace gnomon
