#include "hessian.hpp"

#include <cblas.h>
#include <lapacke.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "decompose/lapack.hpp"
#include "gnomon/core/parallel.hpp"

namespace gnomon {
namespace {

constexpr Index column_lanes = 8;
constexpr Index blas_from = 40;
constexpr double singular_pivot = 1e-11;
constexpr double bump = 1e-10;
constexpr double flat = 1e-13;  ///< singular values of the root below which a direction has no curvature

/// gram += Σ sign·w_i B_i B_iᵀ over the listed rows; blocks on and below the diagonal.
GNOMON_HOT void add_outer_products(const double* basis, Index stride, Index size, const Index* rows,
                                   Index count, const double* weight, double sign, double* gram) {
  for (Index a = 0; a < size; ++a) {
    double* column = gram + a * stride;
    for (Index b = a / column_lanes * column_lanes; b < stride; b += column_lanes) {
      double sum[column_lanes] = {};
      Index k = 0;
      for (; k + 4 <= count; k += 4) {  // short chains of additions
        const double *r0 = basis + rows[k] * stride, *r1 = basis + rows[k + 1] * stride,
                     *r2 = basis + rows[k + 2] * stride, *r3 = basis + rows[k + 3] * stride;
        const double f0 = weight[rows[k]] * r0[a], f1 = weight[rows[k + 1]] * r1[a],
                     f2 = weight[rows[k + 2]] * r2[a], f3 = weight[rows[k + 3]] * r3[a];
        for (Index l = 0; l < column_lanes; ++l)
          sum[l] += (f0 * r0[b + l] + f1 * r1[b + l]) + (f2 * r2[b + l] + f3 * r3[b + l]);
      }
      for (; k < count; ++k) {
        const double* row = basis + rows[k] * stride;
        const double f = weight[rows[k]] * row[a];
        for (Index l = 0; l < column_lanes; ++l) sum[l] += f * row[b + l];
      }
      for (Index l = 0; l < column_lanes; ++l) column[b + l] += sign * sum[l];
    }
  }
}

/// Cholesky of the leading size × size block, right-looking by columns. Returns the least pivot, or the first
/// one that is not above `stop`.
GNOMON_HOT double small_cholesky(double* a, Index stride, Index size, double stop) {
  double least = 1e300;
  for (Index j = 0; j < size; ++j) {
    double* column = a + j * stride;
    const double pivot = column[j];
    least = std::min(least, pivot);
    if (!(pivot > stop)) return pivot;
    const double inverse = 1 / std::sqrt(pivot);
    for (Index i = j; i < size; ++i) column[i] *= inverse;
    for (Index k = j + 1; k < size; ++k) {
      double* other = a + k * stride;
      const double f = column[k];
      for (Index i = k; i < size; ++i) other[i] -= f * column[i];
    }
  }
  return least;
}

GNOMON_HOT void small_solve(const double* l, Index stride, Index size, double* x) {
  for (Index j = 0; j < size; ++j) {
    const double* column = l + j * stride;
    x[j] /= column[j];
    const double f = x[j];
    for (Index i = j + 1; i < size; ++i) x[i] -= f * column[i];
  }
  for (Index j = size; j-- > 0;) {
    const double* column = l + j * stride;
    double sum = x[j];
    for (Index i = j + 1; i < size; ++i) sum -= column[i] * x[i];
    x[j] = sum / column[j];
  }
}

int to_int(Index i) { return static_cast<int>(i); }

}  // namespace

HuberHessian::HuberHessian(const WhitenedDesign& design)
    : design_(design),
      inside_(static_cast<std::size_t>(design.rows()), 0),
      gram_(Matrix::Zero(design.stride(), design.stride())),
      factor_(design.stride(), design.stride()),
      scale_(design.stride()) {}

void HuberHessian::accumulate(const std::vector<Index>& rows, double sign) {
  const Index stride = design_.stride(), count = static_cast<Index>(rows.size());
  if (count == 0) return;
  if (stride < blas_from)
    return add_outer_products(design_.row(0), stride, design_.size(), rows.data(), count,
                              design_.weight().data(), sign, gram_.data());
  constexpr Index block_rows = 512;
  Matrix block(stride, std::min(block_rows, count));
  for (Index first = 0; first < count; first += block_rows) {
    const Index width = std::min(block_rows, count - first);
    for (Index k = 0; k < width; ++k) {
      const Index i = rows[static_cast<std::size_t>(first + k)];
      block.col(k) = Eigen::Map<const Vector>(design_.row(i), stride) * std::sqrt(design_.weight()[i]);
    }
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, to_int(stride), to_int(width), sign, block.data(),
                to_int(stride), 1, gram_.data(), to_int(stride));
  }
}

void HuberHessian::move_to(const std::vector<char>& inside) {
  if (filled_ && inside == inside_) return;
  entering_.clear();
  leaving_.clear();
  Index kept = 0;
  for (std::size_t i = 0; i < inside.size(); ++i) {
    kept += inside[i];
    if (inside[i] != inside_[i]) (inside[i] ? entering_ : leaving_).push_back(static_cast<Index>(i));
  }
  const Index n = static_cast<Index>(inside.size()), outside = n - kept;
  const Index changes = static_cast<Index>(entering_.size() + leaving_.size());
  if (!filled_ || changes > std::min(kept, outside)) {
    // Afresh: from nothing by the rows of S, or from BᵀWB = I less the rows of N.
    const bool from_identity = outside < kept;
    gram_.setZero();
    if (from_identity) gram_.diagonal().head(design_.size()).setOnes();
    entering_.clear();
    for (std::size_t i = 0; i < inside.size(); ++i)
      if (static_cast<bool>(inside[i]) != from_identity) entering_.push_back(static_cast<Index>(i));
    accumulate(entering_, from_identity ? -1 : 1);
    filled_ = true;
  } else {
    accumulate(entering_, 1);
    accumulate(leaving_, -1);
  }
  inside_ = inside;
}

void HuberHessian::factor(double lambda) {
  const Index size = design_.size(), stride = design_.stride();
  lambda_ = lambda;
  scale_ = (1 + lambda * design_.inverse_square().array()).rsqrt();
  const auto fill = [&](double added) {
    for (Index j = 0; j < size; ++j) {
      for (Index i = j; i < size; ++i) factor_(i, j) = gram_(i, j) * scale_[i] * scale_[j];
      factor_(j, j) += lambda * design_.inverse_square()[j] * scale_[j] * scale_[j] + added;
    }
  };
  const auto decompose = [&](double stop) {
    if (stride < blas_from) return small_cholesky(factor_.data(), stride, size, stop);
    if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', to_int(size), factor_.data(), to_int(stride)) != 0)
      return -1.0;
    return size ? factor_.diagonal().head(size).cwiseAbs2().minCoeff() : 1.0;
  };
  fill(0);
  least_pivot_ = decompose(singular_pivot);
  singular_ = !(least_pivot_ > singular_pivot);
  if (singular_) {
    fill(bump);
    decompose(0);
  }
}

void HuberHessian::solve(const double* g, double* d) const {
  const Index size = design_.size(), stride = design_.stride();
  for (Index j = 0; j < stride; ++j) d[j] = j < size ? g[j] * scale_[j] : 0;
  if (stride < blas_from) {
    small_solve(factor_.data(), stride, size, d);
  } else {
    for (const auto transpose : {CblasNoTrans, CblasTrans})
      cblas_dtrsv(CblasColMajor, CblasLower, transpose, CblasNonUnit, to_int(size), factor_.data(),
                  to_int(stride), d, 1);
  }
  for (Index j = 0; j < size; ++j) d[j] *= scale_[j];
}

double HuberHessian::trace_of_solve(Matrix n) const {
  const Index size = design_.size();
  double sum = 0;
  for (Index j = 0; j < size; ++j) n.row(j) *= scale_[j];
  for (Index j = 0; j < size; ++j) n.col(j) *= scale_[j];
  // tr(L⁻ᵀ L⁻¹ N) = tr(L⁻¹ N L⁻ᵀ)
  cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, to_int(size), to_int(size), 1,
              factor_.data(), to_int(design_.stride()), n.data(), to_int(std::max<Index>(size, 1)));
  cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, to_int(size), to_int(size), 1,
              factor_.data(), to_int(design_.stride()), n.data(), to_int(std::max<Index>(size, 1)));
  for (Index j = 0; j < size; ++j) sum += n(j, j);
  return sum;
}

double HuberHessian::degrees_of_freedom() const {
  const Index size = design_.size();
  if (lambda_ == 0) return static_cast<double>(size);
  // Ĥ = Ĝ + R with R diagonal, R_j = (λ/s²)/(1 + λ/s²): tr Ĥ⁻¹Ĝ = size − tr Ĥ⁻¹R, where that does not cancel.
  Matrix inverse = factor_.topLeftCorner(size, size).triangularView<Eigen::Lower>();  // L, then L⁻¹
  if (size > 0) LAPACKE_dtrtri_work(LAPACK_COL_MAJOR, 'L', 'N', to_int(size), inverse.data(), to_int(size));
  double removed = 0;
  for (Index j = 0; j < size; ++j)
    removed += lambda_ * design_.inverse_square()[j] * scale_[j] * scale_[j] * inverse.col(j).squaredNorm();
  if (removed < 0.5 * static_cast<double>(size)) return static_cast<double>(size) - removed;
  Matrix gram = gram_.topLeftCorner(size, size).selfadjointView<Eigen::Lower>();
  return trace_of_solve(std::move(gram));
}

HuberRoot::HuberRoot(const WhitenedDesign& design, std::vector<Index> inside, double lambda)
    : rows(std::move(inside)) {
  const Index count = static_cast<Index>(rows.size()), size = design.size();
  scale = (1 + lambda * design.inverse_square().head(size).array()).rsqrt();
  root_weight.resize(count);
  // At least `size` rows, so that V holds the null space too.
  Matrix stacked = Matrix::Zero(count + size, size);
  for (Index k = 0; k < count; ++k) {
    const Index i = rows[static_cast<std::size_t>(k)];
    root_weight[k] = std::sqrt(design.weight()[i]);
    stacked.row(k) = root_weight[k] * Eigen::Map<const Vector>(design.row(i), size).cwiseProduct(scale);
  }
  for (Index j = 0; j < size; ++j)
    stacked(count + j, j) = std::sqrt(lambda * design.inverse_square()[j]) * scale[j];
  lapack::ThinSvd svd = lapack::thin_svd(std::move(stacked));
  u = std::move(svd.u);
  s = std::move(svd.s);
  v = std::move(svd.v);
  while (rank_ < s.size() && s[rank_] > flat) ++rank_;
}

double HuberRoot::degrees_of_freedom() const {
  return u.topLeftCorner(static_cast<Index>(rows.size()), rank_).squaredNorm();
}

double HuberRoot::trace(const Matrix& p) const {
  double sum = 0;
  const Index count = static_cast<Index>(rows.size());
  Matrix rotated = lapack::product(p, false, scale.asDiagonal() * v.leftCols(rank_), false);
  for (Index l = 0; l < rank_; ++l)
    sum += u.col(l).head(count).cwiseProduct(root_weight).dot(rotated.col(l)) / s[l];
  return sum;
}

Vector HuberRoot::solve(const Vector& g) const {
  Vector rotated = v.leftCols(rank_).transpose() * scale.cwiseProduct(g);
  rotated.array() /= s.head(rank_).array().square();
  return scale.cwiseProduct(v.leftCols(rank_) * rotated);
}

}  // namespace gnomon
