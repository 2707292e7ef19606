#include "own_learner.hpp"

#include <pybind11/eigen.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>

#include "call.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/learn/path_solver.hpp"

namespace gnomon::python {
namespace {

/// What Python says of its learner.
struct Described {
  std::string name;
  std::shared_ptr<py::object> fit;
  bool continuous, takes_weight;
  Abandoned abandoned;
};

/// A copy, since Python may keep it longer than we keep the matrix.
py::array array_of(const Matrix& matrix) {
  constexpr auto size = static_cast<py::ssize_t>(sizeof(double));
  py::array_t<double> array({matrix.rows(), matrix.cols()}, {size, size * matrix.rows()}, matrix.data());
  array.attr("setflags")(py::arg("write") = false);  // one for all fits
  return array;
}

py::array array_of(const VectorView& values) {
  return py::array_t<double>(static_cast<py::ssize_t>(values.size()), values.data());
}

py::object or_none(const VectorView& values) {
  return values.size() ? py::object(array_of(values)) : py::object(py::none());
}

class OwnSolver final : public PathSolver {
 public:
  OwnSolver(std::shared_ptr<const Described> learner, const SolverDesign& design, double tuning)
      : learner_(std::move(learner)), design_(design), tuning_(tuning) {
    require(learner_->takes_weight || design_.weight.size() == 0,
            "the learner {} takes no weights of rows; give it takes_weight=True if it heeds problem.weight",
            learner_->name);
    const py::gil_scoped_acquire interpreter;
    features_ = shared(array_of(*design_.features));
  }

  std::string_view name() const override { return learner_->name; }
  Dependence dependence() const override {
    return learner_->continuous ? Dependence::continuous : Dependence::discontinuous;
  }
  std::vector<PathFit> path(const VectorView& y, std::span<const double> lambdas) const override {
    std::vector<PathFit> fits;
    for (const double lambda : lambdas)
      fits.push_back(refit(y, lambda, fits.empty() ? PathFit{} : fits.back()));
    return fits;
  }
  PathFit refit(const VectorView& y, double lambda, const PathFit& start) const override {
    if (*learner_->abandoned) throw Interrupted();
    PathFit fit;
    fit.lambda = lambda;
    ask(y, lambda, start, fit);
    const Vector residual = y - *design_.features * fit.coefficients - Vector::Constant(y.size(), fit.offset);
    fit.rss = design_.weight.size() ? design_.weight.dot(residual.cwiseAbs2()) : residual.squaredNorm();
    return fit;
  }
  double trace(const PathFit&, const MatrixView&) const override { return undefined; }
  /// From 1e-5 to 1e3 times the mean squared length of a feature.
  std::vector<double> automatic_grid(const MatrixView&) const override {
    constexpr int count = 25;
    const double unit =
        design_.features->squaredNorm() / static_cast<double>(std::max<Index>(design_.features->cols(), 1));
    std::vector<double> grid;
    for (int k = 0; k < count; ++k)
      grid.push_back((unit > 0 ? unit : 1) * std::pow(10, -5 + 8.0 * k / (count - 1)));
    return grid;
  }

 private:
  /// Has Python fit.
  void ask(const VectorView& y, double lambda, const PathFit& start, PathFit& fit) const {
    const py::gil_scoped_acquire interpreter;
    const py::object problem = py::module_::import("types").attr("SimpleNamespace")(
        py::arg("features") = *features_, py::arg("y") = array_of(y), py::arg("alpha") = lambda,
        py::arg("weight") = or_none(design_.weight), py::arg("intercept") = design_.intercept,
        py::arg("tuning") = std::isnan(tuning_) ? py::object(py::none()) : py::object(py::float_(tuning_)),
        py::arg("start") = or_none(start.coefficients));
    read((*learner_->fit)(problem), fit);
    require(fit.coefficients.size() == design_.features->cols(),
            "the learner {} returned {} coefficients for {} features", learner_->name,
            fit.coefficients.size(), design_.features->cols());
    require(fit.coefficients.allFinite() && std::isfinite(fit.offset),
            "the learner {} returned coefficients that are not finite at alpha {}", learner_->name, lambda);
    require(design_.intercept || fit.offset == 0,
            "the learner {} returned an offset where the fit has no intercept", learner_->name);
  }

  /// coefficients, (coefficients, offset) or (coefficients, offset, converged)
  void read(const py::object& answer, PathFit& fit) const {
    py::object coefficients = answer;
    if (py::isinstance<py::tuple>(answer)) {
      const auto parts = answer.cast<py::tuple>();
      require(
          parts.size() == 2 || parts.size() == 3,
          "the learner {} returned {} things; give coefficients, (coefficients, offset) or (coefficients, "
          "offset, converged)",
          learner_->name, parts.size());
      coefficients = parts[0];
      fit.offset = py::float_(parts[1]);
      if (parts.size() == 3) fit.converged = parts[2].cast<bool>();
    }
    const auto values = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(coefficients);
    require(bool(values), "the learner {} returned no numbers for its coefficients", learner_->name);
    fit.coefficients = Eigen::Map<const Vector>(values.data(), values.size());
  }

  std::shared_ptr<const Described> learner_;
  SolverDesign design_;
  double tuning_;
  std::shared_ptr<py::object> features_;
};

std::optional<TuningParameter> tuning_of(const py::object& given) {
  if (given.is_none()) return std::nullopt;
  const auto [name, values] = given.cast<std::pair<std::string, std::vector<double>>>();
  return TuningParameter{.name = name,
                         .automatic = [values = values](const TuningContext&) { return values; }};
}

Inputs inputs_of(const std::string& name) {
  if (name == "basis") return Inputs::basis;
  if (name == "kernel") return Inputs::kernel;
  fail("inputs '{}' of a learner are not allowed; give basis or kernel", name);
}

}  // namespace

LearnerEntry own_learner(const py::object& given, const Abandoned& abandoned) {
  const auto learner =
      std::make_shared<const Described>(Described{.name = py::str(given.attr("name")),
                                                  .fit = shared(given.attr("fit")),
                                                  .continuous = given.attr("continuous").cast<bool>(),
                                                  .takes_weight = given.attr("takes_weight").cast<bool>(),
                                                  .abandoned = abandoned});
  require(!learner->name.empty(), "a learner of your own needs a name");
  for (const LearnerEntry& known : learner_catalog())
    require(known.name != learner->name, "there is a learner called {} already; give yours another name",
            known.name);
  LearnerEntry entry{.name = learner->name,
                     .inputs = inputs_of(given.attr("inputs").cast<std::string>()),
                     .solver = [learner](const SolverSetting& setting) -> SolverFactory {
                       return [learner, tuning = setting.tuning](const SolverDesign& design,
                                                                 const CentredGram*) {
                         return std::make_unique<OwnSolver>(learner, design, tuning);
                       };
                     },
                     .tuning = tuning_of(given.attr("tuning"))};
  if (const py::object alphas = given.attr("alphas"); !alphas.is_none()) {
    entry.automatic_lambdas = alphas.cast<std::vector<double>>();
    std::sort(entry.automatic_lambdas.begin(), entry.automatic_lambdas.end());
  }
  return entry;
}

}  // namespace gnomon::python
