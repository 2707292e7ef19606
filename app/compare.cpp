#include <filesystem>
#include <memory>

#include "add_flag.hpp"
#include "commands.hpp"
#include "compare_run.hpp"
#include "comparison_settings.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "output.hpp"
#include "terminal.hpp"

namespace gnomon::app {
namespace {

void run(const CompareFlags& flags) {
  const SelectFlags& first = flags.learners.front();
  if (first.threads < 0)
    throw UsageError(fmt::format("--threads {} is not allowed; give 0 (all cores) or more", first.threads));
  check_counts(flags);
  set_threads(first.threads);
  const ComparisonResult result = run_comparison(flags, terminal_progress(first.outputs.quiet));
  const std::filesystem::path folder(flags.folder);
  const auto write = [&](const char* name, const std::string& text) {
    write_file((folder / name).string(), text);
  };
  const std::string text = text_of(result);
  write("table.csv", csv_of(number_table(result)));
  write("table.md", fmt::format("# Which criterion to trust: {}\n\n{}", result.source, text));
  write("result.json", json_of(result).dump(2) + "\n");
  write("report.html", page_of(result));
  fmt::print("{}\nWritten: {}/result.json, table.csv, table.md, report.html\n", text, flags.folder);
}

}  // namespace

void add_compare(CLI::App& app, Action& action) {
  auto flags = std::make_shared<CompareFlags>();
  auto* command = app.add_subcommand(
      "compare", "Which criterion to trust on data like yours: simulated on your own inputs, or on splits");
  command->add_option("data", flags->data, "CSV or TSV with a header row; .gz and - (stdin) too")->required();
  command->add_option("-o,--output", flags->folder, "folder for tables, JSON, trials and report")
      ->capture_default_str();
  command->add_option("--trials", flags->trials, "simulated data sets for every learner and target; 0: none")
      ->check(trouble_of_whole<Index>)
      ->default_str(fmt::format("{}; {} for searches over several parameters", path_trials, search_trials));
  command
      ->add_option("--splits", flags->splits,
                   "random splits of the real targets; 0: none (20 where several learners are named)")
      ->check(trouble_of_whole<Index>)
      ->capture_default_str();
  command->add_flag("--resume", flags->resume, "go on from the data sets in the folder");
  for (const auto& option : select_options())
    if (is_of_compare(option)) add_flag(*command, option, flags->typed);
  command->callback([flags, &action] {
    flags->learners = flags_by_learner(flags->data, flags->typed);
    action = [flags] { run(*flags); };
  });
}

}  // namespace gnomon::app
