#include "row_blocks.hpp"

namespace gnomon {

RowBlocks::RowBlocks(std::shared_ptr<const Matrix> whole)
    : rows_(whole->rows()), columns_(whole->cols()), whole_(std::move(whole)) {}

RowBlocks::RowBlocks(Index rows, Index columns, Source source)
    : rows_(rows), columns_(columns), source_(std::move(source)) {}

RowBlocks::View RowBlocks::view(Index first, Index count, Matrix& room) const {
  if (!source_) return {columns_ ? whole_->data() + first : nullptr, whole_->rows()};
  if (room.rows() != count || room.cols() != columns_) room.resize(count, columns_);
  source_(first, room);
  return {room.data(), count};
}

Matrix RowBlocks::block(Index first, Index count) const {
  if (!source_) return whole_->middleRows(first, count);
  Matrix out(count, columns_);
  source_(first, out);
  return out;
}

const Matrix& RowBlocks::whole() const {
  std::call_once(made_, [&] {
    if (!whole_) whole_ = std::make_shared<const Matrix>(block(0, rows_));
  });
  return *whole_;
}

}  // namespace gnomon
