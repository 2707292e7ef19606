#pragma once

#include "learn/mlp/cost.hpp"

namespace gnomon::reference {

/// The derivative of a network's scores along v, (∇²ℓ_k)v in row k; the library only forms contractions of it.
Matrix scores_along(const MlpCost& cost, const VectorView& w, const VectorView& v);

}  // namespace gnomon::reference
