// One small selection as a C++ program makes it, for the cost of the same call from Python: ridge on 200 × 5, scaled, chosen and judged.
//
//   bench_call FILE ROWS COLUMNS [CALLS]     FILE holds the columns of X and then y as doubles; see python_call.py
//
// Prints the median of CPU seconds per call.

#include <algorithm>
#include <fstream>
#include <string>

#include "gnomon/gnomon.hpp"
#include "timing.hpp"

int main(int count, char** arguments) {
  using namespace gnomon;
  if (count < 4) return 2;
  const Index rows = std::stol(arguments[2]), columns = std::stol(arguments[3]);
  const int calls = count > 4 ? std::stoi(arguments[4]) : 200;
  Matrix all(rows, columns + 1);
  std::ifstream file(arguments[1], std::ios::binary);
  file.read(reinterpret_cast<char*>(all.data()),
            static_cast<std::streamsize>(all.size() * static_cast<Index>(sizeof(double))));
  if (!file) return 1;
  set_threads(1);
  std::vector<double> seconds;
  for (int call = 0; call < calls; ++call) {
    const double begin = bench::cpu_seconds();
    TrainingData data;
    data.x = all.leftCols(columns);
    data.y = all.col(columns);
    data.target_names = {"y"};
    Scaling::fit(data.x, Vector(), Scale::standard).apply(data.x);
    const Selection found = select(data, {.learner = "ridge", .chosen_error = true, .keep_spectrum = false});
    seconds.push_back(bench::cpu_seconds() - begin);
    if (!found.targets.front().error) return 1;
  }
  std::nth_element(seconds.begin(), seconds.begin() + calls / 2, seconds.end());
  fmt::print("{}\n", seconds[static_cast<std::size_t>(calls / 2)]);
}
