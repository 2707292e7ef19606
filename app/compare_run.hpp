#pragma once

#include <optional>

#include "comparison.hpp"
#include "gnomon/core/progress.hpp"
#include "select_options.hpp"
#include "typed_flags.hpp"

namespace gnomon::app {

/// What `gnomon compare` was told.
struct CompareFlags {
  std::string data, folder = "gnomon-compare";
  std::optional<Index> trials;  ///< empty: a number that fits the learner
  Index splits = 0;
  bool resume = false;
  Typed typed;
  std::vector<SelectFlags> learners;  ///< one set of flags for each
};

/// Simulated data sets where --trials was left out: of a path, and where every one of them takes searches.
inline constexpr Index path_trials = 240, search_trials = 24;

/// One set of flags per learner named. A flag must belong to one of them at least.
std::vector<SelectFlags> flags_by_learner(const std::string& data, const Typed& typed);

/// Fails where the numbers of trials and splits leave nothing to compare by.
void check_counts(const CompareFlags& flags);

/// From the data to all that was found, trials kept in the folder.
ComparisonResult run_comparison(const CompareFlags& flags, const Progress& progress);
/// The same on tables that are already there.
ComparisonResult run_comparison(StudyTables&& tables, const CompareFlags& flags, const Progress& progress);

}  // namespace gnomon::app
