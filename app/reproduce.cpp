#include <cstdio>
#include <memory>

#include "add_flag.hpp"
#include "commands.hpp"
#include "core/text.hpp"
#include "experiments/experiment.hpp"
#include "experiments/result_files.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "output.hpp"
#include "reproduce_all.hpp"
#include "reproduce_run.hpp"
#include "terminal.hpp"

namespace gnomon::app {
namespace {

void print_list() {
  std::string list;
  for (const auto& e : experiment_catalog)
    list +=
        fmt::format("{:<16} {}, {} trials ({} with --quick)\n", e.name, e.title, e.trials, e.quick_trials);
  write_file("-", list);
}

void reproduce_one(const Experiment& experiment, const ReproduceFlags& flags) {
  check_flags(experiment, flags);
  const ExperimentRun run = run_experiment(experiment, flags, flags.folder, terminal_progress(flags.quiet));
  fmt::print("{}\nWritten to {}: {}\n", text_of(run.result), flags.folder, join(run.files));
}

void print_all(const ReproduceFlags& flags) {
  const std::string summary = reproduce_all(
      flags, [&] { return terminal_progress(flags.quiet); },
      [](const ExperimentOutcome& outcome) {
        fmt::print("{:<16} {}\n", outcome.experiment->name, in_words(outcome));
        std::fflush(stdout);
      });
  fmt::print("\n{}\nWritten to {}: summary.md, result.json and a folder per experiment\n", summary,
             flags.folder);
}

void run(const ReproduceFlags& flags) {
  if (flags.list) return print_list();
  const bool all = flags.name == every_experiment;
  const Experiment* experiment = all ? nullptr : &find_experiment(flags.name);
  if (flags.folder.empty()) throw UsageError("name a folder for the results: -o DIR");
  if (flags.threads < 0)
    throw UsageError(fmt::format("--threads {} is not allowed; give 0 (all cores) or more", flags.threads));
  set_threads(flags.threads);
  all ? print_all(flags) : reproduce_one(*experiment, flags);
}

}  // namespace

void add_reproduce(CLI::App& app, Action& action) {
  auto flags = std::make_shared<ReproduceFlags>();
  auto* command =
      app.add_subcommand("reproduce", "Experiments of the literature: tables, figures and verdicts");
  command->add_option("name", flags->name, join(experiment_names()) + ", or all of them: all");
  command->add_option("-o,--output", flags->folder, "folder for tables, JSON, trials, figures and report");
  command->add_flag("--list", flags->list, "the experiments");
  auto* trials =
      command
          ->add_option_function<Index>(
              "--trials",
              [flags](Index count) {
                if (count < 2)
                  throw UsageError(fmt::format("--trials {} is too few; a spread needs 2 or more", count));
                flags->options.trials = count;
              },
              "independent repetitions [as published, or more]")
          ->check(trouble_of_whole<Index>);
  command->add_flag("--quick", flags->quick, "fewer trials")->excludes(trials);
  command->add_option(
      "--data", flags->options.data,
      "folder with data sets by their names (abalone.csv, boston.csv, bank-8fm.csv, kin-8fm.csv, …, "
      "sunspots-yearly.csv); for "
      "shift-abalone also a CSV file or a folder with FANN's abelone files, for adaptive-mlp a "
      "CSV file of yearly sunspot numbers");
  command->add_flag("--resume", flags->resume,
                    "go on from the trials in the folder (adaptive-linear takes seconds and starts afresh)");
  command->add_option("--seed", flags->options.seed, "of the random numbers")
      ->check(trouble_of_counter)
      ->capture_default_str();
  command->add_option("--threads", flags->threads, "threads, 0 = all cores")
      ->check(trouble_of_whole<int>)
      ->capture_default_str();
  command->add_flag("--quiet", flags->quiet, "no progress bar");
  command->callback([flags, &action] { action = [flags] { run(*flags); }; });
}

}  // namespace gnomon::app
