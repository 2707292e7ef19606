#include "complement.hpp"

#include <cmath>

#include "core/team.hpp"
#include "decompose/lapack.hpp"
#include "decompose/positive_definite.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"

namespace gnomon {
namespace {

/// d‖e‖² = 2e'dQ y.
ComplementSlope of_squared_residual(const Complement& c, double factor = 1) {
  ComplementSlope slope;
  slope.with_y = 2 * factor * c.residual;
  return slope;
}

ComplementSlope of_trace(const Complement& c, double factor) {
  ComplementSlope slope;
  slope.band = Matrix::Constant(c.rows(), 1, factor);
  return slope;
}

Matrix beside(const Matrix& a, const Matrix& b) {
  if (a.size() == 0) return b;
  if (b.size() == 0) return a;
  Matrix out(a.rows(), a.cols() + b.cols());
  out << a, b;
  return out;
}

/// (Q ∘ band of ones within `lags` of the diagonal)·e
Vector banded_product(const Matrix& q, const Vector& e, Index lags) {
  const Index n = e.size();
  Vector out = q.diagonal().cwiseProduct(e);
  for (Index m = 1; m <= lags; ++m) {
    for (Index k = 0; k + m < n; ++k) {
      const double entry = q(k + m, k);
      out[k] += entry * e[k + m];
      out[k + m] += entry * e[k];
    }
  }
  return out;
}

/// B·Q for the symmetric band matrix B.
Matrix band_times(const Matrix& band, const Matrix& q) {
  const Index n = q.rows();
  Matrix out = band.col(0).asDiagonal() * q;
  for (Index m = 1; m < band.cols(); ++m) {
    const auto diagonal = band.col(m).head(n - m).asDiagonal();
    out.topRows(n - m) += diagonal * q.bottomRows(n - m);
    out.bottomRows(n - m) += diagonal * q.topRows(n - m);
  }
  return out;
}

bool one_sign(const Vector& v) { return (v.array() >= 0).all() || (v.array() <= 0).all(); }

using lapack::as_int;

}  // namespace

ComplementSlope combined(std::span<const double> weights, const std::vector<ComplementSlope>& slopes) {
  ComplementSlope out;
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    const double w = weights[i];
    const ComplementSlope& s = slopes[i];
    if (w == 0) continue;
    if (s.with_y.size())
      out.with_y = out.with_y.size() ? Vector(out.with_y + w * s.with_y) : Vector(w * s.with_y);
    if (s.left.size()) {
      out.left = beside(out.left, w * s.left);
      out.right = beside(out.right, s.right);
    }
    if (s.band.size()) {
      const Index known = out.band.cols(), columns = std::max(known, s.band.cols());
      out.band.conservativeResize(s.band.rows(), columns);
      out.band.rightCols(columns - known).setZero();
      out.band.leftCols(s.band.cols()) += w * s.band;
    }
    out.own += w * s.own;
    out.log_determinant += w * s.log_determinant;
  }
  return out;
}

namespace complement {

ComplementAccount<Counts> counts(const Complement& c, bool squares) {
  ComplementAccount<Counts> out;
  Counts& a = out.account;
  a.n = c.count();
  const double norm = c.residual.stableNorm();  // squares of tiny complements would underflow
  a.rss = norm * norm;
  a.left = c.q.trace();
  a.df = a.n - a.left;
  ComplementSlope of_squares;
  if (squares) {
    a.left_squared = c.q.squaredNorm();
    of_squares.own = 2;
  }
  out.of_field = {of_squared_residual(c), of_trace(c, -1), of_squares};
  return out;
}

ComplementAccount<Scores> scores(const Complement& c, Index lags) {
  require(lags >= 0 && lags < c.rows(),
          "gen: dependence length {} for {} rows; it must be at least 0 and below the number of rows", lags,
          c.rows());
  const Vector& e = c.residual;
  const Vector banded = banded_product(c.q, e, lags), whole = c.q * e;
  ComplementAccount<Scores> out;
  Scores& a = out.account;
  a.n = a.observations = c.count();
  a.df = c.count() - c.q.trace();
  a.loss = e.squaredNorm();
  a.products = a.loss - e.dot(banded);  // H = I − Q: the identity is on the diagonal alone
  a.stationarity = a.loss - e.dot(whole);
  ComplementSlope products, stationarity;
  products.with_y = 2 * (e - banded);
  products.band = Matrix::Zero(c.rows(), lags + 1);
  for (Index m = 0; m <= lags; ++m) {
    const Index size = c.rows() - m;
    products.band.col(m).head(size) = -e.head(size).cwiseProduct(e.tail(size));
  }
  stationarity.with_y = 2 * (e - whole);
  stationarity.left = -e;
  stationarity.right = e;
  out.of_field = {of_squared_residual(c), std::move(products), std::move(stationarity)};
  return out;
}

ComplementAccount<LeftOut> left_out(const Complement& c) {
  ComplementAccount<LeftOut> out;
  out.account.weight = c.count();
  const Vector q = c.q.diagonal();
  if (!(q.minCoeff() > 0)) {
    out.account.trouble = "a row has leverage 1: without it the model is not determined";
    return out;
  }
  const Vector held_out = c.residual.cwiseQuotient(q);
  out.account.sum = held_out.squaredNorm();
  ComplementSlope slope;
  slope.with_y = 2 * held_out.cwiseQuotient(q);
  slope.band = -slope.with_y.cwiseProduct(held_out);
  out.of_field = {std::move(slope)};
  return out;
}

// E_V = Q_VV⁻¹e_V, u_V = Q_VV⁻¹E_V:  d‖E_V‖² = 2u_V'(dQ y)_V − 2u_V' dQ_VV E_V, of rank two per fold.
ComplementAccount<HeldOut> held_out(const Complement& c, const Folds& folds) {
  check_folds(folds, c.rows());
  ComplementAccount<HeldOut> out;
  const auto members = rows_by_fold(folds);
  HeldOut& a = out.account;
  a.sum = a.weight = Vector::Constant(static_cast<Index>(members.size()), undefined);
  for (std::size_t f = 0; f < members.size(); ++f) {
    const auto& rows = members[f];
    const Index size = static_cast<Index>(rows.size());
    require(size < c.rows(), "cv: fold {} holds every row; nothing is left to learn from", f);
    require(size > 0, "cv: fold {} holds no row", f);
    const auto block = PositiveDefinite::factorise(c.q(rows, rows));
    if (!block) {
      a.sum.setConstant(undefined);
      a.trouble = fmt::format("without the rows of fold {} the fit is not determined to rounding", f);
      out.of_field.clear();
      return out;
    }
    const Vector errors = block->solve(c.residual(rows)), pressed = block->solve(errors);
    a.sum[static_cast<Index>(f)] = errors.squaredNorm();
    a.weight[static_cast<Index>(f)] = static_cast<double>(size);
    ComplementSlope slope;
    slope.with_y = Vector::Zero(c.rows());
    slope.left = slope.right = Matrix::Zero(c.rows(), 1);
    for (Index i = 0; i < size; ++i) {
      const Index row = rows[static_cast<std::size_t>(i)];
      slope.with_y[row] = slope.left(row, 0) = 2 * pressed[i];
      slope.right(row, 0) = -errors[i];
    }
    out.of_field.push_back(std::move(slope));
  }
  return out;
}

ComplementAccount<EvidenceParts> evidence(const Complement& c) {
  ComplementAccount<EvidenceParts> out;
  EvidenceParts& a = out.account;
  a.n = c.count(), a.fixed = c.intercept ? 1 : 0;
  a.quadratic = c.y.dot(c.residual);
  a.log_determinant = c.log_determinant + (c.intercept ? std::log(c.count()) : 0);
  if (!(a.quadratic > 0))
    a.trouble =
        "nothing of the targets is left to estimate the noise from: they are constant or fitted exactly";
  ComplementSlope of_quadratic, of_determinant;
  of_quadratic.with_y = c.y;
  of_determinant.log_determinant = 1;
  out.of_field = {std::move(of_quadratic), std::move(of_determinant)};
  return out;
}

ComplementAccount<SicParts> sic(const Complement& c) {
  const ComplementAccount<Counts> counted = counts(c, false);
  ComplementAccount<SicParts> out;
  out.account.distance = (counted.account.rss - c.total()) / c.count();
  out.account.divergence = (counted.account.df - (c.intercept ? 1 : 0)) / c.count();
  out.of_field = {of_squared_residual(c, 1 / c.count()), of_trace(c, -1 / c.count())};
  return out;
}

}  // namespace complement

ComplementDerivative pull_back(const Complement& c, const ComplementSlope& slope) {
  const Matrix& r = c.moving();
  const Index n = r.rows();
  const BlasThreads shared(library_threads(n));
  ComplementDerivative out;
  out.gram = slope.log_determinant == 0 ? Matrix(Matrix::Zero(n, n)) : Matrix(slope.log_determinant * r);
  const double directions = c.count() - (c.intercept ? 1 : 0);
  out.log_lambda = slope.log_determinant == 0 ? 0 : -slope.log_determinant * (directions - c.q.trace());
  const Matrix lefts = beside(slope.with_y, slope.left),
               rights = slope.with_y.size() ? beside(c.y, slope.right) : slope.right;
  if (lefts.cols() > 0) {
    const Matrix left = lapack::product(r, false, lefts, false),
                 right = lapack::product(r, false, rights, false);
    out.log_lambda += lefts.cwiseProduct(right).sum() - left.cwiseProduct(right).sum();
    cblas_dsyr2k(CblasColMajor, CblasLower, CblasNoTrans, as_int(n), as_int(left.cols()), -0.5, left.data(),
                 as_int(n), right.data(), as_int(n), 1, out.gram.data(), as_int(n));
  }
  if (slope.own == 0 && slope.band.cols() == 1 && one_sign(slope.band.col(0))) {
    const Vector diagonal = slope.band.col(0), root = diagonal.cwiseAbs().cwiseSqrt();
    const double sign = diagonal.sum() < 0 ? -1 : 1;
    const Matrix scaled = r * root.asDiagonal();
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, as_int(n), as_int(n), -sign, scaled.data(),
                as_int(n), 1, out.gram.data(), as_int(n));
    out.log_lambda += diagonal.dot(r.diagonal()) - sign * scaled.squaredNorm();
  } else if (slope.own != 0 || slope.band.cols() > 0) {
    Matrix inner =
        slope.own == 0 ? Matrix(Matrix::Zero(n, n)) : lapack::product(r, false, r, false, slope.own);
    if (slope.band.cols() > 0) inner += band_times(slope.band, r);
    out.gram -= lapack::product(r, false, inner, false);
    out.log_lambda += inner.trace() - inner.cwiseProduct(r).sum();
  }
  return out;
}

}  // namespace gnomon
