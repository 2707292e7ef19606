#pragma once

#include <memory>
#include <vector>

#include "gnomon/adaptive/grouped_ridge.hpp"
#include "gnomon/data/folds.hpp"

namespace gnomon::adaptive {

struct RidgeFoldsOptions {
  bool pooled = false;  ///< folds count by their rows, |V_j|/N, instead of equally
  /// The decay is λ = κN against the sum of squares, the same in every fold: κ_j = κN/N_j instead of κ.
  bool same_lambda = false;
};

/// K-fold cross-validation of a grouped ridge, Γ = (1/K) Σ_j S_{V_j}(ŵ_j), ŵ_j trained on the other rows with the cost
/// normalised by their own number N_j. Gradient by implicit differentiation, one solve per fold:
/// ∂Γ/∂κ_g = −(1/K) Σ_j (2P_gŵ_j)' J_j⁻¹ ∇S_{V_j}(ŵ_j), exact.
/// Held-out and training rows are compressed to at most p rows each when made, O(Np² + K²p³); an evaluation costs O(Kp³) and all
/// gradients O(Kp²) more. For K near N use GroupedRidge::loo.
class RidgeFolds {
 public:
  RidgeFolds(const GroupedRidge& ridge, const Folds& folds, RidgeFoldsOptions options = {});

  HyperEstimate cv(const VectorView& kappa, bool gradient = true) const;

 private:
  struct Fold;
  std::vector<Penalty> parts_;
  std::vector<std::shared_ptr<const Fold>> folds_;
};

}  // namespace gnomon::adaptive
