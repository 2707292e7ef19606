#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "gnomon/gnomon.hpp"

namespace gnomon::testing {

struct Data {
  Matrix x, y;
  Vector weight;  // empty = ones
};

inline Data make_data(Index n, Index d, std::uint64_t seed, bool weighted) {
  Random random(seed);
  Data data{Matrix(n, d), Matrix(n, 1), Vector()};
  for (Index j = 0; j < d; ++j) data.x.col(j) = random.uniform_vector(n, -2, 2);
  for (Index i = 0; i < n; ++i) data.y(i, 0) = std::sin(data.x.row(i).sum()) + 3 + 0.3 * random.normal();
  if (weighted) {
    data.weight.resize(n);
    for (Index i = 0; i < n; ++i) data.weight[i] = static_cast<double>(1 + random.below(3));
  }
  return data;
}

/// Rows with weight k written k times.
inline Data repeated(const Data& data) {
  std::vector<Index> rows;
  for (Index i = 0; i < data.x.rows(); ++i) {
    for (int k = 0; k < static_cast<int>(data.weight[i]); ++k) rows.push_back(i);
  }
  return {data.x(rows, Eigen::all), data.y(rows, Eigen::all), Vector()};
}

struct Case {
  std::string name;
  Filter filter;
  std::string kernel, basis;  // one of them
  bool intercept, weighted;

  Representation representation(const Matrix& x) const {
    if (!kernel.empty()) return parse_kernel(kernel, 1.3);
    return Basis::fit(basis, x);
  }
  SmootherOptions options(const Matrix& x, Strategy strategy = Strategy::automatic) const {
    return {.representation = representation(x),
            .filter = filter,
            .intercept = intercept,
            .strategy = strategy,
            .needs = {.leave_one_out = filter.closed_form_deletion, .function_space = true}};
  }
};

/// Every filter with kernels and bases, with and without intercept and weights.
inline std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const bool intercept : {false, true}) {
    for (const bool weighted : {false, true}) {
      const std::string suffix = std::string(intercept ? "_intercept" : "") + (weighted ? "_weighted" : "");
      for (const auto& filter : {tikhonov, coefficient_tikhonov, spectral_cutoff, landweber}) {
        cases.push_back(
            {std::string(filter.name) + "_kernel" + suffix, filter, "matern32", "", intercept, weighted});
      }
      cases.push_back({"ridge_linear" + suffix, tikhonov, "", "linear", intercept, weighted});
      cases.push_back({"ridge_polynomial" + suffix, tikhonov, "", "polynomial:3", intercept, weighted});
      cases.push_back({"cutoff_linear" + suffix, spectral_cutoff, "", "linear", intercept, weighted});
    }
  }
  for (auto& c : cases) {
    for (auto& ch : c.name) ch = ch == '-' ? '_' : ch;
  }
  return cases;
}

inline const std::vector<double> some_lambdas{1e-3, 0.05, 1, 30};

}  // namespace gnomon::testing
