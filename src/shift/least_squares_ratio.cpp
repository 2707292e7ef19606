#include "least_squares_ratio.hpp"

#include <algorithm>
#include <cmath>

#include "decompose/lapack.hpp"
#include "gnomon/core/error.hpp"
#include "methods.hpp"
#include "pair_scores.hpp"
#include "ratio_folds.hpp"

namespace gnomon {
namespace {

/// Σ over the rows of x of their kernel functions, and of the outer products (lower triangle), divided by the
/// number of rows; in blocks, so that memory does not grow with the sample.
struct Means {
  Vector function;
  Matrix product;
};
Means feature_means(const MatrixView& x, const MatrixView& centres, double width) {
  constexpr Index kRows = 4096;
  const Index b = centres.rows();
  const double share = 1 / static_cast<double>(x.rows());
  Means means{Vector::Zero(b), Matrix::Zero(b, b)};
  for (Index begin = 0; begin < x.rows(); begin += kRows) {
    const Index size = std::min(kRows, x.rows() - begin);
    const Matrix f = gaussian_features(x.middleRows(begin, size), centres, width);
    means.function += share * f.colwise().sum().transpose();
    cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, static_cast<int>(b), static_cast<int>(size), share,
                f.data(), static_cast<int>(size), 1, means.product.data(), static_cast<int>(b));
  }
  return means;
}

GaussianMixtureRatio fitted(const MatrixView& train, const MatrixView& test, const MatrixView& centres,
                            double width, double lambda, double alpha) {
  const Means on_test = feature_means(test, centres, width);
  Matrix system = (1 - alpha) * feature_means(train, centres, width).product + alpha * on_test.product;
  system.diagonal().array() += lambda;
  Matrix theta = on_test.function;
  require(lapack::solve_positive_definite(system, theta),
          "the least-squares ratio has no solution at lambda = {}: use a larger one", lambda);
  return {centres, width, theta.col(0).cwiseMax(0)};
}

void check_problem(const MatrixView& train, const MatrixView& test, const MatrixView& centres,
                   std::span<const double> lambdas, double alpha) {
  check_samples(train, test, 2);
  require(centres.rows() > 0 && centres.cols() == train.cols(),
          "{} centres with {} columns where the samples have {}: give at least one, with the same features",
          centres.rows(), centres.cols(), train.cols());
  for (const double lambda : lambdas)
    require(std::isfinite(lambda) && lambda > 0, "the penalty lambda is {}: it must be positive and finite",
            lambda);
  require(alpha >= 0 && alpha < 1, "alpha is {}: it must be 0 or more and less than 1", alpha);
}

DensityRatio tuned(const TwoSamples& samples, const RatioOptions& options, double alpha,
                   const Progress& progress) {
  constexpr Index kTuningRows = 20000;  // of each sample, chosen at random
  const Matrix train = samples.train.topRows(std::min(kTuningRows, samples.train.rows()));
  const Matrix test = samples.test.topRows(std::min(kTuningRows, samples.test.rows()));
  const Matrix centres = samples.centres(options.centres);
  const int count = static_cast<int>(std::min({Index{options.folds}, train.rows(), test.rows()}));
  const std::vector<double> widths = width_grid(samples, options);
  const std::vector<double> lambdas =
      options.lambda ? std::vector{*options.lambda} : log_grid(1e-4, 10, options.lambdas);
  const Matrix scores = ratio_fold_scores(train, test, std::min(centres.rows(), test.rows()), widths, lambdas,
                                          alpha, random_folds(train.rows(), count, options.seed, 0),
                                          random_folds(test.rows(), count, options.seed, 1), progress);
  Index w = 0, l = 0;
  const double best = scores.minCoeff(&w, &l);
  const double width = widths[static_cast<std::size_t>(w)], lambda = lambdas[static_cast<std::size_t>(l)];
  const GaussianMixtureRatio model = fitted(samples.train, samples.test, centres, width, lambda, alpha);
  DensityRatio ratio;
  ratio.parameters = {{"width", width}, {"lambda", lambda}, {"centres", static_cast<double>(centres.rows())}};
  ratio.score_name = "cross-validated squared error (up to a constant)";
  ratio.score = best;
  if (widths.size() > 1 && w == 0)
    ratio.warnings.emplace_back(
        "the chosen kernel width is the smallest tried: the ratio changes faster than the grid allows for");
  ratio.evaluate = [model](const MatrixView& x) { return model.at(x); };
  return ratio;
}

}  // namespace

LeastSquaresRatioFit least_squares_ratio(const MatrixView& train, const MatrixView& test,
                                         const MatrixView& centres, double width, double lambda,
                                         double alpha) {
  check_problem(train, test, centres, std::span(&lambda, 1), alpha);
  return {fitted(train, test, centres, width, lambda, alpha),
          PairScores(train, test, centres, alpha)
              .at(width, std::span(&lambda, 1), std::min(train.rows(), test.rows()))[0]};
}

Matrix least_squares_ratio_scores(const MatrixView& train, const MatrixView& test, const MatrixView& centres,
                                  std::span<const double> widths, std::span<const double> lambdas,
                                  double alpha, Index pairs, const Progress& progress) {
  check_problem(train, test, centres, lambdas, alpha);
  Matrix scores(static_cast<Index>(widths.size()), static_cast<Index>(lambdas.size()));
  const Index all = std::min(train.rows(), test.rows());
  require(pairs <= all, "{} pairs of {} training and {} test rows: there are not so many", pairs,
          train.rows(), test.rows());
  PairScores of_pairs(train, test, centres, alpha);
  for (Index i = 0; i < scores.rows(); ++i) {
    const double width = widths[static_cast<std::size_t>(i)];
    require(std::isfinite(width) && width > 0, "the kernel width is {}: it must be positive and finite",
            width);
    progress("kernel widths", static_cast<double>(i) / static_cast<double>(scores.rows()));
    scores.row(i) = of_pairs.at(width, lambdas, pairs > 0 ? pairs : all).transpose();
  }
  return scores;
}

DensityRatio ulsif_ratio(const TwoSamples& samples, const RatioOptions& options, const Progress& progress) {
  return tuned(samples, options, 0, progress);
}

DensityRatio rulsif_ratio(const TwoSamples& samples, const RatioOptions& options, const Progress& progress) {
  DensityRatio ratio = tuned(samples, options, options.alpha, progress);
  ratio.parameters.emplace_back("alpha", options.alpha);
  if (options.alpha > 0)
    ratio.estimates = fmt::format("p_test(x) / ({} p_test(x) + {} p_train(x)), at most {}", options.alpha,
                                  1 - options.alpha, 1 / options.alpha);
  return ratio;
}

}  // namespace gnomon
