#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "gnomon/compare/ranking.hpp"
#include "gnomon/compare/simulation.hpp"
#include "result_table.hpp"

namespace gnomon::app {

/// Data sets of one truth and one law of the noise.
struct ComparedGroup {
  std::string truth, noise;
  Index data_sets = 0;
  std::vector<compare::Score> ranked;
};

/// Criteria of one learner on one target.
struct ComparedCriteria {
  std::string target, learner;
  std::vector<std::pair<std::string, std::string>> settings;  ///< option and value
  std::string trials_file;                                    ///< in the folder

  std::vector<std::string> criteria, left_out;
  bool searches = false;  ///< several parameters at once: there is no path
  compare::World world;
  std::vector<double> shown_lambdas;
  std::vector<compare::Trial> trials;  ///< simulated
  std::vector<compare::Score> ranked;  ///< over all of them; empty without any
  std::vector<ComparedGroup> groups;
  std::map<std::string, double> seconds;  ///< by criterion

  std::vector<compare::Score> on_splits;  ///< on the real y; empty without splits
  std::string recommendation;
};

/// All learners on one target.
struct ComparedTarget {
  std::string name;
  std::vector<ComparedCriteria> learners;
  std::vector<compare::Score>
      held_out;  ///< of the learners on the same splits; empty unless several were named
  std::string held_out_words, recommendation;
};

/// All that `gnomon compare` found.
struct ComparisonResult {
  std::string source;
  Index rows = 0, features = 0;
  std::uint64_t seed = 0;
  Index splits = 0;                                                             ///< of the real y; 0: none
  enum class Judged { left_out, weighted, at_test } judged = Judged::left_out;  ///< where errors are measured
  std::vector<std::string> notes;
  std::vector<ComparedTarget> targets;

  bool simulated() const { return !targets.front().learners.front().ranked.empty(); }
  std::string recommendation() const;
};

/// "at a fifth of your inputs that was not learned from": where fits are judged.
std::string where_judged(const ComparisonResult& result);

/// Criteria in the order of the ranking, for people: on the simulated data sets, and on the splits where there are any.
ResultTable table_of(const ComparedCriteria& found);
ResultTable learner_table(const ComparedTarget& target);
/// All of them with all digits, for programs.
ResultTable number_table(const ComparisonResult& result);
/// What was simulated and what is missing, one sentence each.
std::vector<std::string> lines_of(const ComparedCriteria& found, Index rows);
/// What the numbers are, one sentence each.
std::vector<std::string> legend(const ComparisonResult& result);
/// Everything as Markdown, which is also what the terminal shows.
std::string text_of(const ComparisonResult& result);
nlohmann::ordered_json json_of(const ComparisonResult& result);
std::string page_of(const ComparisonResult& result);

}  // namespace gnomon::app
