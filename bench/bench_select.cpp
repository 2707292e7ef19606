// The whole job, as `select` does it, against the dense product that bounds it. One thread and CPU time
// unless said.
//
//   bench_select [kernel|tall|threads] …      all of them if none is named
//
// Run it with the OpenBLAS kernels the gnomon command would choose: OPENBLAS_CORETYPE=SkylakeX on a processor
// that OpenBLAS does not know (the first line says which kernels are in use).

#include <lapacke.h>

#include <cstring>

#include "gnomon/gnomon.hpp"
#include "represent/gram.hpp"
#include "select/grid.hpp"
#include "timing.hpp"

namespace {

using namespace gnomon;
using namespace gnomon::bench;

constexpr int lambda_count = 100;

struct KernelProblem {
  Matrix x, y;
  Kernel kernel;

  explicit KernelProblem(Index n)
      : x(random_matrix(n, 8, 7)), y(n, 1), kernel(parse_kernel("gaussian", 4.0)) {
    Random noise(9);
    for (Index i = 0; i < n; ++i) y(i, 0) = std::sin(x.row(i).head(3).sum()) + 0.3 * noise.normal();
  }
};

std::vector<double> grid_for(Index n) {
  return log_grid(1e-6 * static_cast<double>(n), 1e2 * static_cast<double>(n), lambda_count);
}

/// sic, gcv, cp and evidence along the path; returns a checksum so that nothing is optimised away.
double trace_criteria(const Smoother& smoother, const std::vector<double>& lambdas) {
  const NoiseVariance noise{"given", "", Vector::Constant(1, 0.09)};
  const Metric metric{Metric::Kind::train, {}, "train"};  // the default of sic under this penalty
  const Progress quiet;
  const CriterionContext context{smoother, 0, lambdas, noise, metric, undefined, 10, 1, 0, quiet};
  double sum = 0;
  for (const auto& c : {sic, gcv, cp, evidence}) sum += c.evaluate(context).value.sum();
  return sum;
}

void kernel_rows(const std::function<double()>& clock, const char* label) {
  fmt::print("\nKernel ridge, gaussian, d = 8, {} λ, {} (seconds; × dgemm(n))\n", lambda_count, label);
  fmt::print("{:>6} {:>9} {:>20} {:>20} {:>20} {:>12}\n", "n", "dgemm", "sic gcv cp evidence", "exact LOO",
             "10-fold CV", "+1 λ ns·n");
  for (const Index n : {1000, 2000, 4000}) {
    const KernelProblem p(n);
    const auto lambdas = grid_for(n);
    const int repetitions = n < 4000 ? 5 : 3;
    const double gemm = dgemm_time(n, clock);
    const SmootherOptions trace{.representation = p.kernel, .filter = tikhonov};
    SmootherOptions vectors = trace;
    vectors.needs.leave_one_out = true;
    volatile double sink = 0;
    const double t_trace = median_time(
        [&] { sink = trace_criteria(Smoother(p.x, p.y, Vector(), trace), lambdas); }, repetitions, clock);
    const double t_loo = median_time(
        [&] { sink = Smoother(p.x, p.y, Vector(), vectors).leave_one_out(lambdas, 0).value.sum(); },
        n < 4000 ? 3 : 1, clock);
    const Smoother smoother(p.x, p.y, Vector(), trace);
    const Folds folds = random_folds(n, 10, 1);
    const double t_cv = median_time([&] { sink = smoother.fold_errors(lambdas, 0, folds).sums.sum(); },
                                    n < 4000 ? 3 : 1, clock);
    const auto many = log_grid(1e-4, 1e4, 2000);
    const double t_more = median_time([&] { sink = trace_criteria(smoother, many); }, 3, clock) / 2000;
    std::string against;
    if (n <= 2000) {
      const Matrix k = gram(p.kernel, p.x);
      Matrix a;
      Vector d(n);
      const double eigen = median_time(
          [&] {
            a = k;
            LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'L', static_cast<int>(n), a.data(), static_cast<int>(n),
                           d.data());
          },
          3, clock);
      against = fmt::format("   LOO = {:.2f} × dsyevd with vectors ({:.3f} s)", t_loo / eigen, eigen);
    }
    fmt::print(
        "{:>6} {:>9.4f} {:>11.4f} ({:>5.2f}×) {:>11.4f} ({:>5.2f}×) {:>11.4f} ({:>5.2f}×) {:>12.1f}{}\n", n,
        gemm, t_trace, t_trace / gemm, t_loo, t_loo / gemm, t_cv, t_cv / gemm,
        1e9 * t_more / static_cast<double>(n), against);
    std::fflush(stdout);
  }
}

void tall_rows(const std::function<double()>& clock, const char* label) {
  fmt::print("\nRidge on tall data, {} λ, {} (seconds; × one dsyrk pass)\n", lambda_count, label);
  fmt::print("{:>14} {:>9} {:>28} {:>22}\n", "rows × cols", "dsyrk", "10-fold + trace criteria", "exact LOO");
  for (const auto& [n, p] : {std::pair<Index, Index>{1'000'000, 100}, {100'000, 1000}}) {
    const auto shared = std::make_shared<const Matrix>(random_matrix(n, p, 3));
    const Matrix& x = *shared;
    Random noise(4);
    const Matrix y = x.leftCols(5).rowwise().sum() + noise.normal_vector(n);
    const auto lambdas = log_grid(1e-3, 1e8, lambda_count);
    const double syrk = dsyrk_time(x, clock);
    SmootherOptions options{.representation = Basis::fit("linear", x), .filter = tikhonov};
    options.needs.folds = random_folds(n, 10, 1);
    volatile double sink = 0;
    const double t_cv = median_time(
        [&] {
          const Smoother smoother(shared, y, Vector(), options);
          double sum = smoother.fold_errors(lambdas, 0, options.needs.folds).sums.sum();
          for (const auto& s : smoother.sums(lambdas, 0)) sum += s.z2g2 / s.g;
          sink = sum;
        },
        3, clock);
    options.needs.folds = {};
    const double t_loo = median_time(
        [&] { sink = Smoother(shared, y, Vector(), options).leave_one_out(lambdas, 0).value.sum(); }, 3,
        clock);
    fmt::print("{:>8}×{:<5} {:>9.3f} {:>19.3f} ({:>5.2f}×) {:>13.3f} ({:>5.2f}×)\n", n, p, syrk, t_cv,
               t_cv / syrk, t_loo, t_loo / syrk);
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const auto wanted = [&](const char* name) {
    if (argc == 1) return true;
    return std::any_of(argv + 1, argv + argc, [&](const char* a) { return std::strcmp(a, name) == 0; });
  };
  fmt::print("OpenBLAS kernels: {}\n", blas_core_name());
  set_threads(1);
  if (wanted("kernel")) kernel_rows(cpu_seconds, "1 thread, CPU time");
  if (wanted("tall")) tall_rows(cpu_seconds, "1 thread, CPU time");
  if (wanted("threads")) {
    set_threads(2);
    kernel_rows(wall_seconds, "2 threads, wall clock");
    tall_rows(wall_seconds, "2 threads, wall clock");
  }
}
