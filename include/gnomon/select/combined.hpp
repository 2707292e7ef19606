#pragma once

#include <string>
#include <vector>

#include "gnomon/core/types.hpp"

namespace gnomon {

/// The fits of one width, kernel or basis in an average: Σ_λ weight f_λ, one expansion.
struct CombinedFits {
  double width = undefined;      ///< kernels with a width only
  std::string representation{};  ///< the basis or kernel, where several were tried
  std::vector<double> lambda, weight;
  std::vector<double>
      value;  ///< what the weights come from: blend, and −2 log of the prior of an automatic width

  double total_weight() const;
  /// exp of the weighted mean of log λ.
  double mean_lambda() const;
};

/// An average of fits; empty where one fit was delivered. The weights of all of them add up to one.
using Combined = std::vector<CombinedFits>;

Index fit_count(const Combined&);
/// 1/Σ weight²: as many equal weights would spread as much.
double effective_fit_count(const Combined&);

}  // namespace gnomon
