#include "gnomon/noise/local.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "gnomon/core/error.hpp"
#include "represent/gram.hpp"

namespace gnomon {

std::optional<double> nearest(MatrixView x, VectorView y, VectorView weight) {
  require(x.rows() == y.size() && (weight.size() == 0 || weight.size() == y.size()),
          "{} rows, {} targets and {} weights: give one target and one weight per row", x.rows(), y.size(),
          weight.size());
  std::vector<Index> rows;
  for (Index i = 0; i < x.rows(); ++i)
    if (weight.size() == 0 || weight[i] > 0) rows.push_back(i);
  const auto n = static_cast<Index>(rows.size());
  if (n < 2) return std::nullopt;
  const Matrix inputs = x(rows, Eigen::all);
  const Vector targets = y(rows), counts = weight.size() == 0 ? Vector::Ones(n) : Vector(weight(rows));

  const Index block =
      std::clamp<Index>((Index{1} << 22) / n, 8, 256);  // at most 32 MB of distances, unless n is huge
  double sum = 0;
  for (Index begin = 0; begin < n; begin += block) {
    const Index size = std::min(block, n - begin);
    Matrix distance = squared_distances(inputs, inputs.middleRows(begin, size));
    for (Index j = 0; j < size; ++j) {
      distance(begin + j, j) = std::numeric_limits<double>::infinity();
      const double* column = distance.col(j).data();
      const Index neighbour = std::min_element(column, column + n) - column;
      const double difference = targets[begin + j] - targets[neighbour];
      sum += counts[begin + j] * difference * difference / 2;
    }
  }
  return sum / counts.sum();
}

}  // namespace gnomon
