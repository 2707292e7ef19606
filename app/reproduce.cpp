#include <algorithm>
#include <filesystem>
#include <memory>

#include "commands.hpp"
#include "core/text.hpp"
#include "experiments/experiment.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "gnomon/version.hpp"
#include "output.hpp"
#include "result_table.hpp"
#include "terminal.hpp"

namespace gnomon::app {
namespace {

struct ReproduceFlags {
  std::string name, folder;
  ExperimentOptions options;
  int threads = 0;
  bool list = false, resume = false, quiet = false;
};

std::string notes_of(const ExperimentResult& result) {
  std::string text;
  for (const auto& note : result.notes) text += "- " + note + "\n";
  return text;
}

std::string page_of(const Experiment& experiment, const ExperimentResult& result) {
  Section numbers{"Ours beside the expected and the published numbers", {}};
  if (!result.findings.empty()) numbers.blocks.emplace_back(block_of(table_of(result.findings)));
  if (!result.table.rows.empty()) numbers.blocks.emplace_back(block_of(result.table));
  for (const auto& note : result.notes) numbers.blocks.emplace_back(Paragraph{note});
  std::vector<Section> sections = result.figures;
  sections.insert(sections.begin(), std::move(numbers));
  sections.push_back({"Settings", {Paragraph{command_line()}}});
  return html_page(fmt::format("{}: {}", experiment.name, experiment.title), result.lead, sections);
}

std::string json_of(const Experiment& experiment, const ExperimentOptions& options,
                    const ExperimentResult& result) {
  nlohmann::ordered_json json;
  json["gnomon"] = version();
  json["experiment"] = experiment.name;
  json["title"] = experiment.title;
  json["seed"] = options.seed;
  json["trials"] = options.trials;
  json["summary"] = result.lead;
  json["table"] = {{"header", result.table.header}, {"rows", result.table.rows}};
  json["notes"] = result.notes;
  json["results"] = result.json;
  return json.dump(2) + "\n";
}

std::vector<std::string> experiment_names() {
  std::vector<std::string> names;
  for (const auto& e : experiment_catalog) names.emplace_back(e.name);
  return names;
}

const Experiment& find_experiment(const std::string& name) {
  if (name.empty()) throw UsageError(fmt::format("name an experiment: {}", join(experiment_names())));
  for (const auto& e : experiment_catalog) {
    if (e.name == name) return e;
  }
  throw UsageError(fmt::format("unknown experiment '{}'; experiments: {}{}", name, join(experiment_names()),
                               suggestion(name, experiment_names())));
}

void print_list() {
  for (const auto& e : experiment_catalog) fmt::print("{:<16} {}, {} trials\n", e.name, e.title, e.trials);
}

/// Fails if a result would be written over the data.
void check_not_the_data(const std::string& data, const std::filesystem::path& folder) {
  if (!std::filesystem::is_directory(folder)) return;  // then nothing is in it
  std::vector<NamedFile> outputs;
  for (const char* name : {"trials.csv", "table.csv", "table.md", "results.json", "report.html"})
    outputs.push_back({fmt::format("the result '{}'", name), (folder / name).string()});
  check_files({{"the file of --data", data}}, outputs);
}

void run(ReproduceFlags flags) {
  if (flags.list) return print_list();
  const Experiment& experiment = find_experiment(flags.name);
  if (flags.folder.empty()) throw UsageError("name a folder for the results: -o DIR");
  require(flags.threads >= 0, "--threads {} is not allowed; give 0 (all cores) or more", flags.threads);
  if (flags.options.trials == 0) flags.options.trials = experiment.trials;
  require(flags.options.trials >= 2, "--trials {} is too few; a spread needs 2 or more",
          flags.options.trials);
  set_threads(flags.threads);
  const std::filesystem::path folder(flags.folder);
  check_not_the_data(flags.options.data, folder);
  TrialStore store(flags.folder, flags.resume, terminal_progress(flags.quiet));
  const ExperimentResult result = experiment.run(flags.options, store);
  const std::string table = markdown_of(result.table), notes = notes_of(result);
  const auto write = [&](const char* name, const std::string& text) {
    write_file((folder / name).string(), text);
  };
  write("table.csv", csv_of(result.table));
  write("table.md", fmt::format("# {}: {}\n\n{}\n\n{}\n{}", experiment.name, experiment.title, result.lead,
                                table, notes));
  write("results.json", json_of(experiment, flags.options, result));
  write("report.html", page_of(experiment, result));
  fmt::print("{}\n\n{}\n{}\nWritten: {}/table.csv, table.md, results.json, {}report.html\n", result.lead,
             table, notes, flags.folder, experiment.keeps_trials ? "trials.csv, " : "");
}

}  // namespace

void add_reproduce(CLI::App& app, Action& action) {
  auto flags = std::make_shared<ReproduceFlags>();
  auto* command = app.add_subcommand("reproduce", "An experiment of the literature: tables and figures");
  command->add_option("name", flags->name, join(experiment_names()));
  command->add_option("-o,--output", flags->folder, "folder for tables, JSON, trials and report");
  command->add_flag("--list", flags->list, "the experiments");
  command->add_option("--trials", flags->options.trials, "independent repetitions [as published, or more]");
  command->add_option(
      "--data", flags->options.data,
      "shift-abalone: CSV, or folder with FANN's abelone files; adaptive-mlp: CSV of yearly sunspot numbers");
  command->add_flag("--resume", flags->resume,
                    "go on from the trials in the folder (adaptive-linear takes seconds and starts afresh)");
  command->add_option("--seed", flags->options.seed, "of the random numbers")->capture_default_str();
  command->add_option("--threads", flags->threads, "threads, 0 = all cores")->capture_default_str();
  command->add_flag("--quiet", flags->quiet, "no progress bar");
  command->callback([flags, &action] { action = [flags] { run(*flags); }; });
}

}  // namespace gnomon::app
