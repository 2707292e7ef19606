#pragma once

#include "cost.hpp"
#include "gnomon/learn/account.hpp"

namespace gnomon {

/// rss, m₁ and m₂ of a network with the Gauss–Newton Hessian, with exact slopes in log κ. Throws where that Hessian is
/// singular.
Counts network_counts(const MlpCost& cost, const VectorView& w, bool gradient);

}  // namespace gnomon
