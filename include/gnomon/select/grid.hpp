#pragma once

#include <string_view>
#include <vector>

#include "gnomon/learn/smoother.hpp"
#include "gnomon/select/learner_entry.hpp"

namespace gnomon {

/// "lo:hi:count" (log-spaced) or "a,b,c" (sorted, repeats removed). Values must be ≥ 0 and finite; 0 only in
/// a list. `what` names the flag in messages.
std::vector<double> parse_grid(std::string_view text, std::string_view what,
                               std::string_view automatic = "auto");

/// "lo:hi:count" (evenly spaced) or "a,b,c", all inside [0,1].
std::vector<double> parse_unit_grid(std::string_view text, std::string_view what);

/// The same for a parameter of the given spacing; numbers of either sign where there is none.
std::vector<double> parse_values(std::string_view text, std::string_view what, Spacing spacing);

/// `count` log-spaced values from lo to hi, both exact.
std::vector<double> log_grid(double lo, double hi, int count);

/// A grid of λ that no answer can fall off: from where at most a hundredth of a degree of freedom separates
/// the fit from the interpolant (or least squares) to where the fit has less than a hundredth of one; in
/// whole decades.
std::vector<double> automatic_grid(const Smoother&, int per_decade = 5);

}  // namespace gnomon
