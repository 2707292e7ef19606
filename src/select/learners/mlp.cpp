#include "gnomon/learn/mlp_tunable.hpp"
#include "learners.hpp"
#include "select/input_groups.hpp"

namespace gnomon::learners {
namespace {

std::unique_ptr<Learner> network(const TrainingData& data, const SelectionRequest& request, Index) {
  MlpTunableOptions options;
  options.hidden = request.hidden.units();
  options.loss = data.classes.empty() ? MlpLoss::squared : MlpLoss::cross_entropy;
  options.bias = request.intercept;
  options.training.restarts = request.restarts;
  options.training.seed = request.seed;
  if (request.decay_groups == DecayGroups::input) {
    InputGroups groups = groups_of(data, request.groups.empty() ? GroupChoice("each") : request.groups);
    options.group_of_input = std::move(groups.of_feature);
    options.group_names = std::move(groups.names);
  }
  return std::make_unique<MlpTunable>(data.x, data.y, std::move(options));
}

}  // namespace

LearnerEntry mlp() {
  return {.name = "mlp",
          .inputs = Inputs::network,
          .many = ManyParameters{.make = network,
                                 .always = true,
                                 .joint = true,
                                 .groups_inputs = false,
                                 .leaves_one_out = false},
          .options = {"hidden", "decay-groups", "restarts", "classify"},
          .classifies = true,
          .recommended = {
              .many = {"evidence", "least regret in the project's study of many parameters at once"}}};
}

}  // namespace gnomon::learners
