#include <algorithm>
#include <memory>

#include "core/lanes.hpp"
#include "gnomon/core/parallel.hpp"
#include "two_stage.hpp"

namespace gnomon {
namespace {

constexpr Index panel_rows = 16;  // of q at a time, so that a panel stays in the second cache
constexpr Index together = ChaseReflectors::together;
constexpr Index ahead = 4;  // blocks that are fetched before they are needed

/// The columns from `p` on, `Groups` registers of each, times I − V T Vᵀ.
template <class Register, int Groups>
GNOMON_INLINE void reflect_columns(double* p, const double* v, const double* t, Index count) {
  constexpr Index lanes = sizeof(Register) / sizeof(double);
  Register z[together][Groups] = {};
  for (Index j = 0; j < count; ++j) {
    Register column[Groups];
    __builtin_prefetch(v + (j + ahead * count) * together);
#pragma GCC unroll 4
    for (int g = 0; g < Groups; ++g) column[g] = at<Register>(p + j * panel_rows + g * lanes).value;
#pragma GCC unroll 4
    for (int s = 0; s < together; ++s)
#pragma GCC unroll 4
      for (int g = 0; g < Groups; ++g) z[s][g] += v[j * together + s] * column[g];
  }
#pragma GCC unroll 4
  for (int s = together - 1; s >= 0; --s)  // Z ← Z T in place
#pragma GCC unroll 4
    for (int g = 0; g < Groups; ++g) {
      z[s][g] *= t[s * together + s];
#pragma GCC unroll 4
      for (int before = 0; before < s; ++before) z[s][g] += t[s * together + before] * z[before][g];
    }
  for (Index j = 0; j < count; ++j) {
    Register column[Groups];
#pragma GCC unroll 4
    for (int g = 0; g < Groups; ++g) column[g] = at<Register>(p + j * panel_rows + g * lanes).value;
#pragma GCC unroll 4
    for (int s = 0; s < together; ++s)
#pragma GCC unroll 4
      for (int g = 0; g < Groups; ++g) column[g] -= v[j * together + s] * z[s][g];
#pragma GCC unroll 4
    for (int g = 0; g < Groups; ++g) at<Register>(p + j * panel_rows + g * lanes).value = column[g];
  }
}

/// All blocks. Those of one sweep act on different columns; sweep s + 1 at step k must come after sweep s at steps k and k + 1, so within
/// a group of sweeps the last step comes first.
template <class Register>
GNOMON_INLINE void rotate_panel(const ChaseReflectors& all, double* panel) {
  constexpr Index lanes = sizeof(Register) / sizeof(double);
  constexpr int groups = 2;
  for (Index group = 0; group < all.groups(); ++group)
    for (Index step = all.steps(group) - 1; step >= 0; --step) {
      double* first = panel + (group * together + 1 + step * all.width()) * panel_rows;
      for (Index row = 0; row < panel_rows; row += groups * lanes)
        reflect_columns<Register, groups>(first + row, all.v(group, step), all.t(group, step), all.rows());
    }
}

void rotate_by_four(const ChaseReflectors& all, double* panel) { rotate_panel<Four>(all, panel); }
#if GNOMON_INSTRUCTIONS >= 3
GNOMON_FUSED void rotate_by_four_fused(const ChaseReflectors& all, double* panel) {
  rotate_panel<Four>(all, panel);
}
#endif
#if GNOMON_INSTRUCTIONS == 4
GNOMON_WIDE void rotate_by_eight(const ChaseReflectors& all, double* panel) {
  rotate_panel<Lanes>(all, panel);
}
#endif

auto fastest_rotation() {
#if GNOMON_INSTRUCTIONS == 4
  if (has_wide_vectors()) return rotate_by_eight;
#endif
#if GNOMON_INSTRUCTIONS >= 3
  if (has_fused_vectors()) return rotate_by_four_fused;
#endif
  return rotate_by_four;
}

}  // namespace

ChaseReflectors::ChaseReflectors(Index size, Index width) : size_(size), width_(width) {
  Index count = 0;
  for (Index sweep = 0; sweep < size - 2; count += steps_of(sweep), sweep += together)
    first_.push_back(count);
  v_.setZero(count * rows() * together);
  t_.setZero(count * together * together);
}

void ChaseReflectors::set(Index sweep, Index step, const double* v, double tau) {
  const Index block = place(sweep / together, step), s = sweep % together;
  double* column = v_.data() + (block * rows() + s) * together + s;
  for (Index j = 0; j < width_; ++j) column[j * together] = v[j];
  t_[(block * together + s) * together + s] = tau;
}

/// T(·, s) = −τ_s T VᵀV e_s above its diagonal, column after column.
void ChaseReflectors::finish() {
  parallel_for(groups(), [this](Index group) {
    for (Index step = 0; step < steps(group); ++step) {
      using Rows = Eigen::Matrix<double, Eigen::Dynamic, together, Eigen::RowMajor>;
      const Eigen::Map<const Rows> block(v(group, step), rows(), together);
      const Eigen::Matrix<double, together, together> products = block.transpose() * block;
      double* t = t_.data() + place(group, step) * together * together;
      for (Index s = 1; s < together; ++s)
        for (Index i = 0; i < s; ++i) {
          double sum = 0;
          for (Index k = i; k < s; ++k) sum += t[k * together + i] * products(k, s);
          t[s * together + i] = -t[s * together + s] * sum;
        }
    }
  });
}

void apply_chase_rotation(const ChaseReflectors& reflectors, Matrix& q) {
  const auto rotate = fastest_rotation();
  const Index rows = q.rows(), columns = q.cols();
  parallel_for((rows + panel_rows - 1) / panel_rows, [&](Index p) {
    const Index first = p * panel_rows, count = std::min(panel_rows, rows - first);
    Matrix panel = Matrix::Zero(panel_rows, columns + reflectors.rows());
    panel.topLeftCorner(count, columns) = q.middleRows(first, count);
    rotate(reflectors, panel.data());
    q.middleRows(first, count) = panel.topLeftCorner(count, columns);
  });
}

}  // namespace gnomon
