// The criteria of a grouped ridge that need every row: leave-one-out and GEN. Row k of Z is B⁻¹x_k; without gradients half of
// the solve does, Y = XT⁻¹ with B = T'T, since YY' = ZX'.

#include <cmath>

#include "gnomon/core/error.hpp"
#include "grouped_ridge.hpp"
#include "learn/lag_products.hpp"
#include "ridge_factor.hpp"

namespace gnomon {
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
// de/dκ_g = Z P_gŵ,  dq_k/dκ_g = z_k'P_g z_k/N;  with C the complement whose diagonal is q, Σκ_g de/dκ_g = e − Ce and
// Σκ_g dq/dκ_g = q − diag C², so that Σκ_g de_(k)/dκ_g = (e_(k) diag C² − Ce)_k/q_k.
LeftOut GroupedRidge::left_out(const VectorView& kappa, bool gradient) const {
  check_kappa(penalty_, kappa);
  require(samples() > 1, "loo: one row cannot be left out of one; give at least two rows");
  const double n = rows_->samples;
  const Vector reduced = kappa * ((n - 1) / n);
  LeftOut out;
  out.sum = 0, out.weight = n;
  const Vector unit = slope_unit(slopes_by_, kappa) * ((n - 1) / n);
  Vector slope = Vector::Zero(penalty_.groups());
  double least = 1;
  for (Index o = 0; o < outputs(); ++o) {
    const GroupedPenalty& penalty = penalty_of_output(o);
    const RidgeFactor factor(*rows_, penalty, reduced, o);
    const Vector e = residuals(factor, *x_, y_.col(o));
    const Matrix complement = factor.dual() ? factor.complement() : Matrix();
    const Vector dual_q = complement.diagonal();
    Vector pull = Vector::Zero(inputs()), push = Vector::Zero(penalty_.groups());
    double total = 0, total_size = 0;  // Σκ_g of the slopes, of the dual, and its terms
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
      out.sum += held_out.squaredNorm();
      if (!gradient) continue;
      pull += block.left.transpose() * t;
      const Matrix pressed = t.cwiseProduct(held_out).asDiagonal() * block.left;
      push += penalty.row_pairs(pressed, block.left);
      if (!factor.dual()) continue;
      const Vector pressed_residual = complement * here;
      total += t.dot(held_out.cwiseProduct(complement.rowwise().squaredNorm()) - pressed_residual);
      total_size += t.cwiseAbs().dot(pressed_residual.cwiseAbs());
    }
    if (!gradient) continue;
    Vector own = penalty.pairs(pull, factor.weights()) - push / n;
    const Vector size = penalty.pairs(pull.cwiseAbs(), factor.weights().cwiseAbs());
    if (factor.dual() && total_size < reduced.dot(size)) match_total(own, reduced, size, total);
    slope += 2 * unit.cwiseProduct(own);
  }
  const bool undetermined = !(least > 1e-13) && (samples() > inputs() || !(least > 0));
  if (undetermined) {
    out.sum = undefined;
    out.trouble = "a row has leverage 1: without it the model is not determined";
  }
  if (gradient) out.slopes = slopes_from(slope);
  return out;
}

// L = (4/N) F'F̃, F = diag(e)X, F̃ its lag-filtered rows, J⁻¹ = B⁻¹/2, z = B⁻¹Dŵ = J⁻¹R'. With t_k = z_k·F̃_k, H = X'X/N, by κ_g:
//   d loss = 2N z'P_gŵ,   d products = [2(Z't)'P_gŵ − tr(P_g (diag(e)Z)'lag(diag(e)Z))]/N,
//   d stationarity = N[2(B⁻¹Hz)'P_gŵ − z'P_g z];
// P_gŵ − DB⁻¹P_gŵ = HB⁻¹P_gŵ, formed so because the difference cancels for large κ.
Scores GroupedRidge::scores(const VectorView& kappa, Index lags, bool gradient) const {
  check_kappa(penalty_, kappa);
  require(lags >= 0 && lags < samples(),
          "gen: dependence length {} for {} samples; it must be at least 0 and below the number of samples",
          lags, samples());
  const double n = rows_->samples;
  const Vector c = Vector::Ones(lags + 1), unit = slope_unit(slopes_by_, kappa);
  Scores out;
  out.n = n, out.observations = n * static_cast<double>(outputs());
  out.loss = out.products = out.stationarity = out.df = 0;
  Matrix d = Matrix::Zero(penalty_.groups(), Scores::fields);
  for (Index o = 0; o < outputs(); ++o) {
    const GroupedPenalty& penalty = penalty_of_output(o);
    const RidgeFactor factor(*rows_, penalty, kappa, o);
    const Vector& w = factor.weights();
    const Vector e = residuals(factor, *x_, y_.col(o));
    const Vector z = factor.shrinkage();
    out.loss += factor.squared_residual();
    out.stationarity += n * z.dot(penalty.weighted(kappa, w));
    Vector pull = Vector::Zero(inputs()), bend = Vector::Zero(penalty_.groups());
    const Index step = factor.dual() ? samples() : block_rows;
    for (Index first = 0; first < samples(); first += step) {
      const Index count = std::min(step, samples() - first);
      const Index from = std::max<Index>(first - lags, 0);
      const Index to = std::min(first + count + lags, samples());
      const SolvedBlock block(factor, *x_, from, to - from, gradient);
      const auto weigh = [&](const Matrix& rows) -> Matrix {
        return e.segment(from, to - from).asDiagonal() * rows;
      };
      const Matrix left = block.left.middleRows(first - from, count);
      const Matrix filtered = lag_filtered(weigh(block.right), c).middleRows(first - from, count);
      const Vector t = row_dots(left, filtered);
      out.products += t.dot(e.segment(first, count)) / n;
      out.df += left.cwiseProduct(block.right.middleRows(first - from, count)).sum() / n;
      if (!gradient) continue;
      pull += left.transpose() * t;
      const Matrix weighed = weigh(block.left);
      bend += penalty.row_pairs(weighed.middleRows(first - from, count),
                                lag_filtered(weighed, c).middleRows(first - from, count));
    }
    if (!gradient) continue;
    const Vector curved = factor.solve_transposed(rows_->r * z) / n;
    d.col(0) += 2 * n * unit.cwiseProduct(penalty.pairs(z, w));
    d.col(1) += unit.cwiseProduct(2 * penalty.pairs(pull, w) - bend) / n;
    d.col(2) += n * unit.cwiseProduct(2 * penalty.pairs(curved, w) - penalty.pairs(z, z));
  }
  if (gradient) out.slopes = slopes_from(std::move(d));
  return out;
}

}  // namespace gnomon
