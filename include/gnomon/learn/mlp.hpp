#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "gnomon/core/types.hpp"

namespace gnomon {

/// Loss of one row: squared ‖y − f‖² (no factor ½), or cross-entropy −Σ_o t_o log softmax(f)_o.
enum class MlpLoss { squared, cross_entropy };

/// A feed-forward network: tanh hidden layers, linear outputs. Layer l = 0, …, hidden.size() maps the units
/// below it (and a constant 1 if `bias`) to its own. Weights lie layer after layer, each layer row-major with
/// one row per unit: the weights from the units below, then the bias. No hidden layer = a linear model.
struct MlpShape {
  Index inputs = 1;
  std::vector<Index> hidden;
  Index outputs = 1;
  bool bias = true;

  Index layers() const { return static_cast<Index>(hidden.size()) + 1; }
  Index units(Index layer) const { return layer + 1 == layers() ? outputs : hidden[std::size_t(layer)]; }
  Index units_below(Index layer) const { return layer == 0 ? inputs : hidden[std::size_t(layer - 1)]; }
  /// Weights of one unit of the layer, bias included.
  Index fan_in(Index layer) const { return units_below(layer) + (bias ? 1 : 0); }
  /// First weight of the layer.
  Index offset(Index layer) const;
  Index weights() const { return offset(layers()); }
  bool operator==(const MlpShape&) const = default;
  /// Throws unless every layer has a unit.
  void check() const;
};

/// A network with its weights.
struct Mlp {
  MlpShape shape;
  MlpLoss loss = MlpLoss::squared;
  Vector w;

  /// f(x), one row per row of x; the arithmetic of a row does not depend on the rows beside it.
  Matrix outputs(const MatrixView& x) const;
  /// Regression: f(x). Classification: the probabilities softmax f(x).
  Matrix predict(const MatrixView& x) const;
};

std::string_view mlp_loss_name(MlpLoss loss);
nlohmann::json to_json(const Mlp&);
Mlp mlp_from_json(const nlohmann::json&);

}  // namespace gnomon
