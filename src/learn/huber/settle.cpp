// Minimisers that are not the only ones: finding out, and choosing the same one whatever the start.

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "newton.hpp"

namespace gnomon {

/// Up to which distance from |u_i| = τ rounding may have put the row on the wrong side.
double HuberNewton::edge(Index i) const {
  return std::max(1e-11 * tau_, 4 * std::numeric_limits<double>::epsilon() * std::fabs(y_[i]));
}

/// How far the residuals beyond τ let the point move along `direction` before the first of them comes within τ.
HuberNewton::Reach HuberNewton::reach(const Vector& direction, const std::vector<char>& interior) const {
  Reach first{std::numeric_limits<double>::infinity(), -1};
  const double length = direction.norm();
  for (Index i = 0; i < y_.size(); ++i) {
    if (interior[static_cast<std::size_t>(i)]) continue;
    const Eigen::Map<const Vector> row(design_.row(i), design_.size());
    const double move = row.dot(direction.head(design_.size()));
    const double inwards = residual_[i] > 0 ? move : -move;
    if (inwards <= 1e-9 * row.norm() * length) continue;
    const double distance = std::fabs(residual_[i]) - tau_;
    const double step = distance > edge(i) ? distance / inwards : 0;
    if (step < first.step) first = {step, i};
  }
  return first;
}

/// Where the rows strictly within τ leave a direction flat: decides whether other minimisers exist and goes to the
/// lower end, so that the answer does not depend on the start and J, with the row met there in S, is its derivative.
void HuberNewton::settle() {
  unique_ = true;
  bool boundary = false;
  std::vector<char> interior(inside_.size());
  for (std::size_t i = 0; i < inside_.size(); ++i) {
    const double beyond = std::fabs(residual_[static_cast<Index>(i)]) - tau_;
    const double tolerance = edge(static_cast<Index>(i));
    interior[i] = beyond < -tolerance;
    boundary = boundary || (!interior[i] && beyond <= tolerance);
  }
  if (!boundary && !hessian_.singular()) return;
  hessian_.move_to(interior);
  hessian_.factor(lambda_);
  if (!hessian_.singular()) {
    hessian_.move_to(inside_);
    hessian_.factor(lambda_);
    return;
  }
  for (bool first = true;; first = false) {
    std::vector<Index> rows;
    for (std::size_t i = 0; i < interior.size(); ++i)
      if (interior[i]) rows.push_back(static_cast<Index>(i));
    const HuberRoot root(design_, std::move(rows), lambda_);
    if (root.nullity() == 0) break;
    Vector flat = Vector::Zero(design_.stride());
    flat.head(design_.size()) = root.flat_direction();
    Index sign = design_.size() - 1;  // the constant, if there is one
    while (sign > 0 && std::fabs(flat[sign]) <= 1e-9 * flat.norm()) --sign;
    if (flat[sign] > 0) flat = -flat;
    const Reach down = reach(flat, interior);
    if (down.row < 0) break;
    if (first) unique_ = root.nullity() == 1 && down.step == 0 && reach(-flat, interior).step == 0;
    z_ += down.step * flat;
    refresh_residual();
    interior[static_cast<std::size_t>(down.row)] = 1;
  }
  // Newton's step on the rows now in S takes out the rounding of a long way along the segment.
  for (int step = 0;; ++step) {
    gap_ = gradient_gap(tau_);
    for (std::size_t i = 0; i < inside_.size(); ++i) inside_[i] = inside_[i] || interior[i];
    hessian_.move_to(inside_);
    hessian_.factor(lambda_);
    if (step == 2 || gap_ <= 1e-13) break;
    hessian_.solve(gradient_.data(), direction_.data());
    z_ += direction_;
    refresh_residual();
  }
}

}  // namespace gnomon
