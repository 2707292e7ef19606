#include "reproduce_all.hpp"

#include "core/text.hpp"
#include "experiments/result_files.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/version.hpp"
#include "output.hpp"

namespace gnomon::app {
namespace {

VerdictCounts total_of(const std::vector<ExperimentOutcome>& outcomes) {
  VerdictCounts total;
  for (const ExperimentOutcome& outcome : outcomes) {
    const VerdictCounts own = count_verdicts(outcome.findings);
    total.agrees += own.agrees;
    total.differs += own.differs;
    total.not_comparable += own.not_comparable;
  }
  return total;
}

ResultTable counts_table(const std::vector<ExperimentOutcome>& outcomes) {
  ResultTable table{{"experiment", "trials", "agree", "differ", "not comparable", "results"}, {}};
  for (const ExperimentOutcome& outcome : outcomes) {
    const std::string name(outcome.experiment->name);
    const VerdictCounts counts = count_verdicts(outcome.findings);
    const auto cell = [&](Index value) { return outcome.skipped.empty() ? fmt::format("{}", value) : ""; };
    table.rows.push_back({name, cell(outcome.trials), cell(counts.agrees), cell(counts.differs),
                          cell(counts.not_comparable),
                          outcome.skipped.empty() ? fmt::format("[{0}/report.html]({0}/report.html)", name)
                                                  : "skipped: " + outcome.skipped});
  }
  return table;
}

std::string summary_text(const std::vector<ExperimentOutcome>& outcomes) {
  std::string text =
      fmt::format("{}\nTogether {}.\n", markdown_of(counts_table(outcomes)), in_words(total_of(outcomes)));
  for (const ExperimentOutcome& outcome : outcomes) {
    for (const Finding& finding : outcome.findings) {
      if (finding.verdict() != Verdict::differs) continue;
      text += fmt::format("\n- {}: {}: {} (s.e. {}), expected {}, z {:+.2f}; {}", outcome.experiment->name,
                          finding.name, pretty(finding.ours), pretty(finding.standard_error, 2),
                          pretty(*finding.expected, 5), finding.z(), finding.why());
    }
  }
  return text + "\n";
}

nlohmann::ordered_json json_of(const ExperimentOutcome& outcome) {
  nlohmann::ordered_json json{{"experiment", outcome.experiment->name}};
  if (!outcome.skipped.empty()) {
    json["skipped"] = outcome.skipped;
    return json;
  }
  json["trials"] = outcome.trials;
  json["summary"] = outcome.lead;
  json["verdicts"] = app::json_of(count_verdicts(outcome.findings));
  return json;
}

/// `options` says what held for all: seed and data.
std::string write_summary(const std::filesystem::path& folder, const ExperimentOptions& options, bool quick,
                          const std::vector<ExperimentOutcome>& outcomes) {
  nlohmann::ordered_json json;
  json["gnomon"] = version();
  json["seed"] = options.seed;
  json["settings"] = {{"quick", quick}, {"data", options.data}};
  json["verdicts"] = app::json_of(total_of(outcomes));
  json["experiments"] = nlohmann::ordered_json::array();
  json["rows"] = nlohmann::ordered_json::array();
  for (const ExperimentOutcome& outcome : outcomes) {
    json["experiments"].push_back(json_of(outcome));
    for (nlohmann::ordered_json row : rows_of(outcome.findings)) {
      row["experiment"] = outcome.experiment->name;
      json["rows"].push_back(std::move(row));
    }
  }
  const std::string summary = summary_text(outcomes);
  write_file((folder / "summary.md").string(), "# Every experiment\n\n" + summary);
  write_file((folder / "result.json").string(), json.dump(2) + "\n");
  return summary;
}

}  // namespace

std::string in_words(const ExperimentOutcome& outcome) {
  return outcome.skipped.empty() ? in_words(count_verdicts(outcome.findings)) : "skipped: " + outcome.skipped;
}

std::string reproduce_all(const ReproduceFlags& flags, const std::function<Progress()>& progress,
                          const std::function<void(const ExperimentOutcome&)>& told) {
  namespace fs = std::filesystem;
  const std::string& data = flags.options.data;
  require(data.empty() || fs::is_directory(data),
          "'{}' is no folder; with all, --data names a folder with the data sets", data);
  const fs::path folder(flags.folder);
  check_not_the_data(data, folder, {"summary.md", "result.json"});
  std::vector<ExperimentOutcome> outcomes;
  for (const Experiment& experiment : experiment_catalog) {
    try {
      ExperimentRun run = run_experiment(experiment, flags, folder / experiment.name, progress());
      outcomes.push_back(
          {&experiment, run.options.trials, std::move(run.result.lead), std::move(run.result.findings)});
    } catch (const MissingData& missing) {
      outcomes.push_back({&experiment, 0, {}, {}, missing.what()});
    }
    told(outcomes.back());
  }
  return write_summary(folder, flags.options, flags.quick, outcomes);
}

}  // namespace gnomon::app
