#include "gram_krylov.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "lapack.hpp"
#include "tridiagonal_path.hpp"

namespace gnomon::detail {

bool krylov_coefficients(const MatrixView& xx, const VectorView& xy, std::span<const double> lambdas,
                         double accuracy, Matrix& path) {
  const Index p = xx.rows(), limit = p / 8, count = static_cast<Index>(lambdas.size());
  const double norm = xy.norm(), smallest = *std::min_element(lambdas.begin(), lambdas.end());
  constexpr Index check_every = 8;
  if (limit < 2 * check_every || norm == 0 || !(smallest > 0)) return false;
  const int order = static_cast<int>(p);
  Matrix basis(p, limit + 1), first;
  Vector along(limit + 1);
  std::vector<double> alpha, beta;
  basis.col(0) = xy / norm;
  double before = 0;
  for (Index step = 1; step <= limit; ++step) {
    const int columns = static_cast<int>(step);
    Vector w = lapack::symmetric_times(xx, basis.col(step - 1));
    double diagonal = 0;
    for (int pass = 0; pass < 2; ++pass) {
      cblas_dgemv(CblasColMajor, CblasTrans, order, columns, 1, basis.data(), order, w.data(), 1, 0,
                  along.data(), 1);
      cblas_dgemv(CblasColMajor, CblasNoTrans, order, columns, -1, basis.data(), order, along.data(), 1, 1,
                  w.data(), 1);
      diagonal += along[step - 1];
    }
    alpha.push_back(diagonal);
    beta.push_back(w.norm());
    const bool invariant = !(beta.back() > 1e-14 * tridiagonal_bound(step, alpha.data(), beta.data()));
    if (invariant || step % check_every == 0) {
      tridiagonal_first_columns(step, alpha.data(), beta.data(), lambdas, first);
      double worst = 0;  // of residual / allowed residual
      for (Index l = 0; l < count; ++l)
        worst = std::max(worst, norm * beta.back() * std::abs(first(l, step - 1)) /
                                    (accuracy * lambdas[static_cast<std::size_t>(l)]));
      if (worst <= 1) {
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, order, static_cast<int>(count), columns, norm,
                    basis.data(), order, first.data(), static_cast<int>(count), 0, path.data(), order);
        return true;
      }
      const double gain = std::log(before / worst);
      if (invariant ||
          (before > 0 && !(static_cast<double>(limit - step) * gain >= check_every * std::log(worst))))
        return false;
      before = worst;
    }
    basis.col(step) = w / beta.back();
  }
  return false;
}

}  // namespace gnomon::detail
