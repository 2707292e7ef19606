#include <pybind11/stl.h>

#include "call.hpp"
#include "compare_run.hpp"
#include "comparison_settings.hpp"
#include "gnomon/core/error.hpp"
#include "modules.hpp"
#include "rows.hpp"

namespace gnomon::python {
namespace {

/// What Python holds of a finished comparison.
class ComparisonHandle {
 public:
  explicit ComparisonHandle(app::ComparisonResult&& result) : result_(std::move(result)) {}

  std::string json() const { return app::json_of(result_).dump(2); }
  std::string html() const { return app::page_of(result_); }
  std::string text() const { return app::text_of(result_); }

 private:
  app::ComparisonResult result_;
};

/// All that a comparison reads and writes: its rows stay alive as long as it does.
struct ComparisonRequest {
  app::CompareFlags flags;
  std::optional<int> jobs;
  SharedRows rows, test;
  std::optional<app::ComparisonResult> result{};

  void run(const Progress& progress) {
    const ThreadsOfCall threads(jobs);
    app::StudyTables tables{.data = rows->table()};
    if (test) tables.test = test->table();
    result = app::run_comparison(std::move(tables), flags, progress);
  }
};

ComparisonHandle compare_criteria(const SharedRows& rows, const app::Typed& options,
                                  const std::string& folder, std::optional<Index> trials, Index splits,
                                  bool resume, const SharedRows& test, const Keywords& keywords,
                                  std::optional<int> jobs, const py::object& progress) {
  const app::FieldNames names = field_names(keywords);
  try {
    app::CompareFlags flags;
    flags.data = "X", flags.folder = folder, flags.trials = trials, flags.splits = splits,
    flags.resume = resume;
    flags.typed = options, flags.learners = app::flags_by_learner("X", options);
    app::check_counts(flags);
    for (app::SelectFlags& learner : flags.learners) learner.study.field_names = names;
    const auto request =
        std::make_shared<ComparisonRequest>(ComparisonRequest{std::move(flags), jobs, rows, test});
    interruptibly([request](const Progress& told) { request->run(told); }, progress);
    return ComparisonHandle(std::move(*request->result));
  } catch (const Error& error) {
    throw py::value_error(app::spoken(error.what(), names));
  }
}

std::vector<std::string> compare_options() {
  std::vector<std::string> names;
  for (const auto& option : app::select_options())
    if (app::is_of_compare(option)) names.push_back(option.name);
  return names;
}

}  // namespace

void bind_compare(py::module_& module) {
  py::class_<ComparisonHandle>(module, "Comparison", "A finished comparison of criteria.")
      .def("json", &ComparisonHandle::json, "All results: the JSON of the command.")
      .def("html", &ComparisonHandle::html, "The report as one self-contained page.")
      .def("text", &ComparisonHandle::text, "The tables as Markdown.");
  module.def("compare", &compare_criteria, py::arg("rows"), py::arg("options"), py::kw_only(),
             py::arg("folder"), py::arg("trials") = py::none(), py::arg("splits") = 0,
             py::arg("resume") = false, py::arg("test") = py::none(), py::arg("keywords") = Keywords{},
             py::arg("jobs") = py::none(), py::arg("progress") = py::none(),
             "Which criterion to trust on data like these; every trial is kept in the folder as soon as it "
             "is done.");
  module.def("compare_options", &compare_options, "Names of the options that have a meaning for compare.");
}

}  // namespace gnomon::python
