#pragma once

#include <vector>

#include "gnomon/core/types.hpp"

namespace gnomon {

/// The regularization R(w) = Σ_g κ_g w'P_g w, one κ per group, D = Σ κ_g P_g. Usually P_g is the identity on the
/// weights of group g (weight decay) and the groups are disjoint; weights in group −1 are not penalised.
class GroupedPenalty {
 public:
  /// group_of_weight[i] in −1 … groups−1; every group needs a weight.
  static GroupedPenalty decay(std::vector<int> group_of_weight);
  /// Any symmetric positive semidefinite P_g of one size.
  static GroupedPenalty quadratic(std::vector<Matrix> matrices);

  Index weights() const { return weights_; }
  Index groups() const { return groups_; }
  /// Disjoint groups with P_g = I: what the evidence and the dual forms need.
  bool is_decay() const { return matrices_.empty(); }
  const std::vector<int>& group_of_weight() const { return group_of_weight_; }
  /// m_g, the number of weights of each group (the rank of P_g is not looked at).
  Vector sizes() const;
  /// p₀, weights in no group; 0 for quadratic penalties.
  Index unpenalised() const;

  /// r_g(w) = w'P_g w of every group.
  Vector values(const VectorView& w) const { return pairs(w, w); }
  /// a'P_g b of every group.
  Vector pairs(const VectorView& a, const VectorView& b) const;
  /// tr(P_g A'B) of every group, for rows of weights A and B. O(rows·p) for decays.
  Vector row_pairs(const MatrixView& a, const MatrixView& b) const;
  /// tr(P_g M) of every group, M symmetric.
  Vector traces(const MatrixView& m) const;
  /// P_g w.
  Vector apply(Index group, const VectorView& w) const;
  /// D w.
  Vector weighted(const VectorView& kappa, const VectorView& w) const;
  /// M += factor·D.
  void add_to(Matrix& m, const VectorView& kappa, double factor = 1) const;
  /// The diagonal of D for decays.
  Vector decay_of_weight(const VectorView& kappa) const;
  /// The penalty on weights first … first+count−1 alone, groups numbered as before. Throws where a quadratic penalty ties them to
  /// others.
  GroupedPenalty part(Index first, Index count) const;

 private:
  Index weights_ = 0, groups_ = 0;
  std::vector<int> group_of_weight_;
  std::vector<Matrix> matrices_;
};

/// Throws unless there is one finite κ ≥ 0 per group.
void check_kappa(const GroupedPenalty& penalty, const VectorView& kappa);

}  // namespace gnomon
