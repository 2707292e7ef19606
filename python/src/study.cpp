#include <pybind11/stl.h>

#include "call.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/report/writers.hpp"
#include "kernels.hpp"
#include "modules.hpp"
#include "own_criteria.hpp"
#include "own_learner.hpp"
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

/// All that a selection reads and writes: its rows stay alive as long as it does.
struct Request {
  app::SelectFlags flags;
  std::optional<int> jobs;
  SharedRows rows, test;
  std::shared_ptr<void> formulas{};  ///< of the user's own criteria
  bool for_report = false;           ///< the study holds all that its page shows
  std::optional<app::FinishedStudy> finished{};

  void run(const Progress& progress) {
    const ThreadsOfCall threads(jobs);
    app::check_study(flags.study);
    app::StudyTables tables{.data_again = [this] { return rows->table(); }, .keep_inputs = for_report};
    if (rows->all_numbers())
      tables.held =
          app::HeldTable{rows->rows(), rows->names(),
                         [this](const std::vector<Index>& columns) { return rows->table_of(columns); },
                         [this](Index first, const std::vector<Index>& columns, Eigen::Ref<Matrix> to) {
                           rows->read(first, columns, to);
                         }};
    else
      tables.data = rows->table();
    if (test) tables.test = test->table();
    finished = app::run_study(std::move(tables), flags.study, progress);
    finished->study.asked = app::asked_of_data(flags);
  }
};

StudyHandle select(const SharedRows& rows, const app::Typed& options, const SharedRows& test,
                   const Keywords& keywords, std::optional<int> jobs, const py::object& progress,
                   const py::object& kernel, const py::list& criteria, const py::object& learner,
                   bool for_report) {
  const app::FieldNames names = field_names(keywords);
  try {
    const auto abandoned = std::make_shared<std::atomic<bool>>(false);
    std::optional<LearnerEntry> own_entry;
    if (!learner.is_none()) own_entry = own_learner(learner, abandoned);
    const auto request =
        std::make_shared<Request>(Request{app::read_flags("X", options, own_entry), jobs, rows, test});
    request->for_report = for_report;
    app::StudyOptions& study = request->flags.study;
    study.field_names = names;
    study.request.chosen_error = true;
    study.request.keep_spectrum = study.request.keep_held_out = for_report;
    if (!kernel.is_none()) study.request.kernel = own_kernel(kernel);
    OwnCriteria own = own_criteria(criteria);
    request->formulas = std::move(own.lease);
    if (!own.criteria.empty() && !options.contains("criterion")) study.request.criteria.clear();
    study.request.own_criteria = std::move(own.criteria);
    try {
      interruptibly([request](const Progress& told) { request->run(told); }, progress);
    } catch (...) {
      *abandoned = true;  // the work may still be going on
      throw;
    }
    return StudyHandle(std::move(*request->finished));
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
      "select", &select, py::arg("rows"), py::arg("options"), py::kw_only(), py::arg("test") = py::none(),
      py::arg("keywords") = Keywords{}, py::arg("jobs") = py::none(), py::arg("progress") = py::none(),
      py::arg("kernel") = py::none(), py::arg("criteria") = py::list(), py::arg("learner") = py::none(),
      py::arg("for_report") = false,
      "Estimates the error along the path, chooses, refits. Options are texts by name, as on the command "
      "line; "
      "progress(what, fraction) is called now and then, and an exception from it stops the computation.");
}

}  // namespace gnomon::python
