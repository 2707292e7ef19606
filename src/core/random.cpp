#include "gnomon/core/random.hpp"

#include <cmath>
#include <numeric>
#include <utility>

namespace gnomon {

void Random::refill() {
  std::uint32_t c0 = static_cast<std::uint32_t>(counter_), c1 = static_cast<std::uint32_t>(counter_ >> 32);
  std::uint32_t c2 = static_cast<std::uint32_t>(stream_), c3 = static_cast<std::uint32_t>(stream_ >> 32);
  std::uint32_t k0 = static_cast<std::uint32_t>(key_), k1 = static_cast<std::uint32_t>(key_ >> 32);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = std::uint64_t{0xD2511F53u} * c0, p1 = std::uint64_t{0xCD9E8D57u} * c2;
    const auto n0 = static_cast<std::uint32_t>(p1 >> 32) ^ c1 ^ k0;
    const auto n2 = static_cast<std::uint32_t>(p0 >> 32) ^ c3 ^ k1;
    c1 = static_cast<std::uint32_t>(p1), c3 = static_cast<std::uint32_t>(p0);
    c0 = n0, c2 = n2;
    k0 += 0x9E3779B9u, k1 += 0xBB67AE85u;
  }
  block_ = {(std::uint64_t{c1} << 32) | c0, (std::uint64_t{c3} << 32) | c2};
  ++counter_;
  left_ = 2;
}

std::uint64_t Random::bits() {
  if (left_ == 0) refill();
  return block_[static_cast<std::size_t>(--left_)];
}

double Random::uniform() { return (static_cast<double>(bits() >> 12) + 0.5) * 0x1p-52; }

double Random::normal() {
  if (std::exchange(has_spare_, false)) return spare_;
  double u, v, s;
  do {
    u = 2 * uniform() - 1;
    v = 2 * uniform() - 1;
    s = u * u + v * v;
  } while (s >= 1 || s == 0);
  const double factor = std::sqrt(-2 * std::log(s) / s);
  spare_ = v * factor;
  has_spare_ = true;
  return u * factor;
}

std::uint64_t Random::below(std::uint64_t n) {
  constexpr std::uint64_t most = ~std::uint64_t{0};
  const auto beyond_last_multiple = [n](std::uint64_t value) { return value > most - (most % n + 1) % n; };
  std::uint64_t value;
  do value = bits();
  while (value > most - (n - 1) && beyond_last_multiple(value));  // mostly no division
  return value % n;
}

Vector Random::normal_vector(Index n) {
  Vector v(n);
  for (Index i = 0; i < n; ++i) v[i] = normal();
  return v;
}

Vector Random::uniform_vector(Index n, double lo, double hi) {
  Vector v(n);
  for (Index i = 0; i < n; ++i) v[i] = uniform(lo, hi);
  return v;
}

std::vector<Index> Random::permutation(Index n) {
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[below(i)]);
  return order;
}

}  // namespace gnomon
