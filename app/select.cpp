#include <memory>

#include "add_flag.hpp"
#include "commands.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "select_options.hpp"
#include "terminal.hpp"

namespace gnomon::app {
namespace {

void run(SelectFlags flags) {
  if (flags.threads < 0)
    throw UsageError(fmt::format("--threads {} is not allowed; give 0 (all cores) or more", flags.threads));
  set_threads(flags.threads);
  check_outputs(flags.outputs, input_files(flags.study));
  const bool draws = !flags.outputs.report.empty();
  flags.study.request.chosen_error = true;
  flags.study.request.keep_spectrum = flags.study.request.keep_held_out = draws;
  FinishedStudy finished = run_study(flags.study, terminal_progress(flags.outputs.quiet), draws);
  finished.study.asked = asked_of_data(flags);
  write_outputs(finished, flags.outputs);
}

}  // namespace

void add_select(CLI::App& app, Action& action) {
  auto typed = std::make_shared<Typed>();
  auto data = std::make_shared<std::string>();
  auto* command = app.add_subcommand("select",
                                     "Estimate the error along the path, choose "
                                     "the regularization, refit, report");
  command->add_option("data", *data, "CSV or TSV with a header row; .gz and - (stdin) too")->required();
  for (const auto& option : select_options()) add_flag(*command, option, *typed);
  command
      ->add_flag_callback("--manual",
                          [] { throw CLI::CallForVersion(options_manual(), CLI::ExitCodes::Success); })
      ->group("");  // not in help: scripts/manual puts the tables into docs/cli.md
  command->callback([typed, data, &action] { action = [flags = read_flags(*data, *typed)] { run(flags); }; });
}

}  // namespace gnomon::app
