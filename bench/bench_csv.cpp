// Reading a CSV of 17-digit doubles: CPU and wall seconds, GB/s and peak memory over the numeric matrix, with
// one and two threads. `bench_csv [rows] [columns] [file]`: with a file name, the file is kept for
// bench/peers/csv_peers.py.
#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "csv_file.hpp"
#include "gnomon/core/parallel.hpp"
#include "gnomon/data/csv.hpp"
#include "timing.hpp"

namespace {

using namespace gnomon::bench;

/// A memory figure of this process in bytes: "VmHWM:" is the peak resident size, mapped file pages included.
double memory(const std::string& field) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(field)) return 1024 * std::strtod(line.c_str() + field.size(), nullptr);
  return 0;
}

void forget_peak() { std::ofstream("/proc/self/clear_refs") << "5"; }

struct Times {
  std::vector<double> cpu, wall, peak;
};

/// CPU seconds for converting every number of the file with the standard library, the bare cost of the task.
double convert_only(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(std::filesystem::file_size(path), ' ');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  const char *p = text.data() + text.find('\n') + 1, *const end = text.data() + text.size();
  const double start = cpu_seconds();
  double sum = 0, value = 0;
  while (p < end) {
    p = std::from_chars(p, end, value).ptr + 1;
    sum += value;
  }
  const double seconds = cpu_seconds() - start;
  return sum == 0 ? 0 : seconds;
}

}  // namespace

int main(int argc, char** argv) {
  const gnomon::Index rows = argc > 1 ? std::atol(argv[1]) : 1000000;
  const gnomon::Index columns = argc > 2 ? std::atol(argv[2]) : 10;
  const gnomon::bench::CsvFile file(gnomon::bench::random_matrix(rows, columns, 1), argc > 3 ? argv[3] : "");
  const std::string& path = file.path;
  const double gigabytes = static_cast<double>(std::filesystem::file_size(path)) * 1e-9;
  const double matrix = 8.0 * static_cast<double>(rows) * static_cast<double>(columns);
  fmt::print("{} x {}, {:.3f} GB\n", rows, columns, gigabytes);
  // Interleaved, so that what else runs on the machine meets all of them alike.
  std::vector<double> reference;
  std::map<int, Times> times;
  for (int repeat = 0; repeat < 5; ++repeat) {
    reference.push_back(convert_only(path));
    for (const int threads : {1, 2}) {
      gnomon::set_threads(threads);
      forget_peak();
      const double before = memory("VmRSS:"), c0 = cpu_seconds(), w0 = wall_seconds();
      const gnomon::Table table = gnomon::read_table(path);
      times[threads].wall.push_back(wall_seconds() - w0);
      times[threads].cpu.push_back(cpu_seconds() - c0);
      times[threads].peak.push_back((memory("VmHWM:") - before) / matrix);
      if (table.rows() != rows) return 1;
    }
  }
  const double floor = median(reference);
  fmt::print("std::from_chars over the text in memory, nothing stored: cpu {:.3f} s, {:.3f} GB/s\n", floor,
             gigabytes / floor);
  fmt::print("threads   cpu s  wall s  GB/s per cpu s  GB/s wall  cpu / from_chars  peak memory / matrix\n");
  for (const auto& [threads, t] : times)
    fmt::print("{:7} {:7.3f} {:7.3f} {:15.3f} {:10.3f} {:17.2f} {:21.3f}\n", threads, median(t.cpu),
               median(t.wall), gigabytes / median(t.cpu), gigabytes / median(t.wall), median(t.cpu) / floor,
               median(t.peak));
}
