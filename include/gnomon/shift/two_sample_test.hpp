#pragma once

#include <cstdint>

#include "gnomon/core/progress.hpp"
#include "gnomon/core/types.hpp"

namespace gnomon {

struct TwoSampleOptions {
  std::uint64_t seed = 0;
  Index permutations = 999;
  Index max_rows = 2000;  ///< pooled rows used; beyond, a random subset with the samples in proportion
};

/// Do two samples of inputs come from one distribution? Permutation test of the squared maximum mean discrepancy
/// (Gretton et al., JMLR 13 (2012)),  MMD² = ‖mean φ(train) − mean φ(test)‖²,  in the space of the Gaussian kernel
/// whose width is the median distance in the pooled sample, inputs on the pooled scale.
struct TwoSampleTest {
  double statistic = undefined;  ///< MMD²
  double p_value = undefined;    ///< (1 + #{permuted ≥ observed}) / (1 + permutations)
  Index permutations = 0;
  Index train_rows = 0, test_rows = 0;  ///< rows used
  bool subsampled = false;
  double width = undefined;
};

/// One Gram matrix of the N pooled rows serves all permutations, 2N² flops each. The same seed gives the same
/// p-value whatever the number of threads.
TwoSampleTest two_sample_test(const MatrixView& train, const MatrixView& test,
                              const TwoSampleOptions& options = {}, const Progress& progress = {});

}  // namespace gnomon
