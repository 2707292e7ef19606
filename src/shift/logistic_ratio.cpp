#include "logistic_ratio.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/text.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/data/folds.hpp"
#include "kde.hpp"
#include "methods.hpp"

namespace gnomon {
namespace {

/// Terms of both samples on their own pooled scale, so that one penalty suits all of them.
struct Discrimination {
  bool quadratic;
  PooledScale scale;
  Matrix features;
  Vector is_test;

  Discrimination(const TwoSamples& samples, bool with_quadratic) : quadratic(with_quadratic) {
    const Index n = samples.train.rows(), m = samples.test.rows();
    const Matrix train = logistic_terms(samples.train, quadratic),
                 test = logistic_terms(samples.test, quadratic);
    scale = pooled_scale(train, test);
    features.resize(n + m, static_cast<Index>(scale.columns.size()));
    features << scale(train), scale(test);
    is_test.resize(n + m);
    is_test << Vector::Zero(n), Vector::Ones(m);
  }
};

struct Choice {
  bool quadratic = false;
  double lambda = 0;  ///< per row
  double loss = std::numeric_limits<double>::infinity();
};

/// Cross-validated log-loss of every λ, the largest first, each fit started from the last one.
Vector held_out_losses(const Discrimination& problem, const std::vector<double>& lambdas, const Folds& folds,
                       const Progress& progress) {
  const Index n = problem.features.rows(), count = static_cast<Index>(lambdas.size());
  const auto held_out = rows_by_fold(folds);
  Matrix loss(folds.count, count);
  for_each_reported(
      folds.count, problem.quadratic ? "quadratic terms" : "linear terms", progress, [&](Index fold) {
        const auto& out = held_out[static_cast<std::size_t>(fold)];
        std::vector<Index> kept;
        for (Index i = 0; i < n; ++i)
          if (folds.of_row[static_cast<std::size_t>(i)] != fold) kept.push_back(i);
        const Matrix features = problem.features(kept, Eigen::all), held = problem.features(out, Eigen::all);
        const Vector labels = problem.is_test(kept), held_labels = problem.is_test(out);
        LogisticFit fit;
        for (Index l = count - 1; l >= 0; --l) {
          const double lambda = lambdas[static_cast<std::size_t>(l)] * static_cast<double>(kept.size());
          fit = logistic_fit(features, labels, lambda, l == count - 1 ? nullptr : &fit);
          loss(fold, l) = log_loss(fit.predictor(held), held_labels) * static_cast<double>(out.size()) /
                          static_cast<double>(n);
        }
      });
  return loss.colwise().sum();
}

/// Folds with the same share of each sample in every fold.
Folds stratified_folds(Index n, Index m, int count, std::uint64_t seed) {
  Folds folds = random_folds(n, count, seed, 0);
  const Folds test = random_folds(m, count, seed, 1);
  folds.of_row.insert(folds.of_row.end(), test.of_row.begin(), test.of_row.end());
  return folds;
}

}  // namespace

DensityRatio logistic_ratio(const TwoSamples& samples, const RatioOptions& options,
                            const Progress& progress) {
  const Index n = samples.train.rows(), m = samples.test.rows(), d = samples.train.cols();
  constexpr Index kMaxTerms = 500;
  const Index quadratic_terms = d * (d + 3) / 2;
  const bool quadratic_fits = quadratic_terms <= std::min(kMaxTerms, (n + m) / 2);
  std::vector<bool> kinds{false};
  if (options.quadratic)
    kinds = {*options.quadratic};
  else if (quadratic_fits)
    kinds = {false, true};
  const std::vector<double> lambdas =
      options.lambda ? std::vector{*options.lambda} : log_grid(1e-4, 10, options.lambdas);
  const int count = static_cast<int>(std::min({Index{options.folds}, n, m}));
  const Folds folds = stratified_folds(n, m, count, options.seed);
  Choice choice;
  for (const bool quadratic : kinds) {
    const Vector loss = held_out_losses(Discrimination(samples, quadratic), lambdas, folds, progress);
    Index best = 0;
    if (const double value = loss.minCoeff(&best); value < choice.loss)
      choice = {quadratic, lambdas[static_cast<std::size_t>(best)], value};
  }
  const Discrimination problem(samples, choice.quadratic);
  const LogisticFit fit =
      logistic_fit(problem.features, problem.is_test, choice.lambda * static_cast<double>(n + m));
  DensityRatio ratio;
  ratio.parameters = {{"lambda", choice.lambda},
                      {"quadratic", choice.quadratic ? 1.0 : 0.0},
                      {"gradient", fit.gradient},
                      {"iterations", fit.iterations}};
  ratio.score_name = "cross-validated log-loss per row";
  ratio.score = choice.loss;
  if (!fit.converged)
    ratio.warnings.push_back(fmt::format(
        "logistic discrimination stopped before its optimum: gradient {} per row", pretty(fit.gradient)));
  if (choice.lambda == lambdas.front() && lambdas.size() > 1)
    ratio.warnings.emplace_back(
        "the smallest penalty tried was the best: the samples can be told apart almost without error");
  const double log_prior = std::log(static_cast<double>(m)) - std::log(static_cast<double>(n));
  ratio.evaluate = [fit, scale = problem.scale, quadratic = choice.quadratic,
                    log_prior](const MatrixView& x) {
    const Vector eta = fit.predictor(scale(logistic_terms(x, quadratic)));
    return ratio_of_logs(eta, Vector::Constant(eta.size(), log_prior));
  };
  return ratio;
}

}  // namespace gnomon
