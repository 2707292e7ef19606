#pragma once

#include <string>

#include "gnomon/criteria/criterion.hpp"

namespace gnomon::reference {

/// A criterion at one set of regularization parameters, as the plain forms in this folder give it.
struct HyperEstimate {
  double value = undefined;
  Vector gradient{};      ///< by the logarithms of the parameters; empty where not asked for
  std::string warning{};  ///< why the value should not be trusted, in words; empty = no objection
  bool overfitted = false;

  HyperEstimate() = default;
  HyperEstimate(double v, Vector g, std::string w, bool o = false)
      : value(v), gradient(std::move(g)), warning(std::move(w)), overfitted(o) {}
  HyperEstimate(const Estimate& e)  // NOLINT(google-explicit-constructor)
      : value(e.value), gradient(e.gradient), warning(e.warning), overfitted(e.overfitted) {}
  operator Estimate() const { return {value, undefined, gradient, warning, overfitted}; }
};

}  // namespace gnomon::reference
