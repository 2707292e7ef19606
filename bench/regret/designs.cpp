// Problems under a covariate shift, and series cut into windows.

#include <cmath>
#include <numbers>

#include "problems.hpp"

namespace gnomon::regret {
namespace {

constexpr double slope = 1.5;  // of the log density ratio, per standard deviation along the direction
constexpr Index lags = 4, most_tested = 100;
constexpr std::uint64_t seed = 20261117;

/// Rows that fall on one side of a coin with the odds exp(slope·s).
std::vector<Index> taken(const Vector& s, bool tested, Random& random) {
  std::vector<Index> out;
  for (Index i = 0; i < s.size(); ++i) {
    const bool is_tested = random.uniform(0, 1) < 1 / (1 + std::exp(-slope * s[i]));
    if (is_tested == tested) out.push_back(i);
  }
  return out;
}

/// Two thirds of a real set at most, so that the others can be judged on.
Index pool_of(const Problem& problem, Index n) {
  const Index wanted = 3 * n;
  return problem.x.size() == 0 ? wanted : std::min(wanted, 2 * problem.x.rows() / 3);
}

/// A cycle that fades and is pushed again, a noisy rhythm on a slope, and two regimes.
Vector made_values(const std::string& name, Index length, Random& random) {
  constexpr Index warm_up = 50;
  Vector y = Vector::Zero(length + warm_up);
  for (Index t = 2; t < y.size(); ++t) {
    const double e = random.normal(), time = static_cast<double>(t);
    if (name == "pushed cycle")
      y[t] = 1.5 * y[t - 1] - 0.8 * y[t - 2] + e;
    else if (name == "rhythm")
      y[t] = 2 * std::sin(2 * std::numbers::pi * time / 11) + 0.005 * time + e;
    else
      y[t] = (y[t - 1] > 0 ? -0.7 : 0.8) * y[t - 1] + 0.5 + 0.5 * e;
  }
  return y.tail(length);
}

Vector values_of(const char* file, const std::filesystem::path& folder, const char* column) {
  const Table table = read_table((folder / file).string());
  DatasetOptions options;
  options.targets = {column[0] ? std::string(column) : table.columns.back().name};
  return make_dataset(table, options).y.col(0);
}

}  // namespace

std::optional<Draw> draw_shifted(const Problem& problem, Index n, std::uint64_t stream) {
  const Draw pool = draw(problem, pool_of(problem, n), stream);
  Random random(seed, stream);
  const Vector direction = random.normal_vector(pool.x.cols());
  Vector s = pool.x * direction, s_test = pool.x_test * direction;
  const double mean = s.mean(), sd = std::sqrt((s.array() - mean).square().mean());
  s = (s.array() - mean) / sd;
  s_test = (s_test.array() - mean) / sd;
  std::vector<Index> train = taken(s, false, random);
  const std::vector<Index> test = taken(s_test, true, random);
  if (static_cast<Index>(train.size()) < n || test.size() < 30) return std::nullopt;
  train.resize(static_cast<std::size_t>(n));
  Draw out{pool.x(train, Eigen::all), pool.x_test(test, Eigen::all), pool.y(train), pool.y_test(test),
           pool.noise};
  out.importance = (slope * s(train).array()).exp();
  out.importance /= out.importance.mean();
  return out;
}

std::vector<Problem> real_series(const std::filesystem::path& folder) {
  struct Source {
    const char *file, *column;
    bool chooses;
  };
  std::vector<Problem> out;
  for (const Source& source : {Source{"sunspots-yearly", "", true}, Source{"santa-fe-laser", "", true},
                               Source{"sunspots-monthly", "", false}, Source{"mackey-glass", "s_t", false}}) {
    const std::string file = std::string(source.file) + ".csv";
    if (std::filesystem::exists(folder / file))
      out.push_back({source.file, source.chooses, {}, values_of(file.c_str(), folder, source.column)});
  }
  return out;
}

std::vector<Problem> made_series() {
  return {{"pushed cycle", false, {}, {}}, {"rhythm", false, {}, {}}, {"two regimes", false, {}, {}}};
}

std::optional<Draw> draw_series(const Problem& series, Index n, Index horizon, std::uint64_t stream) {
  Random random(seed, stream);
  const Index reach = lags + horizon - 1, tested = most_tested, needed = n + tested + 2 * reach;
  Vector y = series.y;
  if (y.size() == 0) y = made_values(series.name, needed, random);
  if (y.size() < n + tested / 2 + 2 * reach) return std::nullopt;
  const Index length = std::min(needed, y.size());
  const auto start = static_cast<Index>(random.uniform(0, 1) * static_cast<double>(y.size() - length + 1));
  const Vector part = y.segment(std::min(start, y.size() - length), length);
  // Windows to be judged on begin behind the last value that was learnt from.
  const auto windows = [&](Index first, Index count, Matrix& x, Vector& target) {
    x.resize(count, lags);
    for (Index l = 0; l < lags; ++l) x.col(l) = part.segment(first + lags - 1 - l, count);
    target = part.segment(first + reach, count);
  };
  Draw out;
  windows(0, n, out.x, out.y);
  windows(n + reach, length - n - 2 * reach, out.x_test, out.y_test);
  const Scaling scaling = Scaling::fit(out.x, Vector(), Scale::standard);
  scaling.apply(out.x);
  scaling.apply(out.x_test);
  out.dependence = reach;
  return out;
}

}  // namespace gnomon::regret
