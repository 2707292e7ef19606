#include "positive_definite.hpp"

#include <cmath>

#include "core/team.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "lapack.hpp"

namespace gnomon {
namespace {

using lapack::as_int;

void triangular_rows(const Matrix& t, CBLAS_TRANSPOSE transpose, Matrix& rows) {
  if (rows.size() == 0) return;
  const BlasThreads shared(library_threads(std::min(rows.rows(), rows.cols())));
  cblas_dtrsm(CblasColMajor, CblasRight, CblasUpper, transpose, CblasNonUnit, as_int(rows.rows()),
              as_int(rows.cols()), 1, t.data(), as_int(t.rows()), rows.data(), as_int(rows.rows()));
}

}  // namespace

std::optional<PositiveDefinite> PositiveDefinite::factorise(Matrix a) {
  const int n = as_int(a.rows());
  const BlasThreads shared(library_threads(n));
  if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', n, a.data(), std::max(n, 1)) != 0) return {};
  return of_factor(std::move(a));
}

PositiveDefinite PositiveDefinite::of_factor(Matrix t) {
  PositiveDefinite p;
  p.t_ = std::move(t);
  return p;
}

double PositiveDefinite::reciprocal_condition(double norm) const {
  double rcond = 0;
  LAPACKE_dpocon(LAPACK_COL_MAJOR, 'U', as_int(size()), t_.data(), as_int(size()), norm, &rcond);
  return rcond;
}

double PositiveDefinite::log_determinant() const {
  double sum = 0;
  for (Index i = 0; i < size(); ++i) sum += std::log(std::abs(t_(i, i)));
  return 2 * sum;
}

double PositiveDefinite::smallest_pivot() const {
  const double least = size() ? t_.diagonal().cwiseAbs().minCoeff() : 0;
  return least * least;
}

Matrix PositiveDefinite::solve(Matrix b) const {
  const int n = as_int(size());
  const int info =
      LAPACKE_dpotrs(LAPACK_COL_MAJOR, 'U', n, as_int(b.cols()), t_.data(), n, b.data(), as_int(b.rows()));
  require(info == 0, "solve: LAPACK dpotrs refused argument {}; a value is not finite", -info);
  return b;
}

Matrix PositiveDefinite::half_solve_rows(Matrix rows) const {
  triangular_rows(t_, CblasNoTrans, rows);
  return rows;
}

Matrix PositiveDefinite::solve_rows(Matrix rows) const {
  triangular_rows(t_, CblasNoTrans, rows);
  triangular_rows(t_, CblasTrans, rows);
  return rows;
}

Matrix PositiveDefinite::inverse() const {
  Matrix m = t_;
  const BlasThreads shared(library_threads(size()));
  LAPACKE_dpotri_work(LAPACK_COL_MAJOR, 'U', as_int(size()), m.data(), as_int(size()));
  m.triangularView<Eigen::StrictlyLower>() = m.transpose();
  return m;
}

double symmetric_norm1(const Matrix& a) {
  Vector sums = Vector::Zero(a.rows());
  for (Index j = 0; j < a.cols(); ++j) {
    for (Index i = 0; i < j; ++i) {
      const double size = std::abs(a(i, j));
      sums[i] += size;
      sums[j] += size;
    }
    sums[j] += std::abs(a(j, j));
  }
  return sums.size() ? sums.maxCoeff() : 0;
}

}  // namespace gnomon
