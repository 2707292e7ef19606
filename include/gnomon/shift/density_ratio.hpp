#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gnomon/core/progress.hpp"
#include "gnomon/core/types.hpp"

namespace gnomon {

/// What the methods may be told; an empty optional means "choose by the method's own score".
struct RatioOptions {
  std::uint64_t seed = 0;  ///< of centres and folds; the order of the rows does not matter
  Index centres =
      100;  ///< ulsif, rulsif, kliep: at most so many kernel centres, a random subset of the test inputs
  Index widths = 10;                   ///< kernel widths tried
  Index lambdas = 10;                  ///< penalties tried
  int folds = 5;                       ///< of cross-validation; all but kde and kde-cv
  double alpha = 0.1;                  ///< rulsif: share of the test density in the denominator, 0 ≤ α < 1
  double weight_bound = 1000;          ///< kmm: no weight exceeds it; more than 1
  std::optional<double> width = {};    ///< kernel width, inputs measured in pooled standard deviations
  std::optional<double> lambda = {};   ///< penalty of ulsif, rulsif; of kmm and logistic per row
  std::optional<bool> quadratic = {};  ///< logistic: squares and products beside the linear terms
};

/// An estimate of w(x) = p_test(x) / p_train(x) that can be asked at any point.
struct DensityRatio {
  std::string method;
  std::string estimates;  ///< the quantity in words; rulsif's is the relative ratio
  Vector train_weight;    ///< the ratio at the training inputs, in their order
  std::vector<std::pair<std::string, double>> parameters;  ///< chosen or given: width, lambda, …
  std::string score_name;                                  ///< what the parameters were chosen by
  double score = undefined;                                ///< its value; smaller is better
  std::vector<std::string> warnings;
  std::function<Vector(const MatrixView&)> evaluate;

  /// The ratio at the rows of x: finite and ≥ 0. Each answer depends on its own row alone.
  Vector at(const MatrixView& x) const;
};

/// Centres columns and divides them by their pooled standard deviation; constant columns go.
struct PooledScale {
  Index inputs = 0;            ///< columns of the data
  std::vector<Index> columns;  ///< those that vary over the two samples
  Vector mean, deviation;      ///< of these

  Matrix operator()(const MatrixView& x) const;
};

/// Two samples on the pooled scale. Rows are sorted and then shuffled by the seed, so that no answer depends on
/// the order in which they came, and any leading part is a random subset.
struct TwoSamples {
  PooledScale scale;
  Matrix train, test;

  /// At most `count` rows of the test sample, chosen at random.
  Matrix centres(Index count) const { return test.topRows(std::min(count, test.rows())); }
  /// Both samples, one under the other.
  Matrix pooled() const;
};

/// A way to estimate the ratio. The catalogue lists ours; one of your own goes to `estimate_density_ratio` in the
/// same way.
struct RatioMethod {
  std::string name;
  std::string words;  ///< what it does, for people
  /// The estimate; `evaluate` of the answer takes inputs on the pooled scale. `method`, `train_weight` and the warnings
  /// that hold for every method are filled in afterwards, and `estimates` where it is empty.
  std::function<DensityRatio(const TwoSamples&, const RatioOptions&, const Progress&)> estimate;
  /// Said where the weights are far from mean 1.
  std::string doubt = "the estimate is unreliable";
};

/// Every method that has a name.
const std::vector<RatioMethod>& ratio_catalog();
std::vector<std::string> ratio_methods();  ///< their names
/// The method of that name; a UsageError with the list of methods, and the likely one, if there is none.
const RatioMethod& find_ratio_method(std::string_view name);

/// Estimates the ratio from the inputs of two samples (columns mean the same in both, five rows or more each).
///   kde       two Gaussian product kernel density estimates, normal-reference bandwidths
///   kde-cv    the same bandwidths, times a factor chosen by leave-one-out likelihood
///   ulsif     least-squares fit of a Gaussian mixture; width and λ by cross-validation
///   rulsif    the same for the relative ratio p_test / (α p_test + (1 − α) p_train), which is bounded by 1/α
///   kliep     maximum likelihood fit of a Gaussian mixture; width by cross-validated likelihood
///   kmm       kernel mean matching with a ridge towards weight 1, which is chosen by cross-validation
///   logistic  ridge-penalised logistic discrimination of the samples; λ and terms by cross-validated log-loss
/// Inputs may be on any scale: columns are centred and divided by their pooled standard deviation first;
/// columns that are constant over both samples are left out.
DensityRatio estimate_density_ratio(std::string_view method, const MatrixView& train, const MatrixView& test,
                                    const RatioOptions& options = {}, const Progress& progress = {});
DensityRatio estimate_density_ratio(const RatioMethod& method, const MatrixView& train,
                                    const MatrixView& test, const RatioOptions& options = {},
                                    const Progress& progress = {});

}  // namespace gnomon
