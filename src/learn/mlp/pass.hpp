#pragma once

#include <vector>

#include "gnomon/learn/mlp.hpp"

namespace gnomon::mlp {

/// What one pass up and down the network leaves for a block of rows: one row per sample, one column per unit.
/// The same fields hold derivatives along a direction in weight space (then an empty matrix is zero).
struct Pass {
  std::vector<Matrix> input;  ///< what feeds layer l, with the constant column last if there are biases
  std::vector<Matrix> slope;  ///< φ' of hidden layer l, 1 − tanh²
  std::vector<Matrix> back;   ///< ∂ℓ/∂(activation of hidden layer l)
  std::vector<Matrix> bend;   ///< φ''∘back
  std::vector<Matrix> delta;  ///< δ_l = ∂ℓ/∂(pre-activation of layer l)
  Matrix output;              ///< f
  Matrix curvature;           ///< ∂²ℓ/∂f_o∂f_o' in column o + o'·outputs
  Vector loss;                ///< ℓ of every row
};

enum class Depth { loss, gradient, curvature };

/// Values at the weights w. Cost: 2·rows·weights flops up, as much down.
Pass run(const MlpShape& shape, MlpLoss loss, const double* w, const MatrixView& x, const MatrixView& y,
         Depth depth);

/// Derivatives of a run along the direction v (Pearlmutter's R-operator). Cost: about twice that of the run.
Pass tangent(const MlpShape& shape, MlpLoss loss, const Pass& value, const double* w, const double* v,
             const MatrixView& y, Depth depth);

/// Mean-free building block of gradients: out_l += inputᵀ δ for every layer.
void add_gradient(const MlpShape& shape, const std::vector<Matrix>& input, const std::vector<Matrix>& delta,
                  double* out);

/// Per-sample gradients δ_j z_i in the column of the weight; added to `out` (rows × weights).
void add_scores(const MlpShape& shape, const std::vector<Matrix>& input, const std::vector<Matrix>& delta,
                Eigen::Ref<Matrix> out);

}  // namespace gnomon::mlp
