// Support vector regression: a path over λ, warm refits as a bootstrap makes them, a tall basis; CPU seconds of one
// thread.  bench_svr            the table
//          bench_svr FOLDER     also writes there what a peer needs to solve the same problems, with our answers

#include <cmath>
#include <cstdio>
#include <string>

#include "gnomon/learn/svr.hpp"
#include "represent/gram.hpp"
#include "timing.hpp"

namespace gnomon::bench {
namespace {

struct Setting {
  const char* name;
  Index rows, columns;
  double gamma;  ///< of exp(−γ‖x−x'‖²); 0 = linear basis
  double epsilon;
};

Vector targets(const Matrix& x) {
  Random random(5);
  Vector y(x.rows());
  for (Index i = 0; i < x.rows(); ++i) y[i] = std::sin(2 * x(i, 0)) + 0.5 * x(i, 1) + 0.3 * random.normal();
  return y;
}

void write(const std::string& path, const Matrix& m) {
  std::FILE* file = std::fopen(path.c_str(), "w");
  if (!file) return;
  for (Index i = 0; i < m.rows(); ++i) {
    for (Index j = 0; j < m.cols(); ++j) std::fprintf(file, j ? ",%.17g" : "%.17g", m(i, j));
    std::fprintf(file, "\n");
  }
  std::fclose(file);
}

void run(const Setting& s, const std::string& folder) {
  const Matrix x = random_matrix(s.rows, s.columns, 3);
  const Vector y = targets(x);
  const bool kernel = s.gamma > 0;
  Matrix features = x;
  if (kernel) features = (-s.gamma * squared_distances(x, x).array()).exp();
  const Svr svr({std::make_shared<const Matrix>(std::move(features)), {}, true}, {s.epsilon, kernel});
  std::vector<double> lambdas;
  for (int k = 0; k < 20; ++k) lambdas.push_back(std::pow(10, -3 + 0.25 * k));
  std::vector<PathFit> fits;
  const double path = median_time([&] { fits = svr.path(y, lambdas); });
  double refit = 0, cold = 0, worst = 0;
  for (const PathFit& fit : fits) worst = std::max(worst, fit.gap);
  const PathFit& middle = fits[12];  // λ = 1
  const int repeats = 20;
  for (int r = 0; r < repeats; ++r) {
    Random random(6, static_cast<std::uint64_t>(r));
    const Vector other = y + 0.1 * random.normal_vector(s.rows);
    double start = cpu_seconds();
    svr.refit(other, middle.lambda, middle);
    refit += (cpu_seconds() - start) / repeats;
    start = cpu_seconds();
    svr.refit(other, middle.lambda, PathFit{});
    cold += (cpu_seconds() - start) / repeats;
  }
  std::printf("%-16s %6ld %4ld  path %8.4f s  refit %8.3f ms  cold %8.3f ms  gap %.1e  free %g..%g\n", s.name,
              static_cast<long>(s.rows), static_cast<long>(s.columns), path, 1e3 * refit, 1e3 * cold, worst,
              fits.back().df, fits.front().df);
  if (folder.empty()) return;
  Matrix data(s.rows, s.columns + 1);
  data << y, x;
  Matrix answers(20, 3);
  for (Index k = 0; k < 20; ++k) {
    const PathFit& fit = fits[static_cast<std::size_t>(k)];
    const double start = cpu_seconds();
    const double objective = svr.refit(y, fit.lambda, PathFit{}).objective;
    answers.row(k) << fit.lambda, objective, cpu_seconds() - start;
  }
  const std::string stem = folder + "/" + s.name;
  write(stem + ".data.csv", data);
  write(stem + ".answers.csv", answers);
  write(stem + ".setting.csv", Eigen::RowVector3d(s.gamma, s.epsilon, path));
}

}  // namespace
}  // namespace gnomon::bench

int main(int argc, char** argv) {
  using namespace gnomon;
  set_threads(1);
  const std::string folder = argc > 1 ? argv[1] : "";
  std::printf("20 λ from 1e-3 to 10^1.75, one thread (%s), CPU time\n", blas_core_name());
  for (const bench::Setting& s :
       {bench::Setting{"gaussian200", 200, 3, 0.5, 0.1}, bench::Setting{"gaussian1000", 1000, 5, 0.1, 0.1},
        bench::Setting{"narrow1000", 1000, 5, 0.5, 0.1}, bench::Setting{"absolute500", 500, 2, 0.5, 0},
        bench::Setting{"linear500", 500, 10, 0, 0.2}, bench::Setting{"linear20000", 20000, 20, 0, 0.1}}) {
    bench::run(s, folder);
  }
}
