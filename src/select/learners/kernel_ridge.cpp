#include "gnomon/core/error.hpp"
#include "gnomon/learn/filters.hpp"
#include "gnomon/learn/kernel_widths.hpp"
#include "gnomon/learn/weighted_ridge.hpp"
#include "learners.hpp"
#include "represent/width.hpp"
#include "select/candidates.hpp"
#include "select/input_groups.hpp"

namespace gnomon::learners {
namespace {

/// λ and one width per group of inputs.
std::unique_ptr<Learner> many_widths(const TrainingData& data, const SelectionRequest& request,
                                     Index target) {
  if (request.kernel.is_own())
    fail(
        "a width per input needs the derivative of the kernel, which '{}' does not have; use `search` refine "
        "or grid",
        request.kernel.name());
  const InputGroups groups = groups_of(data, request.groups.empty() ? GroupChoice("each") : request.groups);
  const auto widths = named_widths(request);
  require(widths.size() <= 1, "`search` gradient starts from one `width`; give median or a number");
  const double width = widths.empty() ? median_distance(data.x, Vector()) : widths.front();
  return std::make_unique<KernelWidths>(std::make_shared<const Matrix>(data.x), data.y.col(target),
                                        request.kernel.name(), groups.of_feature, groups.names,
                                        request.intercept, width);
}

PathSolverPtr weighted(const SolverDesign& design, const CentredGram*) {
  return weighted_kernel_ridge(design);
}

}  // namespace

LearnerEntry kernel_ridge() {
  return {.name = "kernel-ridge",
          .inputs = Inputs::kernel,
          .filters = {{Penalty::function, tikhonov, weighted}, {Penalty::coefficients, coefficient_tikhonov}},
          .many = ManyParameters{.make = many_widths, .one_target = true, .decays_only = false},
          .options = {"penalty", "combine"},
          .recommended = {.path = {"blend", "least regret in the project's study of kernel ridge"}}};
}

}  // namespace gnomon::learners
