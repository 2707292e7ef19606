#include "gnomon/represent/quadrature.hpp"

#include <lapacke.h>

#include <cmath>
#include <utility>

#include "gnomon/core/error.hpp"

namespace gnomon {
namespace {

/// The rule of total mass 1 for a weight symmetric about 0, from the off-diagonal b_1, b_2, … of its Jacobi
/// matrix.
Quadrature symmetric_rule(const Vector& off_diagonal) {
  const Index order = off_diagonal.size() + 1;
  Quadrature rule{Vector::Zero(order), Vector(order)};
  Vector scratch = off_diagonal;
  const auto info = LAPACKE_dsterf(static_cast<lapack_int>(order), rule.nodes.data(), scratch.data());
  require(info == 0, "the eigenvalue iteration for a quadrature rule of order {} did not converge", order);
  rule.nodes = 0.5 * (rule.nodes - rule.nodes.reverse()).eval();  // odd moments rely on the symmetry
  for (Index i = 0; i < order; ++i) {
    constexpr double kNegligible = 1e300;  // beyond: a weight that is 0 in double precision
    double before = 0, polynomial = 1, squares = 1;
    for (Index k = 0; k + 1 < order && squares < kNegligible; ++k) {
      const double next =
          (rule.nodes[i] * polynomial - (k > 0 ? off_diagonal[k - 1] * before : 0)) / off_diagonal[k];
      before = std::exchange(polynomial, next);
      squares += next * next;
    }
    rule.weights[i] = squares < kNegligible ? 1 / squares : 0;
  }
  rule.weights /= rule.weights.sum();
  return rule;
}

void check_order(Index order) {
  require(order >= 1, "a quadrature rule of order {} has no nodes: use 1 or more", order);
}

}  // namespace

Quadrature gauss_legendre(Index order, double a, double b) {
  check_order(order);
  require(std::isfinite(a) && std::isfinite(b) && a < b,
          "the interval [{}, {}] is empty or unbounded: give a < b", a, b);
  Vector off_diagonal(order - 1);
  for (Index k = 1; k < order; ++k) {
    const auto j = static_cast<double>(k);
    off_diagonal[k - 1] = j / std::sqrt(4 * j * j - 1);
  }
  Quadrature rule = symmetric_rule(off_diagonal);
  rule.nodes = (0.5 * (a + b) + 0.5 * (b - a) * rule.nodes.array()).matrix().eval();
  rule.weights *= b - a;
  return rule;
}

Quadrature gauss_hermite(Index order, double mean, double sd) {
  check_order(order);
  require(std::isfinite(mean) && std::isfinite(sd) && sd > 0,
          "a normal density needs a finite mean and a positive standard deviation, not {} and {}", mean, sd);
  Vector off_diagonal(order - 1);
  for (Index k = 1; k < order; ++k) off_diagonal[k - 1] = std::sqrt(static_cast<double>(k));
  Quadrature rule = symmetric_rule(off_diagonal);
  rule.nodes = (mean + sd * rule.nodes.array()).matrix().eval();
  return rule;
}

Quadrature expectation_rule(const Density& density, Index order) {
  if (const auto* normal = std::get_if<NormalDensity>(&density))
    return gauss_hermite(order, normal->mean, normal->sd);
  const auto& uniform = std::get<UniformDensity>(density);
  Quadrature rule = gauss_legendre(order, uniform.a, uniform.b);
  rule.weights /= uniform.b - uniform.a;
  return rule;
}

Quadrature even_expectation_rule(const Density& density, Index order) {
  const auto* normal = std::get_if<NormalDensity>(&density);
  if (!normal) return expectation_rule(density, order);
  require(order >= 2, "the trapezoidal rule needs 2 nodes, not {}", order);
  require(std::isfinite(normal->mean) && std::isfinite(normal->sd) && normal->sd > 0,
          "a normal density needs a finite mean and a positive standard deviation, not {} and {}",
          normal->mean, normal->sd);
  const Vector away = Vector::LinSpaced(order, -10, 10);
  Quadrature rule{(normal->mean + normal->sd * away.array()).matrix(),
                  (-0.5 * away.array().square()).exp().matrix()};
  rule.weights /= rule.weights.sum();
  return rule;
}

}  // namespace gnomon
