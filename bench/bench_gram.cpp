// Time of a kernel matrix per pair of rows, and as a share of one dgemm of the same n. One thread, CPU time,
// medians.
#include <cblas.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <vector>

#include "gnomon/core/parallel.hpp"
#include "gnomon/core/random.hpp"
#include "represent/gram.hpp"
#include "represent/width.hpp"
#include "timing.hpp"

int main() {
  using namespace gnomon;
  using namespace gnomon::bench;
  set_threads(1);
  fmt::print("BLAS kernels: {}; one thread, CPU time, median of 5\n", blas_core_name());
  for (const Index n : {1000, 2000, 4000}) {
    Random random(1);
    const Matrix a = Matrix::Constant(n, n, 0.5);
    Matrix c(n, n);
    const int size = static_cast<int>(n);
    const double gemm = median_time(
        [&] {
          cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, size, size, size, 1, a.data(), size,
                      a.data(), size, 0, c.data(), size);
        },
        3);
    for (const Index d : {Index{1}, Index{8}, Index{64}}) {
      Matrix x(n, d);
      for (Index k = 0; k < d; ++k) x.col(k) = random.normal_vector(n);
      fmt::print("n = {}, d = {}: dgemm {:.1f} ms\n", n, d, 1e3 * gemm);
      const auto report = [&](std::string_view name, double seconds) {
        fmt::print("  {:<18} {:8.2f} ms  {:6.2f} ns per pair  {:6.3f} x dgemm\n", name, 1e3 * seconds,
                   1e9 * seconds / (0.5 * static_cast<double>(n * n)), seconds / gemm);
      };
      for (const auto* spec : {"gaussian", "laplace", "matern32", "matern52", "polynomial:3", "linear"}) {
        const Kernel kernel = parse_kernel(spec, 2);
        report(spec, median_time([&] { gram(kernel, x); }, 5));
      }
      report("median distance", median_time([&] { median_distance(x, Vector()); }, 3));
    }
  }
}
