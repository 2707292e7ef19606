#include <cblas.h>
#include <lapacke.h>

#include <algorithm>

#include "cost.hpp"
#include "descent.hpp"
#include "limited_memory.hpp"

namespace gnomon::mlp {
namespace {

/// The Cholesky factor of J + shift·I. The shift starts from a fifth of the last one and grows until the matrix is
/// positive definite.
Matrix shifted_factor(const Matrix& j, double& shift) {
  const int p = static_cast<int>(j.rows());
  const double scale = std::max(j.diagonal().cwiseAbs().maxCoeff(), 1e-300);
  shift = 0.2 * shift < 1e-9 * scale ? 0 : 0.2 * shift;
  while (true) {
    Matrix factor = j;
    factor.diagonal().array() += shift;
    if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', p, factor.data(), p) == 0) return factor;
    shift = std::max(3 * shift, 1e-6 * scale);
  }
}

Vector solve(const Matrix& factor, Vector b) {
  const int p = static_cast<int>(b.size());
  for (const auto transpose : {CblasNoTrans, CblasTrans})
    cblas_dtrsv(CblasColMajor, CblasLower, transpose, CblasNonUnit, p, factor.data(), p, b.data(), 1);
  return b;
}

}  // namespace

int descend_around(const MlpCost& cost, const std::function<Vector(const Vector&)>& inverse, int steps,
                   double tolerance, Iterate& at) {
  LimitedMemory memory(50);
  int made = 0;
  for (; made < steps && !at.certified(tolerance) && !at.unbounded(); ++made) {
    const Vector w = at.w, g = at.gradient;
    if (!search_line(cost, -memory.apply(g, inverse), 1, at)) break;
    memory.add(at.w - w, at.gradient - g);
  }
  return made;
}

// A Hessian with its factor costs as much as a hundred gradients, a solve with the factor as two or three: the same
// factor serves thirty steps, and L-BFGS makes up for what changes meanwhile.
void descend_factored(const MlpCost& cost, const MlpTrainOptions& options, Iterate& at) {
  constexpr int steps_per_factor = 30;
  const int last = at.iterations + 3 * (options.max_iterations - at.iterations) / 4;
  bool first_descent = at.iterations == 0;
  double shift = 0;
  while (!at.certified(options.tolerance) && at.iterations < last && !at.unbounded()) {
    Matrix j = cost.error_hessian(at.w, MlpHessian::exact);
    cost.add_penalty(j);
    if (!j.allFinite()) return;
    const Matrix factor = shifted_factor(j, shift);
    if (first_descent && shift > 0) {  // far from a minimum: gradients alone go down as fast
      descend_lbfgs(cost, std::max(1e-4 * at.norm(), options.tolerance), std::min(300, last), at);
      first_descent = false, shift = 0;
      continue;
    }
    const auto inverse = [&](const Vector& v) { return solve(factor, v); };
    const int most = std::min(steps_per_factor, last - at.iterations);
    if (descend_around(cost, inverse, most, options.tolerance, at) == 0) return;
  }
}

}  // namespace gnomon::mlp
