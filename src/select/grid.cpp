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

std::vector<double> parse_grid(std::string_view text, std::string_view what, std::string_view automatic) {
  const auto number = [&](const std::string& part) {
    const auto value = parse_number(part);
    if (!value)
      throw UsageError(fmt::format("{} '{}' is not understood; give {}, lo:hi:count, or numbers a,b,c", what,
                                   text, automatic));
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
    throw UsageError(fmt::format("{} is empty; give {}, lo:hi:count, or numbers a,b,c", what, automatic));
  std::sort(grid.begin(), grid.end());
  grid.erase(std::unique(grid.begin(), grid.end()), grid.end());
  return grid;
}

std::vector<double> parse_unit_grid(std::string_view text, std::string_view what) {
  std::vector<double> grid;
  const bool range = text.find(':') != std::string_view::npos;
  const auto parts = split(text, range ? ':' : ',');
  for (const auto& part : parts) {
    const auto value = parse_number(part);
    if (!value || (range && parts.size() != 3))
      throw UsageError(
          fmt::format("{} '{}' is not understood; give lo:hi:count or numbers a,b,c in [0,1]", what, text));
    grid.push_back(*value);
  }
  if (grid.empty())
    throw UsageError(fmt::format("{} is empty; give lo:hi:count or numbers a,b,c in [0,1]", what));
  if (range) {
    const double lo = grid[0], hi = grid[1], count = grid[2];
    require(count >= 2 && count <= 10000 && count == std::floor(count) && lo < hi,
            "{} {}: lo must be below hi and count a whole number from 2 to 10000", what, text);
    grid.clear();
    for (int k = 0; k < static_cast<int>(count); ++k) grid.push_back(lo + (hi - lo) * k / (count - 1));
    grid.back() = hi;
  }
  std::sort(grid.begin(), grid.end());
  grid.erase(std::unique(grid.begin(), grid.end()), grid.end());
  require(grid.front() >= 0 && grid.back() <= 1, "{} {}: values must lie in [0,1]", what, text);
  return grid;
}

std::vector<double> parse_values(std::string_view text, std::string_view what, Spacing spacing) {
  switch (spacing) {
    case Spacing::logarithmic:
      return parse_grid(text, what);
    case Spacing::even:
      return parse_unit_grid(text, what);
    case Spacing::none:
      break;
  }
  std::vector<double> values;
  for (const auto& part : split(text, ',')) {
    const auto value = parse_number(part);
    if (!value || !std::isfinite(*value))
      throw UsageError(fmt::format("{} '{}' is not understood; give auto, or numbers a,b,c", what, text));
    values.push_back(*value);
  }
  if (values.empty()) throw UsageError(fmt::format("{} is empty; give auto, or numbers a,b,c", what));
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

std::vector<double> automatic_grid(const Smoother& smoother, int per_decade) {
  const SpectrumScales s = smoother.decomposition().scales();
  double lo = 1e-3, hi = 1e3;  // for a Gram of zeros, where every λ gives the null model
  if (s.top > 0 && std::isfinite(s.top)) {
    // Σ d/(d+λ) ≤ tr/λ and Σ λ/(d+λ) ≤ λ Σ 1/d; with squared eigenvalues tr·d₁ ≥ Σ d² and (Σ 1/d)² ≥ Σ 1/d².
    // Below the rounding error of the Gram nothing more can be told apart.
    const double margin = 150;  // Landweber needs 100·2 log 2
    const double rounding = default_range_tolerance(smoother.rows()) * s.top;
    lo = std::max(1 / (margin * s.inverse_trace), rounding);
    hi = margin * s.trace;
    if (smoother.filter().shift == Shift::squared) {
      lo = std::max(1 / (margin * s.inverse_trace) / s.inverse_trace, rounding * rounding);
      hi *= s.top;
    }
  }
  // Whole decades: the ends must not move with the last bits of an eigenvalue.
  const double first = std::floor(std::log10(std::max(lo, 1e-300))),
               last = std::ceil(std::log10(std::min(hi, 1e300)));
  const double decades = std::max(last - first, 1.0);
  return log_grid(std::pow(10, first), std::pow(10, first + decades),
                  static_cast<int>(decades) * per_decade + 1);
}

}  // namespace gnomon
