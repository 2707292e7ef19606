#include <algorithm>

#include "core/listening.hpp"
#include "cost.hpp"
#include "gnomon/core/error.hpp"
#include "hessian_blocks.hpp"
#include "kernels.hpp"

namespace gnomon {
namespace {

using mlp::HessianBlock;

constexpr Index most_dense_weights = 10000;

/// c += aᵀ b over rows.
void add_cross(const Matrix& a, const Matrix& b, Matrix& c) {
  mlp::gemm(CblasTrans, CblasNoTrans, a.cols(), b.cols(), a.rows(), 1, a.data(), a.rows(), b.data(), b.rows(),
            1, c.data(), c.rows());
}

double dot(const Matrix& a, const Matrix& b) {
  return cblas_ddot(static_cast<int>(a.size()), a.data(), 1, b.data(), 1);
}

/// Runs the network over blocks of rows and hands on (pass, unit curvatures, y of the block).
template <class Body>
void for_curved_blocks(const MlpCost& cost, const VectorView& w, MlpHessian kind, Body body) {
  require(cost.weights() <= most_dense_weights,
          "a dense Hessian of {} weights is too large (at most {}); use Hessian-vector products",
          cost.weights(), most_dense_weights);
  const Index step = mlp::rows_per_block(cost.shape(), kind);
  for (Index first = 0; first < cost.rows(); first += step) {
    stop_if_asked();
    const Index n = std::min(step, cost.rows() - first);
    const auto y = cost.y().middleRows(first, n);
    const auto pass = mlp::run(cost.shape(), cost.loss(), w.data(), cost.x().middleRows(first, n), y,
                               mlp::Depth::curvature);
    body(pass, mlp::UnitCurvature(cost.shape(), pass, w.data(), kind), y);
  }
}

std::vector<Matrix> zero_sums(const MlpShape& shape, const std::vector<HessianBlock>& blocks) {
  std::vector<Matrix> sums;
  for (const auto& b : blocks)
    sums.push_back(Matrix::Zero(mlp::left_columns(shape, b), mlp::right_columns(shape, b)));
  return sums;
}

Matrix assembled(const MlpCost& cost, const std::vector<HessianBlock>& blocks,
                 const std::vector<Matrix>& sums) {
  Matrix h = Matrix::Zero(cost.weights(), cost.weights());
  for (std::size_t b = 0; b < blocks.size(); ++b) mlp::scatter(cost.shape(), blocks[b], sums[b], h);
  return h / static_cast<double>(cost.rows());
}

}  // namespace

Matrix MlpCost::error_hessian(const VectorView& w, MlpHessian kind) const {
  const auto blocks = mlp::hessian_blocks(shape_, kind);
  auto sums = zero_sums(shape_, blocks);
  for_curved_blocks(
      *this, w, kind, [&](const mlp::Pass& pass, const mlp::UnitCurvature& units, const MatrixView&) {
        for (std::size_t b = 0; b < blocks.size(); ++b)
          add_cross(left(shape_, blocks[b], pass, units), right(shape_, blocks[b], pass, units), sums[b]);
      });
  return assembled(*this, blocks, sums);
}

Matrix MlpCost::error_hessian_along(const VectorView& w, const VectorView& v, MlpHessian kind) const {
  const auto blocks = mlp::hessian_blocks(shape_, kind);
  auto sums = zero_sums(shape_, blocks);
  for_curved_blocks(
      *this, w, kind, [&](const mlp::Pass& pass, const mlp::UnitCurvature& units, const MatrixView& y) {
        const auto d = mlp::tangent(shape_, loss_, pass, w.data(), v.data(), y, mlp::Depth::curvature);
        const mlp::UnitCurvature dunits(shape_, pass, d, units, w.data(), v.data(), kind);
        for (std::size_t b = 0; b < blocks.size(); ++b) {
          const Matrix dleft = left_along(shape_, blocks[b], pass, d, dunits);
          if (dleft.size()) add_cross(dleft, right(shape_, blocks[b], pass, units), sums[b]);
          const Matrix dright = right_along(shape_, blocks[b], pass, d, dunits);
          if (dright.size()) add_cross(left(shape_, blocks[b], pass, units), dright, sums[b]);
        }
      });
  return assembled(*this, blocks, sums);
}

Matrix MlpCost::hessian_contracted_along(const VectorView& w, const std::vector<Matrix>& m,
                                         const MatrixView& directions, MlpHessian kind) const {
  const auto blocks = mlp::hessian_blocks(shape_, kind);
  std::vector<std::vector<Matrix>> gathered(m.size());
  for (std::size_t a = 0; a < m.size(); ++a)
    for (const auto& b : blocks) gathered[a].push_back(mlp::gather(shape_, b, m[a]));
  Matrix out = Matrix::Zero(directions.cols(), static_cast<Index>(m.size()));
  // ⟨M, d(leftᵀright)⟩ = ⟨dleft, right·Mᵀ⟩ + ⟨dright, left·M⟩: the products are formed once for all directions.
  const auto add_block = [&](const mlp::Pass& pass, const mlp::UnitCurvature& units, const MatrixView& y) {
    std::vector<std::vector<Matrix>> for_left(m.size()), for_right(m.size());
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      const Matrix l = left(shape_, blocks[b], pass, units), r = right(shape_, blocks[b], pass, units);
      for (std::size_t a = 0; a < m.size(); ++a) {
        const Matrix& g = gathered[a][b];
        for_left[a].emplace_back(r.rows(), g.rows());
        mlp::gemm(CblasNoTrans, CblasTrans, r.rows(), g.rows(), g.cols(), 1, r.data(), r.rows(), g.data(),
                  g.rows(), 0, for_left[a].back().data(), r.rows());
        for_right[a].emplace_back();
        if (!right_varies(blocks[b])) continue;
        for_right[a].back().resize(l.rows(), g.cols());
        mlp::gemm(CblasNoTrans, CblasNoTrans, l.rows(), g.cols(), g.rows(), 1, l.data(), l.rows(), g.data(),
                  g.rows(), 0, for_right[a].back().data(), l.rows());
      }
    }
    for (Index g = 0; g < directions.cols(); ++g) {
      const double* v = directions.col(g).data();
      const auto d = mlp::tangent(shape_, loss_, pass, w.data(), v, y, mlp::Depth::curvature);
      const mlp::UnitCurvature dunits(shape_, pass, d, units, w.data(), v, kind);
      for (std::size_t b = 0; b < blocks.size(); ++b) {
        const Matrix dl = left_along(shape_, blocks[b], pass, d, dunits);
        const Matrix dr = right_along(shape_, blocks[b], pass, d, dunits);
        for (std::size_t a = 0; a < m.size(); ++a) {
          if (dl.size()) out(g, static_cast<Index>(a)) += dot(dl, for_left[a][b]);
          if (dr.size()) out(g, static_cast<Index>(a)) += dot(dr, for_right[a][b]);
        }
      }
    }
  };
  for_curved_blocks(*this, w, kind, add_block);
  return out / static_cast<double>(rows());
}

}  // namespace gnomon
