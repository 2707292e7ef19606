#pragma once

#include <memory>
#include <vector>

#include "gnomon/data/folds.hpp"
#include "grouped_ridge.hpp"

namespace gnomon {

struct RidgeFoldsOptions {
  /// The decay is λ = κN against the sum of squares, the same in every fold: κ_j = κN/N_j instead of κ.
  bool same_lambda = false;
};

/// Rows held out of a grouped ridge fold by fold, |V_j| S_{V_j}(ŵ_j), ŵ_j trained on the other rows with the cost
/// normalised by their own number N_j. Derivatives by implicit differentiation, one solve per fold:
/// ∂S_{V_j}/∂κ_g = −(2P_gŵ_j)' J_j⁻¹ ∇S_{V_j}(ŵ_j), exact.
/// Held-out and training rows are compressed to at most p rows each when made, O(Np² + K²p³); an evaluation costs O(Kp³) and all
/// gradients O(Kp²) more. For K near N use GroupedRidge::left_out.
class RidgeFolds {
 public:
  RidgeFolds(const GroupedRidge& ridge, const Folds& folds, RidgeFoldsOptions options = {});

  HeldOut held_out(const VectorView& kappa, bool gradient = true) const;

 private:
  struct Fold;
  SlopesBy slopes_by_;
  std::vector<GroupedPenalty> parts_;
  std::vector<std::shared_ptr<const Fold>> folds_;
};

}  // namespace gnomon
