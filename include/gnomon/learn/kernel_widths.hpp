#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gnomon/learn/learner.hpp"
#include "gnomon/represent/kernel.hpp"

namespace gnomon {

struct Complement;
struct ComplementSlope;

/// Kernel ridge with one width per group of inputs (automatic relevance determination) and one λ:
///
///     minimise  Σ(y − f − b)² + λ‖f‖²,   k(x, x') = k₁(x/ℓ, x'/ℓ), every input divided by the width ℓ of its group,
///
/// k₁ the kernel of width 1, f in the space of k, b a constant that is not penalised (with `intercept`). Inner-product kernels
/// take the widths as scales of the inputs; with `linear` only the λℓ_g² matter, so one direction of the parameters is flat.
///
/// Points are values of "lambda", then "width[name]" of every group ("width" where there is one). Flops of one evaluation: n³ for the
/// Cholesky factor and the inverse of K + λI (evidence without gradient n³/3) and n²(d + 10) for K. All gradients add what
/// it takes to differentiate through the inverse (n³ at most for loo, gcv, cp, sic, nic, fpe, gpe, evidence and cv of few folds) and
/// about n²(4d + 12), however many widths there are: ∂K/∂log ℓ is formed pair by pair and never stored. Memory: up to five n×n
/// matrices.
///
/// Where λ is so small that rounding decides whether K + λI is positive definite, the eigenvectors of K are taken instead and
/// directions below n·ε of the largest eigenvalue are not fitted, as along a path; a warning says so.
class KernelWidths final : public Learner {
 public:
  /// group_of_input[j] in 0 … group_names.size()−1, every group with an input. All widths begin at `start_width`, where the
  /// kernel is the one of a single common width.
  KernelWidths(std::shared_ptr<const Matrix> x, Vector y, const std::string& kernel_spec,
               std::vector<int> group_of_input, std::vector<std::string> group_names, bool intercept,
               double start_width);

  const std::vector<Parameter>& parameters() const override { return parameters_; }
  Index rows() const override { return y_.size(); }
  Index targets() const override { return 1; }
  double count() const override { return static_cast<double>(y_.size()); }
  bool intercept() const override { return intercept_; }
  bool is_kernel() const override { return true; }
  Index columns() const override { return y_.size(); }
  double total(Index target) const override;

  std::string lacks(Account account, const Metric& metric) const override;
  std::vector<Counts> counts(const Points& points, Index target, bool squares, bool slopes) const override;
  std::vector<Scores> scores(const Points& points, Index target, Index lags, bool slopes) const override;
  std::vector<LeftOut> left_out(const Points& points, Index target, bool slopes,
                                const Progress& progress) const override;
  std::vector<HeldOut> held_out(const Points& points, Index target, const Folds& folds, bool slopes,
                                const Progress& progress) const override;
  std::vector<EvidenceParts> evidence(const Points& points, Index target, bool slopes) const override;
  SicAccount sic(const Points& points, Index target, const SicQuestion& question, bool slopes) const override;
  Fit fit_at(const Points& points) const override;

  /// ℓ of every input at a point. A width at (or beyond) its upper bound is without measure: the input is left out exactly, since a
  /// merely large width still serves a fit with small λ (the limit of wide kernels is a polynomial, not a constant).
  Vector input_widths(const Vector& point) const;

 private:
  struct Solved;
  void check(const Vector& point) const;
  /// The account that `keep` makes of the complement, at every point.
  template <class AccountType, class Keep>
  std::vector<AccountType> accounts(const Points& points, bool slopes, bool matrix, const Keep& keep) const;
  Vector gradient(const Complement&, const ComplementSlope&, Vector widths, double lambda) const;
  Matrix scaled_inputs(const Vector& widths) const;
  Solved solve(const Matrix& scaled, double lambda, bool matrix) const;

  std::shared_ptr<const Matrix> x_;
  Vector y_;
  Kernel kernel_;  // of width 1
  std::vector<int> group_of_input_;
  bool intercept_;
  std::vector<Parameter> parameters_;
};

}  // namespace gnomon
