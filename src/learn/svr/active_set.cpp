#include <algorithm>
#include <cmath>
#include <limits>

#include "factor.hpp"
#include "problem.hpp"

namespace gnomon::svr {
namespace {

constexpr double rounding = std::numeric_limits<double>::epsilon();

/// Where a row stands: β = 0, free with a sign, or at ±bound.
enum class Side : signed char { lower = -2, negative = -1, zero = 0, positive = 1, upper = 2 };

class ActiveSet {
 public:
  ActiveSet(const Problem& problem, Point start)
      : p_(problem),
        n_(problem.rows()),
        beta_(std::move(start.beta)),
        b_(start.offset),
        free_(problem.gram, problem.intercept),
        largest_(problem.gram.diagonal().maxCoeff()) {
    side_.resize(static_cast<std::size_t>(n_));
    in_change_.assign(static_cast<std::size_t>(n_), -1);
    std::vector<Index> candidates;
    for (Index i = 0; i < n_; ++i) {
      side(i) = classify(i);
      if (is_free(i)) candidates.push_back(i);
    }
    refresh_residual();
    for (const Index i : free_.assign(std::move(candidates))) enter(i);
  }

  Solution run() {
    // Finite in exact arithmetic while steps have positive length; ties are met by a limit and by the gap.
    const Index limit = 20 * n_ + 1000;
    bool settled = false, fresh = false;
    int refinements = 0;
    for (Index step = 0; step < limit && !settled; ++step) {
      solve_free();
      if (price()) {
        fresh = false;
        if (step % 64 == 63) {
          refresh_residual();
          const Solution now = certificate();
          if (step > 4 * n_ + 256 && now.gap <= p_.tolerance * now.primal) break;
        }
      } else if (!fresh || (refinements < 6 && mismatch() > floor_)) {
        // Once on residuals without drift, then as often as an ill-conditioned K_FF needs.
        refinements = fresh ? refinements + 1 : 0;
        refresh_residual();
        fresh = true;
      } else {
        settled = true;
      }
    }
    has_interior();
    for (Index k = free_.size(); k-- > 0;) {
      if (!interior(row(k))) retire(k);
    }
    apply_changes();
    return certificate();
  }

 private:
  Side& side(Index i) { return side_[static_cast<std::size_t>(i)]; }
  bool is_free(Index i) { return side(i) == Side::positive || side(i) == Side::negative; }
  double sign(Index i) { return static_cast<signed char>(side(i)) > 0 ? 1 : -1; }
  Side classify(Index i) const {
    if (beta_[i] == 0) return Side::zero;
    if (beta_[i] >= p_.bound[i]) return Side::upper;
    if (beta_[i] <= -p_.bound[i]) return Side::lower;
    return beta_[i] > 0 ? Side::positive : Side::negative;
  }

  void refresh_residual() {
    r_ = p_.y - p_.gram.times(beta_);
    change_rows_.clear();
    change_.clear();
    std::fill(in_change_.begin(), in_change_.end(), -1);
    // Rounding of Kβ, the floor below which a violation means nothing.
    floor_ = 8 * rounding * (p_.y.cwiseAbs().maxCoeff() + p_.epsilon + largest_ * beta_.norm());
  }

  void shift(Index i, double by) {
    beta_[i] += by;
    Index& at = in_change_[static_cast<std::size_t>(i)];
    if (at < 0) {
      at = static_cast<Index>(change_rows_.size());
      change_rows_.push_back(i);
      change_.push_back(0);
    }
    change_[static_cast<std::size_t>(at)] -= by;
  }

  /// Brings r = y − Kβ up to date after moves of β.
  void apply_changes() {
    p_.gram.add_columns(change_rows_, change_.data(), r_.data());
    for (const Index i : change_rows_) in_change_[static_cast<std::size_t>(i)] = -1;
    change_rows_.clear();
    change_.clear();
  }

  /// How far β_i may go in a direction before it meets 0 or its bound.
  double room(Index i, double direction) {
    const double s = sign(i), size = s * beta_[i];
    return std::max(0.0, direction * s > 0 ? p_.bound[i] - size : size);
  }

  /// Puts row i exactly on the end of its range it has just met.
  void settle(Index i, double direction) {
    const bool outward = direction * sign(i) > 0;
    const Side there = !outward ? Side::zero : (sign(i) > 0 ? Side::upper : Side::lower);
    const double target = outward ? sign(i) * p_.bound[i] : 0;
    shift(i, target - beta_[i]);
    beta_[i] = target;
    side(i) = there;
  }

  /// Adds row i, whose side says free. If it depends on the free rows, β moves along the null direction, where
  /// the dual is linear, until a row meets an end of its range: i itself, or a free row that makes room for it.
  void enter(Index i) {
    while (!free_.append(i)) {
      const std::vector<Index>& rows = free_.rows();
      const Vector v = free_.dependence();
      double slope = r_[i] - p_.epsilon * sign(i);
      for (Index k = 0; k < free_.size(); ++k) {
        const Index j = rows[static_cast<std::size_t>(k)];
        slope += v[k] * (r_[j] - p_.epsilon * sign(j));
      }
      const double direction = slope > 0 ? 1 : -1;
      double step = room(i, direction);
      Index blocking = -1;
      for (Index k = 0; k < free_.size(); ++k) {
        const double d = direction * v[k];
        if (std::abs(d) < 1e-9) continue;
        const double limit = room(rows[static_cast<std::size_t>(k)], d) / std::abs(d);
        if (limit < step) step = limit, blocking = k;
      }
      shift(i, direction * step);
      for (Index k = 0; k < free_.size(); ++k)
        shift(rows[static_cast<std::size_t>(k)], direction * step * v[k]);
      if (blocking < 0) {
        settle(i, direction);
        return;
      }
      settle(rows[static_cast<std::size_t>(blocking)], direction * v[blocking]);
      free_.remove(blocking);
    }
  }

  /// Newton on the free rows, K_FF d + b = r_F − ε s_F with Σ(β + d) = 0, shortened at the first end met; the
  /// row that met it leaves, until a full step fits. O(m²) a step, and one update of r at the end.
  void solve_free() {
    apply_changes();
    const std::vector<Index>& rows = free_.rows();
    std::vector<double> at(rows.size());
    for (std::size_t k = 0; k < rows.size(); ++k) at[k] = r_[rows[k]];
    double total = p_.intercept ? -beta_.sum() : 0;
    Vector rhs, d;
    while (!rows.empty()) {
      const Index m = free_.size();
      rhs.resize(m);
      for (Index k = 0; k < m; ++k) rhs[k] = at[static_cast<std::size_t>(k)] - p_.epsilon * sign(row(k));
      const double b = free_.solve(rhs, total, d);
      double step = 1;
      Index blocking = -1;
      for (Index k = 0; k < m; ++k) {
        const double space = room(row(k), d[k]);
        if (space < step * std::abs(d[k])) step = space / std::abs(d[k]), blocking = k;
      }
      b_ = b;
      for (Index k = 0; k < m; ++k) {
        shift(row(k), step * d[k]);
        at[static_cast<std::size_t>(k)] -= step * (rhs[k] - b);
      }
      total *= 1 - step;
      if (blocking < 0) break;
      settle(row(blocking), d[blocking]);
      at.erase(at.begin() + blocking);
      free_.remove(blocking);
    }
    apply_changes();
  }

  /// How far the free rows are from the edge of the tube.
  double mismatch() {
    double worst = 0;
    for (const Index i : free_.rows()) worst = std::max(worst, std::abs(r_[i] - b_ - p_.epsilon * sign(i)));
    return worst;
  }

  /// Limits of b from the rows: l_i ≤ b for β_i that may grow, b ≤ u_i for β_i that may shrink.
  void interval(Index& below, Index& above) {
    double low = -std::numeric_limits<double>::infinity(), high = -low;
    for (Index i = 0; i < n_; ++i) {
      const double up = r_[i] - (beta_[i] >= 0 ? p_.epsilon : -p_.epsilon);
      const double down = r_[i] - (beta_[i] > 0 ? p_.epsilon : -p_.epsilon);
      if (beta_[i] < p_.bound[i] && up > low) low = up, below = i;
      if (beta_[i] > -p_.bound[i] && down < high) high = down, above = i;
    }
    b_ = 0.5 * (low + high);
    width_ = high - low;
  }

  /// Whether β_i is away from 0 and its bound by more than rounding: that of Σβ, which fixes the last free row, and
  /// that of the equations. A step of `blur` moves residuals by |K_ji|·blur ≤ (K_ii max K_jj)^½ blur: by no more than
  /// their floor.
  bool interior(Index i) const {
    const double size = std::abs(beta_[i]);
    const double reach = std::sqrt(p_.gram.diagonal()[i] * largest_);
    const double blur = std::max(8 * rounding * total_size_, reach > 0 ? floor_ / reach : 0);
    return size > blur && p_.bound[i] - size > blur;
  }

  bool has_interior() {
    total_size_ = beta_.lpNorm<1>();
    return std::any_of(free_.rows().begin(), free_.rows().end(), [&](Index i) { return interior(i); });
  }

  /// Puts a free row that is not interior on the end of its range that it meets, and takes it out.
  void retire(Index k) {
    const Index i = row(k);
    settle(i, 2 * std::abs(beta_[i]) > p_.bound[i] ? sign(i) : -sign(i));
    free_.remove(k);
  }

  /// Frees the rows that violate the optimality conditions most; false if none does.
  bool price() {
    if (p_.intercept && !has_interior()) {
      // b is not tied to any row: the pair that violates most can always move.
      while (free_.size() > 0) retire(free_.size() - 1);
      Index below = -1, above = -1;
      interval(below, above);
      if (width_ >= -2 * floor_) return false;
      side(below) = beta_[below] < 0 ? Side::negative : Side::positive;
      enter(below);
      if (is_free(above)) return true;
      side(above) = beta_[above] > 0 ? Side::positive : Side::negative;
      enter(above);
      return true;
    }
    if (!p_.intercept) b_ = 0;
    violation_.clear();
    double worst = 0;
    for (Index i = 0; i < n_; ++i) {
      if (is_free(i)) continue;
      const double u = r_[i] - b_;
      const double by = side(i) == Side::zero    ? std::abs(u) - p_.epsilon
                        : side(i) == Side::upper ? p_.epsilon - u
                                                 : p_.epsilon + u;
      if (by <= floor_) continue;
      violation_.emplace_back(by, i);
      worst = std::max(worst, by);
    }
    if (violation_.empty()) return false;
    const std::size_t most = std::max<std::size_t>(1, violation_.size() / 4);
    std::partial_sort(violation_.begin(), violation_.begin() + static_cast<std::ptrdiff_t>(most),
                      violation_.end(), [](const auto& a, const auto& b) {
                        return a.first > b.first || (a.first == b.first && a.second < b.second);
                      });
    for (std::size_t k = 0; k < most && violation_[k].first >= 0.3 * worst; ++k) {
      const Index i = violation_[k].second;
      if (side(i) == Side::zero) {
        side(i) = r_[i] > b_ ? Side::positive : Side::negative;
      } else {
        side(i) = side(i) == Side::upper ? Side::positive : Side::negative;
      }
      enter(i);
    }
    return true;
  }

  /// The present point with its duality gap Σ C(|u| − ε)₊ + ε|β| − βu, whose terms are all non-negative.
  Solution certificate() {
    Solution s;
    s.free = free_.rows();
    std::sort(s.free.begin(), s.free.end());
    if (p_.intercept && s.free.empty()) {
      interval(s.below, s.above);
      s.unique = width_ <= 2 * floor_;
    }
    s.residual = r_.array() - b_;
    double loss = 0, rounding_share = 0;
    for (Index i = 0; i < n_; ++i) {
      const double u = s.residual[i], excess = p_.bound[i] * std::max(0.0, std::abs(u) - p_.epsilon);
      loss += excess;
      s.gap += std::max(0.0, excess + p_.epsilon * std::abs(beta_[i]) - beta_[i] * u);
      rounding_share += p_.bound[i] * floor_;
    }
    s.primal = std::max(0.0, 0.5 * beta_.dot(p_.y - r_)) + loss;
    s.converged = s.gap <= std::max(p_.tolerance * s.primal, rounding_share);
    s.point = {beta_, b_};
    return s;
  }

  Index row(Index k) const { return free_.rows()[static_cast<std::size_t>(k)]; }

  const Problem& p_;
  Index n_;
  Vector beta_;
  double b_;
  FreeRows free_;
  std::vector<Side> side_;
  Vector r_;
  double largest_;  ///< max K_ii
  double floor_ = 0, width_ = 0, total_size_ = 0;
  std::vector<std::pair<double, Index>> violation_;
  std::vector<Index> change_rows_, in_change_;
  std::vector<double> change_;
};

}  // namespace

Solution active_set(const Problem& problem, Point start) {
  return ActiveSet(problem, std::move(start)).run();
}

}  // namespace gnomon::svr
