#include "finding.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/json.hpp"
#include "core/text.hpp"

namespace gnomon::app {

const char* name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::agrees:
      return "agrees";
    case Verdict::differs:
      return "differs";
    case Verdict::not_comparable:
      break;
  }
  return "not comparable";
}

double Finding::z() const {
  if (!expected || !std::isfinite(ours) || !std::isfinite(*expected)) return undefined;
  const double difference = ours - *expected, error = std::hypot(standard_error, expected_error);
  if (std::isnan(error)) return undefined;
  if (error > 0) return difference / error;
  return difference == 0 ? 0 : std::copysign(std::numeric_limits<double>::infinity(), difference);
}

Verdict Finding::verdict() const {
  const double distance = std::abs(z());
  if (!comparable || std::isnan(distance)) return Verdict::not_comparable;
  return distance <= most_z ? Verdict::agrees : Verdict::differs;
}

std::string Finding::why() const {
  if (!reason.empty() || verdict() != Verdict::differs) return reason;
  return "no reason is known; chance puts one row in 370 beyond 3, more where trials are few: try another "
         "--seed";
}

VerdictCounts count_verdicts(const std::vector<Finding>& findings) {
  VerdictCounts counts;
  for (const Finding& finding : findings) {
    const Verdict verdict = finding.verdict();
    ++(verdict == Verdict::agrees    ? counts.agrees
       : verdict == Verdict::differs ? counts.differs
                                     : counts.not_comparable);
  }
  return counts;
}

std::string in_words(const VerdictCounts& counts) {
  return fmt::format("{} {}, {} {}, {} cannot be compared", counted(counts.agrees, "row"),
                     counts.agrees == 1 ? "agrees" : "agree", counts.differs,
                     counts.differs == 1 ? "differs" : "differ", counts.not_comparable);
}

ResultTable table_of(const std::vector<Finding>& findings) {
  ResultTable table{{"name", "ours", "s.e.", "expected", "z", "verdict", "reason"}, {}};
  const auto number = [](double value, int digits) {
    return std::isnan(value) ? std::string() : pretty(value, digits);
  };
  for (const Finding& f : findings) {
    const double z = f.z();
    table.rows.push_back({f.name, number(f.ours, 4), f.standard_error > 0 ? pretty(f.standard_error, 2) : "",
                          number(f.expected.value_or(undefined), 5),
                          !f.comparable || std::isnan(z) ? "" : fmt::format("{:+.2f}", z),
                          name_of(f.verdict()), f.why()});
  }
  return table;
}

nlohmann::ordered_json rows_of(const std::vector<Finding>& findings) {
  auto rows = nlohmann::ordered_json::array();
  for (const Finding& f : findings) {
    rows.push_back({{"name", f.name},
                    {"ours", number_to_json(f.ours)},
                    {"se", number_to_json(f.standard_error)},
                    {"expected", number_to_json(f.expected.value_or(undefined))},
                    {"expected_se", number_to_json(f.expected ? f.expected_error : undefined)},
                    {"z", number_to_json(f.comparable ? f.z() : undefined)},
                    {"verdict", name_of(f.verdict())},
                    {"source", f.source},
                    {"reason", f.why()}});
  }
  return rows;
}

}  // namespace gnomon::app
