#include "trial_table.hpp"

#include <fmt/format.h>

#include "gnomon/core/error.hpp"

namespace gnomon::compare {

std::vector<std::string> trial_columns(const std::vector<std::string>& criteria, Index points) {
  std::vector<std::string> names{"least", "unregularized"};
  for (const auto& name : criteria) {
    for (const char* what : {"error", "lambda", "gap"}) names.push_back(fmt::format("{}_{}", name, what));
  }
  const auto curve = [&](const std::string& name) {
    for (Index k = 0; k < points; ++k) names.push_back(fmt::format("{}_{}", name, k));
  };
  curve("truth");
  for (const auto& name : criteria) curve(name);
  return names;
}

Vector to_numbers(const Trial& trial) {
  const auto choices = static_cast<Index>(trial.choices.size());
  Vector numbers(2 + 3 * choices + trial.curves.size());
  numbers.head(2) << trial.least, trial.unregularized;
  for (Index c = 0; c < choices; ++c) {
    const Choice& choice = trial.choices[static_cast<std::size_t>(c)];
    numbers.segment(2 + 3 * c, 3) << choice.error, choice.lambda, choice.gap;
  }
  numbers.tail(trial.curves.size()) = trial.curves.reshaped();
  return numbers;
}

Trial trial_from(const VectorView& numbers, std::size_t criteria, Index points) {
  const auto choices = static_cast<Index>(criteria);
  require(numbers.size() == 2 + 3 * choices + points * (1 + choices), "a trial of {} criteria has {} numbers",
          criteria, numbers.size());
  Trial trial{numbers[0], numbers[1], {}, Matrix(points, 1 + choices)};
  for (Index c = 0; c < choices; ++c)
    trial.choices.push_back({numbers[2 + 3 * c], numbers[3 + 3 * c], numbers[4 + 3 * c]});
  trial.curves.reshaped() = numbers.tail(trial.curves.size());
  return trial;
}

}  // namespace gnomon::compare
