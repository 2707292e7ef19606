#include "flags.hpp"

#include <algorithm>
#include <map>

#include "select_options.hpp"

namespace gnomon::app {

std::string flag_of(std::string_view field) {
  // Fields that go by another name on the command line.
  static const std::map<std::string_view, const char*> elsewhere = {
      {"criteria", "--criterion"}, {"importance", "--test FILE with --weights kliep, ulsif, …"}};
  if (const auto found = elsewhere.find(field); found != elsewhere.end()) return found->second;
  std::string name(field);
  std::replace(name.begin(), name.end(), '_', '-');
  const auto& options = select_options();
  const bool known =
      std::any_of(options.begin(), options.end(), [&](const auto& o) { return o.name == name; });
  return known ? "--" + name : "";
}

std::string spoken(std::string_view message, const FieldNames& names) {
  std::string out;
  while (true) {
    const auto open = message.find('`');
    const auto close = open == std::string_view::npos ? open : message.find('`', open + 1);
    if (close == std::string_view::npos) return out.append(message);
    const std::string name = names(message.substr(open + 1, close - open - 1));
    // Where these two enclose no field, the second may open one.
    out += name.empty() ? message.substr(0, close) : std::string(message.substr(0, open)) + name;
    message.remove_prefix(name.empty() ? close : close + 1);
  }
}

void speak(Study& study, const FieldNames& names) {
  const auto speak = [&names](std::string& text) { text = spoken(text, names); };
  std::for_each(study.notes.begin(), study.notes.end(), speak);
  speak(study.selection.default_reason);
  for (TargetSelection& target : study.selection.targets) {
    std::for_each(target.warnings.begin(), target.warnings.end(), speak);
    speak(target.noise.reason);
  }
}

}  // namespace gnomon::app
