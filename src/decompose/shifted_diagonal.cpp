#include <algorithm>
#include <cmath>

#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "lanes.hpp"
#include "lapack.hpp"
#include "tridiagonal.hpp"

namespace gnomon {
namespace {

constexpr Index kLaneRows = kLanes;  // rows of Q in the lanes of one vector register
constexpr Index kShifts = 8;  // values of λ worked on together, so that a loaded row of Q serves them all

/// Σ_j weight_j y_j² with y_j = q_j − factor_j y_{j−1}, for eight rows and eight λ; q is packed n × 8 by
/// rows, factor and weight n × 8 by rows, out 8 (λ) × 8 (rows) by rows.
GNOMON_HOT void quadratic_forms(const double* q, const double* factor, const double* weight, Index n,
                                double* out) {
  Lanes y[kShifts] = {}, sum[kShifts] = {};
  for (Index j = 0; j < n; ++j) {
    const Lanes row = lanes_at(q + j * kLaneRows).value;
#pragma GCC unroll 8
    for (Index l = 0; l < kShifts; ++l) {
      y[l] = row - factor[j * kShifts + l] * y[l];
      sum[l] += weight[j * kShifts + l] * y[l] * y[l];
    }
  }
  for (Index l = 0; l < kShifts; ++l) lanes_at(out + l * kLaneRows).value = sum[l];
}

/// LDLᵀ of T + λI for every λ; block of eight λ after block, n × 8 by rows in each. weight = λ / pivot.
struct Factors {
  std::vector<double> factor, weight;
};

Factors factorise(const Tridiagonal& t, std::span<const double> lambdas) {
  const Index n = t.size(), count = static_cast<Index>(lambdas.size());
  const Index blocks = (count + kShifts - 1) / kShifts;
  Factors result{std::vector<double>(blocks * n * kShifts), std::vector<double>(blocks * n * kShifts)};
  for (Index l = 0; l < blocks * kShifts; ++l) {
    const double lambda = lambdas[std::min(l, count - 1)];
    require(lambda > 0 && std::isfinite(lambda),
            "the shift of a tridiagonal matrix must be positive and finite, not {}", lambda);
    double* factor = result.factor.data() + l / kShifts * n * kShifts + l % kShifts;
    double* weight = result.weight.data() + l / kShifts * n * kShifts + l % kShifts;
    double pivot = 1;
    for (Index i = 0; i < n; ++i) {
      const double off = i > 0 ? t.off_diagonal[i - 1] : 0.0;
      factor[i * kShifts] = off / pivot;
      pivot = t.diagonal[i] + lambda - off * factor[i * kShifts];
      if (!(pivot > 0))
        fail("λ = {} is below the rounding error of a matrix of size {:.3g}; use a larger λ", lambda,
             t.diagonal.cwiseAbs().maxCoeff());
      weight[i * kShifts] = lambda / pivot;
    }
  }
  return result;
}

}  // namespace

void shifted_diagonal_and_residual(const Matrix& q, const Tridiagonal& t, double norm,
                                   std::span<const double> lambdas, Matrix& diagonal, Matrix& residual) {
  const Index n = t.size(), rows = q.rows(), count = static_cast<Index>(lambdas.size());
  require(q.cols() == n, "the rotation is {} by {}, the tridiagonal matrix is of order {}", rows, q.cols(),
          n);
  diagonal.resize(rows, count);
  residual.setZero(rows, count);
  if (n == 0 || rows == 0 || count == 0) return;
  const Factors factors = factorise(t, lambdas);

  Matrix solution(
      n, count);  // λ (T + λI)⁻¹ e₁ ‖b‖: forward substitution of e₁ is the running product of −factor
  for (Index l = 0; l < count; ++l) {
    const double* factor = factors.factor.data() + l / kShifts * n * kShifts + l % kShifts;
    const double* weight = factors.weight.data() + l / kShifts * n * kShifts + l % kShifts;
    double* x = &solution(0, l);
    x[0] = norm;
    for (Index i = 1; i < n; ++i) x[i] = -factor[i * kShifts] * x[i - 1];
    x[n - 1] *= weight[(n - 1) * kShifts];
    for (Index i = n - 2; i >= 0; --i)
      x[i] = weight[i * kShifts] * x[i] - factor[(i + 1) * kShifts] * x[i + 1];
  }
  residual = lapack::product(q, false, solution, false);

  const Index blocks = (count + kShifts - 1) / kShifts;
  parallel_for((rows + kLaneRows - 1) / kLaneRows, [&](Index panel) {
    const Index begin = panel * kLaneRows, used = std::min(kLaneRows, rows - begin);
    std::vector<double> packed(n * kLaneRows);
    for (Index j = 0; j < n; ++j) std::copy_n(&q(begin, j), used, &packed[j * kLaneRows]);
    double form[kShifts * kLaneRows];
    for (Index block = 0; block < blocks; ++block) {
      const Index offset = block * n * kShifts;
      quadratic_forms(packed.data(), factors.factor.data() + offset, factors.weight.data() + offset, n, form);
      for (Index l = block * kShifts; l < std::min(count, (block + 1) * kShifts); ++l)
        std::copy_n(form + l % kShifts * kLaneRows, used, &diagonal(begin, l));
    }
  });
}

}  // namespace gnomon
