#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "gnomon/core/error.hpp"
#include "kde.hpp"
#include "methods.hpp"

namespace gnomon {
namespace {

/// The rule's bandwidths. A column that is constant in this sample only has no density of its own; it takes the
/// bandwidth that the rule gives for the pooled spread, which is 1 on the pooled scale.
Vector usable_bandwidth(const Matrix& x, std::string_view sample, std::vector<std::string>& warnings) {
  Vector h = normal_reference_bandwidth(x);
  const double m = static_cast<double>(x.rows()), k = static_cast<double>(x.cols());
  for (Index j = 0; j < h.size(); ++j)
    if (h[j] == 0) {
      h[j] = std::pow(4 / ((k + 2) * m), 1 / (k + 4));
      warnings.push_back(fmt::format(
          "an input is constant in the {} sample but not in the other: its density there is a convention",
          sample));
    }
  return h;
}

/// The factor on the rule's bandwidths with the largest leave-one-out likelihood, over 1/8, …, 4.
struct Factor {
  double value, log_likelihood;
  bool at_edge;
};
Factor likelihood_factor(const Matrix& x, std::vector<std::string>& warnings) {
  constexpr Index kRows = 4000;  // a random subset: the factor hardly depends on the sample size
  const Matrix some = x.topRows(std::min(kRows, x.rows()));
  const std::vector<double> factors = log_grid(0.125, 4, 21);
  const Vector likelihood =
      leave_one_out_log_likelihood({some, usable_bandwidth(some, "tuning", warnings)}, factors);
  Index best = 0;
  likelihood.maxCoeff(&best);
  return {factors[static_cast<std::size_t>(best)], likelihood[best],
          best == 0 || best == likelihood.size() - 1};
}

DensityRatio ratio_of(const KernelDensity& train, const KernelDensity& test) {
  DensityRatio ratio;
  ratio.evaluate = [train, test](const MatrixView& x) {
    return ratio_of_logs(test.log_at(x), train.log_at(x));
  };
  return ratio;
}

}  // namespace

DensityRatio kde_ratio(const TwoSamples& samples, const RatioOptions&, const Progress& progress) {
  progress("density estimates", 0);
  std::vector<std::string> warnings;
  const Vector h_train = usable_bandwidth(samples.train, "training", warnings);
  const Vector h_test = usable_bandwidth(samples.test, "test", warnings);
  DensityRatio ratio = ratio_of({samples.train, h_train}, {samples.test, h_test});
  for (Index j = 0; j < h_train.size(); ++j) {
    const Index column = samples.scale.columns[static_cast<std::size_t>(j)] + 1;
    ratio.parameters.emplace_back(fmt::format("bandwidth_train_{}", column),
                                  h_train[j] * samples.scale.deviation[j]);
    ratio.parameters.emplace_back(fmt::format("bandwidth_test_{}", column),
                                  h_test[j] * samples.scale.deviation[j]);
  }
  ratio.score_name = "none (normal-reference rule)";
  ratio.warnings = std::move(warnings);
  return ratio;
}

DensityRatio kde_cv_ratio(const TwoSamples& samples, const RatioOptions&, const Progress& progress) {
  std::vector<std::string> warnings, repeated;
  progress("bandwidth of the training density", 0);
  const Factor train = likelihood_factor(samples.train, repeated);
  progress("bandwidth of the test density", 0.5);
  const Factor test = likelihood_factor(samples.test, repeated);
  const Vector h_train = train.value * usable_bandwidth(samples.train, "training", warnings);
  const Vector h_test = test.value * usable_bandwidth(samples.test, "test", warnings);
  DensityRatio ratio = ratio_of({samples.train, h_train}, {samples.test, h_test});
  ratio.parameters = {{"bandwidth_factor_train", train.value}, {"bandwidth_factor_test", test.value}};
  ratio.score_name = "minus the leave-one-out log-likelihood per row, both samples (pooled scale)";
  ratio.score = -train.log_likelihood - test.log_likelihood;
  for (const auto& [factor, name] : {std::pair{train, "training"}, std::pair{test, "test"}})
    if (factor.at_edge)
      warnings.push_back(
          fmt::format("the bandwidth factor of the {} density, {}, is at the edge of its grid: repeated rows "
                      "or a density far "
                      "from normal; prefer another method",
                      name, pretty(factor.value)));
  ratio.warnings = std::move(warnings);
  return ratio;
}

}  // namespace gnomon
