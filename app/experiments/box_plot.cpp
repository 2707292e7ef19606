#include "box_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "../line_series.hpp"
#include "core/text.hpp"

namespace gnomon::app {

double sample_quantile(Vector sample, double share) {
  if (sample.size() == 0) return undefined;
  std::sort(sample.begin(), sample.end());
  const double place = share * static_cast<double>(sample.size() - 1);
  const auto below = static_cast<Index>(place);
  const Index above = std::min(below + 1, sample.size() - 1);
  if (sample[below] == sample[above]) return sample[below];
  return sample[below] + (place - static_cast<double>(below)) * (sample[above] - sample[below]);
}

Chart box_plot(std::string title, std::string axis, bool log, const std::vector<Box>& boxes) {
  constexpr std::array shares{0.05, 0.25, 0.5, 0.75, 0.95};
  const auto count = static_cast<Index>(boxes.size());
  Matrix at(count, 5);
  std::vector<std::string> names;
  std::string description = "Medians:";
  for (Index i = 0; i < count; ++i) {
    const Box& box = boxes[static_cast<std::size_t>(i)];
    for (Index q = 0; q < 5; ++q) at(i, q) = sample_quantile(box.sample, shares[static_cast<std::size_t>(q)]);
    names.push_back(box.name);
    description += fmt::format("{} {} {}", i ? "," : "", box.name, pretty(at(i, 2), 3));
  }
  return {.title = std::move(title),
          .description = description + ".",
          .x = {.label = std::move(axis), .log = log},
          .y = {.label = "", .names = std::move(names)},
          .series = {strokes("5 % to 95 %", at.col(0), at.col(4), false),
                     strokes("middle half", at.col(1), at.col(3), true), dots("median", at.col(2))}};
}

Chart interval_plot(std::string title, std::string axis, const std::vector<std::string>& names,
                    const Vector& value, const Vector& error, const std::string& what) {
  std::string description;
  for (Index i = 0; i < value.size(); ++i)
    description += fmt::format("{}{}: {} ± {}", i ? "; " : "", names[static_cast<std::size_t>(i)],
                               pretty(value[i], 2), pretty(error[i], 2));
  return {.title = std::move(title),
          .description = description + ".",
          .x = {.label = std::move(axis)},
          .y = {.label = "", .names = names},
          .series = {strokes(what, value - error, value + error, true), dots("mean", value)}};
}

}  // namespace gnomon::app
