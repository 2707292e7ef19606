#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "gnomon/learn/mlp.hpp"

namespace gnomon::app {

/// Training and test rows of one small network, with its shape; one output.
struct NetworkSample {
  MlpShape shape;
  Matrix x, y, test_x, test_y;
};

/// y = sin(πx₁) + x₂² + 0.3ε, x uniform on [−1, 1]², ε standard normal; 40 rows, 2000 test rows, 6 hidden units.
NetworkSample regression_sample(std::uint64_t seed, Index trial);

/// s at t = 1, …, count after 1000 steps from the constant history 1.2, of
///   ds/dt = 0.2 s(t − 17)/(1 + s(t − 17)¹⁰) − 0.1 s(t)                                Mackey & Glass, Science 197 (1977)
/// by the classical Runge–Kutta method with step 0.1; the delayed value between two steps is their mean.
Vector mackey_glass(Index count);

/// z = s + 0.2 sd(s) ε; z(t + 6) from z(t), z(t − 6), z(t − 12), z(t − 18). 80 rows at random times of the first half of the
/// series, 2000 test rows evenly spaced over the second; 5 hidden units.
NetworkSample mackey_glass_sample(std::uint64_t seed, Index trial);

/// Yearly sunspot numbers from 1700 on.
struct Sunspots {
  Vector number;  ///< of 1700, 1701, …
  std::string source;
};

/// From a CSV file with a column of years and one of numbers, or a folder that has it as sunspots-yearly.csv; an empty path
/// means where Debian's python3-statsmodels has them. Nothing where they are not there.
std::optional<Sunspots> load_sunspots(const std::string& path);

/// A year from the 12 before it: 1712–1920 for training, 1921–1979 for the test; 4 hidden units.
NetworkSample sunspot_sample(const Sunspots& data);

}  // namespace gnomon::app
