#include "gnomon/learn/additive.hpp"

#include "learners.hpp"

namespace gnomon::learners {
namespace {

Vector rows_of(const Vector& v, const std::vector<Index>& subset) {
  return subset.empty() ? v : Vector(v(subset));
}

SolverFactory additive_solver(const SolverSetting& setting) {
  const Vector shift =
      setting.tuning * shift_shape(setting.request.shift.name(), setting.x, setting.x.rows(), setting.weight);
  return [shift](const SolverDesign& design, const CentredGram*) -> PathSolverPtr {
    return std::make_unique<Additive>(design, rows_of(shift, design.subset));
  };
}

std::vector<double> about_the_spread(const TuningContext& c) {
  const double s = target_deviation(c.data);
  if (!(s > 0)) return {0};
  return {-s, -s / 2, 0, s / 2, s};
}

}  // namespace

LearnerEntry additive() {
  return {
      .name = "additive",
      .inputs = Inputs::basis,
      .solver = additive_solver,
      .tuning = TuningParameter{.name = "amplitude",
                                .values = &SelectionRequest::amplitude,
                                .spacing = Spacing::none,
                                .automatic = about_the_spread},
      .options = {"shift"},
      .recommended = {.path = {"cv",
                               "within 3 % of the least regret in the project's study, and needs no noise "
                               "variance"}}};
}

}  // namespace gnomon::learners
