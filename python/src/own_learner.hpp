#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <memory>

#include "gnomon/select/learner_entry.hpp"

namespace gnomon::python {

/// Set once nobody waits for a computation any longer: functions of Python are then not called again.
using Abandoned = std::shared_ptr<std::atomic<bool>>;

/// A learner whose fits a function of Python makes, from an object with name, fit(problem), inputs, alphas, tuning, continuous
/// and takes_weight. The interpreter is taken for every fit, so that these come one at a time whatever the number of threads.
LearnerEntry own_learner(const pybind11::object& given, const Abandoned& abandoned);

}  // namespace gnomon::python
