#include <pybind11/stl.h>

#include "modules.hpp"
#include "select_options.hpp"

namespace gnomon::python {
namespace {

namespace py = pybind11;

const char* name_of(OptionKind kind) {
  switch (kind) {
    case OptionKind::whole:
      return "whole";
    case OptionKind::counter:
      return "counter";
    case OptionKind::flag:
      return "flag";
    case OptionKind::text:
      break;
  }
  return "text";
}

/// The learners to which it applies.
std::vector<std::string> learners_of(const Option<app::SelectFlags>& option) {
  std::vector<std::string> names;
  for (const LearnerEntry& entry : learner_catalog()) {
    app::SelectFlags flags;
    flags.study.request.learner = entry.name;
    if (!option.refusal || option.refusal(flags).empty()) names.push_back(entry.name);
  }
  return names;
}

py::list options() {
  py::list all;
  for (const auto& option : app::select_options()) {
    const std::string by_default = option.get({});
    py::dict row;
    row["name"] = option.name;
    row["group"] = option.group;
    row["kind"] = name_of(option.kind);
    row["help"] = filled(option.help, option.allowed, by_default, "");
    row["manual"] = filled(option.manual, option.allowed, by_default, "`");
    row["default"] = by_default;
    row["allowed"] = option.allowed;
    row["learners"] = learners_of(option);
    all.append(row);
  }
  return all;
}

py::list learners() {
  py::list all;
  for (const LearnerEntry& entry : learner_catalog()) {
    py::dict row;
    row["name"] = entry.name;
    row["tuning"] = entry.tuning ? py::object(py::str(entry.tuning->name)) : py::none();
    row["weights_are_ratios"] = entry.row_weights == RowWeights::density_ratios;
    row["takes_importance"] = entry.takes_importance(Penalty::function);
    row["many_parameters"] = entry.many.has_value();
    row["classifies"] = entry.classifies;
    all.append(row);
  }
  return all;
}

}  // namespace

void bind_options(py::module_& module) {
  module.def("options", &options, "The table of options, and to which learners each applies.");
  module.def("learners", &learners, "What is to be known of each learner.");
}

}  // namespace gnomon::python
