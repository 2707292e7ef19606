#pragma once

#include <vector>

#include "gnomon/learn/smoother.hpp"

namespace gnomon {

/// `count` log-spaced values from lo to hi, both exact.
std::vector<double> log_grid(double lo, double hi, int count);
/// `count` evenly spaced values from lo to hi.
std::vector<double> even_grid(double lo, double hi, int count);

/// A grid of λ that no answer can fall off: from where at most a hundredth of a degree of freedom separates
/// the fit from the interpolant (or least squares) to where the fit has less than a hundredth of one; in
/// whole decades.
std::vector<double> automatic_grid(const Smoother&, int per_decade = 5);

}  // namespace gnomon
