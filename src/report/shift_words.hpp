#pragma once

#include <string>

#include "gnomon/report/study.hpp"

namespace gnomon {

/// Whether the learner chooses the exponent of the importance weights.
bool tunes_exponent(const Study&);

/// The exponent of the importance weights in the chosen fit: iwls chooses it, other learners take the one asked for.
double flattening_of(const Study&, const TargetSelection&);

/// A number of rows that need not be whole: "6.3", "85901".
std::string row_count_in_words(double rows);

/// "kliep, width = 0.31", or "column 'w'" for ratios that the user gave.
std::string ratio_in_words(const ShiftStudy&);

/// The verdict's sentence in two: "shift, usable" and the reason; both empty without test inputs.
std::pair<std::string, std::string> verdict_in_words(const ShiftStudy&);

}  // namespace gnomon
