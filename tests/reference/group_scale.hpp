#pragma once

#include "learn/ridge_groups/grouped_ridge.hpp"

namespace gnomon::reference {

/// tr(H_gg)/(2m_g) of every group: the mean of the diagonal of X'X/N over the group's weights, the natural unit of κ_g.
inline Vector group_scale(const GroupedRidge& ridge) {
  const Vector power = ridge.x().colwise().squaredNorm().transpose() / static_cast<double>(ridge.samples());
  const Index groups = ridge.penalty().groups();
  Vector total = Vector::Zero(groups), size = Vector::Zero(groups);
  for (Index o = 0; o < ridge.outputs(); ++o) {
    const GroupedPenalty& part = ridge.penalty_of_output(o);
    if (part.is_decay()) {
      total += part.pairs(Vector::Ones(ridge.inputs()), power);
    } else {
      total.array() += power.sum();
    }
    size += part.sizes();
  }
  return total.cwiseQuotient(size);
}

}  // namespace gnomon::reference
