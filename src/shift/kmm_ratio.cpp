#include <cmath>

#include "core/text.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/data/folds.hpp"
#include "kmm.hpp"
#include "methods.hpp"
#include "represent/width.hpp"

namespace gnomon {
namespace {

Matrix rows_except(const Matrix& x, const Folds& folds, int fold, bool held_out) {
  std::vector<Index> rows;
  for (Index i = 0; i < x.rows(); ++i)
    if ((folds.of_row[static_cast<std::size_t>(i)] == fold) == held_out) rows.push_back(i);
  return x(rows, Eigen::all);
}

/// ½ mean w² over held-out training rows − mean w over held-out test rows: the squared error of the ratio under
/// the training density, up to a constant.
double held_out_error(const Matrix& train, const Matrix& test, const Folds& train_folds,
                      const Folds& test_folds, double width, double lambda, double bound) {
  double sum = 0;
  for (int fold = 0; fold < train_folds.count; ++fold) {
    const Matrix kept = rows_except(train, train_folds, fold, false);
    const KmmFit fit = kmm_fit(kept, rows_except(test, test_folds, fold, false), width,
                               lambda * static_cast<double>(kept.rows()), bound);
    sum += 0.5 * fit.at(rows_except(train, train_folds, fold, true)).array().square().mean() -
           fit.at(rows_except(test, test_folds, fold, true)).mean();
  }
  return sum / train_folds.count;
}

}  // namespace

DensityRatio kmm_ratio(const TwoSamples& samples, const RatioOptions& options, const Progress& progress) {
  constexpr Index kTuningRows = 300;  // of each sample, chosen at random; the penalty is per row
  const Matrix train = samples.train.topRows(std::min(kTuningRows, samples.train.rows()));
  const Matrix test = samples.test.topRows(std::min(kTuningRows, samples.test.rows()));
  const double width =
      options.width ? *options.width : median_distance(TwoSamples{{}, train, test}.pooled(), Vector());
  const std::vector<double> lambdas =
      options.lambda ? std::vector{*options.lambda} : log_grid(1e-4, 10, options.lambdas);
  Vector error = Vector::Zero(static_cast<Index>(lambdas.size()));
  if (lambdas.size() > 1) {
    const int count = static_cast<int>(std::min({Index{options.folds}, train.rows(), test.rows()}));
    const Folds train_folds = random_folds(train.rows(), count, options.seed, 0),
                test_folds = random_folds(test.rows(), count, options.seed, 1);
    for_each_reported(error.size(), "penalties", progress, [&](Index i) {
      error[i] = held_out_error(train, test, train_folds, test_folds, width,
                                lambdas[static_cast<std::size_t>(i)], options.weight_bound);
    });
  }
  Index best = 0;
  error.minCoeff(&best);
  const double lambda = lambdas[static_cast<std::size_t>(best)];
  progress("kernel mean matching", 0.9);
  const KmmFit fit = kmm_fit(samples.train, samples.test, width,
                             lambda * static_cast<double>(samples.train.rows()), options.weight_bound);
  DensityRatio ratio;
  ratio.parameters = {{"width", width},
                      {"lambda", lambda},
                      {"bound", options.weight_bound},
                      {"relative_gap", fit.gap / fit.scale},
                      {"iterations", fit.iterations}};
  ratio.score_name = "cross-validated squared error (up to a constant)";
  if (lambdas.size() > 1) ratio.score = error[best];
  if (!fit.converged)
    ratio.warnings.push_back(
        fmt::format("kmm stopped before its optimum: relative duality gap {}", pretty(fit.gap / fit.scale)));
  ratio.evaluate = [fit](const MatrixView& x) { return fit.at(x); };
  return ratio;
}

}  // namespace gnomon
