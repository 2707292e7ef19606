#pragma once

#include <CLI/CLI.hpp>

#include "typed_flags.hpp"

namespace gnomon::app {

/// A flag of the command for one option of `select`; what is typed goes to `typed`, which must outlive the command.
void add_flag(CLI::App& command, const Option<SelectFlags>& option, Typed& typed);

}  // namespace gnomon::app
