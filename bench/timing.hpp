#pragma once

// CPU time of one process, medians, and the two references every ratio is taken against.

#include <cblas.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <functional>
#include <utility>
#include <vector>

#include "gnomon/core/parallel.hpp"
#include "gnomon/core/random.hpp"
#include "gnomon/core/types.hpp"

namespace gnomon::bench {

inline double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

inline double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Median of `repetitions` runs, by the given clock.
inline double median_time(const std::function<void()>& body, int repetitions = 3,
                          const std::function<double()>& clock = cpu_seconds) {
  std::vector<double> seconds;
  for (int r = 0; r < repetitions; ++r) {
    const double start = clock();
    body();
    seconds.push_back(clock() - start);
  }
  return median(std::move(seconds));
}

inline Matrix random_matrix(Index rows, Index cols, std::uint64_t seed) {
  Matrix m(rows, cols);
  for (Index j = 0; j < cols; ++j) {
    Random random(seed, static_cast<std::uint64_t>(j));
    m.col(j) = random.normal_vector(rows);
  }
  return m;
}

/// One n×n by n×n product.
inline double dgemm_time(Index n, const std::function<double()>& clock = cpu_seconds) {
  const Matrix a = random_matrix(n, n, 1);
  Matrix c(n, n);
  const int k = static_cast<int>(n);
  const auto run = [&] {
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, k, k, k, 1, a.data(), k, a.data(), k, 0, c.data(),
                k);
  };
  run();
  return median_time(run, 5, clock);
}

/// One pass XᵀX over a tall design.
inline double dsyrk_time(const Matrix& x, const std::function<double()>& clock = cpu_seconds) {
  Matrix c(x.cols(), x.cols());
  const auto run = [&] {
    cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, static_cast<int>(x.cols()), static_cast<int>(x.rows()),
                1, x.data(), static_cast<int>(x.rows()), 0, c.data(), static_cast<int>(x.cols()));
  };
  run();
  return median_time(run, 3, clock);
}

}  // namespace gnomon::bench
