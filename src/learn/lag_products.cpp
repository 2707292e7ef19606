#include "lag_products.hpp"

namespace gnomon {

Matrix lag_filtered(const MatrixView& rows, const Vector& weights) {
  Matrix out = rows;
  const Index n = rows.rows();
  for (Index lag = 1; lag < weights.size() && lag < n; ++lag) {
    out.topRows(n - lag) += weights[lag] * rows.bottomRows(n - lag);
    out.bottomRows(n - lag) += weights[lag] * rows.topRows(n - lag);
  }
  return out;
}

}  // namespace gnomon
