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

/// All that `gnomon compare` found.
struct ComparedCriteria {
  std::string source, target, learner;
  Index rows = 0, features = 0;
  std::uint64_t seed = 0;
  std::vector<std::pair<std::string, std::string>> settings;  ///< option and value
  std::vector<std::string> notes;

  std::vector<std::string> criteria, left_out;
  compare::World world;
  std::vector<double> shown_lambdas;
  std::vector<compare::Trial> trials;  ///< simulated
  std::vector<compare::Score> ranked;  ///< over all of them; empty without any
  std::vector<ComparedGroup> groups;
  std::map<std::string, double> seconds;  ///< by criterion

  Index splits = 0;
  std::vector<compare::Score> on_splits;  ///< criteria on the real y; empty without splits
  std::vector<compare::Score> learners;   ///< on the same splits; empty unless several were named

  std::string recommendation, learner_recommendation;
};

/// Criteria in the order of the ranking, for people: on the simulated data sets, and on the splits where there are any.
ResultTable table_of(const ComparedCriteria& found);
/// The same with all digits, for programs.
ResultTable number_table(const ComparedCriteria& found);
ResultTable learner_table(const ComparedCriteria& found);
nlohmann::ordered_json json_of(const ComparedCriteria& found);
std::string page_of(const ComparedCriteria& found);
/// What the numbers are, one sentence each.
std::vector<std::string> explanations(const ComparedCriteria& found);

}  // namespace gnomon::app
