#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "gnomon/core/types.hpp"

namespace gnomon {

/// Counter-based random numbers (Philox4x32-10, Salmon et al., SC 2011). Every (seed, stream) pair is an
/// independent sequence, so tasks take their own stream and the number of threads never changes an answer.
/// We own the distributions too: the standard library's differ between implementations.
class Random {
 public:
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0) : key_(seed), stream_(stream) {}

  std::uint64_t bits();
  /// Uniform on the open interval (0, 1).
  double uniform();
  double uniform(double lo, double hi) { return lo + (hi - lo) * uniform(); }
  /// Standard normal (polar Box–Muller).
  double normal();
  /// Uniform on {0, …, n−1}, without modulo bias.
  std::uint64_t below(std::uint64_t n);
  Vector normal_vector(Index n);
  Vector uniform_vector(Index n, double lo, double hi);
  /// A random permutation of 0, …, n−1 (Fisher–Yates).
  std::vector<Index> permutation(Index n);

 private:
  void refill();
  std::uint64_t key_, stream_, counter_ = 0;
  std::array<std::uint64_t, 2> block_{};
  int left_ = 0;
  bool has_spare_ = false;
  double spare_ = 0;
};

}  // namespace gnomon
