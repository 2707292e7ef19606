#pragma once

#include <functional>
#include <vector>

#include "cholesky.hpp"
#include "gnomon/core/types.hpp"

namespace gnomon::detail {

/// The centred problem min aᵀGa − 2cᵀa + yy + 2τ‖a‖₁ + μ‖a‖² by its cross products.
struct GramProblem {
  const double* gram = nullptr;  ///< full symmetric, column-major
  Index stride = 0, columns = 0;
  const double* cross = nullptr;  ///< c
  double null_deviance = 0;       ///< yy
  const char* usable = nullptr;   ///< 0 bars a column (it is constant); null = all are usable
};

/// What the duality gap is made of; the dual point is s·(r, −√μ a).
struct DualityTerms {
  double total = 0;    ///< ‖r‖² + μ‖a‖²
  double along = 0;    ///< gᵀa
  double largest = 0;  ///< ‖g‖_∞; raise it to take in more columns
  double l1 = 0, l2 = 0;

  double rounding = 0;  ///< of g

  double gap(double tau) const;
  /// Whether the gap is below `enough`, or would be with a threshold moved by the rounding of g: for τ below that the
  /// dual point cannot be told from an infeasible one.
  bool certifies(double tau, double enough) const {
    return gap(tau) <= enough || gap(tau + 16 * rounding) <= enough;
  }
};

/// Primal active-set method for the elastic net on cross products, kept warm from one (τ, μ) to the next.
///
/// With active columns A and signs s the objective is quadratic: its minimum solves (G_AA + μI) d = g_A − τs,
/// g = c − Ga − μa. Walk towards it, drop a column whose coefficient reaches zero, solve again; at the minimum
/// admit columns with |g_j| > τ. A column that depends on the active ones is exchanged for one of them along
/// the direction that leaves the fit as it is and shortens ‖a‖₁. Each round lowers the objective, so no set
/// of signs comes twice and the end is exact, not a limit. Should rounding get in the way, coordinate descent
/// takes over. Cost per round: O(columns·|A| + |A|²).
class ActiveSet {
 public:
  /// Begins at a = 0.
  void start(const GramProblem& problem);
  /// Columns were added behind the known ones; arrays may have moved. The state is kept.
  void extend(const GramProblem& problem);
  /// Begins at given coefficients; call before solve.
  void begin_at(Index count, const Index* columns, const double* values);

  /// Solves to a relative duality gap of `tolerance` or as far as rounding allows; gap() tells.
  void solve(double tau, double mu, double tolerance);

  /// Iterative refinement, where c − Ga is mostly rounding: `gradient` gives Φᵀ_c W r and returns ‖r‖², both from
  /// the rows; further rounds of the method follow it as long as the gap falls. Returns the terms of the last gap.
  DualityTerms refine(double tolerance, const std::function<double(const double* a, double* g)>& gradient);

  const double* coefficients() const { return a_.data(); }
  const double* gradient() const { return g_.data(); }
  const std::vector<Index>& active() const { return active_; }  ///< independent columns, in order of entry
  Index rank() const { return factor_.size(); }
  /// yy − Σ a_j (c_j + g_j + μ a_j): ‖y − Φa‖² up to cancellation.
  double rss() const;
  DualityTerms duality(double rss) const;
  double gap() const { return duality(rss()).gap(tau_); }
  /// tr (G_AA + μI)⁻¹ G_AA
  double degrees_of_freedom() const;
  /// False if a column on the edge |g_j| = τ depends on the active ones: weight can move to it.
  bool unique();

 private:
  void set_ridge(double mu);
  void refactor();
  bool append(Index column, double sign);
  void remove(Index position);
  void descend();
  void refresh();
  bool admit();
  bool exchange(Index column);
  void sweep(double tolerance);
  void reset_to(const std::vector<double>& a);
  /// Σ |a_j| ‖x_j‖: what the fit is a sum of.
  double reach() const;
  /// Rounding in a component of c − Ga.
  double noise() const;

  GramProblem problem_;
  GrowingCholesky factor_;
  std::vector<double> a_, g_, start_, sign_, step_, slope_, cross_, value_;
  std::vector<Index> active_, before_, position_, candidates_;
  double tau_ = 0, mu_ = -1, largest_cross_ = 0, largest_diagonal_ = 0;
  bool stale_ = false;
};

}  // namespace gnomon::detail
