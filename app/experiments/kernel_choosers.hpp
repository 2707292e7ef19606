#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "gnomon/learn/smoother.hpp"

namespace gnomon::app {

/// The ways to choose λ that Sugiyama & Müller (2002) compare, and SIC with other values of the noise variance.
enum class KernelChooser { sic_residual, sic_gcv, loo, abic, sic_known };
struct NamedChooser {
  KernelChooser chooser;
  std::string_view name, words;
};
/// SIC with the known variance comes last: only simulations have it.
inline constexpr std::array kernel_choosers{
    NamedChooser{KernelChooser::sic_residual, "sic_residual", "SIC, residual σ²"},
    NamedChooser{KernelChooser::sic_gcv, "sic_gcv", "SIC, σ² by GCV"},
    NamedChooser{KernelChooser::loo, "loo", "LOOCV"}, NamedChooser{KernelChooser::abic, "abic", "ABIC"},
    NamedChooser{KernelChooser::sic_known, "sic_known", "SIC, known σ²"}};

/// lo, …, 10^high, four values per decade.
std::vector<double> quarter_decades(int low, int high);

/// Kernel ridge as in that paper: Gaussian kernel of width 1, penalty λ‖α‖² (or λ‖f‖², `function_penalty`), no intercept;
/// prepared for all that the choosers ask. Every direction counts as range.
Smoother sic_kernel_ridge(const MatrixView& x, const MatrixView& y, bool function_penalty = false);

/// SIC in the function space, less its constant, for a known noise variance.
Vector function_space_sic(const Smoother& learner, Index target, std::span<const double> lambdas,
                          double sigma2);

/// The chooser's criterion at every λ. `sigma2` is read by `sic_known` alone. The residual variance rss/(n − tr H) belongs to each λ,
/// that by GCV is the residual variance at the least GCV among these λ.
Vector chooser_curve(KernelChooser chooser, const Smoother& learner, Index target,
                     std::span<const double> lambdas, double sigma2 = undefined);

}  // namespace gnomon::app
