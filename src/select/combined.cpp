#include <cmath>
#include <numeric>

#include "gnomon/select/selection.hpp"

namespace gnomon {

double CombinedFits::total_weight() const { return std::accumulate(weight.begin(), weight.end(), 0.0); }

double CombinedFits::mean_lambda() const {
  double sum = 0;
  for (std::size_t k = 0; k < lambda.size(); ++k) sum += weight[k] * std::log(lambda[k]);
  return std::exp(sum / total_weight());
}

Index fit_count(const Combined& combined) {
  std::size_t count = 0;
  for (const CombinedFits& fits : combined) count += fits.lambda.size();
  return static_cast<Index>(count);
}

double effective_fit_count(const Combined& combined) {
  double squares = 0;
  for (const CombinedFits& fits : combined)
    squares += std::inner_product(fits.weight.begin(), fits.weight.end(), fits.weight.begin(), 0.0);
  return 1 / squares;
}

}  // namespace gnomon
