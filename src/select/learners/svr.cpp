#include "gnomon/learn/svr.hpp"

#include "learners.hpp"
#include "select/candidates.hpp"

namespace gnomon::learners {
namespace {

SolverFactory svr_solver(const SolverSetting& setting) {
  return [epsilon = setting.tuning, kernel = uses_kernel(setting.request)](
             const SolverDesign& design, const CentredGram*) -> PathSolverPtr {
    return std::make_unique<Svr>(design, SvrOptions{.epsilon = epsilon, .kernel = kernel});
  };
}

std::vector<double> tenth_of_the_spread(const TuningContext& c) { return {0.1 * target_deviation(c.data)}; }

}  // namespace

LearnerEntry svr() {
  return {.name = "svr",
          .inputs = Inputs::either,
          .solver = svr_solver,
          .tuning = TuningParameter{.name = "epsilon",
                                    .values = &SelectionRequest::epsilon,
                                    .automatic = tenth_of_the_spread,
                                    .natural_ends = {0},
                                    .log_axis = true},
          .zero_lambda = false,
          .recommended =
              {.path = {"cv",
                        "ties with sic under Gaussian noise and beats every other criterion under heavy "
                        "tails"}},
          .active = ActiveWords{.rows = true,
                                .words = "rows are support vectors",
                                .chart = "Residuals, tube and support vectors",
                                .active = "support vectors",
                                .passive = "inside the tube"}};
}

}  // namespace gnomon::learners
