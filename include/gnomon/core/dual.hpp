#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace gnomon {

/// A number that carries its derivatives by N inputs, so that a formula written once for any kind of number gives its
/// value and its gradient: the rules of differentiation, and nothing else.
template <std::size_t N>
struct Dual {
  double value = 0;
  std::array<double, N> by{};

  Dual() = default;
  Dual(double constant) : value(constant) {}  // NOLINT(google-explicit-constructor): constants mix with duals
  /// The input numbered `place`.
  static Dual input(double value, std::size_t place, double slope = 1) {
    Dual x(value);
    x.by[place] = slope;
    return x;
  }

  /// f(x) with f'(x) = slope.
  Dual chained(double result, double slope) const {
    Dual out(result);
    for (std::size_t i = 0; i < N; ++i) out.by[i] = slope * by[i];
    return out;
  }

  friend Dual operator-(const Dual& a) { return a.chained(-a.value, -1); }
  friend Dual operator+(const Dual& a, const Dual& b) { return combined(a, b, a.value + b.value, 1, 1); }
  friend Dual operator-(const Dual& a, const Dual& b) { return combined(a, b, a.value - b.value, 1, -1); }
  friend Dual operator*(const Dual& a, const Dual& b) {
    return combined(a, b, a.value * b.value, b.value, a.value);
  }
  friend Dual operator/(const Dual& a, const Dual& b) {
    const double ratio = a.value / b.value;
    return combined(a, b, ratio, 1 / b.value, -ratio / b.value);
  }
  friend Dual log(const Dual& a) { return a.chained(std::log(a.value), 1 / a.value); }

 private:
  static Dual combined(const Dual& a, const Dual& b, double value, double by_a, double by_b) {
    Dual out(value);
    for (std::size_t i = 0; i < N; ++i) out.by[i] = by_a * a.by[i] + by_b * b.by[i];
    return out;
  }
};

/// The value alone, of either kind of number: for conditions.
inline double value_of(double x) { return x; }
template <std::size_t N>
double value_of(const Dual<N>& x) {
  return x.value;
}

}  // namespace gnomon
