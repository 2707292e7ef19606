#pragma once

#include <string>

#include "gnomon/core/types.hpp"

namespace gnomon {

/// One number that a learner is tuned by; searches run over its logarithm.
struct Parameter {
  enum class Kind {
    decay,  ///< λ against the plain sum of losses; at ∞ the weights it acts on are dropped
    width   ///< of a kernel along some inputs; at ∞ these inputs are dropped
  };
  Kind kind = Kind::decay;
  std::string name = "lambda";  ///< "lambda", "lambda[age]", "width[age, sex]"
  Index weights = 0;            ///< how many weights a decay acts on
  double unit = 1;              ///< its natural size, where searches begin
  double lower = 0, upper = 0;  ///< bounds of a search

  /// What stands in the brackets of the name, or the name itself.
  std::string label() const {
    const auto open = name.find('[');
    return open == std::string::npos ? name : name.substr(open + 1, name.size() - open - 2);
  }
};

/// Points of a learner's parameters, natural values: one column per point, one row per parameter.
using Points = Matrix;

}  // namespace gnomon
