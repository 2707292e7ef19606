#pragma once

#include <cstdint>

#include "gnomon/core/types.hpp"

// Eight doubles worked on together (one AVX-512 register, two AVX ones, four SSE2 ones), as the compilers'
// portable vector extension. Pass them between functions by pointer only: by value they would change the
// calling convention.

namespace gnomon {

constexpr Index kLanes = 8;
typedef double Lanes __attribute__((vector_size(64)));
typedef std::int64_t LaneBits __attribute__((vector_size(64)));

/// Four doubles, for functions made for AVX2: compilers take eight of them apart, and shuffles of eight one by one.
typedef double Four __attribute__((vector_size(32)));
typedef std::int64_t FourBits __attribute__((vector_size(32)));

constexpr Index round_up(Index n, Index step) { return (n + step - 1) / step * step; }

#define GNOMON_INLINE [[gnu::always_inline]] inline

/// Eight doubles anywhere in memory. The alignment belongs to a structure, because clang forgets that of a vector type in a
/// reference and then moves misaligned doubles by instructions that fault.
struct [[gnu::packed, gnu::may_alias]] LanesAnywhere {
  Lanes value;
};
GNOMON_INLINE const LanesAnywhere& lanes_at(const double* p) {
  return *reinterpret_cast<const LanesAnywhere*>(p);
}
GNOMON_INLINE LanesAnywhere& lanes_at(double* p) { return *reinterpret_cast<LanesAnywhere*>(p); }

/// The same for a register of either size.
template <class Register>
struct [[gnu::packed, gnu::may_alias]] Anywhere {
  Register value;
};
template <class Register>
GNOMON_INLINE const Anywhere<Register>& at(const double* p) {
  return *reinterpret_cast<const Anywhere<Register>*>(p);
}
template <class Register>
GNOMON_INLINE Anywhere<Register>& at(double* p) {
  return *reinterpret_cast<Anywhere<Register>*>(p);
}

}  // namespace gnomon
