#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <memory>

#include "core/lanes.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "two_stage.hpp"

namespace gnomon {
namespace {

constexpr Index kWidest = 64;

/// A reflector I − τ v vᵀ on `width` rows. v starts at the offset of its first row within an aligned group of
/// lanes; what precedes and follows is zero, so that whole groups can be worked on.
struct BandReflector {
  alignas(64) double v[kWidest + kLanes];
  double tau;
};

/// What differs between registers of eight and of four doubles.
template <class Register>
struct Kind;
template <>
struct Kind<Four> {
  using Bits = FourBits;
  static constexpr int registers = 16;
  static constexpr Bits lane = {0, 1, 2, 3};
};
template <class Register>
using Bits = typename Kind<Register>::Bits;
template <class Register>
constexpr Index lanes_of = sizeof(Register) / sizeof(double);

GNOMON_INLINE double sum(const Four& x) {
  const auto two = __builtin_shufflevector(x, x, 0, 1) + __builtin_shufflevector(x, x, 2, 3);
  return two[0] + two[1];
}

/// Lane i of `out` = the sum of the lanes of x[i], by pairwise exchange.
GNOMON_INLINE void sums(const Four* x, Four& out) {
  Four two[2];
#pragma GCC unroll 2
  for (int i = 0; i < 2; ++i)
    two[i] = __builtin_shufflevector(x[2 * i], x[2 * i + 1], 0, 4, 2, 6) +
             __builtin_shufflevector(x[2 * i], x[2 * i + 1], 1, 5, 3, 7);
  out = __builtin_shufflevector(two[0], two[1], 0, 1, 4, 5) +
        __builtin_shufflevector(two[0], two[1], 2, 3, 6, 7);
}

#if GNOMON_INSTRUCTIONS == 4
template <>
struct Kind<Lanes> {
  using Bits = LaneBits;
  static constexpr int registers = 32;
  static constexpr Bits lane = {0, 1, 2, 3, 4, 5, 6, 7};
};
GNOMON_INLINE double sum(const Lanes& x) {
  const Four four = __builtin_shufflevector(x, x, 0, 1, 2, 3) + __builtin_shufflevector(x, x, 4, 5, 6, 7);
  return sum(four);
}
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
#endif

/// Clears what lies outside the `width` rows that start at `offset` within G groups of lanes.
template <class Register, int G>
GNOMON_INLINE void clear_outside(Register* x, const Bits<Register>& inside) {
  x[0] = reinterpret_cast<Register>(reinterpret_cast<Bits<Register>>(x[0]) & inside);
  x[G - 1] = reinterpret_cast<Register>(reinterpret_cast<Bits<Register>>(x[G - 1]) & ~inside);
}

/// The reflector I − τ v vᵀ that takes (head, rest) to (result, 0): v = (1, rest · inverse), from the square `tail` of the rest. A rest
/// of 1e-140 does not matter beside the rounding of the matrix.
struct Elimination {
  double result, inverse = 0, tau = 0;
};
GNOMON_INLINE Elimination eliminate(double head, double tail) {
  if (!(tail > 1e-280)) return {head};
  const double result = -std::copysign(std::sqrt(head * head + tail), head);
  return {result, 1 / (head - result), (result - head) / result};
}

/// Turns x, which is zero outside the rows, into the v of the reflector that takes it to (result, 0, …, 0);
/// v₁ = 1.
template <class Register, int G>
GNOMON_INLINE double make_reflector(Register* x, const Bits<Register>& head_lane, double& tau) {
  const Register first = reinterpret_cast<Register>(reinterpret_cast<Bits<Register>>(x[0]) & head_lane);
  const double head = sum(first);
  x[0] -= first;
  Register squares = x[0] * x[0];
#pragma GCC unroll 20
  for (int g = 1; g < G; ++g) squares += x[g] * x[g];
  const double tail = sum(squares);
  const Elimination e = eliminate(head, tail);
  tau = e.tau;
#pragma GCC unroll 20
  for (int g = 0; g < G; ++g) x[g] *= e.inverse;
  x[0] += reinterpret_cast<Register>(reinterpret_cast<Bits<Register>>(Register{} + 1.0) & head_lane);
  return e.result;
}

/// out = τ M v over G groups of rows; M has `width` columns, taken in pairs where there are registers for it.
template <class Register, int G>
GNOMON_INLINE void scaled_product(const double* m, Index stride, const double* v, Index width, double tau,
                                  Register* out) {
  constexpr int ways = 2 * G + 2 <= Kind<Register>::registers ? 2 : 1;
  Register sum[ways][G] = {};
  for (Index j = 0; j < width; j += ways)
#pragma GCC unroll 2
    for (int way = 0; way < ways; ++way) {
      const double* column = m + (j + way) * stride;
#pragma GCC unroll 20
      for (int g = 0; g < G; ++g)
        sum[way][g] += v[j + way] * at<Register>(column + g * lanes_of<Register>).value;
    }
#pragma GCC unroll 20
  for (int g = 0; g < G; ++g) out[g] = tau * (ways == 2 ? sum[0][g] + sum[ways - 1][g] : sum[0][g]);
}

/// D ← (I − τ v vᵀ) D (I − τ v vᵀ) for the diagonal block; `offset` is the place of its first row in the
/// aligned rows.
template <class Register, int G>
GNOMON_INLINE void update_diagonal(double* d, Index stride, const BandReflector& r, Index offset, Index width,
                                   const Bits<Register>& inside) {
  Register v[G], w[G], dot = {};
  scaled_product<Register, G>(d, stride, r.v + offset, width, r.tau, w);
  clear_outside<Register, G>(w, inside);
#pragma GCC unroll 20
  for (int g = 0; g < G; ++g) {
    v[g] = at<Register>(r.v + g * lanes_of<Register>).value;
    dot += v[g] * w[g];
  }
  const double half = 0.5 * r.tau * sum(dot);
  alignas(64) double stored[G * lanes_of<Register>];
#pragma GCC unroll 20
  for (int g = 0; g < G; ++g) {
    w[g] -= half * v[g];
    at<Register>(stored + g * lanes_of<Register>).value = w[g];
  }
  for (Index j = 0; j < width; ++j) {
    double* column = d + j * stride;
    const double vj = r.v[offset + j], wj = stored[offset + j];
#pragma GCC unroll 20
    for (int g = 0; g < G; ++g)
      at<Register>(column + g * lanes_of<Register>).value =
          at<Register>(column + g * lanes_of<Register>).value - wj * v[g] - vj * w[g];
  }
}

/// B ← (I − τ' u uᵀ) B (I − τ v vᵀ) for the block below, u chosen so that the first column becomes a multiple
/// of e₁.
template <class Register, int G>
GNOMON_INLINE void update_below(double* m, Index stride, const BandReflector& r, BandReflector& next,
                                Index offset, Index width, const Bits<Register>& inside,
                                const Bits<Register>& head_lane) {
  Register u[G], w[G], dot = {};
  scaled_product<Register, G>(m, stride, r.v + offset, width, r.tau, w);
  clear_outside<Register, G>(w, inside);
#pragma GCC unroll 20
  for (int g = 0; g < G; ++g) u[g] = at<Register>(m + g * lanes_of<Register>).value - w[g];  // v₁ = 1
  clear_outside<Register, G>(u, inside);
  const double head = make_reflector<Register, G>(u, head_lane, next.tau);
#pragma GCC unroll 20
  for (int g = 0; g < G; ++g) {
    at<Register>(next.v + g * lanes_of<Register>).value = u[g];
    dot += u[g] * w[g];
  }
  const double cross = sum(dot), tau = next.tau;
  for (Index j = 0; j < width; j += lanes_of<Register>) {
    double* columns = m + j * stride;
    Register products[lanes_of<Register>], z;
#pragma GCC unroll 8
    for (int c = 0; c < lanes_of<Register>; ++c) {
      products[c] = u[0] * at<Register>(columns + c * stride).value;
#pragma GCC unroll 20
      for (int g = 1; g < G; ++g)
        products[c] += u[g] * at<Register>(columns + c * stride + g * lanes_of<Register>).value;
    }
    sums(products, z);
    alignas(64) double factor[lanes_of<Register>];
    at<Register>(factor).value = tau * (z - cross * at<Register>(r.v + offset + j).value);
#pragma GCC unroll 8
    for (int c = 0; c < lanes_of<Register>; ++c) {
      double* column = columns + c * stride;
      const double vj = r.v[offset + j + c], zj = factor[c];
#pragma GCC unroll 20
      for (int g = 0; g < G; ++g)
        at<Register>(column + g * lanes_of<Register>).value =
            at<Register>(column + g * lanes_of<Register>).value - vj * w[g] - zj * u[g];
    }
  }
  // The first column holds rounding errors where it is zero by construction.
  Register first = at<Register>(m).value, last = at<Register>(m + (G - 1) * lanes_of<Register>).value;
  first = reinterpret_cast<Register>((reinterpret_cast<Bits<Register>>(first) & ~inside) |
                                     (reinterpret_cast<Bits<Register>>(Register{} + head) & head_lane));
  last = reinterpret_cast<Register>(reinterpret_cast<Bits<Register>>(last) & inside);
  at<Register>(m).value = first;
#pragma GCC unroll 20
  for (int g = 1; g < G - 1; ++g) at<Register>(m + g * lanes_of<Register>).value = Register{};
  at<Register>(m + (G - 1) * lanes_of<Register>).value = last;
}

/// Step of a sweep: the reflector `r` acts on the `width` rows and columns from `row` on, and the bulge it
/// makes below is pushed on by `next`. `origin` is entry (0, 0) of the band; rows beyond `size` are zero.
template <class Register, int G>
GNOMON_INLINE void chase_step(double* origin, Index stride, Index size, Index row, const BandReflector& r,
                              BandReflector& next) {
  constexpr Index width = (G - 1) * lanes_of<Register>;
  const Index offset = row % lanes_of<Register>, aligned = row - offset;
  const Bits<Register> lane = Kind<Register>::lane;
  const Bits<Register> inside = lane >= offset, head_lane = lane == offset;
  double* block = origin + aligned + row * stride;
  // The last row of the diagonal block was changed below the diagonal by the previous sweep: mirror it.
  const Index last = row + width - 1;
  for (Index j = row; j < last; ++j) origin[j + last * stride] = origin[last + j * stride];
  update_diagonal<Register, G>(block, stride, r, offset, width, inside);
  if (row + width < size) {
    update_below<Register, G>(block + width, stride, r, next, offset, width, inside, head_lane);
  } else {
    next.tau = 0;
  }
}

using ChaseStep = void (*)(double*, Index, Index, Index, const BandReflector&, BandReflector&);

/// The step compiled for each instruction set, at every band width.
template <Index Width>
void step_by_four(double* origin, Index stride, Index size, Index row, const BandReflector& r,
                  BandReflector& next) {
  chase_step<Four, Width / lanes_of<Four> + 1>(origin, stride, size, row, r, next);
}
#if GNOMON_INSTRUCTIONS >= 3
template <Index Width>
GNOMON_FUSED void step_by_four_fused(double* origin, Index stride, Index size, Index row,
                                     const BandReflector& r, BandReflector& next) {
  chase_step<Four, Width / lanes_of<Four> + 1>(origin, stride, size, row, r, next);
}
#endif
#if GNOMON_INSTRUCTIONS == 4
template <Index Width>
GNOMON_WIDE void step_by_eight(double* origin, Index stride, Index size, Index row, const BandReflector& r,
                               BandReflector& next) {
  chase_step<Lanes, Width / lanes_of<Lanes> + 1>(origin, stride, size, row, r, next);
}
#endif

/// The fastest of them that the processor has.
struct Kernel {
  ChaseStep step;
  Index lanes;
};
template <Index Width>
Kernel fastest_step() {
#if GNOMON_INSTRUCTIONS == 4
  if (has_wide_vectors()) return {step_by_eight<Width>, lanes_of<Lanes>};
#endif
#if GNOMON_INSTRUCTIONS >= 3
  if (has_fused_vectors()) return {step_by_four_fused<Width>, lanes_of<Four>};
#endif
  return {step_by_four<Width>, lanes_of<Four>};
}

Kernel step_for(Index width) {
  switch (width) {
    case 16:
      return fastest_step<16>();
    case 24:
      return fastest_step<24>();
    case 32:
      return fastest_step<32>();
    case 48:
      return fastest_step<48>();
    case 64:
      return fastest_step<64>();
    default:
      fail("bulge chasing is compiled for band widths 16, 24, 32, 48 and 64, not {}", width);
  }
}

/// Starts sweep s: eliminates column s below the subdiagonal. The reflector's rows are aligned to groups of `lanes`.
void start_sweep(Band& band, Index s, Index lanes, BandReflector& r) {
  double* column = band.at(s + 1, s);
  double* v = std::fill_n(r.v, (s + 1) % lanes, 0.0);
  std::fill(std::copy_n(column, band.width(), v), std::end(r.v), 0.0);
  double tail = 0;
  for (Index i = 1; i < band.width(); ++i) tail += v[i] * v[i];
  const Elimination e = eliminate(column[0], tail);
  for (Index i = 1; i < band.width(); ++i) v[i] *= e.inverse;
  v[0] = 1;
  r.tau = e.tau;
  std::fill_n(column, band.width(), 0.0);
  column[0] = e.result;
}

/// Sweeps are taken in groups. Within a group sweep g does its step t − 2g at time t, when sweep g − 1 is two
/// steps ahead and will not come back; a group waits in the same way for the last sweep of the group before.
class Chase {
 public:
  Chase(Band& band, ChaseReflectors* kept)
      : band_(band),
        kept_(kept),
        sweeps_(band.size() - 2),
        kernel_(step_for(band.width())),
        done_(new std::atomic<std::int32_t>[groups()]) {
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
        const Index row = sweep + 1 + k * band_.width();
        if (k == 0) start_sweep(band_, sweep, kernel_.lanes, state[g][0]);
        if (kept_) kept_->set(sweep, k, state[g][k % 2].v + row % kernel_.lanes, state[g][k % 2].tau);
        kernel_.step(band_.at(0, 0), band_.stride(), band_.size(), row, state[g][k % 2],
                     state[g][(k + 1) % 2]);
      }
      const Index finished = time - 2 * (count - 1) + 1;  // steps of the last sweep
      if (finished > 0 && finished % kStride == 0) publish(group, finished);
    }
    publish(group, kFinished);
  }

 private:
  static constexpr Index kGroup = 4;
  static constexpr Index kStride =
      8;  // steps between two reports: they share a line of cache and may wake a thread
  static constexpr Index kFinished = INT32_MAX;

  Index steps(Index sweep) const { return (band_.size() - 2 - sweep) / band_.width() + 1; }

  void publish(Index group, Index steps) {
    done_[group].store(static_cast<std::int32_t>(steps), std::memory_order_release);
    done_[group].notify_one();
  }

  /// Asleep, so that a neighbour has the core meanwhile.
  Index wait_for(Index group, Index steps) const {
    std::int32_t seen;
    while ((seen = done_[group].load(std::memory_order_acquire)) < steps)
      done_[group].wait(seen, std::memory_order_acquire);
    return seen;
  }

  Band& band_;
  ChaseReflectors* kept_;
  Index sweeps_;
  Kernel kernel_;
  std::unique_ptr<std::atomic<std::int32_t>[]> done_;
};

/// A group waits for the one before, and beside a busy neighbour every wait lasts until the system has a core for the other thread: two
/// or three threads gain less here than they may lose.
Index chase_threads(Index groups) { return threads() < 4 ? 1 : std::min<Index>(threads(), groups); }

}  // namespace

Band::Band(Index size, Index width)
    : size_(size), width_(width), stride_((3 * width + 16) / kLanes * kLanes), storage_() {
  if (stride_ / kLanes % 2 == 0) stride_ += kLanes;
  const Index before = width + 2 * kLanes, columns = size + 2 * width + kLanes;
  storage_.assign(before + columns * (stride_ + 1) + kLanes, 0.0);
  const auto address = reinterpret_cast<std::uintptr_t>(storage_.data() + before + kLanes - 1);
  origin_ = reinterpret_cast<double*>(address / 64 * 64);
}

Tridiagonal reduce_to_tridiagonal(Band& band, ChaseReflectors* reflectors) {
  const Index n = band.size();
  if (n > 2) {
    Chase chase(band, reflectors);
    std::atomic<Index> next{0};
    parallel_for(chase_threads(chase.groups()), [&](Index) {
      for (Index group = next++; group < chase.groups(); group = next++) chase.run_group(group);
    });
    if (reflectors) reflectors->finish();
  }
  Tridiagonal t{Vector(n), Vector(std::max<Index>(n - 1, 0))};
  for (Index i = 0; i < n; ++i) t.diagonal[i] = *band.at(i, i);
  for (Index i = 0; i + 1 < n; ++i) t.off_diagonal[i] = *band.at(i + 1, i);
  return t;
}

Index band_width_for(Index n) { return n < 3000 ? 24 : 32; }

}  // namespace gnomon
