#include "gnomon/learn/weighted_ridge.hpp"
#include "learners.hpp"
#include "select/grid.hpp"

namespace gnomon::learners {
namespace {

SolverFactory iwls_solver(const SolverSetting&) { return weighted_ridge; }

}  // namespace

LearnerEntry iwls() {
  return {.name = "iwls",
          .inputs = Inputs::basis,
          .solver = iwls_solver,
          .tuning = TuningParameter{.name = "flattening",
                                    .values = &SelectionRequest::flattening,
                                    .spacing = Spacing::even,
                                    .automatic = [](const TuningContext&) { return even_grid(0, 1, 21); },
                                    .automatic_in_words = "0:1:21",
                                    .empty_is_automatic = true,
                                    .natural_ends = {0, 1},
                                    .is_exponent = true},
          .automatic_lambdas = {0},
          .row_weights = RowWeights::density_ratios,
          .weighted_ridge_on_basis = true};
}

}  // namespace gnomon::learners
