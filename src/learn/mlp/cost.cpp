#include "cost.hpp"

#include <algorithm>
#include <cmath>

#include "gnomon/core/error.hpp"
#include "kernels.hpp"
#include "pass.hpp"

namespace gnomon {
namespace {

constexpr Index block_rows = 1024;

/// body(first row, number of rows) over all rows.
template <class Body>
void for_blocks(Index rows, Body body) {
  for (Index first = 0; first < rows; first += block_rows) body(first, std::min(block_rows, rows - first));
}

}  // namespace

MlpCost::MlpCost(MlpShape shape, MlpLoss loss, const MatrixView& x, const MatrixView& y, MlpDecay decay)
    : shape_(std::move(shape)),
      loss_(loss),
      x_(std::make_shared<const Matrix>(x)),
      y_(std::make_shared<const Matrix>(y)),
      decay_(std::move(decay)) {
  shape_.check();
  decay_.check(shape_.weights());
  require(x.rows() > 0 && x.rows() == y.rows(), "the network is given {} rows of inputs and {} of targets",
          x.rows(), y.rows());
  require(x.cols() == shape_.inputs && y.cols() == shape_.outputs,
          "the network has {} inputs and {} outputs, the data {} and {} columns", shape_.inputs,
          shape_.outputs, x.cols(), y.cols());
  require(x.allFinite() && y.allFinite(), "the network's data hold values that are not finite numbers");
  if (loss == MlpLoss::cross_entropy) {
    if (!(y.minCoeff() >= 0)) fail("class weights must not be negative; the least is {}", y.minCoeff());
    require(shape_.outputs > 1, "cross-entropy needs one output per class, at least 2");
  }
  twice_kappa_ = 2 * decay_.per_weight();
  if (loss == MlpLoss::cross_entropy && shape_.bias) {
    Vector biases = Vector::Zero(weights());
    const Index top = shape_.layers() - 1, fan_in = shape_.fan_in(top);
    for (Index o = 0; o < shape_.outputs; ++o) {
      const Index i = shape_.offset(top) + (o + 1) * fan_in - 1;
      if (decay_.group[std::size_t(i)] < 0) biases[i] = 1 / std::sqrt(static_cast<double>(shape_.outputs));
    }
    if (biases.squaredNorm() > 1 - 1e-9) gauge_ = biases;
  }
}

MlpCost MlpCost::on_rows(const std::vector<Index>& rows) const {
  return MlpCost(shape_, loss_, (*x_)(rows, Eigen::all), (*y_)(rows, Eigen::all), decay_);
}

MlpCost MlpCost::with_kappa(const VectorView& kappa) const {
  require(kappa.size() == decay_.groups(), "{} decays given for {} groups", kappa.size(), decay_.groups());
  MlpCost other = *this;
  other.decay_.kappa = kappa;
  other.decay_.check(weights());
  other.twice_kappa_ = 2 * other.decay_.per_weight();
  return other;
}

double MlpCost::error(const VectorView& w) const {
  double sum = 0;
  for_blocks(rows(), [&](Index first, Index n) {
    sum += mlp::run(shape_, loss_, w.data(), x_->middleRows(first, n), y_->middleRows(first, n),
                    mlp::Depth::loss)
               .loss.sum();
  });
  return sum / static_cast<double>(rows());
}

double MlpCost::penalty(const VectorView& w) const {
  const double decays = 0.5 * (twice_kappa_.array() * w.array().square()).sum();
  return gauge_.size() ? decays + std::pow(gauge_.dot(w), 2) : decays;
}

double MlpCost::error_and_gradient(const VectorView& w, Vector& gradient) const {
  double sum = 0;
  gradient.setZero(w.size());
  for_blocks(rows(), [&](Index first, Index n) {
    const auto pass = mlp::run(shape_, loss_, w.data(), x_->middleRows(first, n), y_->middleRows(first, n),
                               mlp::Depth::gradient);
    sum += pass.loss.sum();
    mlp::add_gradient(shape_, pass.input, pass.delta, gradient.data());
  });
  gradient /= static_cast<double>(rows());
  return sum / static_cast<double>(rows());
}

double MlpCost::cost_and_gradient(const VectorView& w, Vector& gradient) const {
  const double s = error_and_gradient(w, gradient);
  gradient += penalty_gradient(w);
  return s + penalty(w);
}

Vector MlpCost::penalty_gradient(const VectorView& w) const {
  Vector out = twice_kappa_.cwiseProduct(w);
  if (gauge_.size()) out += 2 * gauge_.dot(w) * gauge_;
  return out;
}

void MlpCost::add_penalty(Matrix& hessian) const {
  hessian.diagonal() += twice_kappa_;
  if (gauge_.size()) hessian += 2 * gauge_ * gauge_.transpose();
}

std::vector<Index> MlpCost::undecayed() const {
  std::vector<Index> out;
  for (Index i = 0; i < weights(); ++i)
    if (twice_kappa_[i] == 0 && (gauge_.size() == 0 || gauge_[i] == 0)) out.push_back(i);
  return out;
}

Matrix MlpCost::scores(const VectorView& w) const {
  Matrix out = Matrix::Zero(rows(), weights());
  const auto pass = mlp::run(shape_, loss_, w.data(), *x_, *y_, mlp::Depth::gradient);
  mlp::add_scores(shape_, pass.input, pass.delta, out);
  return out;
}

Vector MlpCost::scores_contracted_along(const VectorView& w, const MatrixView& m,
                                        const MatrixView& directions) const {
  const auto pass = mlp::run(shape_, loss_, w.data(), *x_, *y_, mlp::Depth::gradient);
  // A score is δ_j z_i: contracted once with z for dδ, once with δ for dz.
  std::vector<Matrix> for_delta, for_input;
  for (Index l = 0; l < shape_.layers(); ++l) {
    const Matrix &z = pass.input[std::size_t(l)], &delta = pass.delta[std::size_t(l)];
    for_delta.push_back(Matrix::Zero(rows(), delta.cols()));
    for_input.push_back(Matrix::Zero(rows(), z.cols()));
    for (Index j = 0; j < delta.cols(); ++j) {
      for (Index i = 0; i < z.cols(); ++i) {
        const double* column = m.col(shape_.offset(l) + j * z.cols() + i).data();
        mlp::multiply_add(column, z.col(i).data(), for_delta.back().col(j).data(), rows());
        if (l > 0) mlp::multiply_add(column, delta.col(j).data(), for_input.back().col(i).data(), rows());
      }
    }
  }
  Vector out = Vector::Zero(directions.cols());
  for (Index g = 0; g < directions.cols(); ++g) {
    const auto d =
        mlp::tangent(shape_, loss_, pass, w.data(), directions.col(g).data(), *y_, mlp::Depth::gradient);
    for (std::size_t l = 0; l < for_delta.size(); ++l) {
      out[g] += for_delta[l].cwiseProduct(d.delta[l]).sum();
      if (l > 0) out[g] += for_input[l].cwiseProduct(d.input[l]).sum();
    }
  }
  return out;
}

struct MlpTangents::Blocks {
  std::vector<mlp::Pass> pass;
};

MlpTangents::MlpTangents(const MlpCost& cost, const VectorView& w)
    : cost_(cost), w_(w), blocks_(std::make_unique<Blocks>()) {
  for_blocks(cost.rows(), [&](Index first, Index n) {
    blocks_->pass.push_back(mlp::run(cost.shape(), cost.loss(), w_.data(), cost.x().middleRows(first, n),
                                     cost.y().middleRows(first, n), mlp::Depth::gradient));
  });
}

MlpTangents::~MlpTangents() = default;

Vector MlpTangents::hessian_vector(const VectorView& v) const {
  Vector out = Vector::Zero(v.size());
  for_blocks(cost_.rows(), [&](Index first, Index n) {
    const auto& pass = blocks_->pass[std::size_t(first / block_rows)];
    const auto d = mlp::tangent(cost_.shape(), cost_.loss(), pass, w_.data(), v.data(),
                                cost_.y().middleRows(first, n), mlp::Depth::gradient);
    mlp::add_gradient(cost_.shape(), pass.input, d.delta, out.data());
    mlp::add_gradient(cost_.shape(), d.input, pass.delta, out.data());
  });
  return out / static_cast<double>(cost_.rows()) + cost_.penalty_gradient(v);
}

}  // namespace gnomon
