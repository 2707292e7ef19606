#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>

#include "call.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/criteria/criteria.hpp"
#include "modules.hpp"
#include "refits.hpp"

namespace gnomon::python {
namespace {

constexpr const char* by_bootstrap = "bootstrap";
constexpr const char* by_divergence = "divergence";

/// How a criterion comes by its covariance term, or fails where it is not one for refits alone.
std::string term_of(const Criterion& criterion, bool at_points) {
  const bool counted = std::holds_alternative<CountsFormula>(criterion.formula) && !criterion.needs_squares &&
                       !criterion.needs_cost;
  const bool of_sic = std::holds_alternative<SicFormula>(criterion.formula) &&
                      criterion.reference == Criterion::Reference::least_squares;
  if (!counted && !of_sic)
    fail(
        "criterion '{}' needs more than refits to other targets; use basic, sure, sic, cp, gcv, fpe, aic, "
        "aicc or bic",
        criterion.name);
  if (at_points && !of_sic)
    fail("criterion '{}' judges at the training inputs, not at X_test; use basic or sic", criterion.name);
  return criterion.covariance == Criterion::Covariance::bootstrap ? by_bootstrap : by_divergence;
}

py::dict criterion_facts(const std::string& name, bool at_points) {
  const CriterionRequest asked = find_criterion(name);
  py::dict facts;
  facts["name"] = asked.label;
  facts["words"] = std::string(asked.criterion.words);
  facts["estimates"] = std::string(asked.criterion.estimates);
  facts["needs_noise"] = asked.criterion.needs_noise;
  facts["term"] = term_of(asked.criterion, at_points);
  return facts;
}

BootstrapOptions bootstrap_options(int replications, const std::string& residuals) {
  const std::vector<std::string> treatments{"raw", "centred", "scaled"};
  if (std::find(treatments.begin(), treatments.end(), residuals) == treatments.end())
    fail("bootstrap_residuals '{}' is not allowed; give raw, centred or scaled", residuals);
  return {.replications = replications, .centred = residuals != "raw", .rescaled = residuals == "scaled"};
}

/// A covariance and the numbers that it gives, over σ² where it was found by probes.
py::dict estimate_of_refits(const Refits& refits, const std::string& name, const FoundCovariance& found,
                            bool over_sigma2, double sigma2) {
  const Criterion& criterion = find_criterion(name).criterion;
  const double scale = over_sigma2 ? sigma2 : 1, spread = refits.reference().spread;
  const double covariance = scale * found.whole;
  const double with_noise = refits.distance() + 2 * covariance;
  py::dict out;
  out["value"] = over_sigma2 ? refits.value(criterion, found.whole, undefined, sigma2)
                             : refits.value(criterion, undefined, found.less_constant, sigma2);
  out["error"] = with_noise - sigma2 * spread;
  // At the training rows σ² drops out: the training error and its optimism.
  out["prediction_error"] = spread == 1 ? with_noise : with_noise + sigma2 * (1 - spread);
  out["n"] = refits.count();
  out["training_error"] = refits.training_error();
  out["distance"] = refits.distance();
  out["optimism"] = 2 * covariance;
  out["simulation_error"] = 2 * scale * found.simulation;
  // Of a mean of squared residuals and what is added to it; the spread at other points is not known.
  const bool of_residuals =
      spread == 1 && (criterion.deviation || std::holds_alternative<SicFormula>(criterion.formula));
  out["standard_error"] =
      of_residuals ? std::hypot(refits.spread_of_residuals(), 2 * scale * found.simulation) : undefined;
  return out;
}

}  // namespace

void bind_estimate(py::module_& module) {
  py::class_<FoundCovariance>(module, "Covariance",
                              "The covariance of a fit with the noise, as refits tell it.")
      .def_readonly("whole", &FoundCovariance::whole)
      .def_readonly("less_constant", &FoundCovariance::less_constant)
      .def_readonly("simulation", &FoundCovariance::simulation);
  py::class_<Refits>(module, "Refits", "The error of a fit by any learner, from refits to other targets.")
      .def(py::init([](Vector y, Vector weight, Vector fitted) {
             Reference reference = Reference::at_rows(y, weight);
             Vector values = fitted;
             return Refits(std::move(y), std::move(weight), std::move(fitted), std::move(values),
                           std::move(reference));
           }),
           py::arg("y"), py::arg("weight"), py::arg("fitted"))
      .def(py::init([](Vector y, Vector weight, Vector fitted, Vector values, const Matrix& x,
                       const Matrix& points, const std::string& basis) {
             Reference reference = Reference::at_points(x, y, weight, points, basis);
             return Refits(std::move(y), std::move(weight), std::move(fitted), std::move(values),
                           std::move(reference));
           }),
           py::arg("y"), py::arg("weight"), py::arg("fitted"), py::arg("values"), py::arg("x"),
           py::arg("points"), py::arg("basis"))
      .def(
          "resampled",
          [](Refits& self, std::uint64_t seed, int replications, const std::string& residuals,
             double sigma2) {
            return self.resampled(seed, bootstrap_options(replications, residuals), sigma2);
          },
          py::arg("seed"), py::arg("replications"), py::arg("residuals"), py::arg("sigma2"),
          "Targets of the bootstrap, one column each.")
      .def("by_bootstrap", &Refits::by_bootstrap, py::arg("refits"), py::call_guard<py::gil_scoped_release>(),
           "Their covariance from the values of the refits, points × replications.")
      .def("probed", &Refits::probed, py::arg("seed"), py::arg("probes"), py::arg("step"), py::arg("central"),
           "Targets along random signs, one column each.")
      .def("by_probes", &Refits::by_probes, py::arg("refits"), py::call_guard<py::gil_scoped_release>(),
           "The divergence from the values of the refits.")
      .def("estimate", &estimate_of_refits, py::arg("criterion"), py::arg("covariance"),
           py::arg("over_sigma2"), py::arg("sigma2"), "The criterion and its parts.")
      .def_property_readonly("reference", [](const Refits& self) { return self.reference().name; });
  module.def("criterion_facts", &criterion_facts, py::arg("name"), py::arg("at_points") = false,
             "What is to be known of a criterion of refits.");
  module.def(
      "divergence_step", [](const Vector& y) { return divergence_step(y); }, py::arg("y"),
      "A step at which differences of an exact solver keep six digits.");
}

}  // namespace gnomon::python
