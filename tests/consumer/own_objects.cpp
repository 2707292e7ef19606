// A program outside the library that brings objects of its own: a kernel, a basis, a criterion, a solver, a noise method and a
// density ratio. It chooses with them, checks the numbers against the library's where both say the same, and writes
// reports that call everything by its name: own_objects FOLDER

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <gnomon/core/error.hpp>
#include <gnomon/core/random.hpp>
#include <gnomon/criteria/criteria.hpp>
#include <gnomon/data/synthetic.hpp>
#include <gnomon/learn/model_file.hpp>
#include <gnomon/learn/path_solver.hpp>
#include <gnomon/noise/noise.hpp>
#include <gnomon/report/writers.hpp>
#include <gnomon/select/selection.hpp>
#include <gnomon/shift/density_ratio.hpp>
#include <iterator>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

using gnomon::Index, gnomon::Matrix, gnomon::MatrixView, gnomon::Vector, gnomon::VectorView;

namespace {

// A kernel: a name, and a function of the squared distance. The field `width` is filled with the widths to choose from.

/// k(x, x') = 1 / (1 + ‖x−x'‖² / (2·shape·width²))^shape: a mixture of Gaussians of many widths.
struct RationalQuadratic {
  double width = 1;
  double shape = 1;
  static constexpr std::string_view name = "rational-quadratic";
  double operator()(double squared_distance) const {
    return std::pow(1 + squared_distance / (2 * shape * width * width), -shape);
  }
};

/// A kernel of two rows: the library's Gaussian, written from its definition.
struct Bell {
  double width = 1;
  static constexpr std::string_view name = "bell";
  double operator()(std::span<const double> x, std::span<const double> z) const {
    double squared = 0;
    for (std::size_t k = 0; k < x.size(); ++k) squared += (x[k] - z[k]) * (x[k] - z[k]);
    return std::exp(-squared / (2 * width * width));
  }
};

/// A function that is no kernel: it is not positive semidefinite.
struct Parabola {
  static constexpr std::string_view name = "parabola";
  double operator()(double squared_distance) const { return std::max(0.0, 1 - squared_distance); }
};

// A basis: names and a design.

/// The line, and hinges at −1/2, 0 and 1/2.
gnomon::OwnBasis hinges() {
  return {.name = "hinges",
          .functions = {"line", "at -0.5", "at 0", "at 0.5"},
          .design = [](const MatrixView& x) {
            Matrix phi(x.rows(), 4);
            phi << x.col(0), (x.col(0).array() + 0.5).max(0), x.col(0).array().max(0),
                (x.col(0).array() - 0.5).max(0);
            return phi;
          }};
}

// A criterion: one formula in the accounts of a fit.

/// n rss / (n − 1.4 df)²: generalized cross-validation with an inflated price of parameters, against undersmoothing.
/// Undefined where nothing is left.
constexpr gnomon::Criterion robust_gcv{
    .name = "gcv-1.4",
    .words = "generalized cross-validation at 1.4 the price",
    .estimates = "mean squared prediction error, noise included",
    .formula = gnomon::CountsFormula([](auto a, const gnomon::Given&) {
      const auto left = a.left - 0.4 * a.df;
      const auto value = a.n * a.rss / (left * left);
      return gnomon::value_of(left) > 0 ? value : decltype(value)(gnomon::undefined);
    }),
    .rests_on_divergence = true};

constexpr gnomon::Criterion own_gcv{.name = "own-gcv",
                                    .words = "generalized cross-validation, once more",
                                    .estimates = "mean squared prediction error, noise included",
                                    .formula = gnomon::CountsFormula([](auto a, const gnomon::Given&) {
                                      return a.n * a.rss / (a.left * a.left);
                                    }),
                                    .rests_on_divergence = true};

// A learner that is solved anew for every y: a solver, and an entry that says how to make it.

/// Expectile regression: minimise Σ c(r_i) r_i² + λ‖a‖², r = y − φ'a − b, with c = side where r > 0 and 1 − side elsewhere. Solved by
/// least squares with these weights until no residual changes its side. At side = 1/2 it is ridge at 2λ.
class Expectile final : public gnomon::PathSolver {
 public:
  Expectile(const gnomon::SolverDesign& design, double side) : design_(design), side_(side) {}

  std::string_view name() const override { return "expectile"; }
  gnomon::Dependence dependence() const override { return gnomon::Dependence::continuous; }
  std::vector<gnomon::PathFit> path(const VectorView& y, std::span<const double> lambdas) const override {
    std::vector<gnomon::PathFit> fits;
    for (const double lambda : lambdas) fits.push_back(refit(y, lambda, {}));
    return fits;
  }
  gnomon::PathFit refit(const VectorView& y, double lambda, const gnomon::PathFit&) const override {
    const Matrix& phi = *design_.features;
    const Vector rows = design_.weight.size() ? design_.weight : Vector::Ones(phi.rows());
    gnomon::PathFit fit;
    fit.lambda = lambda;
    Vector residual = Vector::Zero(y.size());
    for (int step = 0; step < 100; ++step) {
      const Vector cost = (residual.array() > 0).select(rows * side_, rows * (1 - side_));
      const Vector mean = phi.transpose() * cost / cost.sum();
      const double level = cost.dot(y) / cost.sum();
      const Matrix centred = phi.rowwise() - mean.transpose();
      Matrix normal = centred.transpose() * cost.asDiagonal() * centred;
      normal.diagonal().array() += lambda;
      fit.coefficients =
          normal.ldlt().solve(centred.transpose() * cost.cwiseProduct(Vector(y.array() - level)));
      fit.offset = level - mean.dot(fit.coefficients);
      const Vector before = residual;
      residual = y - phi * fit.coefficients - Vector::Constant(y.size(), fit.offset);
      fit.converged = step > 0 && ((before.array() > 0) == (residual.array() > 0)).all();
      if (fit.converged) break;
    }
    fit.gap = fit.converged ? 0 : HUGE_VAL;
    fit.rss = rows.dot(residual.cwiseAbs2());
    return fit;
  }
  double trace(const gnomon::PathFit&, const MatrixView&) const override { return gnomon::undefined; }
  std::vector<double> automatic_grid(const MatrixView&) const override {
    return {0.001, 0.01, 0.1, 1, 10, 100};
  }

 private:
  gnomon::SolverDesign design_;
  double side_;
};

gnomon::LearnerEntry expectile() {
  return {.name = "expectile",
          .inputs = gnomon::Inputs::basis,
          .solver = [](const gnomon::SolverSetting& setting) -> gnomon::SolverFactory {
            return [side = setting.tuning](const gnomon::SolverDesign& design, const gnomon::CentredGram*) {
              return std::make_unique<Expectile>(design, side);
            };
          },
          .tuning = gnomon::TuningParameter{.name = "side", .automatic = [](const gnomon::TuningContext&) {
                                              return std::vector<double>{0.3, 0.5, 0.7};
                                            }}};
}

// A noise method: an estimate from what is known of the learner, its path and the data.

/// Second differences in the order of the first input: Σ (y₋ − 2y + y₊)² / (6(n − 2)).
gnomon::NoiseMethod second_differences() {
  return {.name = "second-differences",
          .words = "second differences along the input",
          .estimate =
              [](const gnomon::NoiseContext& c) {
                std::vector<Index> order(static_cast<std::size_t>(c.y.size()));
                std::iota(order.begin(), order.end(), 0);
                std::stable_sort(order.begin(), order.end(),
                                 [&](Index a, Index b) { return c.x(a, 0) < c.x(b, 0); });
                const Vector y = c.y(order);
                const Index n = y.size() - 2;
                return gnomon::one_variance((y.head(n) - 2 * y.segment(1, n) + y.tail(n)).squaredNorm() /
                                            (6 * static_cast<double>(n)));
              },
          .lacks = [](const gnomon::NoiseContext& c) { return c.y.size() > 2 ? "" : "needs three rows"; }};
}

// A density ratio: weights for training rows under covariate shift.

/// Normal densities with the mean and the variance of every input in the two samples.
gnomon::RatioMethod two_normals() {
  return {.name = "two-normals",
          .words = "a normal density for each sample",
          .estimate = [](const gnomon::TwoSamples& samples, const gnomon::RatioOptions&,
                         const gnomon::Progress&) {
            const auto log_density = [](const Matrix& sample) {
              const Vector mean = sample.colwise().mean();
              const Vector variance =
                  (sample.rowwise() - mean.transpose()).array().square().colwise().mean().transpose();
              return [mean, variance](const MatrixView& x) -> Vector {
                Vector out = Vector::Constant(x.rows(), -0.5 * variance.array().log().sum());
                for (Index j = 0; j < x.cols(); ++j)
                  out -= ((x.col(j).array() - mean[j]).square() / (2 * variance[j])).matrix();
                return out;
              };
            };
            gnomon::DensityRatio ratio;
            ratio.evaluate = [test = log_density(samples.test),
                              train = log_density(samples.train)](const MatrixView& x) -> Vector {
              return (test(x) - train(x)).array().exp();
            };
            return ratio;
          }};
}

// Choosing with them.

void check(bool holds, const std::string& what) {
  if (holds) return;
  fmt::print(stderr, "own_objects: {}\n", what);
  std::exit(1);
}

double distance(const Vector& a, const Vector& b) { return (a - b).norm() / b.norm(); }

std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const gnomon::Error& error) {
    return error.what();
  }
  return "";
}

gnomon::TrainingData training(const gnomon::Synthetic& toy) {
  return {.x = toy.x, .y = toy.y, .weight = {}, .target_names = {"y"}};
}

gnomon::Study study_of(const gnomon::TrainingData& data, gnomon::Selection selection) {
  gnomon::Study study;
  study.source = "own_objects.cpp";
  study.selection = std::move(selection);
  study.x = data.x;
  study.y = data.y;
  study.feature_names = {"x"};
  study.scale = gnomon::Scale::none;
  return study;
}

/// Writes the page and the JSON, reads them again, and looks for the names.
nlohmann::ordered_json written(const gnomon::Study& study, const std::string& path,
                               const std::vector<std::string>& names) {
  std::ofstream(path + ".html") << gnomon::html_report(study);
  std::ofstream(path + ".json") << gnomon::json_report(study).dump(1);
  for (const char* kind : {".html", ".json"}) {
    std::ifstream in(path + kind);
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    for (const auto& name : names)
      check(text.find(name) != std::string::npos, path + kind + " has no " + name);
  }
  std::ifstream in(path + ".json");
  return nlohmann::ordered_json::parse(in);
}

// A panel: blocks about a study, on a page of their own.

gnomon::Section cost_section(const gnomon::Selection& chosen) {
  const gnomon::TargetSelection& y = chosen.targets[0];
  return {"What the fit costs",
          {gnomon::Facts{{{.label = "degrees of freedom", .value = fmt::format("{:.1f}", y.chosen_df)}}},
           gnomon::Paragraph{fmt::format("chosen by {}", y.chosen().label)}}};
}

void choose_with_own_kernel(const gnomon::TrainingData& data, const gnomon::Synthetic& toy,
                            const std::string& path) {
  gnomon::SelectionRequest request;
  request.kernel = RationalQuadratic{};
  request.width = {0.5, 1, 2, 4};
  request.criteria = {"loo", "cp"};
  request.own_criteria = {robust_gcv};
  request.noise = second_differences();
  const gnomon::Selection chosen = gnomon::select(data, request);
  const Matrix fitted = chosen.model.predict(data.x);
  check((fitted.col(0) - toy.truth).squaredNorm() < 0.01 * 100, "the fit with an own kernel is poor");

  const auto json =
      written(study_of(data, chosen), path, {"rational-quadratic", "gcv-1.4", "second-differences"});
  check(json["learner"]["kernel"] == "rational-quadratic", "the kernel is not named");
  check(json["learner"]["width"] == chosen.targets[0].path()->chosen().width, "the width is not reported");
  check(json["noise_variance"]["method"] == "second-differences", "the noise method is not named");
  check(json["path"]["criteria"].contains("gcv-1.4"), "the criterion is not reported");
  const std::string page = gnomon::html_page("Costs", "One section.", {cost_section(chosen)});
  check(page.find("What the fit costs") != std::string::npos, "the page has no section");
}

void compare_with_the_library(const gnomon::TrainingData& data) {
  // λ well above what rounding of the kernel matrix, 100 × 10⁻¹⁶, can move.
  gnomon::SelectionRequest ours;
  ours.width = {0.5, 1, 2};
  ours.lambda = {0.1, 1, 10};
  ours.criteria = {"gcv", "loo", "cv:5"};
  ours.search = gnomon::Search::grid;
  gnomon::SelectionRequest yours = ours;
  yours.kernel = Bell{};
  yours.own_criteria = {own_gcv};
  const auto known = gnomon::select(data, ours).targets[0], own = gnomon::select(data, yours).targets[0];
  const auto &gaussian = known.path()->criteria, &bell = own.path()->criteria;
  for (std::size_t k = 0; k < 3; ++k)
    check(distance(bell[k].curve.value, gaussian[k].curve.value) < 1e-12,
          "the own kernel differs from gaussian in " + gaussian[k].label);
  check(distance(own.fitted, known.fitted) < 1e-11, "the own kernel's fit differs from gaussian's");
  check(distance(bell[3].curve.value, bell[0].curve.value) < 1e-12, "the own criterion differs from gcv");
}

void meet_refusals(const gnomon::TrainingData& data) {
  gnomon::SelectionRequest request{.kernel = Parabola{}};
  check(refusal([&] { gnomon::select(data, request); }).find("'parabola' is not positive semidefinite") !=
            std::string::npos,
        "what is no kernel was taken for one");
  request.kernel = RationalQuadratic{};
  const gnomon::Selection chosen = gnomon::select(data, request);
  check(refusal([&] {
          gnomon::encode_model({{}, {}, chosen.model, {"y"}, ""});
        }).find("'rational-quadratic' cannot be saved") != std::string::npos,
        "a model was saved that nobody can read");
}

void choose_with_own_solver(const gnomon::TrainingData& data, const std::string& path) {
  gnomon::SelectionRequest request;
  request.learner = expectile();
  request.basis = hinges();
  request.criteria = {"cv:5"};
  const gnomon::Selection chosen = gnomon::select(data, request);
  const auto json = written(study_of(data, chosen), path, {"expectile", "hinges", "side"});
  check(json["learner"]["name"] == "expectile", "the learner is not named");
  check(json["learner"]["basis"] == "hinges", "the basis is not named");

  request.tuning = 0.5;
  request.lambda = 0.5;
  gnomon::SelectionRequest ridge = request;
  ridge.learner = "ridge";
  ridge.lambda = 1;
  check(distance(gnomon::select(data, request).targets[0].fitted,
                 gnomon::select(data, ridge).targets[0].fitted) < 1e-9,
        "the own solver differs from ridge where it is ridge");
}

void choose_under_own_weights(gnomon::TrainingData data, const std::string& path) {
  gnomon::Random random(2);
  const Matrix test = (1.5 + random.normal_vector(80).array() / 2).matrix();
  const gnomon::DensityRatio ratio = gnomon::estimate_density_ratio(two_normals(), data.x, test);
  const Vector at = ratio.at(data.x.topRows(5));
  check(distance(at, ratio.train_weight.head(5)) < 1e-12, "the ratio differs between rows and points");
  const auto density = [](const Matrix& sample, double x) {
    const double mean = sample.mean(), variance = (sample.array() - mean).square().mean();
    return std::exp(-(x - mean) * (x - mean) / (2 * variance)) / std::sqrt(variance);
  };
  const double wanted = density(test, data.x(3, 0)) / density(data.x, data.x(3, 0));
  check(std::abs(at[3] - wanted) < 1e-9 * wanted, "the ratio is not that of two normal densities");

  data.importance = ratio.train_weight;
  gnomon::SelectionRequest request;
  request.learner = "iwls";
  request.basis = "polynomial:3";
  gnomon::Study study = study_of(data, gnomon::select(data, request));
  study.shift = gnomon::ShiftStudy{.method = ratio.method,
                                   .parameters = ratio.parameters,
                                   .weight = ratio.train_weight,
                                   .verdict = {},
                                   .test_x = {}};
  const auto json = written(study, path, {"two-normals"});
  check(json["shift"]["method"] == "two-normals", "the density ratio is not named");
}

}  // namespace

int main(int argc, char** argv) try {
  const std::string folder = argc > 1 ? argv[1] : ".";
  gnomon::Random random(1);
  const gnomon::Synthetic toy = gnomon::make_synthetic("sinc", 100, 0.2, random);
  const gnomon::TrainingData data = training(toy);
  choose_with_own_kernel(data, toy, folder + "/own_kernel");
  compare_with_the_library(data);
  meet_refusals(data);
  choose_with_own_solver(data, folder + "/own_solver");
  choose_under_own_weights(data, folder + "/own_weights");
  fmt::print(
      "own objects: kernel, basis, criterion, solver, noise method and density ratio chosen with and "
      "reported\n");
} catch (const std::exception& problem) {
  fmt::print(stderr, "own_objects: {}\n", problem.what());
  return 1;
}
