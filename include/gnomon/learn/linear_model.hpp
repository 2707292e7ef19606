#pragma once

#include <nlohmann/json_fwd.hpp>
#include <variant>

#include "gnomon/core/types.hpp"
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
LinearModel linear_model_from_json(const nlohmann::json&);

}  // namespace gnomon
