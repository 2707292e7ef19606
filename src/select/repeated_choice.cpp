#include "repeated_choice.hpp"

#include <cmath>

#include "averaging.hpp"

namespace gnomon {

MovesWithError moves_with_error(const Criterion& criterion) {
  if (const auto* both = std::get_if<Blend>(&criterion.formula))
    return {MovesWithError::How::by_logarithm, both->share};
  const Account account = criterion.needs();
  if (account == Account::left_out || account == Account::held_out) return {MovesWithError::How::is_the_mean};
  return {};
}

Vector judging_weight(const TrainingData& data) {
  return data.importance.size() ? data.importance : data.weight;
}

Vector choosing_weight(const TrainingData& data, const Criterion& criterion) {
  if (moves_with_error(criterion).how == MovesWithError::How::not_at_all) return judging_weight(data);
  const auto* folds = std::get_if<FoldMean>(&criterion.formula);
  const bool by_importance =
      folds ? folds->by_importance : std::holds_alternative<LeftOutByImportance>(criterion.formula);
  return by_importance ? data.importance : data.weight;
}

double RepeatedChoice::value_at(Index point, double resampled) const {
  if (!std::isfinite(value[point])) return undefined;
  switch (moves.how) {
    case MovesWithError::How::is_the_mean:
      return resampled;
    case MovesWithError::How::by_logarithm:
      return value[point] + moves.share * count * std::log(resampled / mean[point]);
    case MovesWithError::How::not_at_all:
      break;
  }
  return value[point];
}

double RepeatedChoice::before_at(Index point, double resampled) const {
  return before[point] + before_share * count * std::log(resampled / mean[point]);
}

Vector RepeatedChoice::weights_from(const Vector& resampled) const {
  Vector moved(value.size());
  for (Index k = 0; k < value.size(); ++k) moved[k] = value_at(k, resampled[k]);
  return averaging_weights(moved);
}

Index RepeatedChoice::from(const Vector& resampled) const {
  Index best = -1;
  double least = HUGE_VAL;
  for (std::size_t path = 0; path < first_of_path.size(); ++path) {
    const Index first = first_of_path[path];
    const Index end = path + 1 < first_of_path.size() ? first_of_path[path + 1] : value.size();
    Index at = -1;
    double lowest = HUGE_VAL, lowest_before = HUGE_VAL;
    for (Index k = first; k < end; ++k) {
      const double v = value_at(k, resampled[k]);
      if (v < lowest) lowest = v, at = k;
      if (before.size()) lowest_before = std::fmin(lowest_before, before_at(k, resampled[k]));
    }
    // Paths compare by their least values, also where the rule then takes another point.
    const double of_path = before.size() ? lowest_before : lowest;
    if (at < 0 || !(of_path < least)) continue;
    least = of_path;
    if (rule != Rule::minimum && standard_error.size()) {
      // The standard error of a mean of squares grows with the mean; under `paired` it is that of the difference from the least.
      const double growth = resampled[at] / mean[at];
      const Index least_place = at;
      for (Index k = end - 1; k > at; --k) {
        const double reach = standard_error[rule == Rule::paired ? k : least_place] * growth;
        if (!(value_at(k, resampled[k]) <= lowest + reach)) continue;
        at = k;
        break;
      }
    }
    best = at;
  }
  return best;
}

}  // namespace gnomon
