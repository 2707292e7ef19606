#pragma once

// Slow and obvious: ridge and kernel ridge by dense normal equations in long double, refits by deleting rows.
// Everything fast in the library is judged against this.

#include <Eigen/LU>

#include "gnomon/gnomon.hpp"
#include "represent/gram.hpp"

namespace gnomon::reference {

using Wide = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;

/// min Σ w (Φβ + b − y)² + λ βᵀPβ with an explicit, unpenalised intercept column.
struct PenalisedLeastSquares {
  Wide design;   // n × p, without the intercept
  Wide penalty;  // p × p
  bool intercept = true;

  /// Coefficients, the intercept last (0 without one).
  Wide solve(const Wide& y, const Wide& w, long double lambda) const {
    const Index n = design.rows(), p = design.cols();
    Wide a(n, p + 1);
    a << design, Wide::Constant(n, 1, intercept ? 1 : 0);
    Wide normal = a.transpose() * w.col(0).asDiagonal() * a;
    normal.topLeftCorner(p, p) += lambda * penalty;
    if (!intercept) normal(p, p) = 1;
    return normal.fullPivLu().solve(a.transpose() * w.col(0).asDiagonal() * y);
  }
  Wide fitted(const Wide& beta) const {
    const Index p = design.cols();
    Wide f = design * beta.topRows(p);
    f.rowwise() += beta.row(p);
    return f;
  }
  /// H with fitted = H y.
  Wide hat(const Wide& w, long double lambda) const {
    const Index n = design.rows();
    return fitted(solve(Wide::Identity(n, n), w, lambda));
  }
  /// Error at row i when its weight is reduced by `share`.
  long double left_out_error(const Wide& y, Wide w, long double lambda, Index i, long double share) const {
    w(i, 0) -= share;
    return y(i, 0) - fitted(solve(y, w, lambda))(i, 0);
  }
};

/// The problem that a Smoother with Tikhonov filters solves, written out.
inline PenalisedLeastSquares problem_of(const Representation& representation, const Filter& filter,
                                        const MatrixView& x, const VectorView& weight, bool intercept) {
  const Index n = x.rows();
  if (const auto* basis = std::get_if<Basis>(&representation)) {
    const Matrix phi = basis->design(x);
    return {phi.cast<long double>(), Wide::Identity(phi.cols(), phi.cols()), intercept};
  }
  const Wide k = gram(std::get<Kernel>(representation), x).cast<long double>();
  const Wide w = weight.size() ? Wide(weight.cast<long double>()) : Wide::Ones(n, 1);
  if (filter.shift == Shift::plain) return {k, k, intercept};
  // Coefficient penalty: columns of the centred kernel, λ Σ α²/w (the sum over repeated rows of equal
  // shares).
  Wide centred = k;
  if (intercept) {
    const Wide projector = Wide::Identity(n, n) - Wide::Ones(n, 1) * w.transpose() / w.sum();
    centred = projector * k * projector.transpose();
  }
  return {centred, Wide(w.col(0).cwiseInverse().asDiagonal()), intercept};
}

}  // namespace gnomon::reference
