#pragma once

#include "gnomon/shift/verdict.hpp"

namespace gnomon {

/// One Gram matrix of the N pooled rows serves all permutations, 2N² flops each. The same seed gives the same
/// p-value whatever the number of threads.
TwoSampleTest two_sample_test(const MatrixView& train, const MatrixView& test,
                              const TwoSampleOptions& options = {}, const Progress& progress = {});

}  // namespace gnomon
