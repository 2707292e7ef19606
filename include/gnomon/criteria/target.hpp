#pragma once

#include <string_view>

#include "gnomon/learn/learner.hpp"

namespace gnomon {

/// What kind of number a criterion gives. Numbers of different kinds never share an axis.
enum class ErrorKind {
  function_space,
  prediction,
  log_evidence,
  log_likelihood,
  cross_entropy,
  huber_loss,
  relative
};
std::string_view to_string(ErrorKind);

/// What a criterion is an estimate of.
struct Target {
  enum class Of {
    error,           ///< squared error of predictions, or of the fitted function
    log_evidence,    ///< −2 log marginal likelihood
    log_likelihood,  ///< −2 log likelihood of new data
  };
  enum class Noise { included, excluded };
  enum class Where {
    like_training,       ///< new inputs from where the training inputs came from
    at_training_inputs,  ///< new observations at the training inputs
    at_test_inputs,
    in_metric  ///< the metric of the request: function space, training inputs, points
  };
  Of of = Of::error;
  Noise noise = Noise::included;
  Where where = Where::like_training;
  bool less_a_constant = false;  ///< ranks candidates, and says nothing about how large the error is

  ErrorKind kind(const Metric& metric) const;
};

}  // namespace gnomon
