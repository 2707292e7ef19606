#include "scores_along.hpp"

#include "learn/mlp/pass.hpp"

namespace gnomon::reference {

Matrix scores_along(const MlpCost& cost, const VectorView& w, const VectorView& v) {
  Matrix out = Matrix::Zero(cost.rows(), cost.weights());
  const auto pass = mlp::run(cost.shape(), cost.loss(), w.data(), cost.x(), cost.y(), mlp::Depth::gradient);
  const auto d =
      mlp::tangent(cost.shape(), cost.loss(), pass, w.data(), v.data(), cost.y(), mlp::Depth::gradient);
  mlp::add_scores(cost.shape(), pass.input, d.delta, out);
  mlp::add_scores(cost.shape(), d.input, pass.delta, out);
  return out;
}

}  // namespace gnomon::reference
