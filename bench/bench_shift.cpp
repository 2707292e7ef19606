// Density ratios: uLSIF with a 10 × 10 grid as a multiple of one dgemm(2000), kernel density estimates per pair of
// rows, and every method as a whole. One thread, CPU time, medians.
#include <fmt/format.h>

#include "gnomon/shift/density_ratio.hpp"
#include "shift/kde.hpp"
#include "shift/two_sample_test.hpp"
#include "timing.hpp"

int main() {
  using namespace gnomon;
  using namespace gnomon::bench;
  set_threads(1);
  fmt::print("BLAS kernels: {}; one thread, CPU time, median of 3, d = 8\n", blas_core_name());
  const double gemm = dgemm_time(2000);
  fmt::print("dgemm(2000): {:.3f} s\n", gemm);
  for (const Index n : {1000, 2000, 5000}) {
    const Matrix train = random_matrix(n, 8, 1), test = (0.8 * random_matrix(n, 8, 2)).array() + 0.3;
    const double pairs = static_cast<double>(n) * static_cast<double>(n);
    fmt::print("n = {} training and test rows\n", n);
    const auto line = [&](std::string_view name, double seconds) {
      fmt::print("  {:<34} {:8.3f} s  {:7.3f} x dgemm(2000)", name, seconds, seconds / gemm);
    };
    const KernelDensity density{train, normal_reference_bandwidth(train)};
    const double kde = median_time([&] { density.log_at(test); });
    line("KDE at n new rows", kde);
    fmt::print("  {:5.2f} ns per pair\n", 1e9 * kde / pairs);
    for (const auto& method : ratio_methods()) {
      if (method == "kmm" && n > 2000) continue;  // a factorisation of n³/3 flops per iteration
      const double seconds = median_time([&] { estimate_density_ratio(method, train, test); });
      line(method, seconds);
      if (method == "ulsif" && n == 5000) fmt::print("  {:.0f} x below 110 dgemm", 110 * gemm / seconds);
      fmt::print("\n");
    }
    line("two-sample test, 999 permutations", median_time([&] { two_sample_test(train, test); }));
    fmt::print("\n");
  }
}
