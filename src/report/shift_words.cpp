#include "shift_words.hpp"

#include <cmath>

#include "core/text.hpp"
#include "gnomon/core/error.hpp"
#include "select/candidates.hpp"

namespace gnomon {

bool tunes_exponent(const Study& study) { return study.selection.request.learner->tunes_exponent(); }

double flattening_of(const Study& study, const TargetSelection& t) {
  if (const SelectionPath* path = t.path(); path && tunes_exponent(study)) return path->chosen().tuning;
  return fixed_exponent(study.selection.request);
}

std::string row_count_in_words(double rows) {
  return rows >= 100 ? pretty(std::round(rows), 12) : pretty(rows, 3);
}

std::string ratio_in_words(const ShiftStudy& shift) {
  if (!shift.verdict) return fmt::format("column '{}'", shift.method);
  constexpr std::size_t most = 6;  // kde has two bandwidths per input
  std::string text = shift.method;
  for (std::size_t k = 0; k < shift.parameters.size() && k < most; ++k)
    text += fmt::format(", {} = {}", shift.parameters[k].first, pretty(shift.parameters[k].second, 3));
  if (shift.parameters.size() > most) text += fmt::format(" and {} more", shift.parameters.size() - most);
  return text;
}

std::pair<std::string, std::string> verdict_in_words(const ShiftStudy& shift) {
  if (!shift.verdict) return {};
  return {std::string(in_words(shift.verdict->kind)), shift.verdict->reason};
}

}  // namespace gnomon
