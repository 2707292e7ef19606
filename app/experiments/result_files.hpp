#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiment.hpp"

namespace gnomon::app {

/// What every experiment may leave in its folder, figures aside.
inline constexpr std::array result_names{"trials.csv",  "table.csv",   "table.md",
                                         "details.csv", "result.json", "report.html"};

/// Fails if one of these files in `folder` is one that --data names or, where it names a folder, one in that: under any name,
/// through links.
void check_not_the_data(const std::string& data, const std::filesystem::path& folder,
                        const std::vector<std::string>& names);

/// Writes table.csv, table.md, details.csv (where there is a wide table), result.json, report.html and
/// figure-<n>-<slug>.svg per chart; their names, in this order. The bytes depend on the options and the result alone: not
/// on threads, nor on whether the run was resumed.
std::vector<std::string> write_results(const std::filesystem::path& folder, const Experiment& experiment,
                                       const ExperimentOptions& options, const ExperimentResult& result);

/// What was found, the rows and the notes, as Markdown that reads well as plain text.
std::string text_of(const ExperimentResult& result);

/// {"agrees", "differs", "not comparable"}
nlohmann::ordered_json json_of(const VerdictCounts& counts);

}  // namespace gnomon::app
