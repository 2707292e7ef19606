#include "whitened_design.hpp"

#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "decompose/design_svd.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"

namespace gnomon {
namespace {

constexpr Index lanes = 8;
constexpr Index blas_from = 40;  ///< strides from which BLAS beats our loops

GNOMON_HOT void rows_times(const double* basis, Index stride, Index rows, const double* z, double* out) {
  for (Index i = 0; i < rows; ++i) {
    const double* row = basis + i * stride;
    double sum[lanes] = {};
    for (Index j = 0; j < stride; j += lanes)
      for (Index k = 0; k < lanes; ++k) sum[k] += row[j + k] * z[j + k];
    out[i] = ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
  }
}

GNOMON_HOT void sum_of_rows(const double* basis, Index stride, Index rows, const double* c, double* out) {
  for (Index j = 0; j < stride; j += lanes) {
    double sum[lanes] = {};
    const double* row = basis + j;
    Index i = 0;
    for (; i + 4 <= rows; i += 4, row += 4 * stride)  // short chains of additions
      for (Index k = 0; k < lanes; ++k)
        sum[k] += (c[i] * row[k] + c[i + 1] * row[stride + k]) +
                  (c[i + 2] * row[2 * stride + k] + c[i + 3] * row[3 * stride + k]);
    for (; i < rows; ++i, row += stride)
      for (Index k = 0; k < lanes; ++k) sum[k] += c[i] * row[k];
    for (Index k = 0; k < lanes; ++k) out[j + k] = sum[k];
  }
}

/// √W(Φ − 1mᵀ); a column that is constant up to rounding becomes zero.
Matrix weighted_centred(const Matrix& features, const Vector& weight, const Vector& centre, bool intercept) {
  Matrix a = features;
  const Vector root = weight.cwiseSqrt();
  for (Index j = 0; j < a.cols(); ++j) {
    if (intercept) {
      const double largest = a.col(j).cwiseAbs().maxCoeff();
      a.col(j).array() -= centre[j];
      const double rounding = 8 * std::numeric_limits<double>::epsilon() * largest;
      if (a.col(j).cwiseAbs().maxCoeff() <= rounding) a.col(j).setZero();
    }
    a.col(j).array() *= root.array();
  }
  return a;
}

}  // namespace

WhitenedDesign::WhitenedDesign(const SolverDesign& design)
    : intercept_(design.intercept), features_(design.features) {
  const Index n = design.rows(), p = design.features->cols();
  require(n > 0, "a learner needs at least one row; the design has none");
  require(design.weight.size() == 0 || design.weight.size() == n, "{} weights for {} rows; give one per row",
          design.weight.size(), n);
  require(design.features->allFinite(), "the design has entries that are not finite; remove such rows");
  weight_ = design.weight.size() ? design.weight : Vector::Ones(n);
  require(weight_.minCoeff() > 0 && weight_.allFinite(),
          "weights must be positive and finite; drop rows of weight 0");
  total_ = std::sqrt(weight_.sum());
  centre_ = Vector::Zero(p);
  if (intercept_) {
    centre_ = design.features->transpose() * weight_ / weight_.sum();
    // A second pass takes out the rounding of the first.
    for (Index j = 0; j < p; ++j)
      centre_[j] += weight_.dot((design.features->col(j).array() - centre_[j]).matrix()) / weight_.sum();
  }
  Vector before;  // centring leaves rounding of the size of what was subtracted
  if (intercept_) before = (weight_.transpose() * design.features->cwiseAbs2()).cwiseSqrt().transpose();
  lapack::ThinSvd svd = design_svd(weighted_centred(*design.features, weight_, centre_, intercept_), before);
  singular_ = std::move(svd.s);
  v_ = std::move(svd.v);
  const Index rank = singular_.size();
  const Index stride = std::max<Index>((size() + lanes - 1) / lanes * lanes, lanes);
  basis_ = Matrix::Zero(stride, n);
  for (Index i = 0; i < n; ++i) {
    basis_.col(i).head(rank) = svd.u.row(i).transpose() / std::sqrt(weight_[i]);
    if (intercept_) basis_(rank, i) = 1 / total_;
  }
  inverse_square_ = Vector::Zero(stride);
  inverse_square_.head(rank) = singular_.array().square().inverse();
}

void WhitenedDesign::apply(const double* z, double* out) const {
  if (stride() < blas_from) return rows_times(basis_.data(), stride(), rows(), z, out);
  cblas_dgemv(CblasColMajor, CblasTrans, static_cast<int>(stride()), static_cast<int>(rows()), 1,
              basis_.data(), static_cast<int>(stride()), z, 1, 0, out, 1);
}

void WhitenedDesign::apply_transposed(const double* c, double* out) const {
  if (stride() < blas_from) return sum_of_rows(basis_.data(), stride(), rows(), c, out);
  cblas_dgemv(CblasColMajor, CblasNoTrans, static_cast<int>(stride()), static_cast<int>(rows()), 1,
              basis_.data(), static_cast<int>(stride()), c, 1, 0, out, 1);
}

void WhitenedDesign::coefficients(const double* z, Vector& a, double& offset) const {
  const Eigen::Map<const Vector> rotated(z, rank());
  a.noalias() = v_ * rotated.cwiseQuotient(singular_);
  offset = intercept_ ? z[rank()] / total_ - centre_.dot(a) : 0;
}

void WhitenedDesign::coordinates(const VectorView& a, double offset, double* z) const {
  Eigen::Map<Vector> rotated(z, stride());
  rotated.setZero();
  rotated.head(rank()).noalias() = v_.transpose() * a;
  rotated.head(rank()).array() *= singular_.array();
  if (intercept_) z[rank()] = (offset + centre_.dot(a)) * total_;
}

Matrix WhitenedDesign::pull_back(const MatrixView& m, const std::vector<Index>& chosen) const {
  const Index p = columns(), r = rank();
  require(m.rows() == rows() && (m.cols() == p + 1 || (!intercept_ && m.cols() == p)),
          "the trace needs a {}×{} matrix; this one is {}×{}", rows(), p + 1, m.rows(), m.cols());
  Matrix inner(static_cast<Index>(chosen.size()), p);
  for (Index k = 0; k < inner.rows(); ++k) {
    const Index i = chosen[static_cast<std::size_t>(k)];
    inner.row(k) = m.row(i).head(p);
    if (intercept_) inner.row(k) -= m(i, p) * centre_.transpose();
  }
  Matrix pulled(inner.rows(), size());
  pulled.leftCols(r) = lapack::product(inner, false, v_, false);
  for (Index j = 0; j < r; ++j) pulled.col(j) /= singular_[j];
  if (intercept_)
    for (Index k = 0; k < inner.rows(); ++k)
      pulled(k, r) = m(chosen[static_cast<std::size_t>(k)], p) / total_;
  return pulled;
}

std::vector<double> WhitenedDesign::grid(double low) const {
  constexpr double margin = 150, per_decade = 5;
  double lo = 1e-3, hi = 1e3;  // for a design of zeros, where every λ gives the null model
  if (rank() > 0) {
    const double top = singular_[0] * singular_[0];
    const double rounding =
        static_cast<double>(std::max(rows(), columns())) * std::numeric_limits<double>::epsilon() * top;
    hi = margin * singular_.squaredNorm();
    lo = std::max(1 / (margin * inverse_square_.sum()), rounding) * low;
  }
  // Whole decades: the ends must not move with the last bits of a singular value.
  const double first = std::floor(std::log10(std::max(lo, 1e-300))),
               last = std::max(std::ceil(std::log10(std::min(hi, 1e300))), first + 1);
  std::vector<double> values;
  for (double k = 0; k <= (last - first) * per_decade; ++k)
    values.push_back(std::pow(10.0, first + k / per_decade));
  return values;
}

void WhitenedDesign::refine_ridge(const Vector& y, double lambda, Vector& a, double& offset) const {
  constexpr Index small = 20'000;  // beyond, the last digits are not worth a pass in extended precision
  const Index n = rows(), p = columns();
  if (n * p > small) return;
  using Wide = Eigen::Matrix<long double, Eigen::Dynamic, 1>;
  const auto left_over = [&](long double constant) {
    Wide rest = y.cast<long double>().array() - constant;
    for (Index j = 0; j < p; ++j)
      rest -= features_->col(j).cast<long double>() * static_cast<long double>(a[j]);
    return rest;
  };
  const Wide weight = weight_.cast<long double>(), residual = weight.cwiseProduct(left_over(offset));
  Vector gradient(p);
  for (Index j = 0; j < p; ++j) {
    const Wide column = features_->col(j).cast<long double>().array() - static_cast<long double>(centre_[j]);
    gradient[j] = static_cast<double>(residual.dot(column) - static_cast<long double>(lambda) * a[j]);
  }
  const Vector step = (v_.transpose() * gradient).array() / (singular_.array().square() + lambda);
  a += v_ * step;
  if (intercept_) offset = static_cast<double>(weight.dot(left_over(0)) / weight.sum());
}

Vector WhitenedDesign::ridge_leverages(double lambda) const {
  const Vector shrink = (1 + lambda * inverse_square_.array()).inverse();
  Vector h(rows());
  for (Index i = 0; i < rows(); ++i) {
    const Eigen::Map<const Vector> b(row(i), stride());
    h[i] = weight_[i] * (b.array().square() * shrink.array()).sum();
  }
  return h;
}

double WhitenedDesign::ridge_df(double lambda) const {
  const auto square = singular_.array().square();
  return (square / (square + lambda)).sum() + (intercept_ ? 1 : 0);
}

void check_targets(const WhitenedDesign& design, const VectorView& y, std::string_view learner) {
  require(y.size() == design.rows(), "{}: {} targets for {} rows; give one per row", learner, y.size(),
          design.rows());
  require(y.allFinite(), "{}: a target is not finite; remove such rows", learner);
}

void check_lambda(double lambda, std::string_view learner) {
  require(std::isfinite(lambda) && lambda >= 0, "{}: λ = {} is not allowed; it must be finite and ≥ 0",
          learner, lambda);
}

}  // namespace gnomon
