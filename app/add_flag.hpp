#pragma once

#include <CLI/CLI.hpp>

#include "typed_flags.hpp"

namespace gnomon::app {

/// A flag of the command for one option of `select`; what is typed goes to `typed`, which must outlive the command.
void add_flag(CLI::App& command, const Option<SelectFlags>& option, Typed& typed);

/// "" or what is wrong with the text of a whole number from 0 to 2⁶⁴ − 1, where it is a whole number at all.
std::string trouble_of_counter(const std::string& text);

}  // namespace gnomon::app
