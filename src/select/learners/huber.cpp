#include "gnomon/learn/huber.hpp"

#include "gnomon/core/error.hpp"
#include "learners.hpp"

namespace gnomon::learners {
namespace {

SolverFactory huber_solver(const SolverSetting& setting) {
  return [tau = setting.tuning](const SolverDesign& design, const CentredGram*) -> PathSolverPtr {
    return std::make_unique<Huber>(design, HuberOptions{.tau = tau});
  };
}

std::vector<double> robust_scale(const TuningContext& c) {
  const auto features = std::make_shared<const Matrix>(std::get<Basis>(c.representation).design(c.data.x));
  return {automatic_tau({features, c.data.weight, c.intercept}, c.data.y.col(0))};
}

void check_positive(const std::vector<double>& tau) {
  if (!(tau.front() > 0))
    throw UsageError("`tau` 0 is not allowed; the loss must be quadratic somewhere: tau > 0");
}

}  // namespace

LearnerEntry huber() {
  return {.name = "huber",
          .inputs = Inputs::basis,
          .solver = huber_solver,
          .tuning = TuningParameter{.name = "tau",
                                    .values = &SelectionRequest::tau,
                                    .automatic = robust_scale,
                                    .check = check_positive,
                                    .log_axis = true,
                                    .of_the_loss = true},
          .recommended = {.path = {"cv",
                                   "ties with sic for least regret in the project's study, with Gaussian and "
                                   "heavy-tailed noise"}},
          .active = ActiveWords{.rows = true,
                                .words = "rows within tau",
                                .chart = "Residuals and the quadratic region",
                                .active = "in the quadratic region",
                                .passive = "beyond it, counted linearly"}};
}

}  // namespace gnomon::learners
