#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include "call.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/report/writers.hpp"
#include "modules.hpp"
#include "rows.hpp"
#include "shift_samples.hpp"
#include "study_metric.hpp"

namespace gnomon::python {
namespace {

/// The density ratio of two samples, which can be asked at new rows.
class RatioHandle {
 public:
  RatioHandle(app::Samples&& samples, app::WeighedSamples&& weighed)
      : plan_(std::move(samples.plan)), scaling_(std::move(samples.scaling)), weighed_(std::move(weighed)) {}

  const Vector& weights() const { return weighed_.shift.weight; }
  std::string json() const { return json_report(weighed_.shift).dump(2); }
  const std::vector<std::string>& warnings() const { return weighed_.shift.verdict->warnings; }
  const std::string& estimates() const { return weighed_.ratio.estimates; }
  std::vector<std::string> columns() const {
    std::vector<std::string> names;
    for (const FeatureSource& source : plan_.sources) names.push_back(source.column);
    return names;
  }
  Vector at(const Rows& rows) const {
    const py::gil_scoped_release computing;
    return weighed_.ratio.at(app::scaled_inputs(rows.table(), plan_, scaling_));
  }

 private:
  FeaturePlan plan_;
  Scaling scaling_;
  app::WeighedSamples weighed_;
};

/// All that an estimate reads and writes.
struct RatioRequest {
  SharedRows train, test;
  std::string method;
  std::uint64_t seed;
  app::SampleOptions options;
  std::optional<int> jobs;
  app::Samples samples{};
  app::WeighedSamples weighed{};

  void run(const Progress& progress) {
    const ThreadsOfCall threads(jobs);
    find_ratio_method(method);
    samples = app::make_samples(
        train->table(), [this](const FeaturePlan&) { return test->table(); }, options);
    weighed = app::weigh(samples.train, samples.test, samples.input_names, method, seed, progress);
  }
};

RatioHandle density_ratio(const SharedRows& train, const SharedRows& test, const std::string& method,
                          std::uint64_t seed, const std::string& missing, std::optional<int> jobs,
                          const Keywords& keywords) {
  app::SampleOptions options;
  options.missing = missing;
  const auto request = std::make_shared<RatioRequest>(RatioRequest{train, test, method, seed, options, jobs});
  try {
    interruptibly([request](const Progress& progress) { request->run(progress); }, py::none());
    return {std::move(request->samples), std::move(request->weighed)};
  } catch (const Error& error) {
    throw py::value_error(app::spoken(error.what(), field_names(keywords)));
  }
}

}  // namespace

void bind_ratio(py::module_& module) {
  py::class_<RatioHandle>(module, "Ratio", "A density ratio p_test/p_train.")
      .def_property_readonly("weights", &RatioHandle::weights, "At the training rows that were used.")
      .def_property_readonly("warnings", &RatioHandle::warnings)
      .def_property_readonly("estimates", &RatioHandle::estimates, "What is estimated, in words.")
      .def_property_readonly("columns", &RatioHandle::columns)
      .def("json", &RatioHandle::json, "The object shift of the command's JSON.")
      .def("at", &RatioHandle::at, py::arg("rows"), "The ratio at new rows.");
  module.def("density_ratio", &density_ratio, py::arg("train"), py::arg("test"), py::arg("method"),
             py::arg("seed"), py::arg("missing"), py::arg("jobs"), py::arg("keywords"),
             "The density ratio of two samples.");
  module.def("ratio_methods", &ratio_methods, "Names of the methods.");
}

}  // namespace gnomon::python
