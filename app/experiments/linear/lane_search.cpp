#include "lane_search.hpp"

#include <algorithm>
#include <cmath>

namespace gnomon::experiments {

LaneGrid::LaneGrid(const LaneRidge& ridge) : ridge_(ridge), kappa_(points) {
  for (int l = 0; l < 8; ++l) {
    double least = ridge.lambda[0][l], largest = least;
    for (Index j = 1; j < LaneRidge::inputs; ++j) {
      least = std::min(least, ridge.lambda[j][l]), largest = std::max(largest, ridge.lambda[j][l]);
    }
    const double lower = 1e-4 * std::max(least, 1e-13 * largest), upper = 1e3 * largest;
    const double step = std::pow(upper / lower, 1 / static_cast<double>(points - 1));
    double kappa = lower;
    for (Index i = 0; i < points; ++i, kappa *= step) kappa_[i][l] = kappa;
  }
}

std::array<double, 8> LaneGrid::minimise(LaneCurve curve) const {
  constexpr double golden = 0.6180339887498949;
  constexpr int steps = 18;  // the bracket shrinks to 2e-4 of two grid steps
  LaneBuffer values(points);
  curve(ridge_, kappa_.data(), points, values.data());
  std::array<Index, 8> best{};
  for (Index i = 1; i < points; ++i) {
    for (std::size_t l = 0; l < 8; ++l) {
      if (values[i][l] < values[best[l]][l]) best[l] = i;
    }
  }
  alignas(64) double a[8], b[8], inner[2][8], value[2][8], probe[8], found[8];
  for (std::size_t l = 0; l < 8; ++l) {
    a[l] = kappa_[std::max<Index>(best[l] - 1, 0)][l];
    b[l] = kappa_[std::min<Index>(best[l] + 1, points - 1)][l];
    inner[0][l] = b[l] - golden * (b[l] - a[l]);
    inner[1][l] = a[l] + golden * (b[l] - a[l]);
  }
  curve(ridge_, inner[0], 2, value[0]);
  for (int step = 0; step < steps; ++step) {
    bool lower[8];
    for (int l = 0; l < 8; ++l) {
      lower[l] = value[0][l] < value[1][l];
      if (lower[l]) {
        b[l] = inner[1][l], inner[1][l] = inner[0][l], value[1][l] = value[0][l];
        probe[l] = inner[0][l] = b[l] - golden * (b[l] - a[l]);
      } else {
        a[l] = inner[0][l], inner[0][l] = inner[1][l], value[0][l] = value[1][l];
        probe[l] = inner[1][l] = a[l] + golden * (b[l] - a[l]);
      }
    }
    curve(ridge_, probe, 1, found);
    for (int l = 0; l < 8; ++l) value[lower[l] ? 0 : 1][l] = found[l];
  }
  std::array<double, 8> chosen;
  for (std::size_t l = 0; l < 8; ++l) {
    chosen[l] = best[l] == 0            ? 0
                : best[l] == points - 1 ? kappa_[points - 1][l]
                                        : (value[0][l] < value[1][l] ? inner[0][l] : inner[1][l]);
  }
  return chosen;
}

std::array<double, 8> LaneGrid::downhill_zero(LaneCurve slope) const {
  LaneBuffer values(points);
  alignas(64) double here[8], a[8], b[8], middle[8];
  slope(ridge_, kappa_.data(), points, values.data());
  slope(ridge_, ridge_.totals[1], 1, here);
  std::array<double, 8> chosen{};
  bool open[8];
  for (std::size_t l = 0; l < 8; ++l) {
    const double start = ridge_.totals[1][l];
    const bool down = here[l] > 0;  // the slope rises with κ: go down
    Index i = 0;
    while (i < points && kappa_[i][l] <= start) ++i;  // first grid point above the start
    double last = start;
    open[l] = false;
    a[l] = b[l] = start;
    chosen[l] = down ? 0 : kappa_[points - 1][l];
    for (Index at = down ? i - 1 : i; at >= 0 && at < points; at += down ? -1 : 1) {
      if ((values[at][l] > 0) != down) {
        a[l] = std::min(last, kappa_[at][l]), b[l] = std::max(last, kappa_[at][l]);
        open[l] = true;
        break;
      }
      last = kappa_[at][l];
    }
  }
  for (int step = 0; step < 20; ++step) {
    for (int l = 0; l < 8; ++l) middle[l] = 0.5 * (a[l] + b[l]);
    slope(ridge_, middle, 1, here);
    for (int l = 0; l < 8; ++l) (here[l] > 0 ? b : a)[l] = middle[l];
  }
  for (std::size_t l = 0; l < 8; ++l) {
    if (open[l]) chosen[l] = 0.5 * (a[l] + b[l]);
  }
  return chosen;
}

}  // namespace gnomon::experiments
