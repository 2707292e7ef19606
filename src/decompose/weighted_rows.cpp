#include "decomposition.hpp"

namespace gnomon {

WeightedRows::WeightedRows(Index n, const VectorView& weight, bool intercept)
    : root_weight(weight.size() ? Vector(weight.cwiseSqrt()) : Vector::Ones(n)),
      count(weight.size() ? weight.sum() : static_cast<double>(n)) {
  if (intercept) constant = root_weight.normalized();
}

Matrix WeightedRows::targets(const MatrixView& y) const {
  Matrix scaled(y.rows(), y.cols());
  for (Index j = 0; j < y.cols(); ++j) {
    if (constant.size()) {
      const double mean = root_weight.cwiseAbs2().dot(y.col(j)) / count;
      scaled.col(j) = (y.col(j).array() - mean).matrix().cwiseProduct(root_weight);
      scaled.col(j) -=
          constant.dot(scaled.col(j)) * constant;  // once more: the mean carries rounding of large y
    } else {
      scaled.col(j) = y.col(j).cwiseProduct(root_weight);
    }
  }
  return scaled;
}

}  // namespace gnomon
