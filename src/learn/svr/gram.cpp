#include "gram.hpp"

#include <cblas.h>

#include <vector>

#include "gnomon/core/parallel.hpp"

namespace gnomon::svr {
namespace {

GNOMON_HOT void add_four(const double* a, const double* b, const double* c, const double* d,
                         const double* value, double* out, Index n) {
  const double va = value[0], vb = value[1], vc = value[2], vd = value[3];
  for (Index i = 0; i < n; ++i) out[i] += (va * a[i] + vb * b[i]) + (vc * c[i] + vd * d[i]);
}

GNOMON_HOT void add_one(const double* a, double value, double* out, Index n) {
  for (Index i = 0; i < n; ++i) out[i] += value * a[i];
}

/// Column means, or near them: any centre serves. Measured from the first row, so that a constant column becomes 0.
Vector middle_of_columns(const Matrix& x) {
  Vector middle(x.cols());
  for (Index j = 0; j < x.cols(); ++j) middle[j] = x(0, j) + (x.col(j).array() - x(0, j)).mean();
  return middle;
}

double dot(const double* a, const double* b, Index n) { return cblas_ddot(static_cast<int>(n), a, 1, b, 1); }

}  // namespace

Gram::Gram(std::shared_ptr<const Matrix> features, bool kernel, bool centre)
    : features_(std::move(features)), kernel_(kernel) {
  const Index n = features_->rows(), p = features_->cols();
  if (centre && !kernel_) {
    centre_ = middle_of_columns(*features_);
    features_ = std::make_shared<const Matrix>(features_->rowwise() - centre_.transpose());
  }
  if (kernel_) {
    gram_ = features_;
  } else if (n > 2 * p) {
    rows_ = features_->transpose();
  } else {
    Matrix k(n, n);
    if (p > 0) {
      cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, static_cast<int>(n), static_cast<int>(p), 1,
                  features_->data(), static_cast<int>(n), 0, k.data(), static_cast<int>(n));
    } else {
      k.setZero();
    }
    k.triangularView<Eigen::StrictlyUpper>() = k.transpose();
    gram_ = std::make_shared<const Matrix>(std::move(k));
  }
  diagonal_ = factored() ? Vector(rows_.colwise().squaredNorm().transpose()) : Vector(gram_->diagonal());
}

double Gram::entry(Index i, Index j) const {
  return factored() ? dot(rows_.col(i).data(), rows_.col(j).data(), rows_.rows()) : (*gram_)(i, j);
}

void Gram::column(Index i, std::span<const Index> which, double* out) const {
  if (factored()) {
    for (std::size_t k = 0; k < which.size(); ++k) out[k] = entry(which[k], i);
    return;
  }
  const double* source = gram_->col(i).data();
  for (std::size_t k = 0; k < which.size(); ++k) out[k] = source[which[k]];
}

Matrix Gram::block(std::span<const Index> which) const {
  const Index m = static_cast<Index>(which.size());
  Matrix k(m, m);
  if (factored() && m > 0 && rows_.rows() > 0) {
    const Matrix rows = basis(which);
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, static_cast<int>(m), static_cast<int>(rows.cols()),
                1, rows.data(), static_cast<int>(m), 0, k.data(), static_cast<int>(m));
    k.triangularView<Eigen::StrictlyUpper>() = k.transpose();
    return k;
  }
  if (factored()) return Matrix::Zero(m, m);
  for (Index j = 0; j < m; ++j) column(which[static_cast<std::size_t>(j)], which, k.col(j).data());
  return k;
}

void Gram::add_columns(std::span<const Index> which, const double* value, double* out) const {
  const Index n = rows();
  if (factored()) {
    const Index p = rows_.rows();
    if (p == 0 || which.empty()) return;
    Vector a = Vector::Zero(p);
    for (std::size_t k = 0; k < which.size(); ++k) add_one(rows_.col(which[k]).data(), value[k], a.data(), p);
    cblas_dgemv(CblasColMajor, CblasNoTrans, static_cast<int>(n), static_cast<int>(p), 1, features_->data(),
                static_cast<int>(n), a.data(), 1, 1, out, 1);
    return;
  }
  const double* k = gram_->data();
  std::size_t done = 0;
  for (; done + 4 <= which.size(); done += 4) {
    const Index* at = which.data() + done;
    add_four(k + at[0] * n, k + at[1] * n, k + at[2] * n, k + at[3] * n, value + done, out, n);
  }
  for (; done < which.size(); ++done) add_one(k + which[done] * n, value[done], out, n);
}

Vector Gram::times(const VectorView& beta) const {
  std::vector<Index> which;
  std::vector<double> value;
  for (Index i = 0; i < beta.size(); ++i) {
    if (beta[i] == 0) continue;
    which.push_back(i);
    value.push_back(beta[i]);
  }
  Vector out = Vector::Zero(rows());
  add_columns(which, value.data(), out.data());
  return out;
}

Vector Gram::coefficients(const VectorView& beta) const {
  if (kernel_) return beta;
  Vector a = Vector::Zero(features_->cols());
  if (a.size() == 0) return a;
  cblas_dgemv(CblasColMajor, CblasTrans, static_cast<int>(rows()), static_cast<int>(a.size()), 1,
              features_->data(), static_cast<int>(rows()), beta.data(), 1, 0, a.data(), 1);
  return a;
}

Matrix Gram::basis(std::span<const Index> which) const {
  Matrix out(static_cast<Index>(which.size()), features_->cols());
  for (std::size_t k = 0; k < which.size(); ++k) out.row(static_cast<Index>(k)) = features_->row(which[k]);
  return out;
}

}  // namespace gnomon::svr
