#include "typed_flags.hpp"

#include "gnomon/core/error.hpp"

namespace gnomon::app {
namespace {

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

}  // namespace

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

SelectFlags set_flags(const std::string& data, const Typed& typed) {
  SelectFlags flags;
  flags.study.data = data;
  if (typed.contains("noise") && typed.contains("sigma"))
    throw UsageError(
        "--noise (a variance) and --sigma (its square root) cannot go together: give one of them");
  for (const auto& option : select_options()) {
    if (const auto text = typed.find(option.name); text != typed.end())
      set_option(option, flags, text->second);
  }
  return flags;
}

std::string refusal_of(const Option<SelectFlags>& option, const SelectFlags& flags) {
  const std::string why = option.refusal ? option.refusal(flags) : "";
  return why.empty() ? "" : fmt::format("--{} {}", option.name, why);
}

SelectFlags read_flags(const std::string& data, const Typed& typed) {
  SelectFlags flags = set_flags(data, typed);
  for (const auto& option : select_options()) {
    const std::string why = typed.contains(option.name) ? refusal_of(option, flags) : "";
    if (!why.empty()) throw UsageError(why);
  }
  return flags;
}

}  // namespace gnomon::app
