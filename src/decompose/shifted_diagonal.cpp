#include <algorithm>
#include <cmath>

#include "core/lanes.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "lapack.hpp"
#include "tridiagonal.hpp"

namespace gnomon {
namespace {

constexpr Index kLaneRows = kLanes;  // rows of Q in the lanes of one vector register
constexpr Index kShifts = 8;  // values of λ worked on together, so that a loaded row of Q serves them all

/// sum += Σ_j weight_j y_j² with y_j = q_j − factor_j y_{j−1}, for the rows of one register and some of the λ; q, factor and weight have
/// eight numbers for every j, y and sum eight for every λ.
template <class Register, int Lambdas>
GNOMON_INLINE void add_forms(const double* q, const double* factor, const double* weight, Index count,
                             double* y_of_rows, double* sum_of_rows) {
  Register y[Lambdas], sum[Lambdas];
#pragma GCC unroll 8
  for (int l = 0; l < Lambdas; ++l) {
    y[l] = at<Register>(y_of_rows + l * kLaneRows).value;
    sum[l] = at<Register>(sum_of_rows + l * kLaneRows).value;
  }
  for (Index j = 0; j < count; ++j) {
    const Register row = at<Register>(q + j * kLaneRows).value;
#pragma GCC unroll 8
    for (int l = 0; l < Lambdas; ++l) {
      y[l] = row - factor[j * kShifts + l] * y[l];
      sum[l] += weight[j * kShifts + l] * y[l] * y[l];
    }
  }
#pragma GCC unroll 8
  for (int l = 0; l < Lambdas; ++l) {
    at<Register>(y_of_rows + l * kLaneRows).value = y[l];
    at<Register>(sum_of_rows + l * kLaneRows).value = sum[l];
  }
}

/// All eight rows and eight λ; out 8 (λ) × 8 (rows) by rows. As many at once as there are registers for, a piece of q and of the factors
/// serving all of them from the first cache.
template <class Register, int Lambdas>
GNOMON_INLINE void quadratic_forms(const double* q, const double* factor, const double* weight, Index n,
                                   double* out) {
  constexpr Index lanes = sizeof(Register) / sizeof(double), piece = 128;
  double y[kShifts * kLaneRows] = {};
  std::fill_n(out, kShifts * kLaneRows, 0.0);
  for (Index begin = 0; begin < n; begin += piece)
    for (Index row = 0; row < kLaneRows; row += lanes)
      for (Index l = 0; l < kShifts; l += Lambdas)
        add_forms<Register, Lambdas>(q + begin * kLaneRows + row, factor + begin * kShifts + l,
                                     weight + begin * kShifts + l, std::min(piece, n - begin),
                                     y + l * kLaneRows + row, out + l * kLaneRows + row);
}

void forms_by_four(const double* q, const double* factor, const double* weight, Index n, double* out) {
  quadratic_forms<Four, 2>(q, factor, weight, n, out);
}
#if GNOMON_INSTRUCTIONS >= 3
GNOMON_FUSED void forms_by_four_fused(const double* q, const double* factor, const double* weight, Index n,
                                      double* out) {
  quadratic_forms<Four, 4>(q, factor, weight, n, out);
}
#endif
#if GNOMON_INSTRUCTIONS == 4
GNOMON_WIDE void forms_by_eight(const double* q, const double* factor, const double* weight, Index n,
                                double* out) {
  quadratic_forms<Lanes, 8>(q, factor, weight, n, out);
}
#endif

auto fastest_forms() {
#if GNOMON_INSTRUCTIONS == 4
  if (has_wide_vectors()) return forms_by_eight;
#endif
#if GNOMON_INSTRUCTIONS >= 3
  if (has_fused_vectors()) return forms_by_four_fused;
#endif
  return forms_by_four;
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
  const auto forms = fastest_forms();
  parallel_for((rows + kLaneRows - 1) / kLaneRows, [&](Index panel) {
    const Index begin = panel * kLaneRows, used = std::min(kLaneRows, rows - begin);
    std::vector<double> packed(n * kLaneRows);
    for (Index j = 0; j < n; ++j) std::copy_n(&q(begin, j), used, &packed[j * kLaneRows]);
    double form[kShifts * kLaneRows];
    for (Index block = 0; block < blocks; ++block) {
      const Index offset = block * n * kShifts;
      forms(packed.data(), factors.factor.data() + offset, factors.weight.data() + offset, n, form);
      for (Index l = block * kShifts; l < std::min(count, (block + 1) * kShifts); ++l)
        std::copy_n(form + l % kShifts * kLaneRows, used, &diagonal(begin, l));
    }
  });
}

}  // namespace gnomon
