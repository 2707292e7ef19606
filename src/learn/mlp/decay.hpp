#pragma once

#include <vector>

#include "gnomon/learn/mlp.hpp"

namespace gnomon {

/// Weight decay R(w) = Σ_g κ_g |w_g|²; a weight of group −1 is free. Against the mean loss, not its sum.
struct MlpDecay {
  std::vector<int> group;  ///< one entry per weight
  Vector kappa;            ///< one entry per group

  Index groups() const { return kappa.size(); }
  /// κ of the group of every weight; 0 for free ones.
  Vector per_weight() const;
  /// Entries w_i of group g, zero elsewhere.
  Vector restricted(const VectorView& w, Index g) const;
  Index size_of(Index g) const;
  Index free_weights() const;
  /// Throws unless the groups fit `weights` weights and every κ is finite and not negative.
  void check(Index weights) const;
};

/// One group for all weights.
MlpDecay common_decay(const MlpShape& shape, double kappa, bool decay_biases = true);
/// One group per layer.
MlpDecay decay_per_layer(const MlpShape& shape, double kappa, bool decay_biases = true);
/// One group per input (all weights leaving it), then one for the rest.
MlpDecay decay_per_input(const MlpShape& shape, double kappa, bool decay_biases = true);

}  // namespace gnomon
