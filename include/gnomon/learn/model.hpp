#pragma once

#include <nlohmann/json_fwd.hpp>
#include <variant>
#include <vector>

#include "gnomon/core/types.hpp"
#include "gnomon/learn/mlp.hpp"
#include "gnomon/represent/basis.hpp"
#include "gnomon/represent/kernel.hpp"

namespace gnomon {

/// How inputs become a design: a kernel centred at the training rows, or the columns of a basis.
using Representation = std::variant<Kernel, Basis>;

/// A fitted function f(x) = offset + Σ_j coefficient_j φ_j(x); one column of coefficients per target.
struct LinearModel {
  Representation representation;
  Matrix centres;       ///< training inputs of a kernel expansion; empty for a basis
  Matrix coefficients;  ///< centres (or basis columns) × targets
  Vector offset;        ///< per target
  /// One width per input of a kernel: inputs are divided by it first (the centres are so already). Empty = as they are.
  Vector input_widths{};

  /// Row by row the same arithmetic, whatever the rows beside it: answers do not depend on how inputs are
  /// cut.
  Matrix predict(const MatrixView& x) const;
};

nlohmann::json to_json(const LinearModel&);
/// `centres`: of a kernel that is stored without them; null: it has to have its own.
LinearModel linear_model_from_json(const nlohmann::json&, const Matrix* centres = nullptr);

/// f(x) = Σ_m f_m(x): an average of fits on several kernels or bases, the weights being in the coefficients and offsets.
struct ModelSum {
  std::vector<LinearModel> terms;  ///< two or more, of the same targets

  Matrix predict(const MatrixView& x) const;
};

/// The centres of a term are stored once: where it has those of the first term, they are left out.
nlohmann::json to_json(const ModelSum&);
ModelSum model_sum_from_json(const nlohmann::json&);

/// A fitted function of any kind: linear in its coefficients (bases and kernels), a sum of such functions, or a network.
class Model {
 public:
  Model() = default;
  Model(LinearModel model) : function_(std::move(model)) {}
  Model(ModelSum sum) : function_(std::move(sum)) {}
  Model(Mlp network) : function_(std::move(network)) {}

  const LinearModel* linear() const { return std::get_if<LinearModel>(&function_); }
  const ModelSum* sum() const { return std::get_if<ModelSum>(&function_); }
  const Mlp* network() const { return std::get_if<Mlp>(&function_); }
  /// The terms of a function that is linear in its coefficients, one or several; none of a network.
  std::vector<const LinearModel*> terms() const;
  /// Of a single expansion; null where it is on a kernel, and of sums and networks.
  const Basis* basis() const;

  /// One column per target; class probabilities for a network that classifies.
  Matrix predict(const MatrixView& x) const {
    return std::visit([&](const auto& function) { return function.predict(x); }, function_);
  }
  /// Numbers stored in it: what a prediction costs.
  Index size() const;

 private:
  std::variant<LinearModel, ModelSum, Mlp> function_;
};

nlohmann::json to_json(const Model&);
Model model_from_json(const nlohmann::json&);

}  // namespace gnomon
