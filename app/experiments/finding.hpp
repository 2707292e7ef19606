#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "../result_table.hpp"
#include "gnomon/core/types.hpp"

namespace gnomon::app {

enum class Verdict { agrees, differs, not_comparable };
const char* name_of(Verdict);  ///< "agrees", "differs", "not comparable"

/// One number of an experiment beside what it should be.
struct Finding {
  std::string name;  ///< unique within the experiment: "mean SIC, n = 50, lambda 0.01"
  double ours = undefined;
  double standard_error = 0;  ///< of ours, Monte-Carlo
  std::optional<double> expected = {};
  double expected_error = 0;  ///< of the expectation: its own Monte-Carlo and rounding error
  std::string source = {};    ///< of the expectation: "published", "reference implementation", "exact"
  std::string reason = {};    ///< why a row that differs does, or why it cannot be compared
  bool comparable = true;     ///< false: made in another setting, and shown for orientation only
  double most_z = 3;          ///< |z| up to this agrees

  /// (ours − expected) over the standard error of the difference; undefined where one of them is. Where neither has an
  /// error: 0 or ±∞.
  double z() const;
  /// Not comparable where z is undefined or `comparable` is false.
  Verdict verdict() const;
  /// The reason; of a row that differs without one, that none is known.
  std::string why() const;
};

struct VerdictCounts {
  Index agrees = 0, differs = 0, not_comparable = 0;
};
VerdictCounts count_verdicts(const std::vector<Finding>& findings);
/// "28 rows agree, 3 differ, 1 cannot be compared"
std::string in_words(const VerdictCounts&);

/// Columns name, ours, s.e., expected, z, verdict, reason.
ResultTable table_of(const std::vector<Finding>& findings);

/// [{"name", "ours", "se", "expected", "expected_se", "z", "verdict", "source", "reason"}, …]; null where undefined.
nlohmann::ordered_json rows_of(const std::vector<Finding>& findings);

}  // namespace gnomon::app
