#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "gnomon/report/study.hpp"

namespace gnomon::app {

/// How a user sets a field of the library: "--lambda" for `lambda` on the command line, a keyword in another language. An empty text
/// if he cannot.
using FieldNames = std::function<std::string(std::string_view field)>;

/// The command's flags.
std::string flag_of(std::string_view field);

/// A message of the library, whose fields stand in backquotes, in the words of the user: "widen `lambda`" is "widen
/// --lambda". What is no field in backquotes stays as it is.
std::string spoken(std::string_view message, const FieldNames& names);

/// The same for all that a study says in words.
void speak(Study& study, const FieldNames& names);

}  // namespace gnomon::app
