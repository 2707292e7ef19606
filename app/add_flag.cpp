#include "add_flag.hpp"

#include <cerrno>
#include <cstdlib>

namespace gnomon::app {

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
      added = command.add_option_function<std::uint64_t>(flag, keep_number, help)->check(trouble_of_counter);
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

std::string trouble_of_counter(const std::string& text) {
  if (text.starts_with('-')) return "must be 0 or more, not " + text;
  errno = 0;
  std::strtoull(text.c_str(), nullptr, 0);
  return errno == ERANGE ? "must be below 2^64, not " + text : "";
}

}  // namespace gnomon::app
