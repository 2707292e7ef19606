#include "gnomon/noise/local.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "gnomon/core/error.hpp"

namespace gnomon {

std::optional<double> pure_error(MatrixView x, VectorView y, VectorView weight) {
  require(x.rows() == y.size() && (weight.size() == 0 || weight.size() == y.size()),
          "{} rows, {} targets and {} weights: give one target and one weight per row", x.rows(), y.size(),
          weight.size());
  const Index n = x.rows(), d = x.cols();
  const auto count = [&](Index i) { return weight.size() == 0 ? 1.0 : weight[i]; };
  const auto first_difference = [&](Index i, Index j) {
    Index k = 0;
    while (k < d && x(i, k) == x(j, k)) ++k;
    return k;
  };
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index i, Index j) {
    const Index k = first_difference(i, j);
    return k < d && x(i, k) < x(j, k);
  });

  double squares = 0, freedom = 0;
  for (auto begin = order.begin(); begin != order.end();) {
    const auto end =
        std::find_if(begin, order.end(), [&](Index i) { return first_difference(*begin, i) < d; });
    double total = 0, mean = 0;
    for (auto i = begin; i != end; ++i) total += count(*i), mean += count(*i) * y[*i];
    if (total > 1) {
      mean /= total;
      for (auto i = begin; i != end; ++i) squares += count(*i) * (y[*i] - mean) * (y[*i] - mean);
      freedom += total - 1;
    }
    begin = end;
  }
  return freedom > 0 ? std::optional(squares / freedom) : std::nullopt;
}

}  // namespace gnomon
