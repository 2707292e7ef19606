#include "active_set.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels.hpp"

namespace gnomon::detail {
namespace {
/// A column that keeps less than this of its square beside the active ones depends on them.
constexpr double dependence = 1e-12;
std::size_t at(Index i) { return static_cast<std::size_t>(i); }
}  // namespace

void ActiveSet::start(const GramProblem& problem) {
  a_.clear();
  g_.clear();
  position_.clear();
  active_.clear();
  sign_.clear();
  factor_.clear();
  mu_ = -1;
  largest_cross_ = largest_diagonal_ = 0;
  stale_ = false;
  problem_ = GramProblem{};
  extend(problem);
}

void ActiveSet::extend(const GramProblem& problem) {
  const Index from = problem_.columns, to = problem.columns;
  problem_ = problem;
  a_.resize(at(to), 0);
  g_.resize(at(to));
  position_.resize(at(to), -1);
  std::copy(problem.cross + from, problem.cross + to, g_.begin() + from);
  for (Index j = from; j < to; ++j) {
    if (problem.usable && !problem.usable[j]) continue;
    largest_cross_ = std::max(largest_cross_, std::abs(problem.cross[j]));
    largest_diagonal_ = std::max(largest_diagonal_, problem.gram[j * problem.stride + j]);
  }
  if (!active_.empty()) stale_ = true;
}

void ActiveSet::begin_at(Index count, const Index* columns, const double* values) {
  for (Index k = 0; k < count; ++k) {
    const Index j = columns[k];
    if (values[k] == 0 || (problem_.usable && !problem_.usable[j]) || position_[at(j)] >= 0) continue;
    a_[at(j)] = values[k];
    position_[at(j)] = static_cast<Index>(active_.size());
    active_.push_back(j);
    sign_.push_back(values[k] > 0 ? 1 : -1);
  }
  stale_ = true;
  mu_ = -1;
}

bool ActiveSet::append(Index column, double sign) {
  const double* gram = problem_.gram + column * problem_.stride;
  cross_.resize(active_.size());
  for (std::size_t k = 0; k < active_.size(); ++k) cross_[k] = gram[active_[k]];
  if (!factor_.append(cross_.data(), gram[column] + mu_, dependence)) return false;
  position_[at(column)] = static_cast<Index>(active_.size());
  active_.push_back(column);
  sign_.push_back(sign);
  return true;
}

void ActiveSet::remove(Index position) {
  a_[at(active_[at(position)])] = 0;
  position_[at(active_[at(position)])] = -1;
  factor_.remove(position);
  active_.erase(active_.begin() + position);
  sign_.erase(sign_.begin() + position);
  for (Index k = position; k < static_cast<Index>(active_.size()); ++k) position_[at(active_[at(k)])] = k;
}

void ActiveSet::refactor() {
  if (factor_.assign(problem_.gram, problem_.stride, active_, mu_, dependence)) return;
  const std::vector<Index> columns = std::move(active_);
  const std::vector<double> signs = std::move(sign_);
  active_.clear();
  sign_.clear();
  factor_.clear();
  for (std::size_t k = 0; k < columns.size(); ++k) {
    position_[at(columns[k])] = -1;
    if (append(columns[k], signs[k])) continue;
    a_[at(columns[k])] = 0;
    stale_ = true;
  }
}

void ActiveSet::set_ridge(double mu) {
  if (mu == mu_) return;
  if (!stale_)
    for (const Index j : active_) g_[at(j)] -= (mu - mu_) * a_[at(j)];
  mu_ = mu;
  refactor();
}

void ActiveSet::refresh() {
  std::copy_n(problem_.cross, problem_.columns, g_.begin());
  value_.resize(active_.size());
  for (std::size_t k = 0; k < active_.size(); ++k) value_[k] = a_[at(active_[k])];
  subtract_columns(problem_.columns, problem_.gram, problem_.stride, static_cast<Index>(active_.size()),
                   active_.data(), value_.data(), g_.data());
  for (const Index j : active_) g_[at(j)] -= mu_ * a_[at(j)];
  stale_ = false;
}

double ActiveSet::reach() const {
  double sum = 0;
  for (const Index j : active_)
    sum += std::abs(a_[at(j)]) * std::sqrt(problem_.gram[j * problem_.stride + j]);
  return sum;
}

double ActiveSet::noise() const {
  return 4 * machine_epsilon * (largest_cross_ + std::sqrt(largest_diagonal_) * reach());
}

void ActiveSet::descend() {
  slope_.resize(active_.size());
  for (std::size_t k = 0; k < active_.size(); ++k) slope_[k] = g_[at(active_[k])] - tau_ * sign_[k];
  while (!active_.empty()) {
    step_ = slope_;
    factor_.solve(step_.data());
    bool dropped = false;
    for (Index k = static_cast<Index>(active_.size()) - 1; k >= 0; --k)
      if (a_[at(active_[at(k)])] == 0 && step_[at(k)] * sign_[at(k)] <= 0) {
        remove(k);
        slope_.erase(slope_.begin() + k);
        dropped = true;
      }
    if (dropped) continue;
    double length = 1;
    Index first = -1;
    for (Index k = 0; k < static_cast<Index>(active_.size()); ++k) {
      const double from = a_[at(active_[at(k)])], to = from + step_[at(k)];
      if (to * sign_[at(k)] > 0 || from == 0) continue;
      const double reach = -from / step_[at(k)];
      if (first < 0 || reach < length) length = reach, first = k;
    }
    for (std::size_t k = 0; k < active_.size(); ++k) a_[at(active_[k])] += length * step_[k];
    if (first < 0) return;
    for (double& s : slope_) s *= 1 - length;
    remove(first);
    slope_.erase(slope_.begin() + first);
  }
}

bool ActiveSet::admit() {
  const double edge = tau_ * (1 + 1e-12) + noise();
  candidates_.clear();
  for (Index j = 0; j < problem_.columns; ++j)
    if (position_[at(j)] < 0 && std::abs(g_[at(j)]) > edge && (!problem_.usable || problem_.usable[j]))
      candidates_.push_back(j);
  const std::size_t most = std::max<std::size_t>(16, active_.size());
  if (candidates_.size() > most) {
    const auto larger = [&](Index i, Index j) {
      const double a = std::abs(g_[at(i)]), b = std::abs(g_[at(j)]);
      return a != b ? a > b : i < j;
    };
    std::nth_element(candidates_.begin(), candidates_.begin() + static_cast<std::ptrdiff_t>(most),
                     candidates_.end(), larger);
    candidates_.resize(most);
    std::sort(candidates_.begin(), candidates_.end());
  }
  std::vector<Index> dependent;
  bool fresh = false;
  for (const Index j : candidates_) {
    if (append(j, g_[at(j)] > 0 ? 1 : -1))
      fresh = true;
    else
      dependent.push_back(j);
  }
  if (fresh) return true;
  return std::any_of(dependent.begin(), dependent.end(), [&](Index j) { return exchange(j); });
}

bool ActiveSet::exchange(Index column) {
  // x_j = X_A β: along (−β, 1) the fit stays and, as |g_j| = |τ βᵀs| > τ, ‖a‖₁ falls until some a_k is zero.
  const double* gram = problem_.gram + column * problem_.stride;
  const double sign = g_[at(column)] > 0 ? 1 : -1;
  std::vector<double> beta(active_.size());
  for (std::size_t k = 0; k < active_.size(); ++k) beta[k] = gram[active_[k]];
  factor_.solve(beta.data());
  double length = std::numeric_limits<double>::infinity();
  Index first = -1;
  for (std::size_t k = 0; k < active_.size(); ++k) {
    const double towards = beta[k] * sign * sign_[k];
    if (towards <= 1e-12) continue;
    const double reach = std::abs(a_[at(active_[k])]) / towards;
    if (reach < length) length = reach, first = static_cast<Index>(k);
  }
  if (first < 0) return false;
  for (std::size_t k = 0; k < active_.size(); ++k) a_[at(active_[k])] -= beta[k] * sign * length;
  remove(first);
  if (append(column, sign)) a_[at(column)] = sign * length;
  refresh();
  return true;
}

void ActiveSet::solve(double tau, double mu, double tolerance) {
  tau_ = tau;
  set_ridge(mu);
  start_ = a_;
  // Coefficients that coordinate descent left on dependent columns are not in the factor: begin without them.
  for (Index j = 0; j < problem_.columns; ++j)
    if (a_[at(j)] != 0 && position_[at(j)] < 0) {
      a_[at(j)] = 0;
      stale_ = true;
    }
  if (stale_) refresh();
  const Index rounds = 50 + 2 * problem_.columns;
  int refined = 0;
  bool regular = false;
  before_.assign(1, -1);
  for (Index round = 0; round < rounds; ++round) {
    descend();
    if (round > 0 && active_ == before_) break;  // all that was admitted left again: only rounding is left
    refresh();
    before_ = active_;
    if (admit()) continue;
    before_.assign(1, -1);
    double rest = 0;
    for (std::size_t k = 0; k < active_.size(); ++k)
      rest = std::max(rest, std::abs(g_[at(active_[k])] - tau_ * sign_[k]));
    regular = rest <= noise() || ++refined > 2;
    if (regular) break;
  }
  if (stale_) refresh();
  // Coefficients so large that their cancellation outweighs y came from a factor that is mostly rounding.
  const double size = reach();
  if (!(4 * machine_epsilon * size * size <= 1e-4 * problem_.null_deviance)) {
    reset_to(start_);
    sweep(tolerance);
  } else if (!regular && !(gap() <= tolerance * problem_.null_deviance)) {
    sweep(tolerance);
  }
}

void ActiveSet::sweep(double tolerance) {
  for (int sweeps = 0; sweeps < 1000; ++sweeps) {
    for (Index j = 0; j < problem_.columns; ++j) {
      if (problem_.usable && !problem_.usable[j]) continue;
      const double* column = problem_.gram + j * problem_.stride;
      const double curvature = column[j] + mu_, pull = g_[at(j)] + curvature * a_[at(j)];
      if (!(curvature > 0)) continue;
      const double target =
          pull > tau_ ? (pull - tau_) / curvature : (pull < -tau_ ? (pull + tau_) / curvature : 0);
      const double change = target - a_[at(j)];
      if (change == 0) continue;
      a_[at(j)] = target;
      subtract_columns(problem_.columns, problem_.gram, problem_.stride, 1, &j, &change, g_.data());
      g_[at(j)] -= mu_ * change;
    }
    if (sweeps % 10 == 9 && gap() <= tolerance * problem_.null_deviance) break;
  }
  reset_to(a_);
}

void ActiveSet::reset_to(const std::vector<double>& a) {
  // Columns in use that depend on others keep their coefficients but are not in the factor.
  if (&a != &a_) a_ = a;
  active_.clear();
  sign_.clear();
  factor_.clear();
  std::fill(position_.begin(), position_.end(), -1);
  std::copy_n(problem_.cross, problem_.columns, g_.begin());
  for (Index j = 0; j < problem_.columns; ++j) {
    const double value = a_[at(j)];
    if (value == 0) continue;
    append(j, value > 0 ? 1 : -1);
    subtract_columns(problem_.columns, problem_.gram, problem_.stride, 1, &j, &value, g_.data());
  }
  for (Index j = 0; j < problem_.columns; ++j) g_[at(j)] -= mu_ * a_[at(j)];
}

DualityTerms ActiveSet::refine(double tolerance,
                               const std::function<double(const double* a, double* g)>& gradient) {
  DualityTerms best;
  std::vector<double> start;
  for (int pass = 0; pass < 4; ++pass) {
    if (pass > 0) {
      start = a_;
      admit();
      descend();
    }
    const double rss = gradient(a_.data(), g_.data());
    for (Index j = 0; j < problem_.columns; ++j) g_[at(j)] -= mu_ * a_[at(j)];
    const DualityTerms terms = duality(rss);
    if (pass > 0 && !(terms.gap(tau_) < best.gap(tau_))) {
      reset_to(start);
      break;
    }
    best = terms;
    if (best.gap(tau_) <= tolerance * problem_.null_deviance) break;
  }
  return best;
}

double ActiveSet::rss() const {
  double explained = 0;
  for (Index j = 0; j < problem_.columns; ++j)
    if (a_[at(j)] != 0) explained += a_[at(j)] * (problem_.cross[j] + g_[at(j)] + mu_ * a_[at(j)]);
  return std::max(problem_.null_deviance - explained, 0.0);
}

double DualityTerms::gap(double tau) const {
  // F − D(s) = R(1−s)² + 2 Σ |a_j| (τ − s g_j sign a_j): no term is a difference of large ones at the optimum.
  double scale = total > 0 ? 1 + along / total : 1;
  if (largest * std::abs(scale) > tau) scale = std::copysign(tau / largest, scale);
  return std::max(0.0, total * (1 - scale) * (1 - scale) + 2 * (tau * l1 - scale * along));
}

DualityTerms ActiveSet::duality(double rss) const {
  DualityTerms terms;
  for (Index j = 0; j < problem_.columns; ++j) {
    if (problem_.usable && !problem_.usable[j]) continue;
    terms.largest = std::max(terms.largest, std::abs(g_[at(j)]));
    terms.along += g_[at(j)] * a_[at(j)];
    terms.l1 += std::abs(a_[at(j)]);
    terms.l2 += a_[at(j)] * a_[at(j)];
  }
  terms.total = rss + mu_ * terms.l2;
  terms.rounding = noise();
  return terms;
}

double ActiveSet::degrees_of_freedom() const {
  const double count = static_cast<double>(factor_.size());
  return mu_ > 0 ? count - mu_ * factor_.inverse_trace() : count;
}

bool ActiveSet::unique() {
  if (mu_ > 0) return true;
  const double edge = tau_ * (1 - 1e-9) - noise();
  const Index size = factor_.size();
  bool independent = true;
  for (Index j = 0; j < problem_.columns && independent; ++j) {
    if (position_[at(j)] >= 0 || (problem_.usable && !problem_.usable[j])) continue;
    if (a_[at(j)] != 0) {
      independent = false;
    } else if (std::abs(g_[at(j)]) >= edge) {
      cross_.resize(active_.size());
      for (std::size_t k = 0; k < active_.size(); ++k)
        cross_[k] = problem_.gram[j * problem_.stride + active_[k]];
      independent = factor_.append(cross_.data(), problem_.gram[j * problem_.stride + j], dependence);
      factor_.truncate(size);
    }
  }
  return independent;
}

}  // namespace gnomon::detail
