#include <pybind11/stl.h>

#include "call.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/report/writers.hpp"
#include "kernels.hpp"
#include "modules.hpp"
#include "rows.hpp"
#include "select_options.hpp"
#include "typed_flags.hpp"

namespace gnomon::python {
namespace {

/// What Python holds of a finished study: results are written when they are asked for.
class StudyHandle {
 public:
  explicit StudyHandle(app::FinishedStudy&& finished)
      : study_(std::move(finished.study)), model_(std::make_shared<SavedModel>(std::move(finished.model))) {}

  std::string json() const { return json_report(study_).dump(2); }
  std::string html() const { return html_report(study_); }
  std::string text(bool colour) const { return text_report(study_, colour); }
  std::shared_ptr<SavedModel> model() const { return model_; }
  /// Each once, in the order of the targets.
  std::vector<std::string> warnings() const {
    std::vector<std::string> all;
    for (const TargetSelection& target : study_.selection.targets)
      for (const std::string& warning : target.warnings)
        if (std::find(all.begin(), all.end(), warning) == all.end()) all.push_back(warning);
    return all;
  }

 private:
  Study study_;
  std::shared_ptr<SavedModel> model_;
};

StudyHandle select(const Rows& rows, const app::Typed& options, const Rows* test, const Keywords& keywords,
                   std::optional<int> jobs, py::object progress, const py::object& kernel) {
  const app::FieldNames names = field_names(keywords);
  Interruptible interruptible(std::move(progress));
  std::optional<KernelChoice> brought;
  if (!kernel.is_none()) brought = own_kernel(kernel);
  try {
    const py::gil_scoped_release computing;
    const ThreadsOfCall threads(jobs);
    app::SelectFlags flags = app::read_flags("X", options);
    flags.study.field_names = names;
    flags.study.request.chosen_error = true;
    flags.study.request.keep_spectrum = false;
    if (brought) flags.study.request.kernel = *brought;
    app::check_study(flags.study);
    app::StudyTables tables{.data = rows.table(), .data_again = [&rows] { return rows.table(); }};
    if (test) tables.test = test->table();
    app::FinishedStudy finished = app::run_study(std::move(tables), flags.study, interruptible.progress());
    finished.study.asked = app::asked_of_data(flags);
    return StudyHandle(std::move(finished));
  } catch (const Interrupted&) {
    interruptible.rethrow();
  } catch (const Error& error) {
    throw py::value_error(app::spoken(error.what(), names));
  }
}

}  // namespace

void bind_study(py::module_& module) {
  py::class_<StudyHandle>(module, "Study", "A finished selection.")
      .def("json", &StudyHandle::json, "All results: the JSON of the command.")
      .def("html", &StudyHandle::html, "The report as one self-contained page.")
      .def("text", &StudyHandle::text, py::arg("colour") = false, "The report for a terminal.")
      .def_property_readonly("model", &StudyHandle::model)
      .def_property_readonly("warnings", &StudyHandle::warnings);
  module.def(
      "select", &select, py::arg("rows"), py::arg("options"), py::kw_only(), py::arg("test") = nullptr,
      py::arg("keywords") = Keywords{}, py::arg("jobs") = py::none(), py::arg("progress") = py::none(),
      py::arg("kernel") = py::none(),
      "Estimates the error along the path, chooses, refits. Options are texts by name, as on the command "
      "line; "
      "progress(what, fraction) is called now and then, and an exception from it stops the computation.");
}

}  // namespace gnomon::python
