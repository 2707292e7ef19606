#include "typed_flags.hpp"

#include "gnomon/core/error.hpp"

namespace gnomon::app {
namespace {

/// The library's messages begin with the name of the option.
void set_option(const Option<SelectFlags>& option, SelectFlags& flags, const std::string& text) {
  try {
    option.set(flags, text);
  } catch (const UsageError& error) {
    const std::string message = error.what();
    if (!message.starts_with(option.name + " '")) throw;
    throw UsageError(fmt::format("`{}`{}", option.name, message.substr(option.name.size())));
  }
}

}  // namespace

SelectFlags set_flags(const std::string& data, const Typed& typed) {
  SelectFlags flags;
  flags.study.data = data;
  if (typed.contains("noise") && typed.contains("sigma"))
    throw UsageError(
        "`noise` (a variance) and `sigma` (its square root) cannot go together: give one of them");
  for (const auto& option : select_options()) {
    if (const auto text = typed.find(option.name); text != typed.end())
      set_option(option, flags, text->second);
  }
  return flags;
}

std::string refusal_of(const Option<SelectFlags>& option, const SelectFlags& flags) {
  const std::string why = option.refusal ? option.refusal(flags) : "";
  return why.empty() ? "" : fmt::format("`{}` {}", option.name, why);
}

SelectFlags read_flags(const std::string& data, const Typed& typed, const std::optional<LearnerEntry>& own) {
  SelectFlags flags = set_flags(data, typed);
  if (own) flags.study.request.learner = *own;
  for (const auto& option : select_options()) {
    const std::string why = typed.contains(option.name) ? refusal_of(option, flags) : "";
    if (!why.empty()) throw UsageError(why);
  }
  return flags;
}

}  // namespace gnomon::app
