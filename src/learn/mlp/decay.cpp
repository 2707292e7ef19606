#include "decay.hpp"

#include <algorithm>
#include <cmath>

#include "gnomon/core/error.hpp"

namespace gnomon {
namespace {

/// Groups given by a function of layer and position below (the bias comes last); biases are free on request.
template <class GroupOf>
MlpDecay grouped(const MlpShape& shape, Index groups, double kappa, bool decay_biases, GroupOf group_of) {
  shape.check();
  MlpDecay decay{{}, Vector::Constant(groups, kappa)};
  for (Index layer = 0; layer < shape.layers(); ++layer) {
    for (Index unit = 0; unit < shape.units(layer); ++unit) {
      for (Index i = 0; i < shape.fan_in(layer); ++i) {
        const bool is_bias = i == shape.units_below(layer);
        decay.group.push_back(is_bias && !decay_biases ? -1 : static_cast<int>(group_of(layer, i)));
      }
    }
  }
  return decay;
}

}  // namespace

Vector MlpDecay::per_weight() const {
  Vector out(static_cast<Index>(group.size()));
  for (Index i = 0; i < out.size(); ++i) {
    const int g = group[std::size_t(i)];
    out[i] = g < 0 ? 0 : kappa[g];
  }
  return out;
}

Vector MlpDecay::restricted(const VectorView& w, Index g) const {
  Vector out = Vector::Zero(w.size());
  for (Index i = 0; i < w.size(); ++i)
    if (group[std::size_t(i)] == g) out[i] = w[i];
  return out;
}

Index MlpDecay::size_of(Index g) const { return std::count(group.begin(), group.end(), static_cast<int>(g)); }
Index MlpDecay::free_weights() const { return size_of(-1); }

void MlpDecay::check(Index weights) const {
  require(static_cast<Index>(group.size()) == weights, "decay names {} weights, the network has {}",
          group.size(), weights);
  for (const int g : group)
    require(g >= -1 && g < kappa.size(), "decay group {} is not among -1, …, {}", g, kappa.size() - 1);
  for (const double k : kappa)
    require(std::isfinite(k) && k >= 0, "weight decay is {}; it must be finite and not negative", k);
}

MlpDecay common_decay(const MlpShape& shape, double kappa, bool decay_biases) {
  return grouped(shape, 1, kappa, decay_biases, [](Index, Index) { return Index{0}; });
}

MlpDecay decay_per_layer(const MlpShape& shape, double kappa, bool decay_biases) {
  return grouped(shape, shape.layers(), kappa, decay_biases, [](Index layer, Index) { return layer; });
}

MlpDecay decay_per_input(const MlpShape& shape, double kappa, bool decay_biases) {
  return grouped(shape, shape.inputs + 1, kappa, decay_biases,
                 [&](Index layer, Index i) { return layer == 0 && i < shape.inputs ? i : shape.inputs; });
}

}  // namespace gnomon
