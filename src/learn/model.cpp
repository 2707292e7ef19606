#include "gnomon/learn/model.hpp"

#include <nlohmann/json.hpp>

namespace gnomon {

std::vector<const LinearModel*> Model::terms() const {
  if (linear()) return {linear()};
  std::vector<const LinearModel*> all;
  if (sum())
    for (const LinearModel& term : sum()->terms) all.push_back(&term);
  return all;
}

const Basis* Model::basis() const {
  return linear() ? std::get_if<Basis>(&linear()->representation) : nullptr;
}

Index Model::size() const {
  if (network()) return network()->w.size();
  Index size = 0;
  for (const LinearModel* term : terms()) size += term->coefficients.rows();
  return size;
}

nlohmann::json to_json(const Model& model) {
  if (model.network()) return {{"network", to_json(*model.network())}};
  if (model.sum()) return to_json(*model.sum());
  return to_json(*model.linear());
}

Model model_from_json(const nlohmann::json& json) {
  if (json.contains("network")) return mlp_from_json(json.at("network"));
  if (json.contains("sum")) return model_sum_from_json(json);
  return linear_model_from_json(json);
}

}  // namespace gnomon
