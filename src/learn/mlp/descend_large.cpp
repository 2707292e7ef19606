#include <algorithm>
#include <cmath>

#include "core/listening.hpp"
#include "descent.hpp"
#include "gauss_newton_inverse.hpp"
#include "gnomon/core/random.hpp"
#include "limited_memory.hpp"

namespace gnomon::mlp {
namespace {

struct CgStep {
  Vector step, product;  ///< s and Js
  double length = 0;     ///< |s|_M
  bool on_boundary = false;
};

/// Steihaug's conjugate gradients: min gᵀs + ½sᵀJs over |s|_M ≤ radius, preconditioned by M⁻¹. The norms in M follow by
/// recurrence (Conn, Gould and Toint, Trust-Region Methods, 2000, section 7.5.1).
CgStep steihaug(const MlpTangents& tangents, const GaussNewtonInverse& inverse, const Vector& g,
                double radius, double relative) {
  CgStep out{Vector::Zero(g.size()), Vector::Zero(g.size())};
  Vector residual = -g, solved = inverse(residual), direction = solved;
  double rz = residual.dot(solved), dd = rz, sd = 0, ss = 0;
  const double stop = relative * relative * rz;
  for (Index k = 0; k < std::min<Index>(2 * g.size(), 1000) && rz > stop; ++k) {
    stop_if_asked();
    const Vector product = tangents.hessian_vector(direction);
    const double curvature = direction.dot(product), alpha = rz / curvature;
    const double reached = ss + 2 * alpha * sd + alpha * alpha * dd;
    if (!(curvature > 1e-16 * dd) || reached >= radius * radius) {
      const double tau = (-sd + std::sqrt(sd * sd + dd * (radius * radius - ss))) / dd;
      out.step += tau * direction, out.product += tau * product;
      out.length = radius, out.on_boundary = true;
      return out;
    }
    out.step += alpha * direction, out.product += alpha * product;
    ss = reached, out.length = std::sqrt(reached);
    residual -= alpha * product;
    solved = inverse(residual);
    const double next = residual.dot(solved), beta = next / rz;
    direction = solved + beta * direction;
    sd = beta * (sd + alpha * dd), dd = next + beta * beta * dd, rz = next;
  }
  return out;
}

}  // namespace

bool search_line(const MlpCost& cost, const Vector& direction, double step, Iterate& at) {
  const double slope = at.gradient.dot(direction);
  if (!(slope < 0)) return false;
  for (int k = 0; k < 40; ++k) {
    Iterate next = iterate_at(cost, at.w + step * direction);
    const double noise = 1e-14 * std::abs(at.cost);
    if (std::isfinite(next.cost) && next.cost <= at.cost + 1e-4 * step * slope + noise) {
      next.iterations = at.iterations + 1;
      at = std::move(next);
      return true;
    }
    const double curved = next.cost - at.cost - step * slope;
    const double ideal = std::isfinite(curved) && curved > 0 ? -0.5 * slope * step / curved : 0.1;
    step *= std::clamp(ideal, 0.1, 0.5);
  }
  return false;
}

void descend_lbfgs(const MlpCost& cost, double target, int max_iterations, Iterate& at) {
  LimitedMemory memory(20);
  for (int k = 0; k < max_iterations && at.norm() > target && !at.unbounded(); ++k) {
    const Vector w = at.w, g = at.gradient;
    const Vector direction = -memory.apply(g, [&](const Vector& v) -> Vector { return memory.scale() * v; });
    const double first = memory.empty() ? std::min(1.0, 1 / g.norm()) : 1.0;
    if (search_line(cost, direction, first, at)) {
      memory.add(at.w - w, at.gradient - g);
    } else if (memory.empty()) {
      return;
    } else {
      memory.clear();
    }
  }
}

void descend_large(const MlpCost& cost, const MlpTrainOptions& options, Iterate& at) {
  constexpr int steps_per_inverse = 50, patience = 300;
  // Far away, where the gradient is no small part of the cost, gradients alone go down as fast.
  if (at.norm() > 0.05 * at.cost)
    descend_lbfgs(cost, std::max(1e-2 * at.norm(), options.tolerance),
                  std::min(patience, options.max_iterations / 4), at);
  const auto done = [&] {
    return at.certified(options.tolerance) || at.iterations >= options.max_iterations || at.unbounded();
  };
  const int last = at.iterations + 9 * (options.max_iterations - at.iterations) / 10;
  while (!done() && at.iterations < last) {
    const GaussNewtonInverse inverse(cost, at.w);
    const int most = std::min(steps_per_inverse, last - at.iterations);
    if (descend_around(cost, inverse, most, options.tolerance, at) == 0) break;
  }
  double radius = std::sqrt(std::max(at.cost, 1e-300));
  while (!done()) {
    const MlpTangents tangents(cost, at.w);
    const GaussNewtonInverse inverse(cost, at.w);
    const CgStep cg =
        steihaug(tangents, inverse, at.gradient, radius, std::min(0.1, std::sqrt(at.gradient.norm())));
    const double predicted = -(at.gradient.dot(cg.step) + 0.5 * cg.step.dot(cg.product));
    Iterate next = iterate_at(cost, at.w + cg.step);
    const bool in_the_noise = predicted <= 1e-12 * std::max(std::abs(at.cost), 1e-300);
    const double ratio =
        in_the_noise ? (next.norm() < at.norm() ? 1.0 : -1.0) : (at.cost - next.cost) / predicted;
    next.iterations = at.iterations + 1;
    ++at.iterations;
    if (ratio > 0.75 && cg.on_boundary) radius *= 2;
    if (!(ratio > 0.25)) radius = 0.25 * cg.length;
    if (std::isfinite(next.cost) && ratio > 1e-4) at = std::move(next);
    if (radius < 1e-14 * std::sqrt(std::max(at.cost, 1e-300))) return;
  }
}

// Conjugate gradients on a random right-hand side meet a direction of negative curvature, if there is one that
// matters, within a few times the number of distinct eigenvalue clusters.
LeastCurvature least_curvature_large(const MlpCost& cost, const Vector& w) {
  const MlpTangents tangents(cost, w);
  LeastCurvature out;
  Vector residual = Random(1, 77).normal_vector(w.size()), direction = residual;
  double rr = residual.squaredNorm();
  const double start = rr;
  for (int k = 0; k < 300 && rr > 1e-20 * start; ++k) {
    stop_if_asked();
    const Vector product = tangents.hessian_vector(direction);
    const double curvature = direction.dot(product), dd = direction.squaredNorm();
    out.scale = std::max(out.scale, product.norm() / std::sqrt(dd));
    if (curvature <= 1e-14 * out.scale * dd) {
      out.value = curvature / dd;
      out.direction = direction / std::sqrt(dd);
      return out;
    }
    const double alpha = rr / curvature;
    residual -= alpha * product;
    const double next = residual.squaredNorm();
    direction = residual + (next / rr) * direction;
    rr = next;
  }
  out.positive_definite = true;
  return out;
}

}  // namespace gnomon::mlp
