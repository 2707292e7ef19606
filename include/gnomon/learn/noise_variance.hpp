#pragma once

#include <string>
#include <vector>

#include "gnomon/learn/account.hpp"

namespace gnomon {

/// σ² along a path: one value for all λ, or one per λ. NaN where the method does not define it.
struct NoiseVariance {
  std::string method;  ///< the method that gave it; `auto` names the one it took
  std::string reason;  ///< why this method, in words
  Vector value;        ///< one entry, or one per λ
  /// Its formula where it moves with the fit, to be read at any point of the path; null if one value serves all.
  double (*at_point)(const Counts&) = nullptr;
  bool at_gcv_minimum = false;  ///< taken where GCV is least, so as doubtful as GCV is there
  bool wanted = true;           ///< false: no criterion asked for it, and nothing was estimated

  double at(Index k) const { return value.size() == 1 ? value[0] : value[k]; }
  bool per_lambda() const { return value.size() > 1; }
  /// The same estimate at other points of the path.
  NoiseVariance along(const std::vector<Counts>&) const;

  /// What stands in a result in which no criterion asked for σ².
  static NoiseVariance not_wanted();
};

}  // namespace gnomon
