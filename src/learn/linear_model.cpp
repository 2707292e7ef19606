#include "gnomon/learn/model.hpp"

#include <cblas.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/json.hpp"
#include "gnomon/core/error.hpp"
#include "represent/gram.hpp"

namespace gnomon {

Matrix LinearModel::predict(const MatrixView& x) const {
  Matrix out(x.rows(), coefficients.cols());
  out.rowwise() = offset.transpose();
  const auto* kernel = std::get_if<Kernel>(&representation);
  // In blocks: no second matrix as large as x, and none of all rows and centres.
  const Index block = kernel ? 1024 : 4096;
  for (Index first = 0; first < x.rows(); first += block) {
    const Index count = std::min(block, x.rows() - first);
    const auto rows = x.middleRows(first, count);
    if (kernel) {
      // One contiguous dot product per new row: its rounding depends on that row alone.
      const Matrix k =
          input_widths.size()
              ? cross_gram(*kernel, centres, rows.array().rowwise() / input_widths.transpose().array())
              : cross_gram(*kernel, centres, rows);
      const int n = static_cast<int>(centres.rows());
      for (Index t = 0; t < out.cols(); ++t)
        for (Index i = 0; i < count; ++i)
          out(first + i, t) += cblas_ddot(n, k.col(i).data(), 1, coefficients.col(t).data(), 1);
    } else {
      const Matrix phi = std::get<Basis>(representation).design(rows);
      for (Index t = 0; t < out.cols(); ++t)
        for (Index j = 0; j < phi.cols(); ++j)
          out.col(t).segment(first, count) += coefficients(j, t) * phi.col(j);
    }
  }
  return out;
}

namespace {

/// Columns of the design: coefficients of one target.
Index design_columns(const LinearModel& model) {
  const Basis* basis = std::get_if<Basis>(&model.representation);
  return basis ? basis->size() : model.centres.rows();
}

/// The parts of a function must fit each other, or predictions would read past their ends.
void check_shapes(const LinearModel& model) {
  require(model.coefficients.rows() == design_columns(model), "the model has {} coefficients for {} {}",
          model.coefficients.rows(), design_columns(model),
          std::holds_alternative<Basis>(model.representation) ? "columns of its basis" : "centres");
  require(model.coefficients.cols() > 0, "the model has no target");
  require(model.offset.size() == model.coefficients.cols(), "the model has {} offsets for {} targets",
          model.offset.size(), model.coefficients.cols());
  require(model.input_widths.size() == 0 || model.input_widths.size() == model.centres.cols(),
          "the model has {} widths for {} inputs", model.input_widths.size(), model.centres.cols());
}

void check_numbers(const LinearModel& model) {
  require(model.coefficients.allFinite() && model.offset.allFinite() && model.centres.allFinite(),
          "the model has coefficients, offsets or centres that are not finite numbers");
  require(model.input_widths.allFinite() && (model.input_widths.array() > 0).all(),
          "the model has widths that are not positive and finite");
}

}  // namespace

nlohmann::json to_json(const LinearModel& model) {
  nlohmann::json json;
  if (const auto* kernel = std::get_if<Kernel>(&model.representation)) {
    json["kernel"] = kernel_to_json(*kernel);
    json["centres"] = matrix_to_json(model.centres);
    if (model.input_widths.size()) json["input_widths"] = vector_to_json(model.input_widths);
  } else {
    json["basis"] = std::get<Basis>(model.representation).to_json();
  }
  json["coefficients"] = matrix_to_json(model.coefficients);
  json["offset"] = vector_to_json(model.offset);
  return json;
}

LinearModel linear_model_from_json(const nlohmann::json& json, const Matrix* centres) {
  LinearModel model;
  if (json.contains("kernel")) {
    model.representation = kernel_from_json(json.at("kernel"));
    model.centres = centres && !json.contains("centres") ? *centres : matrix_from_json(json.at("centres"));
    if (json.contains("input_widths")) model.input_widths = vector_from_json(json.at("input_widths"));
  } else {
    model.representation = Basis::from_json(json.at("basis"));
  }
  model.coefficients = matrix_from_json(json.at("coefficients"));
  model.offset = vector_from_json(json.at("offset"));
  check_shapes(model);
  check_numbers(model);
  return model;
}

}  // namespace gnomon
