#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gnomon/adaptive/complement_criteria.hpp"
#include "gnomon/represent/kernel.hpp"

namespace gnomon::adaptive {

/// Kernel ridge with one width per group of inputs (automatic relevance determination) and one λ:
///
///     minimise  Σ(y − f − b)² + λ‖f‖²,   k(x, x') = k₁(x/ℓ, x'/ℓ), every input divided by the width ℓ of its group,
///
/// k₁ the kernel of width 1, f in the space of k, b a constant that is not penalised (with `intercept`). Inner-product kernels
/// take the widths as scales of the inputs; with `linear` only the λℓ_g² matter, so one direction of the parameters is flat.
///
/// Parameters: "lambda", then "width[name]" of every group ("width" where there is one). Flops of one evaluation: n³ for the
/// Cholesky factor and the inverse of K + λI (evidence without gradient n³/3) and n²(d + 10) for K. All gradients add what
/// `pull_back` costs (n³ at most for loo, gcv, cp, sic, nic, fpe, gpe, evidence and cv of few folds) and about n²(4d + 12), however many
/// widths there are: ∂K/∂log ℓ is formed pair by pair and never stored. Memory: up to five n×n matrices.
///
/// Where λ is so small that rounding decides whether K + λI is positive definite, the eigenvectors of K are taken instead and
/// directions below n·ε of the largest eigenvalue are not fitted, as along a path; a warning says so.
class KernelWidths final : public Tunable {
 public:
  /// group_of_input[j] in 0 … group_names.size()−1, every group with an input. All widths begin at `start_width`, where the
  /// kernel is the one of a single common width.
  KernelWidths(std::shared_ptr<const Matrix> x, Vector y, std::string kernel_spec,
               std::vector<int> group_of_input, std::vector<std::string> group_names, bool intercept,
               double start_width);

  const std::vector<TunedParameter>& parameters() const override { return parameters_; }
  std::string undefined_for(std::string_view criterion) const override;
  HyperEstimate evaluate(const HyperCriterion&, const Vector& theta, bool gradient) const override;
  TunedFit fit(const Vector& theta) const override;

  /// ℓ of every input at θ. A width at (or beyond) its upper bound is without measure: the input is left out exactly, since a
  /// merely large width still serves a fit with small λ (the limit of wide kernels is a polynomial, not a constant).
  Vector input_widths(const Vector& theta) const;

 private:
  struct Solved;
  void check(const Vector& theta) const;
  Matrix scaled_inputs(const Vector& widths) const;
  Solved solve(const Matrix& scaled, double lambda, bool matrix) const;

  std::shared_ptr<const Matrix> x_;
  Vector y_;
  Kernel kernel_;  // of width 1
  std::vector<int> group_of_input_;
  bool intercept_;
  std::vector<TunedParameter> parameters_;
};

}  // namespace gnomon::adaptive
