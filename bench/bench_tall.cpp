// From a tall file to an answer: `gnomon select FILE --learner ridge`, whole command, against the least that any answer takes, reading
// the numbers and one pass XᵀX (dsyrk) over them. `bench_tall [rows] [columns] [repeats]`: CPU and clock seconds, medians, with one and
// two threads for the command and its reading; the pass is one thread's.
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "csv_file.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/data/csv.hpp"
#include "timing.hpp"

extern char** environ;

namespace {

using namespace gnomon;

struct Seconds {
  std::vector<double> cpu, clock;
};

double seconds(const timeval& t) {
  return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
}

/// Runs a command to its end, its output thrown away; bytes of its largest resident size.
double run(std::vector<std::string> words, Seconds& times) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
  const double start = bench::wall_seconds();
  pid_t child = 0;
  require(posix_spawn(&child, arguments[0], &quiet, nullptr, arguments.data(), environ) == 0,
          "cannot start {}", words[0]);
  posix_spawn_file_actions_destroy(&quiet);
  int status = 0;
  rusage used{};
  wait4(child, &status, 0, &used);
  require(status == 0, "{} failed", words[0]);
  times.clock.push_back(bench::wall_seconds() - start);
  times.cpu.push_back(seconds(used.ru_utime) + seconds(used.ru_stime));
  return 1024 * static_cast<double>(used.ru_maxrss);
}

}  // namespace

int main(int argc, char** argv) {
  const Index rows = argc > 1 ? std::atol(argv[1]) : 400000, columns = argc > 2 ? std::atol(argv[2]) : 60;
  const int repeats = argc > 3 ? std::atoi(argv[3]) : 5;
  Matrix x = bench::random_matrix(rows, columns + 1, 1);
  x.col(columns) *= 0.3;
  x.col(columns) += x.leftCols(columns).rowwise().sum() / static_cast<double>(columns);
  const double pass = bench::dsyrk_time(x);
  const bench::CsvFile file(x);
  const double matrix = 8.0 * static_cast<double>(x.size());
  x.resize(0, 0);
  fmt::print("{} x {} and a target, {:.2f} GB; OpenBLAS kernels: {}; one pass {:.3f} CPU s\n", rows, columns,
             1e-9 * static_cast<double>(std::filesystem::file_size(file.path)), blas_core_name(), pass);
  fmt::print("threads  what                   CPU s  clock s  CPU / (reading + pass)  memory / matrix\n");
  for (const int threads : {1, 2}) {
    set_threads(threads);
    Seconds reading;
    for (int r = 0; r < repeats; ++r) {
      const double cpu = bench::cpu_seconds(), clock = bench::wall_seconds();
      require(read_table(file.path).rows() == rows, "rows are missing");
      reading.cpu.push_back(bench::cpu_seconds() - cpu);
      reading.clock.push_back(bench::wall_seconds() - clock);
    }
    const double least = bench::median(reading.cpu) + pass;
    fmt::print("{:7}  {:<20} {:7.2f}  {:7.2f}\n", threads, "reading", bench::median(reading.cpu),
               bench::median(reading.clock));
    for (const char* criterion : {"gcv", "cv:10", "loo", "auto"}) {
      Seconds times;
      double memory = 0;
      for (int r = 0; r < repeats; ++r)
        memory = run(
            {GNOMON_COMMAND, "select", file.path, "--target", fmt::format("x{}", columns + 1), "--learner",
             "ridge", "--criterion", criterion, "--threads", std::to_string(threads), "--quiet"},
            times);
      const double cpu = bench::median(times.cpu);
      fmt::print("{:7}  {:<20} {:7.2f}  {:7.2f}  {:22.2f}  {:15.2f}\n", threads,
                 fmt::format("--criterion {}", criterion), cpu, bench::median(times.clock), cpu / least,
                 memory / matrix);
    }
  }
}
