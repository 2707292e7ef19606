#include "kliep.hpp"

#include <cmath>
#include <limits>

#include "core/text.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/data/folds.hpp"
#include "methods.hpp"
#include "mixture_shares.hpp"

namespace gnomon {
namespace {

/// Components ψ_k/b_k at the test inputs. A centre whose mean b_k over the training inputs vanishes has no share
/// that could be normalised; it is left out.
struct Components {
  std::vector<Index> centre;  ///< columns kept
  Vector mean;                ///< b_k of these
  Matrix at_test;             ///< ψ_k/b_k

  Components(const Matrix& on_train, const Matrix& on_test) {
    constexpr double kVanishing = 1e-280;
    const Vector all = on_train.colwise().mean();
    for (Index k = 0; k < all.size(); ++k)
      if (all[k] > kVanishing) centre.push_back(k);
    mean = all(centre);
    at_test = on_test(Eigen::all, centre) * mean.cwiseInverse().asDiagonal();
  }
  bool reach_all() const { return at_test.cols() > 0 && (at_test.rowwise().maxCoeff().array() > 0).all(); }
  Vector theta(const Vector& share, Index centres) const {
    Vector out = Vector::Zero(centres);
    for (std::size_t k = 0; k < centre.size(); ++k)
      out[centre[k]] = share[static_cast<Index>(k)] / mean[static_cast<Index>(k)];
    return out;
  }
};

struct FoldRows {
  std::vector<Index> kept, held_out;
};
FoldRows rows_of(const Folds& folds, int fold) {
  FoldRows rows;
  for (Index i = 0; i < folds.rows(); ++i)
    (folds.of_row[static_cast<std::size_t>(i)] == fold ? rows.held_out : rows.kept).push_back(i);
  return rows;
}

/// Cross-validated mean log ratio, mean over held-out test rows of log w − log of the mean of w over held-out
/// training rows; −∞ where a width leaves a row out of reach. Both samples are split: with the training rows kept
/// whole, kernels that sit in its gaps look better than they are. Centres are the leading test rows; those that a
/// fold holds out do not serve it, since a narrow kernel would find its own row at its peak.
double held_out_likelihood(const Matrix& on_train, const Matrix& on_test, const Folds& train_folds,
                           const Folds& test_folds) {
  constexpr double kTolerance = 1e-6;  // far below what tells two widths apart
  double log_sum = 0, training_sum = 0;
  for (int fold = 0; fold < test_folds.count; ++fold) {
    const FoldRows train = rows_of(train_folds, fold), test = rows_of(test_folds, fold);
    std::vector<Index> serving;
    for (const Index row : test.kept)
      if (row < on_test.cols()) serving.push_back(row);
    const Components c(on_train(train.kept, serving), on_test(test.kept, serving));
    if (!c.reach_all()) return -std::numeric_limits<double>::infinity();
    const Vector theta =
        c.theta(mixture_shares(c.at_test, kTolerance).share, static_cast<Index>(serving.size()));
    log_sum += (on_test(test.held_out, serving) * theta).array().log().sum();
    training_sum += (on_train(train.held_out, serving) * theta).sum();
  }
  if (!(training_sum > 0)) return -std::numeric_limits<double>::infinity();
  return log_sum / static_cast<double>(on_test.rows()) -
         std::log(training_sum / static_cast<double>(on_train.rows()));
}

}  // namespace

KliepFit kliep_fit(const MatrixView& train, const MatrixView& test, const MatrixView& centres, double width,
                   double tolerance) {
  check_samples(train, test, 1);
  require(centres.rows() > 0 && centres.cols() == train.cols(),
          "{} centres with {} columns where the samples have {}: give at least one, with the same features",
          centres.rows(), centres.cols(), train.cols());
  const Components c(gaussian_features(train, centres, width), gaussian_features(test, centres, width));
  if (!c.reach_all())
    fail(
        "a kernel of width {} at the test inputs reaches no training row, or leaves a test row out of reach: "
        "use a larger width",
        pretty(width));
  const MixtureShares shares = mixture_shares(c.at_test, tolerance);
  return {{centres, width, c.theta(shares.share, centres.rows())},
          (c.at_test * shares.share).array().log().mean(),
          shares.gap,
          shares.iterations,
          shares.gap <= tolerance};
}

DensityRatio kliep_ratio(const TwoSamples& samples, const RatioOptions& options, const Progress& progress) {
  const Matrix centres = samples.centres(options.centres);
  const std::vector<double> widths = width_grid(samples, options);
  Vector likelihood = Vector::Zero(static_cast<Index>(widths.size()));
  if (widths.size() > 1) {
    constexpr Index kTuningRows = 20000;  // of each sample, chosen at random
    const Matrix train = samples.train.topRows(std::min(kTuningRows, samples.train.rows())),
                 test = samples.test.topRows(std::min(kTuningRows, samples.test.rows()));
    const int count = static_cast<int>(std::min({Index{options.folds}, train.rows(), test.rows()}));
    const Folds train_folds = random_folds(train.rows(), count, options.seed, 0),
                test_folds = random_folds(test.rows(), count, options.seed, 1);
    for_each_reported(likelihood.size(), "kernel widths", progress, [&](Index i) {
      const double width = widths[static_cast<std::size_t>(i)];
      likelihood[i] = held_out_likelihood(gaussian_features(train, centres, width),
                                          gaussian_features(test, centres, width), train_folds, test_folds);
    });
  }
  Index best = 0;
  require(
      std::isfinite(likelihood.maxCoeff(&best)),
      "kliep: at every kernel width some test input is out of reach of the training sample; use logistic");
  const double width = widths[static_cast<std::size_t>(best)];
  const KliepFit fit = kliep_fit(samples.train, samples.test, centres, width);
  DensityRatio ratio;
  ratio.parameters = {{"width", width},
                      {"centres", static_cast<double>(centres.rows())},
                      {"gap", fit.gap},
                      {"iterations", fit.iterations}};
  ratio.score_name = "minus the cross-validated mean log ratio";
  if (widths.size() > 1) ratio.score = -likelihood[best];
  if (!fit.converged)
    ratio.warnings.push_back(
        fmt::format("kliep stopped before its optimum; its objective could still gain {}", pretty(fit.gap)));
  ratio.evaluate = [model = fit.ratio](const MatrixView& x) { return model.at(x); };
  return ratio;
}

}  // namespace gnomon
