#include "two_sample_test.hpp"

#include <algorithm>
#include <cmath>

#include "decompose/lapack.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "gnomon/core/random.hpp"
#include "methods.hpp"
#include "represent/gram.hpp"
#include "represent/width.hpp"

namespace gnomon {
namespace {

/// sᵀKs for each column of signs s: +1/n on the rows taken as training, −1/m on the others.
Vector discrepancies(const Matrix& gram, const Matrix& signs) {
  return lapack::product(gram, false, signs, false).cwiseProduct(signs).colwise().sum();
}

}  // namespace

TwoSampleTest two_sample_test(const MatrixView& train, const MatrixView& test,
                              const TwoSampleOptions& options, const Progress& progress) {
  check_samples(train, test, 2);
  require(options.permutations >= 1, "{} permutations: at least 1 is needed", options.permutations);
  require(options.max_rows >= 4, "a test on {} pooled rows: at least 4 are needed", options.max_rows);
  TwoSampleTest result;
  result.permutations = options.permutations;
  result.train_rows = train.rows();
  result.test_rows = test.rows();
  if (pooled_scale(train, test).columns.empty()) {  // all rows equal
    result.statistic = 0;
    result.p_value = 1;
    return result;
  }
  TwoSamples samples = prepare_samples(train, test, options.seed);
  if (const Index all = train.rows() + test.rows(); all > options.max_rows) {
    const double share = static_cast<double>(options.max_rows) / static_cast<double>(all);
    const auto part = [&](Index rows) {
      return std::min(rows, std::max<Index>(2, std::llround(share * static_cast<double>(rows))));
    };
    result.train_rows = part(train.rows());
    result.test_rows = part(test.rows());
    result.subsampled = true;
    samples.train = samples.train.topRows(result.train_rows).eval();
    samples.test = samples.test.topRows(result.test_rows).eval();
  }
  const Index n = result.train_rows, m = result.test_rows, rows = n + m;
  const Matrix pooled = samples.pooled();
  result.width = median_distance(pooled, Vector());
  const Matrix k = gram(Gaussian{result.width}, pooled);
  const double on_train = 1 / static_cast<double>(n), on_test = -1 / static_cast<double>(m);
  Matrix observed(rows, 1);
  observed << Vector::Constant(n, on_train), Vector::Constant(m, on_test);
  {
    const BlasThreads one(1);
    result.statistic = discrepancies(k, observed)[0];
  }
  // Permutations that only exchange equal rows give the same statistic up to rounding: they count as equal.
  const double threshold = result.statistic - 1e-10 * std::abs(result.statistic) - 1e-14;
  constexpr Index kTogether = 64;
  const Index blocks = (options.permutations + kTogether - 1) / kTogether;
  std::vector<Index> as_large(static_cast<std::size_t>(blocks), 0);
  for_each_reported(blocks, "permutations", progress, [&](Index block) {
    const Index first = block * kTogether, count = std::min(kTogether, options.permutations - first);
    Matrix signs = Matrix::Constant(rows, count, on_test);
    for (Index c = 0; c < count; ++c) {
      const auto order = Random(options.seed, static_cast<std::uint64_t>(first + c + 1)).permutation(rows);
      for (Index i = 0; i < n; ++i) signs(order[static_cast<std::size_t>(i)], c) = on_train;
    }
    as_large[static_cast<std::size_t>(block)] = (discrepancies(k, signs).array() >= threshold).count();
  });
  Index total = 0;
  for (const Index count : as_large) total += count;
  result.p_value = (1 + static_cast<double>(total)) / (1 + static_cast<double>(options.permutations));
  return result;
}

}  // namespace gnomon
