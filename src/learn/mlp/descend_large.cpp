#include <algorithm>
#include <cmath>

#include "descent.hpp"
#include "gnomon/core/random.hpp"
#include "limited_memory.hpp"

namespace gnomon::mlp {
namespace {

struct CgStep {
  Vector step, product;  ///< s and Js
  bool on_boundary = false;
};

/// Steihaug's conjugate gradients: min gᵀs + ½sᵀJs over |s| ≤ radius.
CgStep steihaug(const MlpTangents& tangents, const Vector& g, double radius, double relative) {
  CgStep out{Vector::Zero(g.size()), Vector::Zero(g.size())};
  Vector residual = -g, direction = residual;
  double rr = residual.squaredNorm();
  const double stop = relative * relative * rr;
  for (Index k = 0; k < std::min<Index>(2 * g.size(), 2000) && rr > stop; ++k) {
    const Vector product = tangents.hessian_vector(direction);
    const double curvature = direction.dot(product), dd = direction.squaredNorm();
    const double alpha = rr / curvature;
    if (curvature <= 1e-16 * dd || (out.step + alpha * direction).norm() >= radius) {
      const double sd = out.step.dot(direction), ss = out.step.squaredNorm();
      const double tau = (-sd + std::sqrt(sd * sd + dd * (radius * radius - ss))) / dd;
      out.step += tau * direction, out.product += tau * product;
      out.on_boundary = true;
      return out;
    }
    out.step += alpha * direction, out.product += alpha * product;
    residual -= alpha * product;
    const double next = residual.squaredNorm();
    direction = residual + (next / rr) * direction;
    rr = next;
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
    const Vector direction = -memory.apply(g, [&](Vector v) -> Vector { return memory.scale() * v; });
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
  descend_lbfgs(cost, std::max(1e-4 * at.norm(), options.tolerance), options.max_iterations / 2, at);
  double radius = 1;
  while (!at.certified(options.tolerance) && at.iterations < options.max_iterations && !at.unbounded()) {
    const MlpTangents tangents(cost, at.w);
    const double norm = at.gradient.norm();
    const CgStep cg = steihaug(tangents, at.gradient, radius, std::min(0.1, std::sqrt(norm)));
    const double predicted = -(at.gradient.dot(cg.step) + 0.5 * cg.step.dot(cg.product));
    Iterate next = iterate_at(cost, at.w + cg.step);
    const bool in_the_noise = predicted <= 1e-12 * std::max(std::abs(at.cost), 1e-300);
    const double ratio =
        in_the_noise ? (next.norm() < at.norm() ? 1.0 : -1.0) : (at.cost - next.cost) / predicted;
    next.iterations = at.iterations + 1;
    ++at.iterations;
    if (ratio > 0.75 && cg.on_boundary) radius *= 2;
    if (!(ratio > 0.25)) radius = 0.25 * cg.step.norm();
    if (std::isfinite(next.cost) && ratio > 1e-4) at = std::move(next);
    if (radius < 1e-14 * (1 + at.w.norm())) return;
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
