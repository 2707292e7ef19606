#pragma once

#include "cases.hpp"
#include "gnomon/learn/model_file.hpp"

namespace gnomon::testing {

/// Ridge on a kernel or a basis; the columns are called a and b.
inline SavedModel make_model(const Representation& representation, const Matrix& x, const Matrix& y) {
  SavedModel saved;
  saved.plan.sources = {{"a", {}, Vector::Zero(1)}, {"b", {}, Vector::Zero(1)}};
  saved.scaling = Scaling::fit(x, Vector(), Scale::standard);
  Matrix scaled = x;
  saved.scaling.apply(scaled);
  const Smoother smoother(scaled, y, Vector(), {.representation = representation, .filter = tikhonov});
  const double lambda = 0.1;
  saved.model = smoother.fit({&lambda, 1});
  saved.target_names = {"y"};
  saved.summary = "test";
  return saved;
}

/// Half of each of two kernels of different widths at the same rows.
inline SavedModel make_sum(const Matrix& x, const Matrix& y) {
  SavedModel saved = make_model(parse_kernel("gaussian", 1), x, y);
  ModelSum sum;
  for (const double width : {1.0, 3.0}) {
    sum.terms.push_back(*make_model(parse_kernel("gaussian", width), x, y).model.linear());
    sum.terms.back().coefficients /= 2;
    sum.terms.back().offset /= 2;
  }
  saved.model = sum;
  return saved;
}

/// Two inputs, tanh units, as many outputs as asked for.
inline SavedModel make_network(Index outputs, MlpLoss loss, const Matrix& x) {
  Mlp network;
  network.shape.inputs = 2;
  network.shape.hidden = {3};
  network.shape.outputs = outputs;
  network.loss = loss;
  network.w = Random(11).normal_vector(network.shape.weights());
  SavedModel saved;
  saved.plan.sources = {{"a", {}, Vector::Zero(1)}, {"b", {}, Vector::Zero(1)}};
  saved.scaling = Scaling::fit(x, Vector(), Scale::standard);
  saved.model = network;
  saved.target_names.emplace_back("y");
  return saved;
}

/// A linear model of the two newest values of the column "y": 3 + 2·newest − older, unscaled.
inline SavedModel make_forecast(Index horizon, Missing missing = Missing::error) {
  SavedModel saved;
  saved.series = SeriesPlan{"y", 2, horizon};
  saved.plan.missing = missing;
  for (const auto& name : saved.series->lag_names()) saved.plan.sources.push_back({name, {}, {}});
  saved.scaling = {Vector::Zero(2), Vector::Ones(2)};
  LinearModel model;
  model.representation = Basis::fit("linear", Matrix::Random(5, 2));
  model.coefficients = Eigen::Vector2d(2, -1);
  model.offset = Vector::Constant(1, 3);
  saved.model = model;
  saved.target_names.emplace_back("y");
  return saved;
}

/// Rows of a file from `line` on.
inline Table series_table(const Vector& y, Index line = 2) {
  Table table;
  table.line_jumps.push_back({0, line});
  table.source = "s.csv";
  table.columns.push_back({.name = "y"});
  table.numbers = y;
  return table;
}

}  // namespace gnomon::testing
