#include "grid.hpp"

#include <algorithm>
#include <cmath>
#include "decompose/decomposition.hpp"

namespace gnomon {

std::vector<double> log_grid(double lo, double hi, int count) {
  std::vector<double> grid(static_cast<std::size_t>(count));
  const double from = std::log(lo), to = std::log(hi);
  for (int k = 0; k < count; ++k)
    grid[static_cast<std::size_t>(k)] = std::exp(from + (to - from) * k / std::max(count - 1, 1));
  grid.front() = lo;
  grid.back() = hi;
  return grid;
}

std::vector<double> even_grid(double lo, double hi, int count) {
  std::vector<double> grid;
  for (int k = 0; k < count; ++k) grid.push_back(lo + (hi - lo) * k / (count - 1));
  grid.back() = hi;
  return grid;
}

std::vector<double> automatic_grid(const Smoother& smoother, int per_decade) {
  const SpectrumScales s = smoother.decomposition().scales();
  double lo = 1e-3, hi = 1e3;  // for a Gram of zeros, where every λ gives the null model
  if (s.top > 0 && std::isfinite(s.top)) {
    // Σ d/(d+λ) ≤ tr/λ and Σ λ/(d+λ) ≤ λ Σ 1/d; with squared eigenvalues tr·d₁ ≥ Σ d² and (Σ 1/d)² ≥ Σ 1/d².
    // Below the rounding error of the Gram nothing more can be told apart; a design decomposed itself is good to its square.
    const double margin = 150;  // Landweber needs 100·2 log 2
    const double rounding = default_range_tolerance(smoother.rows()) * s.top;
    const bool resolved = !smoother.is_kernel() && smoother.spectrum().resolved;
    lo = std::max(1 / (margin * s.inverse_trace),
                  resolved ? default_range_tolerance(smoother.rows()) * rounding : rounding);
    hi = margin * s.trace;
    if (smoother.filter().shift == Shift::squared) {
      lo = std::max(1 / (margin * s.inverse_trace) / s.inverse_trace, rounding * rounding);
      hi *= s.top;
    }
  }
  // Whole decades: the ends must not move with the last bits of an eigenvalue.
  double first = std::floor(std::log10(std::max(lo, 1e-300)));
  const double last = std::ceil(std::log10(std::min(hi, 1e300)));
  if (const double cheap = smoother.decomposition().least_cheap_lambda();
      cheap > 0 && std::log10(cheap) >= first)
    first = std::floor(std::log10(cheap)) + 1;
  const double decades = std::max(last - first, 1.0);
  return log_grid(std::pow(10, first), std::pow(10, first + decades),
                  static_cast<int>(decades) * per_decade + 1);
}

}  // namespace gnomon
