#include "hessian_blocks.hpp"

#include <algorithm>

#include "kernels.hpp"

namespace gnomon::mlp {
namespace {

Index pairs(Index n) { return n * (n + 1) / 2; }
bool within(const HessianBlock& b) { return b.lower == b.upper; }

/// out[:, a + b·cols(A)] += A_a∘B_b; with `half`, only a ≤ b, in column a + b(b+1)/2.
void add_products(const Matrix& a, const Matrix& b, bool half, Matrix& out) {
  Index column = 0;
  for (Index j = 0; j < b.cols(); ++j) {
    for (Index i = 0; i < (half ? j + 1 : a.cols()); ++i, ++column)
      multiply_add(a.col(i).data(), b.col(j).data(), out.col(column).data(), out.rows());
  }
}

/// The columns j ≤ j' of a square unit curvature.
Matrix upper_half(const Matrix& q, Index units) {
  Matrix out(q.rows(), pairs(units));
  for (Index j = 0; j < units; ++j) out.middleCols(pairs(j), j + 1) = q.middleCols(j * units, j + 1);
  return out;
}

/// Calls place(compact row, compact column, weight, weight) for every entry of the full matrix.
template <class Place>
void visit(const MlpShape& shape, const HessianBlock& block, Place place) {
  const Index l = block.lower, m = block.upper, fan_l = shape.fan_in(l), fan_m = shape.fan_in(m);
  const auto at_l = [&, base = shape.offset(l)](Index j, Index i) { return base + j * fan_l + i; };
  const auto at_m = [&, base = shape.offset(m)](Index j, Index i) { return base + j * fan_m + i; };
  const auto both = [&](Index r, Index c, Index a, Index b) { place(r, c, a, b), place(r, c, b, a); };
  if (block.sensitivity) {
    const bool diagonal = m == l + 1;
    for (Index j = 0; j < shape.units(l); ++j)
      for (Index below = diagonal ? j : 0; below < (diagonal ? j + 1 : shape.units_below(m)); ++below)
        for (Index i = 0; i < fan_l; ++i)
          for (Index k = 0; k < shape.units(m); ++k)
            both(k + i * shape.units(m), diagonal ? j : below + j * shape.units_below(m), at_l(j, i),
                 at_m(k, below));
  } else if (!within(block)) {
    for (Index i2 = 0; i2 < fan_m; ++i2)
      for (Index i = 0; i < fan_l; ++i)
        for (Index k = 0; k < shape.units(m); ++k)
          for (Index j = 0; j < shape.units(l); ++j)
            both(j + k * shape.units(l), i + i2 * fan_l, at_l(j, i), at_m(k, i2));
  } else {
    for (Index i2 = 0; i2 < fan_l; ++i2)
      for (Index i = 0; i <= i2; ++i)
        for (Index k = 0; k < shape.units(l); ++k)
          for (Index j = 0; j <= k; ++j) {
            const Index r = j + pairs(k), c = i + pairs(i2);
            if (j == k && i == i2) {
              place(r, c, at_l(j, i), at_l(k, i2));
            } else {
              both(r, c, at_l(j, i), at_l(k, i2));
              if (j != k && i != i2) both(r, c, at_l(j, i2), at_l(k, i));
            }
          }
  }
}

}  // namespace

std::vector<HessianBlock> hessian_blocks(const MlpShape& shape, MlpHessian kind) {
  std::vector<HessianBlock> blocks;
  for (Index l = 0; l < shape.layers(); ++l) {
    for (Index m = l; m < shape.layers(); ++m) {
      blocks.push_back({l, m, false});
      if (m > l && kind == MlpHessian::exact) blocks.push_back({l, m, true});
    }
  }
  return blocks;
}

Index left_columns(const MlpShape& shape, const HessianBlock& b) {
  if (b.sensitivity) return shape.units(b.upper) * shape.fan_in(b.lower);
  return within(b) ? pairs(shape.units(b.lower)) : shape.units(b.lower) * shape.units(b.upper);
}

Index right_columns(const MlpShape& shape, const HessianBlock& b) {
  if (b.sensitivity)
    return b.upper == b.lower + 1 ? shape.units(b.lower) : shape.units_below(b.upper) * shape.units(b.lower);
  return within(b) ? pairs(shape.fan_in(b.lower)) : shape.fan_in(b.lower) * shape.fan_in(b.upper);
}

bool right_varies(const HessianBlock& b) { return b.sensitivity || b.upper > 0; }

Matrix left(const MlpShape& shape, const HessianBlock& b, const Pass& pass, const UnitCurvature& units) {
  if (!b.sensitivity)
    return within(b) ? upper_half(units.q(b.lower, b.lower), shape.units(b.lower))
                     : units.q(b.lower, b.upper);
  Matrix out = Matrix::Zero(pass.output.rows(), left_columns(shape, b));
  add_products(pass.delta[std::size_t(b.upper)], pass.input[std::size_t(b.lower)], false, out);
  return out;
}

Matrix right(const MlpShape& shape, const HessianBlock& b, const Pass& pass, const UnitCurvature& units) {
  if (b.sensitivity)
    return b.upper == b.lower + 1 ? pass.slope[std::size_t(b.lower)] : units.t(b.lower, b.upper);
  Matrix out = Matrix::Zero(pass.output.rows(), right_columns(shape, b));
  add_products(pass.input[std::size_t(b.lower)], pass.input[std::size_t(b.upper)], within(b), out);
  return out;
}

Matrix left_along(const MlpShape& shape, const HessianBlock& b, const Pass& pass, const Pass& d,
                  const UnitCurvature& dunits) {
  if (!b.sensitivity) {
    const Matrix& q = dunits.q(b.lower, b.upper);
    return q.size() && within(b) ? upper_half(q, shape.units(b.lower)) : q;
  }
  Matrix out = Matrix::Zero(pass.output.rows(), left_columns(shape, b));
  const std::size_t lower = std::size_t(b.lower), upper = std::size_t(b.upper);
  add_products(d.delta[upper], pass.input[lower], false, out);
  if (d.input[lower].size()) add_products(pass.delta[upper], d.input[lower], false, out);
  return out;
}

Matrix right_along(const MlpShape& shape, const HessianBlock& b, const Pass& pass, const Pass& d,
                   const UnitCurvature& dunits) {
  if (b.sensitivity)
    return b.upper == b.lower + 1 ? d.slope[std::size_t(b.lower)] : dunits.t(b.lower, b.upper);
  if (!right_varies(b)) return {};
  Matrix out = Matrix::Zero(pass.output.rows(), right_columns(shape, b));
  const std::size_t lower = std::size_t(b.lower), upper = std::size_t(b.upper);
  add_products(pass.input[lower], d.input[upper], within(b), out);
  if (d.input[lower].size()) add_products(d.input[lower], pass.input[upper], within(b), out);
  return out;
}

void scatter(const MlpShape& shape, const HessianBlock& block, const Matrix& sums, Matrix& h) {
  visit(shape, block, [&](Index r, Index c, Index a, Index b) { h(a, b) += sums(r, c); });
}

Matrix gather(const MlpShape& shape, const HessianBlock& block, const Matrix& m) {
  Matrix out = Matrix::Zero(left_columns(shape, block), right_columns(shape, block));
  visit(shape, block, [&](Index r, Index c, Index a, Index b) { out(r, c) += m(a, b); });
  return out;
}

Index rows_per_block(const MlpShape& shape, MlpHessian kind) {
  Index widest = 1;
  for (const HessianBlock& block : hessian_blocks(shape, kind))
    widest = std::max(widest, left_columns(shape, block) + right_columns(shape, block));
  return std::clamp<Index>((Index{1} << 22) / widest, 16, 512);
}

}  // namespace gnomon::mlp
