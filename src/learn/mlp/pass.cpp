#include "pass.hpp"

#include <cmath>

#include "kernels.hpp"

namespace gnomon::mlp {
namespace {

/// Softmax over columns, row by row.
Matrix softmax(const Matrix& f) {
  Matrix p = (f.colwise() - f.rowwise().maxCoeff().eval()).array().exp().matrix();
  p.array().colwise() /= p.rowwise().sum().array().eval();
  return p;
}

/// out = input·W (+ out), W the fan_in × units matrix of the layer.
void up(const MlpShape& shape, Index l, const Matrix& input, const double* w, double beta, Matrix& out) {
  gemm(CblasNoTrans, CblasNoTrans, input.rows(), shape.units(l), shape.fan_in(l), 1, input.data(),
       input.rows(), w + shape.offset(l), shape.fan_in(l), beta, out.data(), out.rows());
}

/// out = δ·Wᵀ without the bias row (+ out).
void down(const MlpShape& shape, Index l, const Matrix& delta, const double* w, double beta, Matrix& out) {
  gemm(CblasNoTrans, CblasTrans, delta.rows(), shape.units_below(l), shape.units(l), 1, delta.data(),
       delta.rows(), w + shape.offset(l), shape.fan_in(l), beta, out.data(), out.rows());
}

/// ∂²ℓ/∂f_o∂f_o' = T(π_o [o=o'] − π_o π_o'), T = Σ_o t_o.
Matrix softmax_curvature(const Matrix& p, const Vector& total) {
  Matrix c(p.rows(), p.cols() * p.cols());
  for (Index b = 0; b < p.cols(); ++b) {
    for (Index a = 0; a < p.cols(); ++a) {
      auto column = c.col(a + b * p.cols()).array();
      column = -p.col(a).array() * p.col(b).array();
      if (a == b) column += p.col(a).array();
      column *= total.array();
    }
  }
  return c;
}

void finish_loss(MlpLoss loss, const MatrixView& y, Depth depth, Pass& pass) {
  const Matrix& f = pass.output;
  const Index outputs = f.cols();
  if (loss == MlpLoss::squared) {
    const Matrix residual = f - y;
    pass.loss = residual.rowwise().squaredNorm();
    if (depth != Depth::loss) pass.delta.back() = 2 * residual;
    if (depth == Depth::curvature) {
      pass.curvature = Matrix::Zero(f.rows(), outputs * outputs);
      for (Index o = 0; o < outputs; ++o) pass.curvature.col(o * (outputs + 1)).setConstant(2);
    }
    return;
  }
  const Vector top = f.rowwise().maxCoeff();
  const Vector log_sum = top.array() + (f.colwise() - top).array().exp().rowwise().sum().log();
  pass.loss = (y.array() * ((-f).colwise() + log_sum).array()).rowwise().sum();
  if (depth == Depth::loss) return;
  const Matrix p = softmax(f);
  const Vector total = y.rowwise().sum();
  pass.delta.back() = total.asDiagonal() * p - y;
  if (depth == Depth::curvature) pass.curvature = softmax_curvature(p, total);
}

void finish_loss_tangent(MlpLoss loss, const Pass& value, const MatrixView& y, Depth depth, Pass& d) {
  if (loss == MlpLoss::squared) {
    d.delta.back() = 2 * d.output;
    return;
  }
  const Matrix p = softmax(value.output);
  const Vector total = y.rowwise().sum();
  const Vector mean = (p.array() * d.output.array()).rowwise().sum();
  const Matrix dp = (p.array() * (d.output.colwise() - mean).array()).matrix();
  d.delta.back() = total.asDiagonal() * dp;
  if (depth != Depth::curvature) return;
  const Index outputs = p.cols();
  d.curvature.resize(p.rows(), outputs * outputs);
  for (Index b = 0; b < outputs; ++b) {
    for (Index a = 0; a < outputs; ++a) {
      auto column = d.curvature.col(a + b * outputs).array();
      column = -dp.col(a).array() * p.col(b).array() - p.col(a).array() * dp.col(b).array();
      if (a == b) column += dp.col(a).array();
      column *= total.array();
    }
  }
}

}  // namespace

Pass run(const MlpShape& shape, MlpLoss loss, const double* w, const MatrixView& x, const MatrixView& y,
         Depth depth) {
  const Index layers = shape.layers(), rows = x.rows();
  Pass pass;
  pass.input.resize(std::size_t(layers));
  pass.slope.resize(std::size_t(layers - 1));
  pass.delta.resize(std::size_t(layers));
  pass.input[0].resize(rows, shape.fan_in(0));
  pass.input[0].leftCols(shape.inputs) = x;
  if (shape.bias) pass.input[0].col(shape.inputs).setOnes();
  for (Index l = 0; l + 1 < layers; ++l) {
    Matrix& z = pass.input[std::size_t(l + 1)];
    z.resize(rows, shape.fan_in(l + 1));
    up(shape, l, pass.input[std::size_t(l)], w, 0, z);
    const Index n = rows * shape.units(l);
    tanh_in_place(z.data(), n);
    if (shape.bias) z.col(shape.units(l)).setOnes();
    if (depth != Depth::loss)
      pass.slope[std::size_t(l)] = (1 - z.leftCols(shape.units(l)).array().square()).matrix();
  }
  pass.output.resize(rows, shape.outputs);
  up(shape, layers - 1, pass.input.back(), w, 0, pass.output);
  finish_loss(loss, y, depth, pass);
  if (depth == Depth::loss) return pass;
  pass.back.resize(std::size_t(layers - 1));
  pass.bend.resize(std::size_t(layers - 1));
  for (Index l = layers - 2; l >= 0; --l) {
    Matrix& back = pass.back[std::size_t(l)];
    back.resize(rows, shape.units(l));
    down(shape, l + 1, pass.delta[std::size_t(l + 1)], w, 0, back);
    pass.delta[std::size_t(l)] = back.cwiseProduct(pass.slope[std::size_t(l)]);
    if (depth == Depth::curvature)
      pass.bend[std::size_t(l)] =
          -2 *
          pass.input[std::size_t(l + 1)].leftCols(shape.units(l)).cwiseProduct(pass.delta[std::size_t(l)]);
  }
  return pass;
}

Pass tangent(const MlpShape& shape, MlpLoss loss, const Pass& value, const double* w, const double* v,
             const MatrixView& y, Depth depth) {
  const Index layers = shape.layers(), rows = y.rows();
  Pass d;
  d.input.resize(std::size_t(layers));
  d.slope.resize(std::size_t(layers - 1));
  d.delta.resize(std::size_t(layers));
  for (Index l = 0; l < layers; ++l) {
    const bool top = l + 1 == layers;
    Matrix& out = top ? d.output : d.input[std::size_t(l + 1)];
    out.setZero(rows, top ? shape.outputs : shape.fan_in(l + 1));
    up(shape, l, value.input[std::size_t(l)], v, 0, out);
    if (l > 0) up(shape, l, d.input[std::size_t(l)], w, 1, out);
    if (top) break;
    auto da = out.leftCols(shape.units(l)).array();
    da *= value.slope[std::size_t(l)].array();
    d.slope[std::size_t(l)] =
        (-2 * value.input[std::size_t(l + 1)].leftCols(shape.units(l)).array() * da).matrix();
  }
  finish_loss_tangent(loss, value, y, depth, d);
  d.back.resize(std::size_t(layers - 1));
  d.bend.resize(std::size_t(layers - 1));
  for (Index l = layers - 2; l >= 0; --l) {
    const std::size_t s = std::size_t(l);
    d.back[s].resize(rows, shape.units(l));
    down(shape, l + 1, d.delta[s + 1], w, 0, d.back[s]);
    down(shape, l + 1, value.delta[s + 1], v, 1, d.back[s]);
    d.delta[s] = d.slope[s].cwiseProduct(value.back[s]) + value.slope[s].cwiseProduct(d.back[s]);
    if (depth == Depth::curvature) {
      const Index units = shape.units(l);
      d.bend[s] = -2 * (d.input[s + 1].leftCols(units).cwiseProduct(value.delta[s]) +
                        value.input[s + 1].leftCols(units).cwiseProduct(d.delta[s]));
    }
  }
  return d;
}

void add_gradient(const MlpShape& shape, const std::vector<Matrix>& input, const std::vector<Matrix>& delta,
                  double* out) {
  for (Index l = 0; l < shape.layers(); ++l) {
    const Matrix &z = input[std::size_t(l)], &d = delta[std::size_t(l)];
    if (z.size() == 0 || d.size() == 0) continue;
    gemm(CblasTrans, CblasNoTrans, z.cols(), d.cols(), z.rows(), 1, z.data(), z.rows(), d.data(), d.rows(), 1,
         out + shape.offset(l), z.cols());
  }
}

void add_scores(const MlpShape& shape, const std::vector<Matrix>& input, const std::vector<Matrix>& delta,
                Eigen::Ref<Matrix> out) {
  for (Index l = 0; l < shape.layers(); ++l) {
    const Matrix &z = input[std::size_t(l)], &d = delta[std::size_t(l)];
    if (z.size() == 0 || d.size() == 0) continue;
    for (Index j = 0; j < d.cols(); ++j) {
      for (Index i = 0; i < z.cols(); ++i) {
        multiply_add(z.col(i).data(), d.col(j).data(), out.col(shape.offset(l) + j * z.cols() + i).data(),
                     z.rows());
      }
    }
  }
}

}  // namespace gnomon::mlp
