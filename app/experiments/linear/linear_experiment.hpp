#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gnomon/core/types.hpp"

namespace gnomon::experiments {

/// The linear experiment of Sigurdsson, Larsen & Hansen (2000): y = z'w° + ε with z ~ N(0, I), w° = (1, 1, 1, 0, …), σ² = 3·NSR; the
/// model sees x = Az. A decides the spread of the eigenvalues of the inputs' covariance AA'.
enum class Spread {
  low,  ///< A = I
  high4,  ///< a Vandermonde matrix on 10 equispaced nodes, its singular values compressed so that cond AA' = 1e4
  highraw  ///< the Vandermonde matrix itself, cond AA' = 2e7
};
const char* name_of(Spread);
Matrix mixing(Spread);  ///< A
Vector true_weights();  ///< w°

/// How κ is chosen. `optimal` looks at the true error, gen_eq14 follows the printed gradient downhill from the mean
/// eigenvalue, every other is the global minimum of its criterion.
enum class Chooser { optimal, gen, gen_eq14, loo, evidence, gcv, cp, ten_fold, fper };
inline constexpr int chooser_count = 9;
const char* name_of(Chooser);

struct LinearExperimentOptions {
  Index data_sets = 5000;
  Index rows = 40;  ///< a multiple of 10 for ten_fold
  std::vector<double> noise_to_signal = {0.1, 0.2, 0.5, 1, 1.5, 2};
  std::vector<Spread> spreads = {Spread::low, Spread::high4};
  std::vector<Chooser> choosers = {Chooser::optimal, Chooser::gen,      Chooser::gen_eq14,
                                   Chooser::loo,     Chooser::evidence, Chooser::gcv,
                                   Chooser::cp,      Chooser::ten_fold, Chooser::fper};
  std::uint64_t seed = 1;
};

/// One chooser in one condition.
struct LinearExperimentCell {
  Chooser chooser;
  double improved =
      undefined;  ///< P_imp, the fraction of data sets where G(κ) < G(0); κ = 0 is no improvement
  double improved_se = undefined;
  double gain = undefined;  ///< MRGI, mean of 100 (G(0) − G(κ))/G(0)
  double gain_se = undefined;
  Vector kappa;  ///< of every data set; 0 where the lower end of the scan won
};

struct LinearExperimentCondition {
  Spread spread;
  double noise_to_signal;
  std::vector<LinearExperimentCell> cells;  ///< in the order of the options' choosers
};

/// All conditions. Data sets are drawn from streams of their own and worked on eight at a time, one per SIMD lane, so the
/// answer depends on the seed alone, not on the number of threads. 100 values of κ from 1e-4 of the least to 1e3 of the
/// largest eigenvalue of X'X/N, then a golden-section search about the best.
std::vector<LinearExperimentCondition> linear_experiment(const LinearExperimentOptions& = {});

/// The reference's P_imp and MRGI (%) of a cell, from an independent implementation at Q = 5000; false where there is none.
bool reference_cell(Spread, double noise_to_signal, Chooser, double& improved, double& gain);

struct AcceptanceRow {
  Spread spread;
  double noise_to_signal;
  Chooser chooser;
  double improved_deviation, gain_deviation;  ///< in standard errors of the difference
  bool accepted;                              ///< both within 4
};
/// Every cell that has a reference: |difference| ≤ 4·√2 standard errors of the cell.
std::vector<AcceptanceRow> check_against_reference(const std::vector<LinearExperimentCondition>&);

}  // namespace gnomon::experiments
