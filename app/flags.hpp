#pragma once

#include <string>
#include <string_view>

#include "gnomon/report/study.hpp"

namespace gnomon::app {

/// A message of the library, whose fields stand in backquotes, in the words of the command: "widen `lambda`" is "widen
/// --lambda". What is no option in backquotes stays as it is.
std::string in_flags(std::string_view message);

/// The same for all that a study says in words.
void speak_in_flags(Study& study);

}  // namespace gnomon::app
