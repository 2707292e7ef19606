#pragma once

#include "unit_curvature.hpp"

namespace gnomon::mlp {

/// The Hessian as a sum of products: with z_l the inputs of layer l, for weights (unit j, input i) of layer l and
/// (j', i') of layer m ≥ l,
///   Σ_k Q_lm[j,j'] z_l,i z_m,i'  +  [exact, l < m] Σ_k δ_m,j' T_lm[i',j] z_l,i .
/// Each sum is leftᵀ·right with one row per sample: left = columns of Q_lm, right = products of inputs; left =
/// products δz, right = columns of T. Within a layer only j ≤ j', i ≤ i' are formed.
struct HessianBlock {
  Index lower, upper;
  bool sensitivity;  ///< the second sum
};

std::vector<HessianBlock> hessian_blocks(const MlpShape& shape, MlpHessian kind);
Index left_columns(const MlpShape& shape, const HessianBlock& block);
Index right_columns(const MlpShape& shape, const HessianBlock& block);
/// False where the right factor does not depend on the weights.
bool right_varies(const HessianBlock& block);

Matrix left(const MlpShape& shape, const HessianBlock& block, const Pass& pass, const UnitCurvature& units);
Matrix right(const MlpShape& shape, const HessianBlock& block, const Pass& pass, const UnitCurvature& units);
/// Derivatives of the factors along a direction; empty = zero.
Matrix left_along(const MlpShape& shape, const HessianBlock& block, const Pass& pass, const Pass& d,
                  const UnitCurvature& dunits);
Matrix right_along(const MlpShape& shape, const HessianBlock& block, const Pass& pass, const Pass& d,
                   const UnitCurvature& dunits);

/// h += the block's sums put in their places, both triangles.
void scatter(const MlpShape& shape, const HessianBlock& block, const Matrix& sums, Matrix& h);
/// The adjoint of scatter: for every sum, the sum of the entries of m in its places.
Matrix gather(const MlpShape& shape, const HessianBlock& block, const Matrix& m);

/// Rows per block of work: long enough for matrix products, short enough for memory.
Index rows_per_block(const MlpShape& shape, MlpHessian kind);

}  // namespace gnomon::mlp
