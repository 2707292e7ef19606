#include "samples.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/text.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/random.hpp"

namespace gnomon {

Matrix PooledScale::operator()(const MatrixView& x) const {
  require(x.cols() == inputs, "new inputs have {} columns where the samples have {}: give the same features",
          x.cols(), inputs);
  Matrix scaled(x.rows(), static_cast<Index>(columns.size()));
  for (Index j = 0; j < scaled.cols(); ++j)
    scaled.col(j) = (x.col(columns[static_cast<std::size_t>(j)]).array() - mean[j]) / deviation[j];
  return scaled;
}

PooledScale pooled_scale(const MatrixView& train, const MatrixView& test) {
  PooledScale scale;
  scale.inputs = train.cols();
  std::vector<double> mean, deviation;
  const double n = static_cast<double>(train.rows() + test.rows());
  for (Index j = 0; j < train.cols(); ++j) {
    const auto a = train.col(j).array(), b = test.col(j).array();
    const double low = std::min(a.minCoeff(), b.minCoeff()), high = std::max(a.maxCoeff(), b.maxCoeff());
    if (low == high) continue;
    // Halved first and measured by the range: neither the range nor its square may overflow.
    const double range = 2 * (high / 2 - low / 2);
    require(std::isfinite(range), "column {} spans more than a number can hold: rescale it", j + 1);
    const double centre = ((a - low) / range).sum() / n + ((b - low) / range).sum() / n;
    const double variance =
        (((a - low) / range - centre).square().sum() + ((b - low) / range - centre).square().sum()) / (n - 1);
    scale.columns.push_back(j);
    mean.push_back(low + range * centre);
    deviation.push_back(range * std::sqrt(variance));
  }
  scale.mean = Eigen::Map<const Vector>(mean.data(), static_cast<Index>(mean.size()));
  scale.deviation = Eigen::Map<const Vector>(deviation.data(), static_cast<Index>(deviation.size()));
  return scale;
}

void check_samples(const MatrixView& train, const MatrixView& test, Index rows) {
  require(train.cols() == test.cols(),
          "the training sample has {} columns and the test sample {}: give the same features in both",
          train.cols(), test.cols());
  require(train.cols() > 0, "the samples have no columns: give at least one input");
  const auto check = [rows](const MatrixView& x, std::string_view name) {
    if (x.rows() < rows)
      fail("the {} sample has {}: at least {} are needed", name, counted(x.rows(), "row"), rows);
    for (Index j = 0; j < x.cols(); ++j)
      for (Index i = 0; i < x.rows(); ++i)
        require(std::isfinite(x(i, j)), "row {}, column {} of the {} sample is {}: inputs must be finite",
                i + 1, j + 1, name, x(i, j));
  };
  check(train, "training");
  check(test, "test");
}

Matrix canonical_order(const MatrixView& x, std::uint64_t seed, std::uint64_t stream) {
  std::vector<Index> order(static_cast<std::size_t>(x.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    for (Index j = 0; j < x.cols(); ++j)
      if (x(a, j) != x(b, j)) return x(a, j) < x(b, j);
    return false;
  });
  std::vector<Index> shuffled = Random(seed, stream).permutation(x.rows());
  for (Index& row : shuffled) row = order[static_cast<std::size_t>(row)];
  return x(shuffled, Eigen::all);
}

Matrix TwoSamples::pooled() const {
  Matrix both(train.rows() + test.rows(), train.cols());
  both << train, test;
  return both;
}

TwoSamples prepare_samples(const MatrixView& train, const MatrixView& test, std::uint64_t seed) {
  constexpr std::uint64_t kTrainStream = 1, kTestStream = 2;
  const Matrix a = canonical_order(train, seed, kTrainStream), b = canonical_order(test, seed, kTestStream);
  TwoSamples samples;
  samples.scale = pooled_scale(a, b);
  require(!samples.scale.columns.empty(),
          "every input is constant over both samples: there is nothing to compare");
  samples.train = samples.scale(a);
  samples.test = samples.scale(b);
  return samples;
}

}  // namespace gnomon
