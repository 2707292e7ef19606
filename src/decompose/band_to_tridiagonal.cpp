#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <memory>
#include <thread>

#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "lanes.hpp"
#include "two_stage.hpp"

namespace gnomon {
namespace {

constexpr Index kWidest = 64;

/// A reflector I − τ v vᵀ on `width` rows. v starts at the offset of its first row within an aligned group of
/// eight; what precedes and follows is zero, so that whole groups can be worked on.
struct BandReflector {
  alignas(64) double v[kWidest + kLanes];
  double tau;
};

GNOMON_INLINE double sum(const Lanes& x) {
  const auto four = __builtin_shufflevector(x, x, 0, 1, 2, 3) + __builtin_shufflevector(x, x, 4, 5, 6, 7);
  const auto two = __builtin_shufflevector(four, four, 0, 1) + __builtin_shufflevector(four, four, 2, 3);
  return two[0] + two[1];
}

/// Lane i of `out` = the sum of the lanes of x[i], by pairwise exchange.
GNOMON_INLINE void sums(const Lanes* x, Lanes& out) {
  Lanes two[4], four[2];
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i)
    two[i] = __builtin_shufflevector(x[2 * i], x[2 * i + 1], 0, 8, 2, 10, 4, 12, 6, 14) +
             __builtin_shufflevector(x[2 * i], x[2 * i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
#pragma GCC unroll 2
  for (int i = 0; i < 2; ++i)
    four[i] = __builtin_shufflevector(two[2 * i], two[2 * i + 1], 0, 1, 8, 9, 4, 5, 12, 13) +
              __builtin_shufflevector(two[2 * i], two[2 * i + 1], 2, 3, 10, 11, 6, 7, 14, 15);
  out = __builtin_shufflevector(four[0], four[1], 0, 1, 2, 3, 8, 9, 10, 11) +
        __builtin_shufflevector(four[0], four[1], 4, 5, 6, 7, 12, 13, 14, 15);
}

/// Clears what lies outside the `width` rows that start at `offset` within G groups of eight.
template <int G>
GNOMON_INLINE void clear_outside(Lanes* x, const LaneBits& inside) {
  x[0] = reinterpret_cast<Lanes>(reinterpret_cast<LaneBits>(x[0]) & inside);
  x[G - 1] = reinterpret_cast<Lanes>(reinterpret_cast<LaneBits>(x[G - 1]) & ~inside);
}

/// Turns x, which is zero outside the rows, into the v of the reflector that takes it to (result, 0, …, 0);
/// v₁ = 1.
template <int G>
GNOMON_INLINE double make_reflector(Lanes* x, const LaneBits& head_lane, double& tau) {
  const Lanes first = reinterpret_cast<Lanes>(reinterpret_cast<LaneBits>(x[0]) & head_lane);
  const double head = sum(first);
  x[0] -= first;
  Lanes squares = x[0] * x[0];
#pragma GCC unroll 16
  for (int g = 1; g < G; ++g) squares += x[g] * x[g];
  const double tail = sum(squares);
  double result = head, inverse = 0;  // a tail of 1e-140 does not matter beside the rounding of the matrix
  tau = 0;
  if (tail > 1e-280) {
    result = -std::copysign(std::sqrt(head * head + tail), head);
    inverse = 1 / (head - result);
    tau = (result - head) / result;
  }
#pragma GCC unroll 16
  for (int g = 0; g < G; ++g) x[g] *= inverse;
  x[0] += reinterpret_cast<Lanes>(reinterpret_cast<LaneBits>(Lanes{} + 1.0) & head_lane);
  return result;
}

/// out = τ M v over G groups of eight rows; M has `width` columns.
template <int G>
GNOMON_INLINE void scaled_product(const double* m, Index stride, const double* v, Index width, double tau,
                                  Lanes* out) {
  Lanes odd[G] = {};
#pragma GCC unroll 16
  for (int g = 0; g < G; ++g) out[g] = Lanes{};
  for (Index j = 0; j < width; j += 2) {
    const double *left = m + j * stride, *right = left + stride;
#pragma GCC unroll 16
    for (int g = 0; g < G; ++g) out[g] += v[j] * lanes_at(left + g * kLanes).value;
#pragma GCC unroll 16
    for (int g = 0; g < G; ++g) odd[g] += v[j + 1] * lanes_at(right + g * kLanes).value;
  }
#pragma GCC unroll 16
  for (int g = 0; g < G; ++g) out[g] = tau * (out[g] + odd[g]);
}

/// D ← (I − τ v vᵀ) D (I − τ v vᵀ) for the diagonal block; `offset` is the place of its first row in the
/// aligned rows.
template <int G>
GNOMON_INLINE void update_diagonal(double* d, Index stride, const BandReflector& r, Index offset, Index width,
                                   const LaneBits& inside) {
  Lanes v[G], w[G], dot = {};
  scaled_product<G>(d, stride, r.v + offset, width, r.tau, w);
  clear_outside<G>(w, inside);
#pragma GCC unroll 16
  for (int g = 0; g < G; ++g) {
    v[g] = lanes_at(r.v + g * kLanes).value;
    dot += v[g] * w[g];
  }
  const double half = 0.5 * r.tau * sum(dot);
  alignas(64) double stored[G * kLanes];
#pragma GCC unroll 16
  for (int g = 0; g < G; ++g) {
    w[g] -= half * v[g];
    lanes_at(stored + g * kLanes).value = w[g];
  }
  for (Index j = 0; j < width; ++j) {
    double* column = d + j * stride;
    const double vj = r.v[offset + j], wj = stored[offset + j];
#pragma GCC unroll 16
    for (int g = 0; g < G; ++g)
      lanes_at(column + g * kLanes).value = lanes_at(column + g * kLanes).value - wj * v[g] - vj * w[g];
  }
}

/// B ← (I − τ' u uᵀ) B (I − τ v vᵀ) for the block below, u chosen so that the first column becomes a multiple
/// of e₁.
template <int G>
GNOMON_INLINE void update_below(double* m, Index stride, const BandReflector& r, BandReflector& next,
                                Index offset, Index width, const LaneBits& inside,
                                const LaneBits& head_lane) {
  Lanes u[G], w[G], dot = {};
  scaled_product<G>(m, stride, r.v + offset, width, r.tau, w);
  clear_outside<G>(w, inside);
#pragma GCC unroll 16
  for (int g = 0; g < G; ++g) u[g] = lanes_at(m + g * kLanes).value - w[g];  // v₁ = 1
  clear_outside<G>(u, inside);
  const double head = make_reflector<G>(u, head_lane, next.tau);
#pragma GCC unroll 16
  for (int g = 0; g < G; ++g) {
    lanes_at(next.v + g * kLanes).value = u[g];
    dot += u[g] * w[g];
  }
  const double cross = sum(dot), tau = next.tau;
  for (Index j = 0; j < width; j += kLanes) {
    double* columns = m + j * stride;
    Lanes products[kLanes], z;
#pragma GCC unroll 8
    for (int c = 0; c < kLanes; ++c) {
      products[c] = u[0] * lanes_at(columns + c * stride).value;
#pragma GCC unroll 16
      for (int g = 1; g < G; ++g) products[c] += u[g] * lanes_at(columns + c * stride + g * kLanes).value;
    }
    sums(products, z);
    alignas(64) double factor[kLanes];
    lanes_at(factor).value = tau * (z - cross * lanes_at(r.v + offset + j).value);
#pragma GCC unroll 8
    for (int c = 0; c < kLanes; ++c) {
      double* column = columns + c * stride;
      const double vj = r.v[offset + j + c], zj = factor[c];
#pragma GCC unroll 16
      for (int g = 0; g < G; ++g)
        lanes_at(column + g * kLanes).value = lanes_at(column + g * kLanes).value - vj * w[g] - zj * u[g];
    }
  }
  // The first column holds rounding errors where it is zero by construction.
  Lanes first = lanes_at(m).value, last = lanes_at(m + (G - 1) * kLanes).value;
  first = reinterpret_cast<Lanes>((reinterpret_cast<LaneBits>(first) & ~inside) |
                                  (reinterpret_cast<LaneBits>(Lanes{} + head) & head_lane));
  last = reinterpret_cast<Lanes>(reinterpret_cast<LaneBits>(last) & inside);
  lanes_at(m).value = first;
#pragma GCC unroll 16
  for (int g = 1; g < G - 1; ++g) lanes_at(m + g * kLanes).value = Lanes{};
  lanes_at(m + (G - 1) * kLanes).value = last;
}

/// Step of a sweep: the reflector `r` acts on the `width` rows and columns from `row` on, and the bulge it
/// makes below is pushed on by `next`. `origin` is entry (0, 0) of the band; rows beyond `size` are zero.
template <int G>
GNOMON_INLINE void chase_step(double* origin, Index stride, Index size, Index row, const BandReflector& r,
                              BandReflector& next) {
  constexpr Index width = (G - 1) * kLanes;
  const Index offset = row % kLanes, aligned = row - offset;
  const LaneBits lane = {0, 1, 2, 3, 4, 5, 6, 7};
  const LaneBits inside = lane >= offset, head_lane = lane == offset;
  double* block = origin + aligned + row * stride;
  // The last row of the diagonal block was changed below the diagonal by the previous sweep: mirror it.
  const Index last = row + width - 1;
  for (Index j = row; j < last; ++j) origin[j + last * stride] = origin[last + j * stride];
  update_diagonal<G>(block, stride, r, offset, width, inside);
  if (row + width < size) {
    update_below<G>(block + width, stride, r, next, offset, width, inside, head_lane);
  } else {
    next.tau = 0;
  }
}

using ChaseStep = void (*)(double*, Index, Index, Index, const BandReflector&, BandReflector&);

GNOMON_HOT void chase_step_16(double* origin, Index stride, Index size, Index row, const BandReflector& r,
                              BandReflector& next) {
  chase_step<3>(origin, stride, size, row, r, next);
}
GNOMON_HOT void chase_step_24(double* origin, Index stride, Index size, Index row, const BandReflector& r,
                              BandReflector& next) {
  chase_step<4>(origin, stride, size, row, r, next);
}
GNOMON_HOT void chase_step_32(double* origin, Index stride, Index size, Index row, const BandReflector& r,
                              BandReflector& next) {
  chase_step<5>(origin, stride, size, row, r, next);
}
GNOMON_HOT void chase_step_48(double* origin, Index stride, Index size, Index row, const BandReflector& r,
                              BandReflector& next) {
  chase_step<7>(origin, stride, size, row, r, next);
}
GNOMON_HOT void chase_step_64(double* origin, Index stride, Index size, Index row, const BandReflector& r,
                              BandReflector& next) {
  chase_step<9>(origin, stride, size, row, r, next);
}

ChaseStep step_for(Index width) {
  switch (width) {
    case 16:
      return chase_step_16;
    case 24:
      return chase_step_24;
    case 32:
      return chase_step_32;
    case 48:
      return chase_step_48;
    case 64:
      return chase_step_64;
    default:
      fail("bulge chasing is compiled for band widths 16, 24, 32, 48 and 64, not {}", width);
  }
}

/// Starts sweep s: eliminates column s below the subdiagonal.
void start_sweep(Band& band, Index s, BandReflector& r) {
  const Index width = band.width(), offset = (s + 1) % kLanes;
  constexpr int kGroups = kWidest / kLanes + 1;
  double* column = band.at(s + 1, s);
  Lanes x[kGroups] = {};
  for (Index i = 0; i < width; ++i) x[(offset + i) / kLanes][(offset + i) % kLanes] = column[i];
  const LaneBits lane = {0, 1, 2, 3, 4, 5, 6, 7};
  const LaneBits head_lane = lane == offset;
  const double head = make_reflector<kGroups>(x, head_lane, r.tau);
  for (int g = 0; g < kGroups; ++g) lanes_at(r.v + g * kLanes).value = x[g];
  std::fill(column, column + width, 0.0);
  column[0] = head;
}

/// Sweeps are taken in groups. Within a group sweep g does its step t − 2g at time t, when sweep g − 1 is two
/// steps ahead and will not come back; a group waits in the same way for the last sweep of the group before.
class Chase {
 public:
  explicit Chase(Band& band)
      : band_(band),
        sweeps_(band.size() - 2),
        step_(step_for(band.width())),
        done_(new std::atomic<Index>[groups()]) {
    for (Index g = 0; g < groups(); ++g) done_[g] = 0;
  }

  Index groups() const { return (sweeps_ + kGroup - 1) / kGroup; }

  void run_group(Index group) {
    BandReflector state[kGroup][2];
    const Index first = group * kGroup, count = std::min(kGroup, sweeps_ - first);
    const Index last_time = steps(first) + 2 * (count - 1);
    Index seen = group == 0 ? kFinished : 0;
    for (Index time = 0; time <= last_time; ++time) {
      if (seen < time + 2) seen = wait_for(group - 1, time + 2);
      for (Index g = 0; g < count; ++g) {
        const Index k = time - 2 * g, sweep = first + g;
        if (k < 0 || k >= steps(sweep)) continue;
        if (k == 0) start_sweep(band_, sweep, state[g][0]);
        step_(band_.at(0, 0), band_.stride(), band_.size(), sweep + 1 + k * band_.width(), state[g][k % 2],
              state[g][(k + 1) % 2]);
      }
      const Index finished = time - 2 * (count - 1) + 1;  // steps of the last sweep
      if (finished > 0) done_[group].store(finished, std::memory_order_release);
    }
    done_[group].store(kFinished, std::memory_order_release);
  }

 private:
  static constexpr Index kGroup = 4;
  static constexpr Index kFinished = INT64_MAX;

  Index steps(Index sweep) const { return (band_.size() - 2 - sweep) / band_.width() + 1; }

  Index wait_for(Index group, Index steps) const {
    Index seen;
    while ((seen = done_[group].load(std::memory_order_acquire)) < steps) std::this_thread::yield();
    return seen;
  }

  Band& band_;
  Index sweeps_;
  ChaseStep step_;
  std::unique_ptr<std::atomic<Index>[]> done_;
};

}  // namespace

Band::Band(Index size, Index width)
    : size_(size), width_(width), stride_((3 * width + 16) / kLanes * kLanes), storage_() {
  if (stride_ / kLanes % 2 == 0) stride_ += kLanes;
  const Index before = width + 2 * kLanes, columns = size + 2 * width + kLanes;
  storage_.assign(before + columns * (stride_ + 1) + kLanes, 0.0);
  const auto address = reinterpret_cast<std::uintptr_t>(storage_.data() + before + kLanes - 1);
  origin_ = reinterpret_cast<double*>(address / 64 * 64);
}

Tridiagonal reduce_to_tridiagonal(Band& band) {
  const Index n = band.size();
  if (n > 2) {
    Chase chase(band);
    std::atomic<Index> next{0};
    parallel_for(std::min<Index>(threads(), chase.groups()), [&](Index) {
      for (Index group = next++; group < chase.groups(); group = next++) chase.run_group(group);
    });
  }
  Tridiagonal t{Vector(n), Vector(std::max<Index>(n - 1, 0))};
  for (Index i = 0; i < n; ++i) t.diagonal[i] = *band.at(i, i);
  for (Index i = 0; i + 1 < n; ++i) t.off_diagonal[i] = *band.at(i + 1, i);
  return t;
}

Index band_width_for(Index n) { return n < 3000 ? 24 : 32; }

}  // namespace gnomon
