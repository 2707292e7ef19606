#include "gnomon/criteria/evidence.hpp"

#include <cmath>
#include <numbers>

namespace gnomon {

double likelihood_normaliser(double t) {
  return std::sqrt(std::numbers::pi) * std::erf(t) + std::exp(-t * t) / t;
}

// The slope increases in β, and its last term lies between 0 and n.
double best_precision(double objective, double n, double fixed, double tau) {
  const auto slope = [&](double beta) {
    const double t = tau * std::sqrt(beta);
    return 2 * beta * objective - (n - fixed) - n * std::exp(-t * t) / (t * likelihood_normaliser(t));
  };
  double lo = (n - fixed) / (2 * objective), hi = (2 * n - fixed) / (2 * objective);
  if (slope(lo) >= 0) return lo;
  while (hi - lo > 1e-14 * hi) {
    const double middle = (lo + hi) / 2;
    if (middle == lo || middle == hi) break;
    (slope(middle) < 0 ? lo : hi) = middle;
  }
  return (lo + hi) / 2;
}

}  // namespace gnomon
