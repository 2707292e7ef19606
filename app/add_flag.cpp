#include "add_flag.hpp"

#include "core/text.hpp"

namespace gnomon::app {

void add_flag(CLI::App& command, const Option<SelectFlags>& option, Typed& typed) {
  const std::string flag = "--" + option.name, by_default = option.get(SelectFlags{});
  const std::string help = filled(option.help, option.allowed, by_default, "");
  const auto keep = [&typed, name = option.name](const auto& text) { typed[name] = text; };
  CLI::Option* added = nullptr;
  switch (option.kind) {
    case OptionKind::text:
      added = command.add_option_function<std::string>(flag, keep, help);
      break;
    case OptionKind::whole:
      added = command.add_option_function<std::string>(flag, keep, help)->type_name("INT");
      break;
    case OptionKind::counter:
      added = command.add_option_function<std::string>(flag, keep, help)
                  ->check(trouble_of_counter)
                  ->type_name("UINT");
      break;
    case OptionKind::flag: {
      const bool on = is_on(by_default);  // then it can be turned off
      added = command.add_flag(on ? flag + ",!--no-" + option.name : flag, help)
                  ->each(keep);  // the last one counts
      break;
    }
  }
  if (option.shows_default && option.kind != OptionKind::flag) added->default_str(by_default);
  added->group(option.group);
}

std::string trouble_of_counter(const std::string& text) {
  if (trouble_of_whole<std::uint64_t>(text).empty()) return "";
  return "must be a whole number from 0 to 2^64 - 1, not " + text;
}

std::string trouble_of_number(const std::string& text) {
  return parse_number(text) ? "" : "must be a number, not " + text;
}

}  // namespace gnomon::app
