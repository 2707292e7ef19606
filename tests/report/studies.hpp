#pragma once

#include <string>
#include <vector>

#include "gnomon/data/synthetic.hpp"
#include "gnomon/report/study.hpp"

namespace gnomon::testing {

/// A small finished study of sin(x)/x with noise; further targets are multiples of the first.
inline Study small_study(const SelectionRequest& request, Index targets = 1, Index inputs = 1,
                         Index rows = 30) {
  Random random(7);
  const Synthetic data = make_synthetic("sinc", rows, 0.2, random);
  Study study;
  study.source = "sinc.csv";
  study.x = Matrix(rows, inputs);
  study.y = Matrix(rows, targets);
  TrainingData training;
  for (Index j = 0; j < inputs; ++j) {
    study.x.col(j) = j == 0 ? Vector(data.x.col(0)) : random.normal_vector(rows);
    study.feature_names.push_back("x" + std::to_string(j + 1));
  }
  for (Index t = 0; t < targets; ++t) {
    study.y.col(t) = static_cast<double>(t + 1) * data.y;
    training.target_names.push_back("y" + std::to_string(t + 1));
  }
  training.x = study.x;
  Scaling::fit(study.x, Vector(), Scale::standard).apply(training.x);
  training.y = study.y;
  study.selection = select(training, request);
  study.test_error.resize(static_cast<std::size_t>(targets));
  return study;
}

inline SelectionRequest asking_for(const std::vector<std::string>& criteria) {
  SelectionRequest request;
  request.criteria = criteria;
  return request;
}

/// A curve that is undefined throughout, as selection leaves it behind.
inline void undefine(PathOutcome& outcome) {
  outcome.curve.value.setConstant(undefined);
  outcome.curve.standard_error.resize(0);
  outcome.selected.reset();
  outcome.lambda = outcome.width = undefined;
}

}  // namespace gnomon::testing
