#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <vector>

#include "gnomon/criteria/criterion.hpp"

namespace gnomon::python {

/// Criteria whose formulas are functions of Python, and what keeps these alive: whoever evaluates the criteria holds it.
struct OwnCriteria {
  std::vector<Criterion> criteria;
  std::shared_ptr<void> lease;
};

/// From objects with name, words, estimates, needs_noise, needs_squares and formula(counts) -> float.
OwnCriteria own_criteria(const pybind11::list& given);

}  // namespace gnomon::python
