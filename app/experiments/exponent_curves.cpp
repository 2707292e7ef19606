#include "exponent_curves.hpp"

#include <cmath>

#include "core/text.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/criteria/criteria.hpp"
#include "gnomon/criteria/judge.hpp"
#include "gnomon/data/weights.hpp"
#include "gnomon/learn/path_learner.hpp"
#include "gnomon/learn/weighted_ridge.hpp"
#include "gnomon/noise/noise.hpp"
#include "learn/held_out_moments.hpp"
#include "statistics.hpp"

namespace gnomon::app {
namespace {

constexpr int exponents = 21, folds = 10;

}  // namespace

std::vector<double> flattening_exponents() {
  std::vector<double> grid;
  for (int k = 0; k < exponents; ++k) grid.push_back(static_cast<double>(k) / (exponents - 1));
  return grid;
}

ExponentCurves exponent_curves(const Matrix& x, const Vector& y, const Vector& importance,
                               const MetricPoints& metric, std::uint64_t fold_seed) {
  const auto inputs = std::make_shared<const Matrix>(x);
  const std::vector<double> grid = flattening_exponents(), no_penalty{0};
  PathLearnerOptions options{.representation = Basis::fit("linear", x),
                             .solver = [](const SolverDesign& design,
                                          const CentredGram* known) { return weighted_ridge(design, known); },
                             .folds = random_folds(x.rows(), folds, fold_seed),
                             .importance = importance};
  options.held_out =
      std::make_shared<const HeldOutMoments>(x, y, importance, options.folds.of_row, options.folds.count);
  JudgeOptions judging{.metric = {Metric::Kind::points, metric, "test"}, .folds = folds, .seed = fold_seed};
  ExponentCurves curves{Vector(exponents), Vector(exponents), Vector(exponents),
                        Matrix(x.cols() + 1, exponents)};
  for (Index k = 0; k < exponents; ++k) {
    const PathLearner learner(inputs, y, flattened(importance, grid[static_cast<std::size_t>(k)]), options);
    if (k == 0) judging.sigma2 = least_squares_variance(learner.smoother().spectrum(), 0);
    curves.jhat[k] = judge(learner, sic, no_penalty, judging).value[0];
    curves.cv[k] = judge(learner, cv, no_penalty, judging).value[0];
    // As published, not over the mean ratio (folds are of one size).
    curves.iwcv[k] = importance.mean() * judge(learner, iwcv, no_penalty, judging).value[0];
    curves.parameters.col(k) = learner.parameters_of(learner.path(no_penalty, 0).front());
  }
  return curves;
}

Index least(const VectorView& curve) {
  Index at = 0;
  for (Index k = 1; k < curve.size(); ++k) {
    if (curve[k] < curve[at] || std::isnan(curve[at])) at = k;
  }
  return at;
}

Vector at_least(const MatrixView& error, const MatrixView& criterion) {
  Vector chosen(error.rows());
  for (Index i = 0; i < error.rows(); ++i) chosen[i] = error(i, least(criterion.row(i).transpose()));
  return chosen;
}

MeanCurve mean_curve(const MatrixView& trials) {
  MeanCurve curve{Vector(trials.cols()), Vector(trials.cols())};
  for (Index k = 0; k < trials.cols(); ++k) {
    const Summary s = summary_of(trials.col(k));
    curve.mean[k] = s.mean;
    curve.deviation[k] = s.deviation;
  }
  return curve;
}

std::vector<std::string> exponent_columns(std::string_view curve) {
  std::vector<std::string> names;
  for (const double exponent : flattening_exponents())
    names.push_back(fmt::format("{}_{}", curve, pretty(exponent)));
  return names;
}

}  // namespace gnomon::app
