#include "network_tasks.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <vector>

#include "data_folder.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/random.hpp"
#include "gnomon/data/csv.hpp"

namespace gnomon::app {
namespace {

constexpr Index task_test_rows = 2000;

constexpr double delay = 17, step = 0.1;
constexpr Index steps_per_unit = 10, steps_of_delay = 170, discarded = 1000;
constexpr Index lag = 6, lags = 4, horizon = 6, half_length = 6000;

constexpr Index first_year = 1700, last_training_year = 1920, last_test_year = 1979, years_back = 12;
constexpr const char* debian_file =
    "/usr/lib/python3/dist-packages/statsmodels/datasets/sunspots/sunspots.csv";

/// Every column to mean 0 and variance 1 over the training rows.
void standardise(Matrix& training, Matrix& test) {
  for (Index j = 0; j < training.cols(); ++j) {
    const double mean = training.col(j).mean(),
                 deviation = std::sqrt((training.col(j).array() - mean).square().mean());
    training.col(j) = (training.col(j).array() - mean) / deviation;
    test.col(j) = (test.col(j).array() - mean) / deviation;
  }
}

void draw_regression(Random& random, Index rows, Matrix& x, Matrix& y) {
  x.resize(rows, 2);
  y.resize(rows, 1);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < 2; ++j) x(i, j) = random.uniform(-1, 1);
    y(i, 0) = std::sin(std::numbers::pi * x(i, 0)) + x(i, 1) * x(i, 1) + 0.3 * random.normal();
  }
}

/// z(t + 6) and its four inputs, one row per time.
void windows(const Vector& z, const std::vector<Index>& times, Matrix& x, Matrix& y) {
  const Index rows = static_cast<Index>(times.size());
  x.resize(rows, lags);
  y.resize(rows, 1);
  for (Index i = 0; i < rows; ++i) {
    const Index t = times[static_cast<std::size_t>(i)];
    for (Index j = 0; j < lags; ++j) x(i, j) = z[t - lag * j];
    y(i, 0) = z[t + horizon];
  }
}

/// Years first, …, last, each with the twelve before it.
void years(const Vector& number, Index first, Index last, Matrix& x, Matrix& y) {
  const Index rows = last - first + 1;
  x.resize(rows, years_back);
  for (Index j = 0; j < years_back; ++j) x.col(j) = number.segment(first - first_year - j - 1, rows);
  y = number.segment(first - first_year, rows);
}

bool is_year(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  return name == "year";
}

}  // namespace

NetworkSample regression_sample(std::uint64_t seed, Index trial) {
  Random random(seed, 2 * static_cast<std::uint64_t>(trial));
  NetworkSample sample;
  sample.shape = {2, {6}, 1, true};
  draw_regression(random, 40, sample.x, sample.y);
  draw_regression(random, task_test_rows, sample.test_x, sample.test_y);
  return sample;
}

Vector mackey_glass(Index count) {
  const auto slope = [](double s, double delayed) {
    return 0.2 * delayed / (1 + std::pow(delayed, 10)) - 0.1 * s;
  };
  static_assert(steps_of_delay * step == delay && steps_per_unit * step == 1);
  std::vector<double> s(static_cast<std::size_t>(steps_of_delay + 1), 1.2);
  Vector out(count);
  for (Index i = 1; i <= steps_per_unit * (discarded + count); ++i) {
    const double now = s.back(), begin = s[s.size() - 1 - steps_of_delay], end = s[s.size() - steps_of_delay];
    const double middle = 0.5 * (begin + end);
    const double k1 = slope(now, begin), k2 = slope(now + 0.5 * step * k1, middle);
    const double k3 = slope(now + 0.5 * step * k2, middle), k4 = slope(now + step * k3, end);
    s.push_back(now + step / 6 * (k1 + 2 * k2 + 2 * k3 + k4));
    const Index unit = i / steps_per_unit - discarded;
    if (i % steps_per_unit == 0 && unit > 0) out[unit - 1] = s.back();
  }
  return out;
}

NetworkSample mackey_glass_sample(std::uint64_t seed, Index trial) {
  static const Vector series = mackey_glass(2 * half_length);
  Random random(seed, 2 * static_cast<std::uint64_t>(trial) + 1);
  const double deviation = std::sqrt((series.array() - series.mean()).square().mean());
  const Vector z = series + 0.2 * deviation * random.normal_vector(series.size());
  const Index before = lag * (lags - 1), usable = half_length - before - horizon;
  std::vector<Index> training(80), test(task_test_rows);
  for (Index& t : training) t = before + static_cast<Index>(random.below(static_cast<std::uint64_t>(usable)));
  for (Index i = 0; i < task_test_rows; ++i)
    test[static_cast<std::size_t>(i)] = half_length + before + i * usable / task_test_rows;
  NetworkSample sample;
  sample.shape = {lags, {5}, 1, true};
  windows(z, training, sample.x, sample.y);
  windows(z, test, sample.test_x, sample.test_y);
  standardise(sample.x, sample.test_x);
  standardise(sample.y, sample.test_y);
  return sample;
}

std::optional<Sunspots> load_sunspots(const std::string& path) {
  if (path.empty() && !std::filesystem::exists(debian_file)) return {};
  const auto file = path.empty() ? debian_file : file_of_set(path, "sunspots-yearly.csv");
  if (!file) return {};
  const std::string& place = *file;
  const Table table = read_table(place);
  const Column *year = nullptr, *number = nullptr;
  for (const Column& column : table.columns) (is_year(column.name) ? year : number) = &column;
  require(table.columns.size() == 2 && year && number && year->numeric && number->numeric,
          "'{}' should have two columns of numbers: year and the sunspot number of the year", place);
  const Vector when = table.numbers.col(year->index), all = table.numbers.col(number->index);
  const Index needed = last_test_year - first_year + 1;
  bool complete = table.rows() >= needed && all.head(std::min(needed, all.size())).allFinite();
  for (Index i = 0; complete && i < needed; ++i) complete = when[i] == static_cast<double>(first_year + i);
  require(complete, "'{}' should have every year from {} to {}, in order, none missing", place, first_year,
          last_test_year);
  require(all.head(needed).maxCoeff() > all.head(needed).minCoeff(), "'{}': all numbers are the same", place);
  return Sunspots{all.head(needed), place};
}

NetworkSample sunspot_sample(const Sunspots& data) {
  NetworkSample sample;
  sample.shape = {years_back, {4}, 1, true};
  years(data.number, first_year + years_back, last_training_year, sample.x, sample.y);
  years(data.number, last_training_year + 1, last_test_year, sample.test_x, sample.test_y);
  standardise(sample.x, sample.test_x);
  standardise(sample.y, sample.test_y);
  return sample;
}

}  // namespace gnomon::app
