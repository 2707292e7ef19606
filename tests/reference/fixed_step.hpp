#pragma once

#include "gnomon/search/minimise.hpp"

namespace gnomon::reference {

struct FixedStepOptions {
  double step = 1;  ///< η
  int max_steps = 20000;
  double tolerance = 1e-8;  ///< on the projected gradient in log κ, relative to the value
  double lower = 1e-12;     ///< stands for κ = 0, which a logarithm cannot reach
};

/// Descent on κ itself with one step length, κ_g ← max(lower, κ_g − η ∂Γ/∂κ_g): what Sigurdsson, Larsen & Hansen used, kept as
/// a baseline. With eigenvalues spread over decades no η serves all of them and it does not converge; use
/// minimise_log_parameters. The objective takes log κ and gives the gradient in log κ.
SearchResult descend_with_fixed_step(const LogObjective& objective, const Vector& kappa,
                                     const FixedStepOptions& = {});

}  // namespace gnomon::reference
