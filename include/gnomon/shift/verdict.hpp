#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gnomon/shift/density_ratio.hpp"

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

enum class ShiftKind { none, usable, severe };
/// "no shift", "shift, usable", "shift, severe"
std::string_view in_words(ShiftKind);

/// What the weights say about the shift, for people.
struct ShiftVerdict {
  ShiftKind kind = ShiftKind::none;
  std::string reason;    ///< why it is of that kind
  std::string sentence;  ///< the kind in words and the reason
  TwoSampleTest test;
  double effective_size = undefined;   ///< (Σw)²/Σw² of the training weights
  double effective_share = undefined;  ///< the same, divided by the number of training rows
  double zero_share = 0;               ///< share of training rows with weight 0
  std::vector<Index> largest;          ///< training rows with the largest weights, descending
  double outside_share = 0;            ///< share of test rows outside the training range in some input
  std::vector<std::pair<Index, double>>
      outside_inputs;  ///< inputs with such rows, and their share, descending
  std::vector<std::string> warnings;
};

struct VerdictOptions {
  TwoSampleOptions test = {};
  double level = 0.05;                        ///< a p-value below it is a shift
  Index largest = 10;                         ///< how many of the largest weights to name
  std::vector<std::string> input_names = {};  ///< for the warnings; empty: "input 1", …
};

ShiftVerdict judge_shift(const MatrixView& train, const MatrixView& test, const VectorView& train_weight,
                         const VerdictOptions& options = {}, const Progress& progress = {});

}  // namespace gnomon
