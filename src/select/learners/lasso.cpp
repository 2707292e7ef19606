#include "gnomon/learn/elastic_net.hpp"
#include "learners.hpp"

namespace gnomon::learners {
namespace {

SolverFactory lasso_solver(const SolverSetting&) {
  return [](const SolverDesign& design, const CentredGram* known) -> PathSolverPtr {
    return std::make_unique<ElasticNet>(design, ElasticNetOptions{.mix = 1}, known);
  };
}

}  // namespace

LearnerEntry lasso() {
  return {.name = "lasso",
          .inputs = Inputs::basis,
          .solver = lasso_solver,
          .recommended =
              {.path = {"cv",
                        "least regret in the project's study; sic ties with it, the others lag in small "
                        "samples"}},
          .active = ActiveWords{.rows = false, .words = "columns in use"}};
}

}  // namespace gnomon::learners
