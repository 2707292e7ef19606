#include "gnomon/search/minimise.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/text.hpp"
#include "gnomon/core/error.hpp"

namespace gnomon {
namespace {

struct Point {
  Vector theta, gradient;
  double value = undefined;
};

class Descent {
 public:
  Descent(const LogObjective& objective, const SearchOptions& options, SearchResult& result)
      : objective_(objective), options_(options), result_(result) {}

  /// Inside the bounds; a hair away from one counts as the bound itself, which may mean something of its own.
  Vector into_box(const Vector& theta) const {
    constexpr double hair = 1e-6;
    Vector t = theta.cwiseMax(options_.lower).cwiseMin(options_.upper);
    for (Index i = 0; i < t.size(); ++i) {
      if (t[i] > options_.upper[i] - hair) t[i] = options_.upper[i];
      if (t[i] < options_.lower[i] + hair) t[i] = options_.lower[i];
    }
    return t;
  }

  double scale(const Point& p) const {
    return options_.scale > 0 ? options_.scale : std::max(std::abs(p.value), 1e-300);
  }

  Point at(const Vector& theta) {
    ++result_.evaluations;
    Estimate e = objective_(theta);
    if (!std::isfinite(e.value) || !e.gradient.allFinite() || e.gradient.size() != theta.size()) {
      return {theta, Vector::Zero(theta.size()), std::numeric_limits<double>::infinity()};
    }
    return {theta, std::move(e.gradient), e.value};
  }

  /// A parameter that stands at a bound and is pushed against it.
  bool held(const Point& p, Index i) const {
    return (p.theta[i] <= options_.lower[i] && p.gradient[i] > 0) ||
           (p.theta[i] >= options_.upper[i] && p.gradient[i] < 0);
  }
  double projected_norm(const Point& p) const {
    double norm = 0;
    for (Index i = 0; i < p.theta.size(); ++i) {
      if (!held(p, i)) norm = std::max(norm, std::abs(p.gradient[i]));
    }
    return norm;
  }
  bool stationary(const Point& p) const {
    return projected_norm(p) <= options_.gradient_tolerance * scale(p);
  }
  /// Where no step gains anything the search is done if the slope is as good as gone; else the criterion jumps there.
  bool nearly_stationary(const Point& p) const {
    return projected_norm(p) <= std::max(1e-3, options_.gradient_tolerance) * scale(p);
  }
  void record(int start, const Point& p) {
    result_.trace.push_back({start, p.theta, p.value, projected_norm(p)});
  }

  Point run(int start, const Vector& from, bool& converged) {
    Point here = at(into_box(from));
    converged = false;
    if (!std::isfinite(here.value)) return here;
    record(start, here);
    const Index n = here.theta.size();
    const int budget = result_.evaluations + options_.max_evaluations;
    Matrix inverse = Matrix::Identity(n, n);
    bool fresh = true;
    double before = here.value;
    for (int step = 1; result_.evaluations < budget; ++step) {
      if (stationary(here)) {
        converged = true;
        break;
      }
      const Vector direction = descent(here, inverse, fresh);
      const auto there = line_search(here, direction, budget);
      if (!there) {
        if (fresh) {
          converged = nearly_stationary(here);  // no lower value along the gradient
          break;
        }
        inverse.setIdentity(), fresh = true;
        continue;
      }
      update(inverse, fresh, there->theta - here.theta, there->gradient - here.gradient);
      here = *there;
      record(start, here);
      if (step % 3 == 0) {
        if (before - here.value <= options_.value_tolerance * scale(here)) {
          converged = nearly_stationary(here);
          break;
        }
        before = here.value;
      }
    }
    return here;
  }

  /// Moves flat parameters to a bound where that costs nothing; each is tried once.
  void probe_bounds(Point& best) {
    probed_.resize(static_cast<std::size_t>(best.theta.size()), false);
    for (Index i = 0; i < best.theta.size(); ++i) {
      if (probed_[static_cast<std::size_t>(i)]) continue;
      const double flat = std::min(1e3 * options_.gradient_tolerance, 1e-2) * scale(best);
      if (std::abs(best.gradient[i]) > flat) continue;
      probed_[static_cast<std::size_t>(i)] = true;
      for (const double bound : {options_.upper[i], options_.lower[i]}) {
        if (best.theta[i] == bound) break;
        Vector theta = best.theta;
        theta[i] = bound;
        Point there = at(theta);
        if (there.value <= best.value + options_.plateau_tolerance * scale(best)) {
          best = std::move(there);
          break;
        }
      }
    }
  }

  /// A long step may have left a parameter on a plateau by mistake: there the gradient is too small to go on, but its sign
  /// still points inward. Such parameters are tried inside the box.
  void reenter(Point& best) {
    for (Index i = 0; i < best.theta.size(); ++i) {
      const bool inward = (best.theta[i] >= options_.upper[i] && best.gradient[i] > 0) ||
                          (best.theta[i] <= options_.lower[i] && best.gradient[i] < 0);
      if (!inward) continue;
      for (const double part : {0.5, 0.4, 0.6, 0.25, 0.75}) {
        Vector theta = best.theta;
        theta[i] = options_.lower[i] + part * (options_.upper[i] - options_.lower[i]);
        Point there = at(theta);
        if (!(there.value < best.value - options_.plateau_tolerance * scale(best))) continue;
        best = std::move(there);
        break;
      }
    }
  }

 private:
  Vector descent(const Point& p, const Matrix& inverse, bool fresh) const {
    const Index n = p.theta.size();
    Vector free = Vector::Ones(n);
    for (Index i = 0; i < n; ++i) {
      if (held(p, i)) free[i] = 0;
    }
    const Vector slope = p.gradient.cwiseProduct(free);
    Vector d = -(inverse * slope).cwiseProduct(free);
    if (fresh || !(d.dot(slope) < 0)) d = -slope / std::max(slope.cwiseAbs().maxCoeff(), 1e-300);
    const double length = d.cwiseAbs().maxCoeff();
    if (length > options_.longest_step) d *= options_.longest_step / length;
    return d;
  }

  /// Armijo backtracking along the projected path, shortened by the parabola through what is known.
  std::optional<Point> line_search(const Point& here, const Vector& direction, int budget) {
    double step = 1;
    for (int tries = 0; tries < 20 && result_.evaluations < budget; ++tries) {
      const Vector theta = into_box(here.theta + step * direction);
      const double slope = here.gradient.dot(theta - here.theta);
      if (!(slope < 0)) return {};
      Point there = at(theta);
      if (there.value <= here.value + 1e-4 * slope && there.value < here.value) return there;
      const double curved = there.value - here.value - slope;
      const double ideal = std::isfinite(curved) && curved > 0 ? -0.5 * slope / curved : 0.1;
      step *= std::clamp(ideal, 0.1, 0.5);
    }
    return {};
  }

  static void update(Matrix& inverse, bool& fresh, const Vector& s, const Vector& y) {
    const double sy = s.dot(y);
    if (!(sy > 1e-12 * s.norm() * y.norm())) return;  // no curvature seen along this step
    if (fresh) inverse = Matrix::Identity(s.size(), s.size()) * (sy / y.squaredNorm());
    fresh = false;
    const Vector hy = inverse * y;
    inverse +=
        (1 + y.dot(hy) / sy) / sy * (s * s.transpose()) - (hy * s.transpose() + s * hy.transpose()) / sy;
  }

  const LogObjective& objective_;
  const SearchOptions& options_;
  SearchResult& result_;
  std::vector<bool> probed_;
};

void check(const std::vector<Vector>& starts, const SearchOptions& options) {
  require(!starts.empty(), "search: no starting point; give at least one");
  for (const auto& start : starts) {
    require(start.size() == options.lower.size() && start.size() == options.upper.size() && start.allFinite(),
            "search: a start of {} parameters with bounds for {} and {}; they must agree and be finite",
            start.size(), options.lower.size(), options.upper.size());
  }
  require((options.lower.array() <= options.upper.array()).all(),
          "search: a lower bound is above its upper bound");
}

}  // namespace

const char* in_words(Verdict v) {
  switch (v) {
    case Verdict::dropped:
      return "dropped";
    case Verdict::unregularized:
      return "not regularized";
    case Verdict::interior:
      break;
  }
  return "kept";
}

SearchResult minimise_log_parameters(const LogObjective& objective, const std::vector<Vector>& starts,
                                     const SearchOptions& options) {
  check(starts, options);
  SearchResult result;
  Descent descent(objective, options, result);
  Point best;
  best.value = std::numeric_limits<double>::infinity();
  for (std::size_t s = 0; s < starts.size(); ++s) {
    bool converged = false;
    Point end = descent.run(static_cast<int>(s), starts[s], converged);
    result.value_of_start.push_back(end.value);
    if (end.value < best.value) best = std::move(end), result.converged = converged;
  }
  require(std::isfinite(best.value),
          "search: the criterion is not finite at any start; move the starts or the bounds");
  if (options.probe_bounds) {
    const int extra = static_cast<int>(starts.size());
    for (int round = 0; round < 4; ++round) {
      const Vector before = best.theta;
      descent.probe_bounds(best);
      descent.reenter(best);
      if (best.theta == before) break;
      const Point from = best;
      best = descent.run(extra, best.theta, result.converged);  // the other parameters may want to move now
      if (!(best.value <= from.value)) best = from;
    }
  }
  result.parameters = best.theta, result.value = best.value, result.gradient = best.gradient;
  result.gradient_norm = descent.projected_norm(best);
  std::vector<std::string> dropped, free;
  for (Index i = 0; i < best.theta.size(); ++i) {
    const Verdict v = best.theta[i] >= options.upper[i]   ? Verdict::dropped
                      : best.theta[i] <= options.lower[i] ? Verdict::unregularized
                                                          : Verdict::interior;
    result.verdicts.push_back(v);
    const std::string name =
        options.names.empty() ? std::to_string(i) : options.names[static_cast<std::size_t>(i)];
    if (v == Verdict::dropped) dropped.push_back(name);
    if (v == Verdict::unregularized) free.push_back(name);
  }
  result.status = result.converged ? fmt::format("converged after {} evaluations", result.evaluations)
                                   : fmt::format("stopped after {} evaluations, gradient still {:.2g}",
                                                 result.evaluations, result.gradient_norm);
  if (!dropped.empty()) result.status += "; at the upper bound, dropped: " + join(dropped);
  if (!free.empty()) result.status += "; at the lower bound, not regularized: " + join(free);
  return result;
}

}  // namespace gnomon
