#pragma once

#include <array>
#include <cstdint>

#include "network_tasks.hpp"

namespace gnomon::app {

/// How the two decays of a network, of the input layer and of the output layer, are chosen.
enum class NetworkMethod {
  none,              ///< both 10⁻⁶
  gen_gauss_newton,  ///< minimum of GEN, J = Gauss–Newton Hessian + 2D
  gen_exact,         ///< minimum of GEN, J = exact Hessian + 2D
  gen_eq14,          ///< where the descent along the paper's equation (14) ends, J as in gen_gauss_newton
  fper,              ///< minimum of FPER, counts from the Gauss–Newton Hessian
  five_fold,         ///< minimum of the 5-fold cross-validated error
  evidence,          ///< maximum of the evidence, Gauss–Newton Hessian in |J|
  evidence_exact,    ///< the same with the exact Hessian
  mackay,            ///< end of MacKay's updates, Gauss–Newton Hessian
  grid               ///< least test error on a grid: what could be had
};
inline constexpr std::size_t network_method_count = 10;
inline constexpr std::array<NetworkMethod, network_method_count> network_methods{
    NetworkMethod::none,      NetworkMethod::gen_gauss_newton,
    NetworkMethod::gen_exact, NetworkMethod::gen_eq14,
    NetworkMethod::fper,      NetworkMethod::five_fold,
    NetworkMethod::evidence,  NetworkMethod::evidence_exact,
    NetworkMethod::mackay,    NetworkMethod::grid};

const char* name_of(NetworkMethod);   ///< in files: "gen-gauss-newton"
const char* title_of(NetworkMethod);  ///< in tables: "GEN, exact J"

/// The box of κ: all searches stay in it, "none" is its lower corner.
inline constexpr double smallest_kappa = 1e-6, largest_kappa = 10;

/// What a method chose, and the network trained there.
struct NetworkChoice {
  double test_error = undefined;      ///< mean squared error over the test rows
  double training_error = undefined;  ///< S
  double kappa_input = undefined, kappa_output = undefined;
  double evaluations = 0;  ///< values of κ at which the network was trained
  double converged = 0;    ///< 1 where the search ended at a stationary point (of the box), else 0
};

/// All methods on one sample, in the order of network_methods. `seed` draws the starting weights and the folds.
///
/// Criteria are minimised over log κ with exact gradients from κ = 10⁻², 10⁻³ and 10⁻⁴ (both layers alike), and the lowest
/// end is taken. At the first the network is trained from five random weights, after that always from its weights at the
/// nearest κ so far, so that a criterion is a function of κ as nearly as it can be. A κ where training does not reach a
/// minimum of the cost with |∇C|∞ ≤ 10⁻¹⁰ max(1, C) is not used; where no start can be used, the network at the first one
/// is taken, as not converged.
std::array<NetworkChoice, network_method_count> network_trial(const NetworkSample& sample,
                                                              std::uint64_t seed);

}  // namespace gnomon::app
