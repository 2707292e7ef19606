#pragma once

#include <nlohmann/json_fwd.hpp>
#include <variant>

#include "gnomon/learn/linear_model.hpp"
#include "gnomon/learn/mlp.hpp"

namespace gnomon {

/// A fitted function of any kind: linear in its coefficients (bases and kernels), or a network.
class Model {
 public:
  Model() = default;
  Model(LinearModel model) : function_(std::move(model)) {}
  Model(Mlp network) : function_(std::move(network)) {}

  const LinearModel* linear() const { return std::get_if<LinearModel>(&function_); }
  const Mlp* network() const { return std::get_if<Mlp>(&function_); }

  /// One column per target; class probabilities for a network that classifies.
  Matrix predict(const MatrixView& x) const {
    return std::visit([&](const auto& function) { return function.predict(x); }, function_);
  }
  /// Numbers stored in it: what a prediction costs.
  Index size() const;

 private:
  std::variant<LinearModel, Mlp> function_;
};

nlohmann::json to_json(const Model&);
Model model_from_json(const nlohmann::json&);

}  // namespace gnomon
