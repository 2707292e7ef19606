#include "gnomon/learn/model.hpp"

#include <nlohmann/json.hpp>

namespace gnomon {

Index Model::size() const { return network() ? network()->w.size() : linear()->coefficients.rows(); }

nlohmann::json to_json(const Model& model) {
  if (model.network()) return {{"network", to_json(*model.network())}};
  return to_json(*model.linear());
}

Model model_from_json(const nlohmann::json& json) {
  if (json.contains("network")) return mlp_from_json(json.at("network"));
  return linear_model_from_json(json);
}

}  // namespace gnomon
