#include <map>
#include <memory>

#include "commands.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "select_options.hpp"
#include "terminal.hpp"

namespace gnomon::app {
namespace {

/// What was typed, by option; kept as text until all of it is there.
using Typed = std::map<std::string, std::string>;

/// The library speaks of options by their name, the command by their flag.
void set_option(const Option<SelectFlags>& option, SelectFlags& flags, const std::string& text) {
  try {
    option.set(flags, text);
  } catch (const UsageError& error) {
    const std::string message = error.what();
    if (!message.starts_with(option.name + " '")) throw;
    throw UsageError("--" + message);
  }
}

SelectFlags read_flags(const std::string& data, const Typed& typed) {
  SelectFlags flags;
  flags.study.data = data;
  for (const auto& option : select_options()) {
    if (const auto text = typed.find(option.name); text != typed.end())
      set_option(option, flags, text->second);
  }
  // A flag that does not apply would be ignored without a word; say so instead.
  for (const auto& option : select_options()) {
    const std::string why = typed.contains(option.name) && option.refusal ? option.refusal(flags) : "";
    if (!why.empty()) throw UsageError(fmt::format("--{} {}", option.name, why));
  }
  return flags;
}

void run(SelectFlags flags) {
  require(flags.threads >= 0, "--threads {} is not allowed; give 0 (all cores) or more", flags.threads);
  set_threads(flags.threads);
  check_outputs(flags.outputs, input_files(flags.study));
  flags.study.request.keep_spectrum = !flags.outputs.report.empty();
  FinishedStudy finished = run_study(flags.study, terminal_progress(flags.outputs.quiet));
  finished.study.asked = asked_of_data(flags);
  write_outputs(finished, flags.outputs);
}

void add_flag(CLI::App& command, const Option<SelectFlags>& option, Typed& typed) {
  const std::string flag = "--" + option.name, by_default = option.get(SelectFlags{});
  const std::string help = filled(option.help, option.allowed, by_default, "");
  const auto keep = [&typed, name = option.name](const auto& text) { typed[name] = text; };
  const auto keep_number = [&typed, name = option.name](const auto& value) {
    typed[name] = std::to_string(value);
  };
  CLI::Option* added = nullptr;
  switch (option.kind) {
    case OptionKind::text:
      added = command.add_option_function<std::string>(flag, keep, help);
      break;
    case OptionKind::whole:
      added = command.add_option_function<std::int64_t>(flag, keep_number, help);
      break;
    case OptionKind::counter:
      added = command.add_option_function<std::uint64_t>(flag, keep_number, help)
                  ->check([](const std::string& text) {
                    return text.starts_with('-') ? "must be 0 or more, not " + text : std::string();
                  });
      break;
    case OptionKind::flag: {
      const bool on = is_on(by_default);  // then it can be turned off
      added = command.add_flag_function(
          on ? flag + ",!--no-" + option.name : flag,
          [&typed, name = option.name](std::int64_t count) { typed[name] = on_or_off(count > 0); }, help);
      break;
    }
  }
  if (option.shows_default && option.kind != OptionKind::flag) added->default_str(by_default);
  added->group(option.group);
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
