#include <cblas.h>
#include <lapacke.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "kernel_fold_problem.hpp"

namespace gnomon::detail {
namespace {

/// All rows of positive weight: √w and position, and A = S K S (or S K K S), lower triangle.
struct AllRows {
  std::vector<Index> rows;
  Vector root;
  Matrix a;
};

AllRows all_rows(const KernelFoldProblem& p) {
  AllRows out;
  for (Index i = 0; i < p.n; ++i)
    if (p.weight[i] > 0) out.rows.push_back(i);
  const Index m = static_cast<Index>(out.rows.size());
  out.root.resize(m);
  for (Index i = 0; i < m; ++i) out.root[i] = std::sqrt(p.weight[out.rows[static_cast<std::size_t>(i)]]);
  out.a.resize(m, m);
  if (p.options.squared_gram) {
    Matrix rows_of_k(p.n, m);
    for (Index c = 0; c < m; ++c) {
      const double* column = p.gram + out.rows[static_cast<std::size_t>(c)] * p.stride;
      for (Index r = 0; r < p.n; ++r) rows_of_k(r, c) = out.root[c] * column[r];
    }
    cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, static_cast<int>(m), static_cast<int>(p.n), 1,
                rows_of_k.data(), static_cast<int>(p.n), 0, out.a.data(), static_cast<int>(m));
  } else {
    for (Index c = 0; c < m; ++c) {
      const double* column = p.gram + out.rows[static_cast<std::size_t>(c)] * p.stride;
      for (Index r = 0; r < m; ++r)
        out.a(r, c) = out.root[r] * column[out.rows[static_cast<std::size_t>(r)]] * out.root[c];
    }
  }
  return out;
}

/// Σ over a fold of ‖C⁻¹ r‖², C = Q_f diag(x) Q_fᵀ, r = Q_f (x∘z), given the fold's rows of Q transposed (m ×
/// rows).
double block_error(const Matrix& qf, const Vector& x, const Vector& xz, Matrix& scaled, Matrix& c) {
  const Index m = qf.rows(), rows = qf.cols();
  if (rows == 1) {
    const double residual = qf.col(0).dot(xz), diagonal = (qf.col(0).array().square() * x.array()).sum();
    return std::pow(residual / diagonal, 2);
  }
  scaled = x.cwiseSqrt().asDiagonal() * qf;
  c.resize(rows, rows);
  cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, static_cast<int>(rows), static_cast<int>(m), 1,
              scaled.data(), static_cast<int>(m), 0, c.data(), static_cast<int>(rows));
  Vector e(rows);
  cblas_dgemv(CblasColMajor, CblasTrans, static_cast<int>(m), static_cast<int>(rows), 1, qf.data(),
              static_cast<int>(m), xz.data(), 1, 0, e.data(), 1);
  const int info = LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', static_cast<int>(rows), 1, c.data(),
                                 static_cast<int>(rows), e.data(), static_cast<int>(rows));
  return info == 0 ? e.squaredNorm() : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

std::vector<Index> block_fold_errors(const KernelFoldProblem& p, std::span<const Index> which,
                                     const Progress& progress, FoldErrors& errors) {
  std::vector<Index> undone;
  if (which.empty()) return undone;
  progress("eigendecomposition of the Gram matrix", 0);
  AllRows all = all_rows(p);
  const Index m = static_cast<Index>(all.rows.size());
  Vector target(m);
  double total = 0, mean = 0;
  for (Index i = 0; i < m; ++i) total += p.weight[all.rows[static_cast<std::size_t>(i)]];
  if (p.options.intercept)
    for (Index row : all.rows) mean += p.weight[row] / total * p.y[row];
  for (Index i = 0; i < m; ++i) target[i] = all.root[i] * (p.y[all.rows[static_cast<std::size_t>(i)]] - mean);
  if (p.options.intercept) {
    // The constant's direction becomes the top eigenvector, well apart from the others, and gets x = 0:
    // residuals have no component along it.
    const Vector u = all.root / all.root.norm();
    const double lift = 2 * all.a.diagonal().sum();
    project_out(all.a, u);
    cblas_dsyr(CblasColMajor, CblasLower, static_cast<int>(m), lift, u.data(), 1, all.a.data(),
               static_cast<int>(m));
  }
  Vector d(m);
  const int info = LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'L', static_cast<int>(m), all.a.data(),
                                  static_cast<int>(m), d.data());
  require(info == 0,
          "the eigendecomposition of the Gram matrix did not converge: check it for non-finite values");
  const Matrix& q = all.a;
  const Index used = m - (p.options.intercept ? 1 : 0);
  const double top = d[m - 1];
  Vector z(m);
  cblas_dgemv(CblasColMajor, CblasTrans, static_cast<int>(m), static_cast<int>(m), 1, q.data(),
              static_cast<int>(m), target.data(), 1, 0, z.data(), 1);

  std::vector<Index> position(static_cast<std::size_t>(p.n), -1), done;
  for (Index i = 0; i < m; ++i) position[static_cast<std::size_t>(all.rows[static_cast<std::size_t>(i)])] = i;
  const double safe = 1e3 * static_cast<double>(m) * machine_epsilon * top;
  for (const Index l : which) (p.lambdas[static_cast<std::size_t>(l)] > safe ? done : undone).push_back(l);
  parallel_for(static_cast<Index>(p.folds.size()), [&](Index f) {
    std::vector<Index> rows;
    for (const Index row : p.folds[static_cast<std::size_t>(f)].test)
      if (position[static_cast<std::size_t>(row)] >= 0)
        rows.push_back(position[static_cast<std::size_t>(row)]);
    const Index count = static_cast<Index>(rows.size());
    if (count == 0) return;
    Matrix qf(used, count), scaled, c;
    for (Index i = 0; i < count; ++i)
      for (Index k = 0; k < used; ++k) qf(k, i) = q(rows[static_cast<std::size_t>(i)], k);
    Vector x(used);
    for (const Index l : done) {
      const double lambda = p.lambdas[static_cast<std::size_t>(l)], scale = lambda + std::max(d[0], 0.0);
      for (Index k = 0; k < used; ++k) x[k] = scale / (std::max(d[k], 0.0) + lambda);
      errors.sums(f, l) = block_error(qf, x, x.cwiseProduct(z.head(used)), scaled, c);
    }
  });
  // A block that is singular to working precision is left to the dense method.
  std::erase_if(done, [&](Index l) {
    const bool bad = !errors.sums.col(l).allFinite();
    if (bad) undone.push_back(l);
    return bad;
  });
  std::sort(undone.begin(), undone.end());
  return undone;
}

}  // namespace gnomon::detail
