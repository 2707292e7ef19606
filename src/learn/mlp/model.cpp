#include <cmath>
#include <nlohmann/json.hpp>

#include "core/json.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/learn/mlp.hpp"
#include "kernels.hpp"

namespace gnomon {

Index MlpShape::offset(Index layer) const {
  Index sum = 0;
  for (Index l = 0; l < layer; ++l) sum += units(l) * fan_in(l);
  return sum;
}

void MlpShape::check() const {
  require(inputs > 0 && outputs > 0, "a network needs inputs and outputs, not {} and {}", inputs, outputs);
  for (const Index h : hidden) require(h > 0, "a hidden layer needs at least one unit, not {}", h);
  constexpr Index most = Index{1} << 24;  // so that weights can be counted
  for (Index l = 0; l < layers(); ++l) {
    require(units(l) <= most && units_below(l) <= most,
            "a layer of a network has at most {} units and inputs, not {}", most,
            std::max(units(l), units_below(l)));
  }
}

Matrix Mlp::outputs(const MatrixView& x) const {
  require(w.size() == shape.weights(), "the network has {} weights, its shape asks for {}", w.size(),
          shape.weights());
  require(x.cols() == shape.inputs, "the network takes {} inputs, the data have {} columns", shape.inputs,
          x.cols());
  Matrix below = x;
  for (Index l = 0; l < shape.layers(); ++l) {
    Matrix above(x.rows(), shape.units(l));
    const double* weight = w.data() + shape.offset(l);
    for (Index j = 0; j < above.cols(); ++j, weight += shape.fan_in(l)) {
      above.col(j).setConstant(shape.bias ? weight[below.cols()] : 0.0);
      for (Index i = 0; i < below.cols(); ++i)
        mlp::add_scaled(weight[i], below.col(i).data(), above.col(j).data(), x.rows());
    }
    if (l + 1 < shape.layers()) mlp::tanh_in_place(above.data(), above.size());
    below = std::move(above);
  }
  return below;
}

Matrix Mlp::predict(const MatrixView& x) const {
  Matrix f = outputs(x);
  if (loss == MlpLoss::squared) return f;
  f.colwise() -= f.rowwise().maxCoeff().eval();
  f = f.array().exp().matrix();
  f.array().colwise() /= f.rowwise().sum().array().eval();
  return f;
}

namespace {

/// Layer by layer, and by division: sizes out of a file may have a product that is too large for any integer.
void check_weights(const Mlp& net) {
  Index left = net.w.size();
  for (Index l = 0; l < net.shape.layers(); ++l) {
    // Every input of a layer has a weight of its own for each unit, so neither count exceeds the weights.
    require(net.shape.units(l) <= left && net.shape.fan_in(l) <= left / net.shape.units(l),
            "the network file has {} weights, its shape asks for more", net.w.size());
    left -= net.shape.units(l) * net.shape.fan_in(l);
  }
  require(left == 0, "the network file has {} weights, its shape asks for {}", net.w.size(),
          net.w.size() - left);
}

}  // namespace

std::string_view mlp_loss_name(MlpLoss loss) {
  return loss == MlpLoss::squared ? "squared" : "cross-entropy";
}

nlohmann::json to_json(const Mlp& net) {
  return {{"inputs", net.shape.inputs},      {"hidden", net.shape.hidden},
          {"outputs", net.shape.outputs},    {"bias", net.shape.bias},
          {"loss", mlp_loss_name(net.loss)}, {"weights", vector_to_json(net.w)}};
}

Mlp mlp_from_json(const nlohmann::json& json) {
  Mlp net;
  require(json.at("hidden").is_array(), "the hidden layers of a network are stored as {}",
          json.at("hidden").type_name());
  std::vector<Index> hidden;
  for (const nlohmann::json& units : json.at("hidden")) hidden.push_back(whole_from_json(units));
  net.shape = {whole_from_json(json.at("inputs")), std::move(hidden), whole_from_json(json.at("outputs")),
               json.at("bias").get<bool>()};
  net.shape.check();
  const auto loss = json.at("loss").get<std::string>();
  constexpr auto squared = MlpLoss::squared, classes = MlpLoss::cross_entropy;
  require(loss == mlp_loss_name(squared) || loss == mlp_loss_name(classes),
          "unknown network loss '{}'; known: {}, {}", loss, mlp_loss_name(squared), mlp_loss_name(classes));
  net.loss = loss == mlp_loss_name(squared) ? squared : classes;
  net.w = vector_from_json(json.at("weights"));
  check_weights(net);
  require(net.w.allFinite(), "the network file has weights that are not finite numbers");
  return net;
}

}  // namespace gnomon
