#include "gnomon/select/grid.hpp"

#include <algorithm>
#include <cmath>

#include "gnomon/core/error.hpp"
#include "gnomon/core/text.hpp"

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

std::vector<double> parse_grid(std::string_view text, std::string_view what) {
  const auto number = [&](const std::string& part) {
    const auto value = parse_number(part);
    if (!value)
      throw UsageError(
          fmt::format("{} '{}' is not understood; give auto, lo:hi:count, or numbers a,b,c", what, text));
    require(std::isfinite(*value) && *value >= 0, "{} {} is not allowed; values must be finite and ≥ 0", what,
            part);
    return *value;
  };
  if (const auto parts = split(text, ':'); parts.size() == 3) {
    const double lo = number(parts[0]), hi = number(parts[1]), count = number(parts[2]);
    require(lo > 0 && hi > lo, "{} {}: lo must be positive and below hi (the spacing is logarithmic)", what,
            text);
    require(count >= 2 && count <= 100000 && count == std::floor(count),
            "{} {}: count must be a whole number from 2 to 100000", what, text);
    return log_grid(lo, hi, static_cast<int>(count));
  }
  std::vector<double> grid;
  for (const auto& part : split(text, ',')) grid.push_back(number(part));
  if (grid.empty())
    throw UsageError(fmt::format("{} is empty; give auto, lo:hi:count, or numbers a,b,c", what));
  std::sort(grid.begin(), grid.end());
  grid.erase(std::unique(grid.begin(), grid.end()), grid.end());
  return grid;
}

std::vector<double> automatic_grid(const Smoother& smoother, int count) {
  const SpectrumScales s = smoother.decomposition().scales();
  if (!(s.top > 0) || !std::isfinite(s.top))
    return log_grid(1e-3, 1e3, count);  // every λ gives the null model
  // Σ d/(d+λ) ≤ tr/λ and Σ λ/(d+λ) ≤ λ Σ 1/d; with squared eigenvalues tr·d₁ ≥ Σ d² and (Σ 1/d)² ≥ Σ 1/d².
  const double margin = 150;  // Landweber needs 100·2 log 2
  double lo = 1 / (margin * s.inverse_trace), hi = margin * s.trace;
  if (smoother.filter().shift == Shift::squared) lo /= s.inverse_trace, hi *= s.top;
  lo = std::max(lo, 1e-300);
  return log_grid(lo, std::max(hi, lo * 10), count);
}

}  // namespace gnomon
