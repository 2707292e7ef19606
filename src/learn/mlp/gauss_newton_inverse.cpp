#include "gauss_newton_inverse.hpp"

#include <cblas.h>
#include <lapacke.h>

#include <algorithm>
#include <cmath>

#include "kernels.hpp"
#include "pass.hpp"

namespace gnomon::mlp {
namespace {

constexpr Index most_observations = 2000;

std::vector<Index> spaced_rows(Index rows, Index outputs) {
  const Index count = std::min(rows, std::max<Index>(most_observations / outputs, 1));
  std::vector<Index> out;
  for (Index k = 0; k < count; ++k) out.push_back(k * rows / count);
  return out;
}

/// ∂²ℓ/∂f∂f summed over the rows is Σ_o d_o d_oᵀ with these rows d_o: √2 e_o, or √(Tπ_o)(e_o − π) for cross-entropy.
std::vector<Matrix> output_directions(MlpLoss loss, const Matrix& f, const Matrix& y) {
  std::vector<Matrix> out(static_cast<std::size_t>(f.cols()), Matrix::Zero(f.rows(), f.cols()));
  if (loss == MlpLoss::squared) {
    for (Index o = 0; o < f.cols(); ++o) out[std::size_t(o)].col(o).setConstant(std::sqrt(2.0));
    return out;
  }
  Matrix p = (f.colwise() - f.rowwise().maxCoeff().eval()).array().exp().matrix();
  p.array().colwise() /= p.rowwise().sum().array().eval();
  const Vector total = y.rowwise().sum();
  for (Index o = 0; o < f.cols(); ++o) {
    Matrix& d = out[std::size_t(o)];
    d = -p;
    d.col(o).array() += 1;
    d.array().colwise() *= (total.array() * p.col(o).array()).sqrt();
  }
  return out;
}

}  // namespace

GaussNewtonInverse::GaussNewtonInverse(const MlpCost& cost, const VectorView& w) : shape_(cost.shape()) {
  const Index layers = shape_.layers(), outputs = shape_.outputs;
  const auto rows = spaced_rows(cost.rows(), outputs);
  const Matrix x = cost.x()(rows, Eigen::all), y = cost.y()(rows, Eigen::all);
  Pass pass = run(shape_, cost.loss(), w.data(), x, y, Depth::gradient);
  const Index r = x.rows(), n = r * outputs;
  delta_.resize(std::size_t(layers));
  delta_.back() = output_directions(cost.loss(), pass.output, y);
  for (Matrix& d : delta_.back()) d /= std::sqrt(static_cast<double>(r));
  for (Index l = layers - 2; l >= 0; --l) {
    for (const Matrix& above : delta_[std::size_t(l + 1)]) {
      Matrix d(r, shape_.units(l));
      gemm(CblasNoTrans, CblasTrans, r, shape_.units(l), shape_.units(l + 1), 1, above.data(), r,
           w.data() + shape_.offset(l + 1), shape_.fan_in(l + 1), 0, d.data(), r);
      delta_[std::size_t(l)].push_back(d.cwiseProduct(pass.slope[std::size_t(l)]));
    }
  }
  input_ = std::move(pass.input);

  // 2D averaged over units, and the trace of AᵀA for its floor.
  const Vector twice_kappa = 2 * cost.decay().per_weight();
  decay_.resize(cost.weights());
  double trace = 0;
  for (Index l = 0; l < layers; ++l) {
    Vector squares = Vector::Zero(r);
    for (const Matrix& d : delta_[std::size_t(l)]) squares += d.rowwise().squaredNorm();
    trace += squares.dot(input_[std::size_t(l)].rowwise().squaredNorm());
    const Eigen::Map<const Matrix> of_layer(twice_kappa.data() + shape_.offset(l), shape_.fan_in(l),
                                            shape_.units(l));
    Eigen::Map<Matrix>(decay_.data() + shape_.offset(l), shape_.fan_in(l), shape_.units(l)).colwise() =
        of_layer.rowwise().mean();
  }
  decay_ = decay_.cwiseMax(std::max(1e-6 * trace / static_cast<double>(cost.weights()), 1e-300));

  factor_ = Matrix::Identity(n, n);
  Matrix inputs(r, r), units(r, r);
  for (Index l = 0; l < layers; ++l) {
    const Matrix& z = input_[std::size_t(l)];
    const Matrix scaled = z * decay_.segment(shape_.offset(l), shape_.fan_in(l)).cwiseInverse().asDiagonal();
    gemm(CblasNoTrans, CblasTrans, r, r, z.cols(), 1, scaled.data(), r, z.data(), r, 0, inputs.data(), r);
    for (Index a = 0; a < outputs; ++a) {
      for (Index b = 0; b <= a; ++b) {
        const Matrix &da = delta_[std::size_t(l)][std::size_t(a)],
                     &db = delta_[std::size_t(l)][std::size_t(b)];
        gemm(CblasNoTrans, CblasTrans, r, r, da.cols(), 1, da.data(), r, db.data(), r, 0, units.data(), r);
        factor_.block(a * r, b * r, r, r) += units.cwiseProduct(inputs);
      }
    }
  }
  const int size = static_cast<int>(n);
  if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', size, factor_.data(), size) != 0) factor_.resize(0, 0);
}

Matrix GaussNewtonInverse::along(const Vector& v) const {
  const Index r = input_[0].rows();
  Matrix out = Matrix::Zero(r, shape_.outputs);
  for (Index l = 0; l < shape_.layers(); ++l) {
    const Matrix& z = input_[std::size_t(l)];
    Matrix moved(r, shape_.units(l));
    gemm(CblasNoTrans, CblasNoTrans, r, moved.cols(), z.cols(), 1, z.data(), r, v.data() + shape_.offset(l),
         z.cols(), 0, moved.data(), r);
    for (Index o = 0; o < out.cols(); ++o)
      out.col(o) += delta_[std::size_t(l)][std::size_t(o)].cwiseProduct(moved).rowwise().sum();
  }
  return out;
}

Vector GaussNewtonInverse::back(const Matrix& u) const {
  const Index r = input_[0].rows();
  Vector out = Vector::Zero(decay_.size());
  std::vector<Matrix> deltas;
  for (Index l = 0; l < shape_.layers(); ++l) {
    Matrix sum = Matrix::Zero(r, shape_.units(l));
    for (Index o = 0; o < u.cols(); ++o)
      sum += u.col(o).asDiagonal() * delta_[std::size_t(l)][std::size_t(o)];
    deltas.push_back(std::move(sum));
  }
  add_gradient(shape_, input_, deltas, out.data());
  return out;
}

Vector GaussNewtonInverse::operator()(const Vector& v) const {
  const Vector plain = v.cwiseQuotient(decay_);
  if (factor_.size() == 0) return plain;
  Matrix u = along(plain);
  const int n = static_cast<int>(u.size());
  for (const auto transpose : {CblasNoTrans, CblasTrans})
    cblas_dtrsv(CblasColMajor, CblasLower, transpose, CblasNonUnit, n, factor_.data(), n, u.data(), 1);
  return plain - back(u).cwiseQuotient(decay_);
}

}  // namespace gnomon::mlp
