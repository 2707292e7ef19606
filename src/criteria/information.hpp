#pragma once

#include "gnomon/criteria/criterion.hpp"

namespace gnomon {

/// −2 log-likelihood of Gaussian errors with its variance profiled out: n log(2π rss/n) + n.
/// Undefined for a fit without residual: the likelihood has no maximum there.
template <class Number>
Number minus_two_log_likelihood(const CountsOf<Number>& a) {
  using std::log;
  constexpr double two_pi = 6.283185307179586;
  if (!(value_of(a.rss) > 0)) return undefined;
  return a.n * log(two_pi * a.rss / a.n) + a.n;
}

/// Parameters of a fit: its degrees of freedom and the variance.
template <class Number>
Number parameter_count(const CountsOf<Number>& a) {
  return a.df + 1;
}

}  // namespace gnomon
