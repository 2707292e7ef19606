#include <algorithm>

#include "decomposition.hpp"
#include "gnomon/core/error.hpp"
#include "lapack.hpp"
#include "tridiagonal.hpp"

namespace gnomon {

// Block by block; `kept` are the residuals of the rows before the block that a pair may reach back to.
Vector Decomposition::lagged_products(const Filter& filter, std::span<const double> lambdas, Index target,
                                      Index lags) const {
  const Spectrum& s = spectrum();
  const Index m = static_cast<Index>(lambdas.size());
  Matrix h(s.values.size(), m);
  for (Index l = 0; l < m; ++l) {
    for (Index j = 0; j < h.rows(); ++j)
      h(j, l) = s.values[j] * filter_at(s, filter, s.values[j], lambdas[static_cast<std::size_t>(l)]).gain;
  }
  Vector sums = Vector::Zero(m);
  Matrix kept(0, m);
  visit_rows(filter, lambdas, target, [&](Index first, const Matrix& residual, const Matrix&) {
    const Index before = kept.rows(), from = first - before, rows = before + residual.rows();
    Matrix r(rows, m);
    r << kept, residual;
    const auto q = vector_rows(from, rows);
    require(q.has_value(), "the {} strategy keeps no vectors, which products of rows apart need; use full",
            strategy());
    for (Index lag = 1; lag <= std::min(lags, rows - 1); ++lag) {
      const Index later = std::max(before, lag), count = rows - later, earlier = later - lag;
      Matrix hat = lapack::product(q->middleRows(later, count).cwiseProduct(q->middleRows(earlier, count)),
                                   false, h, false);
      if (rows_.constant.size())
        hat.colwise() += rows_.constant.segment(from + later, count)
                             .cwiseProduct(rows_.constant.segment(from + earlier, count));
      sums += (hat.array() * r.middleRows(later, count).array() * r.middleRows(earlier, count).array())
                  .matrix()
                  .colwise()
                  .sum()
                  .transpose();
    }
    kept = Matrix(r.bottomRows(std::min(lags, rows)));
  });
  return sums;
}

// T + λI = L D Lᵀ gives λQ(T + λI)⁻¹Qᵀ = Σ_j (λ/D_j) y_j y_jᵀ with the columns y_j = q_j − L_{j,j−1} y_{j−1}.
double lagged_products_off_diagonal(const Matrix& q, const Tridiagonal& t, double lambda,
                                    const VectorView& residual, Index lags) {
  const Index n = t.size(), rows = q.rows(), reach = std::min(lags, rows - 1);
  Vector y = Vector::Zero(rows), product(rows);
  double sum = 0, pivot = 1;
  for (Index j = 0; j < n; ++j) {
    const double off = j > 0 ? t.off_diagonal[j - 1] : 0, factor = off / pivot;
    pivot = t.diagonal[j] + lambda - off * factor;
    if (!(pivot > 0))
      fail("λ = {} is below the rounding error of a matrix of size {:.3g}; use a larger λ", lambda,
           t.diagonal.cwiseAbs().maxCoeff());
    y = q.col(j) - factor * y;
    product = residual.cwiseProduct(y);
    double along = 0;
    for (Index lag = 1; lag <= reach; ++lag) along += product.head(rows - lag).dot(product.tail(rows - lag));
    sum += lambda / pivot * along;
  }
  return sum;
}

}  // namespace gnomon
