#include <algorithm>

#include <pybind11/eigen.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "call.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/learn/model_file.hpp"
#include "learn/equation.hpp"
#include "modules.hpp"
#include "rows.hpp"

namespace gnomon::python {
namespace {

constexpr Index rows_at_once = 4096;  // as the command: rows do not depend on those beside them

/// Rows × targets, or × classes for a classifier.
Matrix predict_all(const SavedModel& model, const Rows& rows, std::optional<int> jobs,
                   const Progress& progress) {
  const ThreadsOfCall threads(jobs);
  const auto columns = model.classes.empty() ? model.target_names.size() : model.classes.size();
  const Index n = rows.rows();
  Matrix out(n, static_cast<Index>(columns));
  SeriesPast past;
  for (Index first = 0; first < n; first += rows_at_once) {
    const Index last = std::min(n, first + rows_at_once);
    progress("predicting", static_cast<double>(first) / static_cast<double>(n));
    out.middleRows(first, last - first) = model.predict(rows.table(first, last), past);
  }
  return out;
}

Matrix predict(const std::shared_ptr<SavedModel>& model, const SharedRows& rows, std::optional<int> jobs) {
  if (rows->rows() <= rows_at_once) {  // soon done
    const py::gil_scoped_release computing;
    return predict_all(*model, *rows, jobs, {});
  }
  const auto out = std::make_shared<Matrix>();
  interruptibly([=](const Progress& progress) { *out = predict_all(*model, *rows, jobs, progress); },
                py::none());
  return std::move(*out);
}

/// offset + Kα for rows × training rows of a kernel that the model does not know. Its centres hold the numbers of the rows that had
/// weight.
Matrix expand(const SavedModel& model,
              const Eigen::Ref<const Matrix, 0, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>>& kernel) {
  const LinearModel* linear = model.model.linear();
  require(linear && linear->centres.rows() > 0, "the model is no sum of kernels at training rows");
  const Vector& number = linear->centres.col(0);
  require(number.maxCoeff() < static_cast<double>(kernel.cols()),
          "the kernel has {} columns, fewer than there were training rows", kernel.cols());
  Matrix coefficients = Matrix::Zero(kernel.cols(), linear->coefficients.cols());
  for (Index i = 0; i < number.size(); ++i)
    coefficients.row(static_cast<Index>(number[i])) += linear->coefficients.row(i);
  return (kernel * coefficients).rowwise() + linear->offset.transpose();
}

/// The content of a file. With `expanded` the kernel, of which only its matrix is known, is left out: such a model predicts by `expand`.
py::bytes bytes(const SavedModel& model, bool expanded) {
  if (!expanded) return encode_model(model);
  SavedModel without = model;
  LinearModel linear = *model.model.linear();
  linear.representation = parse_kernel("linear", 1);
  without.model = std::move(linear);
  return encode_model(without);
}

Vector half_widths(const SavedModel& model, double level) {
  require(level > 0 && level < 1, "a level of {} is not allowed; give a probability between 0 and 1", level);
  require(model.classes.empty(),
          "intervals are for numbers; this model tells classes apart, with probabilities");
  require(model.held_out && model.held_out->deviation.rows() > 0,
          "the model holds no held-out rows for intervals; fit it again");
  Vector half = model.held_out->half_widths(level);
  require(half.allFinite(),
          "an interval of level {} needs more held-out rows than the {} of the model; give a lower level",
          level, model.held_out->deviation.rows());
  return half;
}

std::vector<std::string> columns_of(const SavedModel& model) {
  std::vector<std::string> names;
  for (const FeatureSource& source : model.plan.sources) names.push_back(source.column);
  return names;
}

/// Per target (coefficients, offset) in the units of the columns; None where the function is not linear in them.
py::object equations(const SavedModel& model) {
  py::list all;
  for (std::size_t t = 0; t < model.target_names.size(); ++t) {
    const auto equation = linear_equation(model.model, model.scaling, static_cast<Index>(t));
    if (!equation) return py::none();
    all.append(py::make_tuple(equation->coefficients, equation->offset));
  }
  return all;
}

}  // namespace

void bind_model(py::module_& module) {
  py::class_<SavedModel, std::shared_ptr<SavedModel>>(module, "Model", "A fitted model, as in a model file.")
      .def("predict", &predict, py::arg("rows"), py::arg("jobs") = py::none(),
           "Predictions, rows x targets; probabilities of the classes for a classifier.")
      .def("expand", &expand, py::arg("kernel"), "Predictions from the kernel of new rows and training rows.")
      .def("half_widths", &half_widths, py::arg("level"),
           "Per target the half-width of intervals that hold a new value with this probability.")
      .def("equations", &equations, "Per target (coefficients, offset), or None.")
      .def("bytes", &bytes, py::arg("expanded") = false,
           "The content of a model file; expanded: of a model of a precomputed kernel, for `expand` alone.")
      .def_property_readonly("columns", &columns_of, "Columns that it reads.")
      .def_property_readonly(
          "features", [](const SavedModel& m) { return m.plan.names(); },
          "What the columns become: categories are one feature per level.")
      .def_property_readonly("targets", [](const SavedModel& m) { return m.target_names; })
      .def_property_readonly("classes", [](const SavedModel& m) { return m.classes; })
      .def_property_readonly("summary", [](const SavedModel& m) { return m.summary; });
  module.def(
      "load_model",
      [](const py::bytes& bytes, const std::string& source) {
        return std::make_shared<SavedModel>(decode_model(bytes, source));
      },
      py::arg("bytes"), py::arg("source") = "the model", "A model from the content of its file.");
}

}  // namespace gnomon::python
