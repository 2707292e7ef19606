#include <pybind11/stl.h>

#include "call.hpp"
#include "experiments/result_files.hpp"
#include "gnomon/core/error.hpp"
#include "modules.hpp"
#include "reproduce_all.hpp"

namespace gnomon::python {
namespace {

py::list experiments() {
  py::list all;
  for (const app::Experiment& experiment : app::experiment_catalog) {
    py::dict row;
    row["name"] = std::string(experiment.name);
    row["title"] = std::string(experiment.title);
    row["trials"] = experiment.trials;
    row["quick_trials"] = experiment.quick_trials;
    row["takes_data"] = experiment.takes_data;
    all.append(row);
  }
  return all;
}

/// What is asked and what was found.
struct ReproduceRequest {
  app::ReproduceFlags flags;
  std::optional<int> jobs;
  std::string text{};
  std::vector<std::string> files{};

  void run(const Progress& progress) {
    const ThreadsOfCall threads(jobs);
    if (flags.name == app::every_experiment) return run_all(progress);
    const app::Experiment& experiment = app::find_experiment(flags.name);
    app::check_flags(experiment, flags);
    app::ExperimentRun found = app::run_experiment(experiment, flags, flags.folder, progress);
    text = app::text_of(found.result);
    files = std::move(found.files);
  }

 private:
  void run_all(const Progress& progress) {
    require(flags.options.trials == 0 || flags.options.trials >= 2,
            "--trials {} is too few; a spread needs 2 or more", flags.options.trials);
    files = {"summary.md", "result.json"};
    text = app::reproduce_all(
        flags, [&] { return progress; },
        [&](const app::ExperimentOutcome& outcome) {
          if (outcome.skipped.empty()) files.emplace_back(outcome.experiment->name);
        });
  }
};

/// What was found, as text, and the names of the files (and folders, of all experiments).
std::pair<std::string, std::vector<std::string>> reproduce(const app::ReproduceFlags& flags,
                                                           std::optional<int> jobs,
                                                           const py::object& progress) {
  const auto request = std::make_shared<ReproduceRequest>(ReproduceRequest{flags, jobs});
  interruptibly([request](const Progress& told) { request->run(told); }, progress);
  return {std::move(request->text), std::move(request->files)};
}

}  // namespace

void bind_reproduce(py::module_& module) {
  module.def("experiments", &experiments, "The experiments of the literature.");
  module.def(
      "reproduce",
      [](const std::string& name, const std::string& folder, Index trials, bool quick,
         const std::string& data, bool resume, std::uint64_t seed, std::optional<int> jobs,
         const py::object& progress) {
        app::ReproduceFlags flags;
        flags.name = name, flags.folder = folder;
        flags.options = {.seed = seed, .trials = trials, .data = data};
        flags.quick = quick, flags.resume = resume;
        return reproduce(flags, jobs, progress);
      },
      py::arg("name"), py::kw_only(), py::arg("folder"), py::arg("trials") = 0, py::arg("quick") = false,
      py::arg("data") = "", py::arg("resume") = false, py::arg("seed") = 1, py::arg("jobs") = py::none(),
      py::arg("progress") = py::none(),
      "Runs one experiment, or all, and writes its results into the folder.");
}

}  // namespace gnomon::python
