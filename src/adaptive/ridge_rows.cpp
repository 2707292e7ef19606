// The criteria of a grouped ridge that need every row: leave-one-out and GEN. Row k of Z is B⁻¹x_k; without gradients half of
// the solve does, Y = XT⁻¹ with B = T'T, since YY' = ZX'.

#include <cmath>

#include "gnomon/adaptive/grouped_ridge.hpp"
#include "gnomon/core/error.hpp"
#include "ridge_factor.hpp"

namespace gnomon::adaptive {
namespace {

constexpr Index block_rows = 2048;

/// Rows first … first+count−1: left·right' = X B⁻¹ X'. left = Z, right = X where gradients are wanted, else both Y.
struct SolvedBlock {
  Matrix left, right;

  SolvedBlock(const RidgeFactor& factor, const Matrix& x, Index first, Index count, bool gradient) {
    if (factor.dual()) {
      left = factor.solved_rows().middleRows(first, count);
      right = x.middleRows(first, count);
    } else if (gradient) {
      right = x.middleRows(first, count);
      left = factor.primal().solve_rows(right);
    } else {
      left = right = factor.primal().half_solve_rows(x.middleRows(first, count));
    }
  }
};

Vector row_dots(const MatrixView& a, const MatrixView& b) { return a.cwiseProduct(b).rowwise().sum(); }

Vector residuals(const RidgeFactor& factor, const Matrix& x, const MatrixView& y) {
  return factor.dual() ? factor.residual() : Vector(y - x * factor.weights());
}

}  // namespace

// e_(k) = e_k/q_k with q_k = 1 − x_k'B⁻¹x_k/N, everything at κ(N−1)/N: each fit is normalised by its own N−1 rows.
// de/dθ_g = κ_g Z P_gŵ,  dq_k/dθ_g = κ_g z_k'P_g z_k/N.
HyperEstimate GroupedRidge::loo(const VectorView& kappa, bool gradient) const {
  check_kappa(penalty_, kappa);
  require(samples() > 1, "loo: one row cannot be left out of one; give at least two rows");
  const double n = rows_->samples;
  const Vector reduced = kappa * ((n - 1) / n);
  HyperEstimate out{0, gradient ? Vector(Vector::Zero(penalty_.groups())) : Vector(), ""};
  double least = 1;
  for (Index o = 0; o < outputs(); ++o) {
    const Penalty& penalty = penalty_of_output(o);
    const RidgeFactor factor(*rows_, penalty, reduced, o);
    const Vector e = residuals(factor, *x_, y_.col(o));
    const Vector dual_q = factor.dual() ? Vector(factor.complement().diagonal()) : Vector();
    Vector pull = Vector::Zero(inputs()), push = Vector::Zero(penalty_.groups());
    const Index step = factor.dual() ? samples() : block_rows;
    for (Index first = 0; first < samples(); first += step) {
      const Index count = std::min(step, samples() - first);
      const auto here = e.segment(first, count);
      const bool rows_needed = gradient || !factor.dual();
      const SolvedBlock block = rows_needed ? SolvedBlock(factor, *x_, first, count, gradient)
                                            : SolvedBlock(factor, *x_, 0, 0, false);
      const Vector q =
          factor.dual() ? dual_q : Vector((1 - row_dots(block.left, block.right).array() / n).matrix());
      least = std::min(least, q.minCoeff());
      const Vector held_out = here.cwiseQuotient(q), t = held_out.cwiseQuotient(q);
      out.value += held_out.squaredNorm() / n;
      if (!gradient) continue;
      pull += block.left.transpose() * t;
      const Matrix pressed = t.cwiseProduct(held_out).asDiagonal() * block.left;
      push += penalty.row_pairs(pressed, block.left);
    }
    if (gradient) {
      out.gradient += 2 / n * reduced.cwiseProduct(penalty.pairs(pull, factor.weights()) - push / n);
    }
  }
  if (!(least > 1e-13)) {
    if (samples() > inputs() || !(least > 0)) {
      out.value = undefined;
      out.warning = "a row has leverage 1: without it the model is not determined";
    }
  }
  return out;
}

// L = (4/N) F'F̃, F = diag(e)X, F̃ its lag-filtered rows, J⁻¹ = B⁻¹/2, z = B⁻¹Dŵ. In log κ, all exact:
// dΓ = κ_g { 2z'P_gŵ + [8 (Z't)'P_gŵ − 4 tr(P_g (diag(e)Z)'lag(diag(e)Z))]/(2N²) − (A/N)[4 (B⁻¹Hz)'P_gŵ − 2z'P_g z] },
// t_k = z_k·F̃_k, H = X'X/N; P_gŵ − DB⁻¹P_gŵ = HB⁻¹P_gŵ, formed so because the difference cancels for large κ.
GenEstimate GroupedRidge::gen(const VectorView& kappa, const GenOptions& options) const {
  check_kappa(penalty_, kappa);
  require(options.lags >= 0 && options.lags < samples(),
          "gen: dependence length {} for {} samples; it must be at least 0 and below the number of samples",
          options.lags, samples());
  const double n = rows_->samples;
  const Vector c = lag_weights(options, samples());
  GenEstimate out;
  out.lag_count = lag_count(options, samples());
  const double a = out.lag_count / n;
  double error = 0;
  out.m_eff = out.penalty_term = out.gamma = 0;
  if (options.gradient) out.gradient = out.gradient_eq14 = Vector::Zero(penalty_.groups());
  for (Index o = 0; o < outputs(); ++o) {
    const Penalty& penalty = penalty_of_output(o);
    const RidgeFactor factor(*rows_, penalty, kappa, o);
    const Vector& w = factor.weights();
    const Vector e = residuals(factor, *x_, y_.col(o));
    const Vector z = factor.shrinkage();
    error += factor.squared_residual() / n;
    out.penalty_term += 2 * a * z.dot(penalty.weighted(kappa, w));
    Vector pull = Vector::Zero(inputs()), bend = Vector::Zero(penalty_.groups());
    const Index step = factor.dual() ? samples() : block_rows;
    for (Index first = 0; first < samples(); first += step) {
      const Index count = std::min(step, samples() - first);
      const Index from = std::max<Index>(first - options.lags, 0);
      const Index to = std::min(first + count + options.lags, samples());
      const SolvedBlock block(factor, *x_, from, to - from, options.gradient);
      const auto weigh = [&](const Matrix& rows) -> Matrix {
        return e.segment(from, to - from).asDiagonal() * rows;
      };
      const Matrix left = block.left.middleRows(first - from, count);
      const Matrix filtered = lag_filtered(weigh(block.right), c).middleRows(first - from, count);
      const Vector t = row_dots(left, filtered);
      out.m_eff += 2 / n * t.dot(e.segment(first, count));
      out.gamma += left.cwiseProduct(block.right.middleRows(first - from, count)).sum() / n;
      if (!options.gradient) continue;
      pull += left.transpose() * t;
      const Matrix weighed = weigh(block.left);
      bend += penalty.row_pairs(weighed.middleRows(first - from, count),
                                lag_filtered(weighed, c).middleRows(first - from, count));
    }
    if (!options.gradient) continue;
    const Vector curved = factor.solve(rows_->r.transpose() * (rows_->r * z) / n);
    const Vector along = penalty.pairs(z, w), round = penalty.pairs(z, z);
    out.gradient += kappa.cwiseProduct(2 * along + (8 / n * penalty.pairs(pull, w) - 4 / n * bend) / (2 * n) -
                                       a * (4 * penalty.pairs(curved, w) - 2 * round));
    out.gradient_eq14 += kappa.cwiseProduct((1 - 2 * a) * 2 * along - 2 / (n * n) * bend + 2 * a * round);
  }
  out.value = error + out.m_eff / n - out.penalty_term;
  CountedError counts;
  counts.m1 = out.gamma;
  counts.observations = n * static_cast<double>(outputs());
  out.warning = overfit_warning(counts);
  out.overfitted = !out.warning.empty();
  return out;
}

}  // namespace gnomon::adaptive
