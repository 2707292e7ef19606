#include "gnomon/adaptive/complement_criteria.hpp"

#include <cmath>

#include "../decompose/lapack.hpp"
#include "gnomon/adaptive/fper.hpp"
#include "gnomon/adaptive/gen.hpp"
#include "gnomon/adaptive/gpe.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/noise/evidence_scale.hpp"
#include "positive_definite.hpp"

namespace gnomon::adaptive {
namespace {

double count(const Complement& c) { return static_cast<double>(c.rows()); }

/// S, γ and the complements that FPE, FPER and the warning against overfitting are made of. m₂ only with `squares`, O(n²).
CountedError counted(const Complement& c, bool squares) {
  CountedError e;
  e.samples = e.observations = count(c);
  e.training_error = c.residual.squaredNorm() / count(c);
  e.left = c.q.trace();
  e.m1 = count(c) - e.left;
  if (squares) {
    e.left_squared = c.q.squaredNorm();
    e.m2 = e.left_squared + count(c) - 2 * e.left;
  }
  return e;
}

/// sym(a y') and s·I, from which every slope in ‖e‖² and tr Q is made.
ComplementSlope of_residual_and_trace(const Complement& c, double in_squared_residual, double in_trace) {
  ComplementSlope slope;
  slope.left = 2 * in_squared_residual * c.residual;
  slope.right = c.y;
  slope.band = Matrix::Constant(c.rows(), 1, in_trace);
  return slope;
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

int as_int(Index i) { return static_cast<int>(i); }

}  // namespace

Matrix ComplementSlope::dense(const Matrix& q) const {
  Matrix g = own * q;
  const Matrix product = left * right.transpose();
  g += 0.5 * (product + product.transpose());
  for (Index m = 0; m < band.cols(); ++m) {
    for (Index k = 0; k + m < q.rows(); ++k) {
      g(k, k + m) += band(k, m);
      if (m > 0) g(k + m, k) += band(k, m);
    }
  }
  return g;
}

namespace complement {

ComplementEstimate loo(const Complement& c, bool slope) {
  ComplementEstimate out;
  const Vector q = c.q.diagonal();
  if (!(q.minCoeff() > 0)) {
    out.warning = "a row has leverage 1: without it the model is not determined";
    return out;
  }
  const Vector held_out = c.residual.cwiseQuotient(q);
  out.value = held_out.squaredNorm() / count(c);
  if (!slope) return out;
  out.slope.left = 2 / count(c) * held_out.cwiseQuotient(q);
  out.slope.right = c.y;
  out.slope.band = -out.slope.left.cwiseProduct(held_out);
  return out;
}

// E_V = Q_VV⁻¹e_V, u_V = Q_VV⁻¹E_V:  d‖E_V‖² = 2u_V'(dQ y)_V − 2u_V' dQ_VV E_V, of rank two per fold.
ComplementEstimate cv(const Complement& c, const std::vector<Folds>& repeats, bool slope) {
  require(!repeats.empty(), "cv: no folds were given; give at least one partition of the rows");
  ComplementEstimate out;
  const Index n = c.rows();
  Index columns = 0;
  for (const Folds& folds : repeats) {
    check_folds(folds, n);
    columns += 1 + folds.count;
  }
  if (slope) out.slope.left = out.slope.right = Matrix::Zero(n, columns);
  out.value = 0;
  Index first = 0;
  for (const Folds& folds : repeats) {
    if (slope) out.slope.right.col(first) = c.y;
    const auto members = rows_by_fold(folds);
    for (std::size_t f = 0; f < members.size(); ++f) {
      const auto& rows = members[f];
      const Index size = static_cast<Index>(rows.size());
      require(size < n, "cv: fold {} holds every row; nothing is left to learn from", f);
      require(size > 0, "cv: fold {} holds no row", f);
      const double weight = 1 / static_cast<double>(size * folds.count * static_cast<Index>(repeats.size()));
      const auto block = PositiveDefinite::factorise(c.q(rows, rows));
      if (!block) {
        out.value = undefined;
        out.warning = fmt::format("without the rows of fold {} the fit is not determined to rounding", f);
        return out;
      }
      const Vector errors = block->solve(c.residual(rows));
      out.value += weight * errors.squaredNorm();
      if (!slope) continue;
      const Vector pressed = block->solve(errors);
      const Index column = first + 1 + static_cast<Index>(f);
      for (Index i = 0; i < size; ++i) {
        const Index row = rows[static_cast<std::size_t>(i)];
        out.slope.left(row, first) = out.slope.left(row, column) = 2 * weight * pressed[i];
        out.slope.right(row, column) = -errors[i];
      }
    }
    first += 1 + folds.count;
  }
  return out;
}

ComplementEstimate gcv(const Complement& c, bool slope) {
  ComplementEstimate out;
  const double left = c.q.trace();
  const double ratio = c.residual.stableNorm() / left;  // squares of tiny complements would underflow
  out.value = count(c) * ratio * ratio;
  if (slope) out.slope = of_residual_and_trace(c, count(c) / (left * left), -2 * out.value / left);
  return out;
}

ComplementEstimate cp(const Complement& c, double sigma2, bool slope) {
  require(std::isfinite(sigma2), "cp and sic need the noise variance; give a number, or use gcv, loo or cv");
  ComplementEstimate out;
  const CountedError e = counted(c, false);
  out.value = e.training_error + 2 * sigma2 * e.m1 / count(c);
  if (slope) out.slope = of_residual_and_trace(c, 1 / count(c), -2 * sigma2 / count(c));
  return out;
}

ComplementEstimate sic(const Complement& c, double sigma2, bool slope) {
  ComplementEstimate out = cp(c, sigma2, slope);
  const double total = c.intercept ? (c.y.array() - c.y.mean()).square().sum() : c.y.squaredNorm();
  out.value -= (total + (c.intercept ? 2 * sigma2 : 0)) / count(c);
  return out;
}

// With H = I − Q:  nΓ = (3 − 2A/n)‖e‖² − 2e'(Q∘band)e + (2A/n)e'Qe.
ComplementEstimate gen(const Complement& c, Index lags, bool slope) {
  require(lags >= 0 && lags < c.rows(),
          "gen: dependence length {} for {} rows; it must be at least 0 and below the number of rows", lags,
          c.rows());
  ComplementEstimate out;
  const double n = count(c);
  const double a = lag_count({.lags = lags}, c.rows()) / n;
  const Vector& e = c.residual;
  const Vector banded = banded_product(c.q, e, lags), whole = c.q * e;
  out.value = ((3 - 2 * a) * e.squaredNorm() - 2 * e.dot(banded) + 2 * a * e.dot(whole)) / n;
  out.warning = overfit_warning(counted(c, false));
  out.overfitted = !out.warning.empty();
  if (!slope) return out;
  out.slope.left.resize(c.rows(), 2);
  out.slope.right.resize(c.rows(), 2);
  out.slope.left.col(0) = (2 * (3 - 2 * a) * e - 4 * banded + 4 * a * whole) / n;
  out.slope.right.col(0) = c.y;
  out.slope.left.col(1) = 2 * a / n * e;
  out.slope.right.col(1) = e;
  out.slope.band = Matrix::Zero(c.rows(), lags + 1);
  for (Index m = 0; m <= lags; ++m) {
    const Index size = c.rows() - m;
    out.slope.band.col(m).head(size) = -2 / n * e.head(size).cwiseProduct(e.tail(size));
  }
  return out;
}

ComplementEstimate gpe(const Complement& c, bool slope) {
  const CountedError e = counted(c, false);
  ComplementEstimate out{adaptive::gpe(e), {}};
  if (!slope || !std::isfinite(out.value)) return out;
  out.slope = of_residual_and_trace(c, (count(c) + e.m1) / (e.left * count(c)),
                                    -2 * count(c) * e.training_error / (e.left * e.left));
  return out;
}

// φ = ‖Q‖²_F, τ = tr Q:  Γ = S(2n + φ − 2τ)/φ.
ComplementEstimate fper(const Complement& c, bool slope) {
  const CountedError e = counted(c, true);
  ComplementEstimate out{adaptive::fper(e), {}};
  if (!slope || !std::isfinite(out.value)) return out;
  out.slope = of_residual_and_trace(c, (count(c) + e.m2) / (e.left_squared * count(c)),
                                    -2 * e.training_error / e.left_squared);
  out.slope.own = 2 * (e.training_error - out.value) / e.left_squared;
  return out;
}

ComplementEstimate evidence(const Complement& c, bool slope) {
  ComplementEstimate out;
  const double fixed = c.intercept ? 1 : 0, free = count(c) - fixed;
  SpectralSums sums;
  sums.z2g = c.y.dot(c.residual);
  sums.log_prior_ratio = c.log_determinant;
  out.value = minus_two_log_evidence(sums, count(c), fixed);
  if (std::isnan(out.value))
    out.warning =
        "nothing of the targets is left to estimate the noise from: they are constant or fitted exactly";
  if (!slope || !std::isfinite(out.value)) return out;
  out.slope.left = free / sums.z2g * c.y;
  out.slope.right = c.y;
  out.slope.log_determinant = 1;
  return out;
}

ComplementEstimate evaluate(const HyperCriterion& criterion, const Complement& c, bool slope) {
  const auto judged = [&]() -> ComplementEstimate {
    const std::string_view name = criterion.name;
    if (name == "loo") return loo(c, slope);
    if (name == "cv" || name == "cv-blocked") return cv(c, criterion.folds, slope);
    if (name == "gcv") return gcv(c, slope);
    if (name == "cp") return cp(c, criterion.sigma2, slope);
    if (name == "sic") return sic(c, criterion.sigma2, slope);
    if (name == "gen") return gen(c, criterion.lags, slope);
    if (name == "nic") return gen(c, 0, slope);
    if (name == "fpe" || name == "gpe") return gpe(c, slope);
    if (name == "fper") return fper(c, slope);
    if (name == "evidence") return evidence(c, slope);
    fail("criterion '{}' has no gradient here; choose from {}", name, differentiable_criteria());
  };
  ComplementEstimate out = judged();
  if (!std::isfinite(out.value) && out.warning.empty())
    out.warning = "the numbers overflow or vanish at these parameters; keep them nearer their units";
  return out;
}

}  // namespace complement

ComplementDerivative pull_back(const Complement& c, const ComplementSlope& slope) {
  const Matrix& r = c.moving();
  const Index n = r.rows();
  ComplementDerivative out;
  out.gram = slope.log_determinant == 0 ? Matrix(Matrix::Zero(n, n)) : Matrix(slope.log_determinant * r);
  const double directions = count(c) - (c.intercept ? 1 : 0);
  out.log_lambda = slope.log_determinant == 0 ? 0 : -slope.log_determinant * (directions - c.q.trace());
  if (slope.left.cols() > 0) {
    const Matrix left = lapack::product(r, false, slope.left, false),
                 right = lapack::product(r, false, slope.right, false);
    out.log_lambda += slope.left.cwiseProduct(right).sum() - left.cwiseProduct(right).sum();
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

}  // namespace gnomon::adaptive
