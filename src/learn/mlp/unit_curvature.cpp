#include "unit_curvature.hpp"

#include "kernels.hpp"

namespace gnomon::mlp {
namespace {

/// out[·, j, j'] += Σ_i q[·, i, j'] W(j, i): the first unit index goes one layer down.
void lower_first(const MlpShape& shape, Index layer, const Matrix& q, const double* w, double beta,
                 Matrix& out) {
  const Index rows = q.rows(), above = shape.units(layer), below = shape.units_below(layer);
  const Index others = q.cols() / above;
  for (Index k = 0; k < others; ++k) {
    gemm(CblasNoTrans, CblasTrans, rows, below, above, 1, q.col(k * above).data(), rows,
         w + shape.offset(layer), shape.fan_in(layer), beta, out.col(k * below).data(), rows);
  }
}

/// out[·, j, j'] += Σ_i q[·, j, i] W(j', i): the second unit index goes one layer down.
void lower_second(const MlpShape& shape, Index layer, const Matrix& q, const double* w, double beta,
                  Matrix& out) {
  const Index above = shape.units(layer), below = shape.units_below(layer), tall = q.size() / above;
  gemm(CblasNoTrans, CblasTrans, tall, below, above, 1, q.data(), tall, w + shape.offset(layer),
       shape.fan_in(layer), beta, out.data(), tall);
}

/// out[·, i, j] += Σ_i' t[·, i', j] W(i', i): sensitivities go one layer up.
void raise_first(const MlpShape& shape, Index layer, const Matrix& t, const double* w, double beta,
                 Matrix& out) {
  const Index rows = t.rows(), below = shape.units_below(layer), above = shape.units(layer);
  for (Index k = 0; k < t.cols() / below; ++k) {
    gemm(CblasNoTrans, CblasNoTrans, rows, above, below, 1, t.col(k * below).data(), rows,
         w + shape.offset(layer), shape.fan_in(layer), beta, out.col(k * above).data(), rows);
  }
}

/// u[·, j, j'] ← u∘s_j (+ extra∘ds_j).
void scale_first(Matrix& u, const Matrix& s) {
  for (Index c = 0; c < u.cols(); ++c)
    multiply(u.col(c).data(), s.col(c % s.cols()).data(), u.col(c).data(), u.rows());
}
void add_scaled_first(Matrix& u, const Matrix& extra, const Matrix& ds) {
  for (Index c = 0; c < u.cols(); ++c)
    multiply_add(extra.col(c).data(), ds.col(c % ds.cols()).data(), u.col(c).data(), u.rows());
}
void scale_second(Matrix& u, const Matrix& s) {
  for (Index c = 0; c < u.cols(); ++c)
    multiply(u.col(c).data(), s.col(c / s.cols()).data(), u.col(c).data(), u.rows());
}
void add_scaled_second(Matrix& u, const Matrix& extra, const Matrix& ds) {
  for (Index c = 0; c < u.cols(); ++c)
    multiply_add(extra.col(c).data(), ds.col(c / ds.cols()).data(), u.col(c).data(), u.rows());
}

void add_diagonal(Matrix& q, const Matrix& diagonal) {
  for (Index j = 0; j < diagonal.cols(); ++j) q.col(j * (diagonal.cols() + 1)) += diagonal.col(j);
}

Matrix spread_diagonal(const Matrix& diagonal) {
  Matrix full = Matrix::Zero(diagonal.rows(), diagonal.cols() * diagonal.cols());
  add_diagonal(full, diagonal);
  return full;
}

}  // namespace

UnitCurvature::UnitCurvature(const MlpShape& shape, const Pass& pass, const double* w, MlpHessian kind)
    : layers_(shape.layers()), q_(std::size_t(layers_ * layers_)), t_(q_.size()) {
  const Index rows = pass.output.rows(), top = layers_ - 1;
  q_[at(top, top)] = pass.curvature;
  for (Index l = top - 1; l >= 0; --l) {
    const Matrix& slope = pass.slope[std::size_t(l)];
    for (Index m = l + 1; m < layers_; ++m) {
      Matrix& q = q_[at(l, m)];
      q.resize(rows, shape.units(l) * shape.units(m));
      lower_first(shape, l + 1, q_[at(l + 1, m)], w, 0, q);
      scale_first(q, slope);
    }
    Matrix& q = q_[at(l, l)];
    q.resize(rows, shape.units(l) * shape.units(l));
    lower_second(shape, l + 1, q_[at(l, l + 1)], w, 0, q);
    scale_second(q, slope);
    if (kind == MlpHessian::exact) add_diagonal(q, pass.bend[std::size_t(l)]);
  }
  if (kind == MlpHessian::gauss_newton) return;
  for (Index l = 0; l + 2 < layers_; ++l) {
    Matrix below = spread_diagonal(pass.slope[std::size_t(l)]);
    for (Index m = l + 2; m < layers_; ++m) {
      Matrix& t = t_[at(l, m)];
      t.resize(rows, shape.units_below(m) * shape.units(l));
      raise_first(shape, m - 1, below, w, 0, t);
      scale_first(t, pass.slope[std::size_t(m - 1)]);
      below = t;
    }
  }
}

UnitCurvature::UnitCurvature(const MlpShape& shape, const Pass& pass, const Pass& d,
                             const UnitCurvature& value, const double* w, const double* v, MlpHessian kind)
    : layers_(shape.layers()), q_(std::size_t(layers_ * layers_)), t_(q_.size()) {
  const Index rows = pass.output.rows(), top = layers_ - 1;
  q_[at(top, top)] = d.curvature;
  Matrix plain;
  for (Index l = top - 1; l >= 0; --l) {
    const Matrix &slope = pass.slope[std::size_t(l)], &dslope = d.slope[std::size_t(l)];
    for (Index m = l + 1; m < layers_; ++m) {
      Matrix& q = q_[at(l, m)];
      q.resize(rows, shape.units(l) * shape.units(m));
      plain.resize(rows, q.cols());
      const Matrix &above = value.q(l + 1, m), &dabove = q_[at(l + 1, m)];
      lower_first(shape, l + 1, above, v, 0, q);
      if (dabove.size()) lower_first(shape, l + 1, dabove, w, 1, q);
      scale_first(q, slope);
      lower_first(shape, l + 1, above, w, 0, plain);
      add_scaled_first(q, plain, dslope);
    }
    Matrix& q = q_[at(l, l)];
    q.resize(rows, shape.units(l) * shape.units(l));
    plain.resize(rows, q.cols());
    lower_second(shape, l + 1, value.q(l, l + 1), v, 0, q);
    lower_second(shape, l + 1, q_[at(l, l + 1)], w, 1, q);
    scale_second(q, slope);
    lower_second(shape, l + 1, value.q(l, l + 1), w, 0, plain);
    add_scaled_second(q, plain, dslope);
    if (kind == MlpHessian::exact) add_diagonal(q, d.bend[std::size_t(l)]);
  }
  if (kind == MlpHessian::gauss_newton) return;
  for (Index l = 0; l + 2 < layers_; ++l) {
    Matrix below = spread_diagonal(pass.slope[std::size_t(l)]);
    Matrix dbelow = spread_diagonal(d.slope[std::size_t(l)]);
    for (Index m = l + 2; m < layers_; ++m) {
      Matrix& t = t_[at(l, m)];
      t.resize(rows, shape.units_below(m) * shape.units(l));
      plain.resize(rows, t.cols());
      raise_first(shape, m - 1, below, v, 0, t);
      raise_first(shape, m - 1, dbelow, w, 1, t);
      scale_first(t, pass.slope[std::size_t(m - 1)]);
      raise_first(shape, m - 1, below, w, 0, plain);
      add_scaled_first(t, plain, d.slope[std::size_t(m - 1)]);
      below = value.t(l, m);
      dbelow = t;
    }
  }
}

}  // namespace gnomon::mlp
