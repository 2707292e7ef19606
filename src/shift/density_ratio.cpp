#include "gnomon/shift/density_ratio.hpp"

#include <cmath>

#include "core/text.hpp"
#include "gnomon/core/error.hpp"
#include "methods.hpp"
#include "represent/width.hpp"

namespace gnomon {
namespace {

constexpr Index kLeastRows = 5;

/// At most `count` of the rows 0, …, n−1, evenly spaced.
std::vector<Index> evenly(Index n, Index count) {
  std::vector<Index> rows(static_cast<std::size_t>(std::min(n, count)));
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i] = static_cast<Index>(i) * n / static_cast<Index>(rows.size());
  return rows;
}

/// Signs, in the finished estimate, that it cannot be relied on.
void add_warnings(const RatioMethod& method, const Vector& at_test, DensityRatio& ratio) {
  const double top = ratio.train_weight.maxCoeff(), mean = ratio.train_weight.mean();
  if (top <= 0) {
    ratio.warnings.emplace_back(
        "every training row got weight 0: the test inputs lie outside the training sample, and no weighting "
        "of "
        "it can stand for them");
    return;
  }
  // The ratio has mean 1 under the training density (the relative one a little less).
  if (mean < 0.6 || mean > 1.6)
    ratio.warnings.push_back(
        fmt::format("the weights have mean {} over the training rows where a density ratio has mean 1: {}",
                    pretty(mean, 2), method.doubt));
  if (2 * (at_test.array() > top).count() > at_test.size())
    ratio.warnings.emplace_back(
        "at most test rows the ratio exceeds its largest value at a training row: the training sample does "
        "not "
        "cover them");
}

void check_options(const RatioOptions& options) {
  const auto positive = [](const std::optional<double>& value, std::string_view name) {
    require(!value || (std::isfinite(*value) && *value > 0), "{} is {}: it must be positive and finite", name,
            value.value_or(0));
  };
  positive(options.width, "the kernel width");
  positive(options.lambda, "the penalty lambda");
  require(options.centres >= 1, "{} kernel centres: at least 1 is needed", options.centres);
  require(options.widths >= 1 && options.lambdas >= 1,
          "a grid of {} widths and {} penalties: give at least 1", options.widths, options.lambdas);
  require(options.folds >= 2, "{} folds: cross-validation needs at least 2", options.folds);
  require(options.alpha >= 0 && options.alpha < 1, "alpha is {}: it must be 0 or more and less than 1",
          options.alpha);
  require(std::isfinite(options.weight_bound) && options.weight_bound > 1,
          "the bound on the weights is {}: it must exceed 1, their mean", options.weight_bound);
}

}  // namespace

const std::vector<RatioMethod>& ratio_catalog() {
  static const char* const many_inputs =
      "densities of this many inputs are beyond kernel estimates; use ulsif or logistic";
  static const std::vector<RatioMethod> methods{
      {"kde", "two kernel density estimates, normal-reference bandwidths", kde_ratio, many_inputs},
      {"kde-cv", "two kernel density estimates, bandwidths by leave-one-out likelihood", kde_cv_ratio,
       many_inputs},
      {"ulsif", "least-squares fit of a Gaussian mixture", ulsif_ratio},
      {"rulsif", "least-squares fit of a Gaussian mixture to the relative ratio", rulsif_ratio},
      {"kliep", "maximum likelihood fit of a Gaussian mixture", kliep_ratio},
      {"kmm", "kernel mean matching", kmm_ratio},
      {"logistic", "logistic discrimination of the samples", logistic_ratio}};
  return methods;
}

std::vector<std::string> ratio_methods() {
  std::vector<std::string> names;
  for (const auto& method : ratio_catalog()) names.push_back(method.name);
  return names;
}

const RatioMethod& find_ratio_method(std::string_view name) {
  for (const auto& method : ratio_catalog()) {
    if (method.name == name) return method;
  }
  const auto names = ratio_methods();
  throw UsageError(fmt::format("unknown density ratio method '{}'; allowed: {}{}", name, join(names),
                               suggestion(name, names)));
}

Vector DensityRatio::at(const MatrixView& x) const {
  require(static_cast<bool>(evaluate), "this density ratio was not estimated: call estimate_density_ratio");
  for (Index j = 0; j < x.cols(); ++j)
    for (Index i = 0; i < x.rows(); ++i)
      require(std::isfinite(x(i, j)), "row {}, column {} of the new inputs is {}: inputs must be finite",
              i + 1, j + 1, x(i, j));
  return evaluate(x);
}

DensityRatio estimate_density_ratio(std::string_view method, const MatrixView& train, const MatrixView& test,
                                    const RatioOptions& options, const Progress& progress) {
  return estimate_density_ratio(find_ratio_method(method), train, test, options, progress);
}

DensityRatio estimate_density_ratio(const RatioMethod& method, const MatrixView& train,
                                    const MatrixView& test, const RatioOptions& options,
                                    const Progress& progress) {
  check_options(options);
  check_samples(train, test, kLeastRows);
  const TwoSamples samples = prepare_samples(train, test, options.seed);
  DensityRatio ratio = method.estimate(samples, options, progress);
  require(static_cast<bool>(ratio.evaluate), "density ratio method '{}' gave nothing to evaluate",
          method.name);
  ratio.method = method.name;
  if (ratio.estimates.empty()) ratio.estimates = "p_test(x) / p_train(x)";
  ratio.evaluate = [scale = samples.scale, on_scale = std::move(ratio.evaluate)](const MatrixView& x) {
    return on_scale(scale(x));
  };
  ratio.train_weight = ratio.evaluate(train);
  constexpr Index kTestRows = 1000;  // enough to tell a majority
  add_warnings(method, ratio.evaluate(test(evenly(test.rows(), kTestRows), Eigen::all)), ratio);
  progress("done", 1);
  return ratio;
}

std::vector<double> log_grid(double low, double high, Index count) {
  if (count == 1) return {std::sqrt(low * high)};
  std::vector<double> grid(static_cast<std::size_t>(count));
  for (Index i = 0; i < count; ++i)
    grid[static_cast<std::size_t>(i)] =
        low * std::pow(high / low, static_cast<double>(i) / static_cast<double>(count - 1));
  return grid;
}

std::vector<double> width_grid(const TwoSamples& samples, const RatioOptions& options) {
  if (options.width) return {*options.width};
  constexpr Index kRows = 250;  // of each sample: enough for a median of distances
  const TwoSamples some{samples.scale, samples.train.topRows(std::min(kRows, samples.train.rows())),
                        samples.test.topRows(std::min(kRows, samples.test.rows()))};
  const double median = median_distance(some.pooled(), Vector());
  return log_grid(0.15 * median, 5 * median, options.widths);
}

}  // namespace gnomon
