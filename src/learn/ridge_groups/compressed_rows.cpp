#include "compressed_rows.hpp"

#include <cblas.h>

#include <algorithm>

#include "decompose/lapack.hpp"
#include "gnomon/core/error.hpp"

namespace gnomon {
namespace {

using lapack::as_int;

/// The triangle of a QR factorisation, at most cols rows of it.
Matrix triangle(Matrix a) {
  const Index k = std::min(a.rows(), a.cols());
  Vector tau(k);
  const int info = LAPACKE_dgeqrf(LAPACK_COL_MAJOR, as_int(a.rows()), as_int(a.cols()), a.data(),
                                  as_int(a.rows()), tau.data());
  require(info == 0, "linear model: LAPACK dgeqrf refused argument {}; a value is not finite", -info);
  Matrix r = a.topRows(k);
  r.triangularView<Eigen::StrictlyLower>().setZero();
  return r;
}

void add_gram(CompressedRows& rows) {
  rows.gram.setZero(rows.r.cols(), rows.r.cols());
  if (rows.r.rows() == 0) return;
  cblas_dsyrk(CblasColMajor, CblasUpper, CblasTrans, as_int(rows.r.cols()), as_int(rows.r.rows()), 1,
              rows.r.data(), as_int(rows.r.rows()), 0, rows.gram.data(), as_int(rows.gram.rows()));
  rows.gram.triangularView<Eigen::StrictlyLower>() = rows.gram.transpose();
}

/// From the triangle of [X y].
CompressedRows split(const Matrix& t, Index p, double samples) {
  CompressedRows out;
  const Index q = t.cols() - p, k = std::min(t.rows(), p);
  out.samples = samples;
  out.r = t.topLeftCorner(k, p);
  out.c = t.topRightCorner(k, q);
  out.rest = t.bottomRightCorner(t.rows() - k, q).colwise().squaredNorm().transpose();
  return out;
}

}  // namespace

CompressedRows compress(const MatrixView& x, const MatrixView& y, bool gram) {
  const Index n = x.rows(), p = x.cols(), q = y.cols();
  CompressedRows out;
  if (n <= p) {
    out = {x, y, Vector::Zero(q), {}, static_cast<double>(n)};
  } else {
    const Index block = std::max<Index>(4096, 4 * (p + q));
    Matrix t(0, p + q);
    for (Index first = 0; first < n; first += block) {
      const Index rows = std::min(block, n - first);
      Matrix stack(t.rows() + rows, p + q);
      stack.topRows(t.rows()) = t;
      stack.bottomLeftCorner(rows, p) = x.middleRows(first, rows);
      stack.bottomRightCorner(rows, q) = y.middleRows(first, rows);
      t = triangle(std::move(stack));
    }
    out = split(t, p, static_cast<double>(n));
  }
  if (gram) add_gram(out);
  return out;
}

CompressedRows compress(const std::vector<const CompressedRows*>& others, bool gram) {
  Index rows = 0;
  double samples = 0;
  for (const auto* other : others) rows += other->r.rows(), samples += other->samples;
  const Index p = others.front()->r.cols(), q = others.front()->c.cols();
  Matrix x(rows, p), y(rows, q);
  Vector rest = Vector::Zero(q);
  Index at = 0;
  for (const auto* other : others) {
    x.middleRows(at, other->r.rows()) = other->r;
    y.middleRows(at, other->r.rows()) = other->c;
    rest += other->rest;
    at += other->r.rows();
  }
  CompressedRows out = compress(x, y, gram);
  out.samples = samples;
  out.rest += rest;
  return out;
}

}  // namespace gnomon
