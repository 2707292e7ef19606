#include "gnomon/learn/elastic_net.hpp"

#include "gnomon/core/error.hpp"
#include "learners.hpp"

namespace gnomon::learners {
namespace {

SolverFactory elastic_net_solver(const SolverSetting& setting) {
  return [mix = setting.tuning](const SolverDesign& design, const CentredGram* known) -> PathSolverPtr {
    return std::make_unique<ElasticNet>(design, ElasticNetOptions{.mix = mix}, known);
  };
}

void check_share(const std::vector<double>& mix) {
  if (!(mix.back() <= 1))
    throw UsageError(
        fmt::format("`mix` {} is not allowed; it is a share, from 0 (ridge) to 1 (lasso)", mix.back()));
}

}  // namespace

LearnerEntry elastic_net() {
  return {.name = "elastic-net",
          .inputs = Inputs::basis,
          .solver = elastic_net_solver,
          .tuning = TuningParameter{.name = "mix",
                                    .values = &SelectionRequest::mix,
                                    .automatic =
                                        [](const TuningContext&) {
                                          return std::vector<double>{0.1, 0.5, 0.9, 1};
                                        },
                                    .check = check_share,
                                    .natural_ends = {0, 1}},
          .recommended =
              {.path = {"cv",
                        "least regret in the project's study; sic ties with it, the others lag in small "
                        "samples"}},
          .active = ActiveWords{.rows = false, .words = "columns in use"}};
}

}  // namespace gnomon::learners
