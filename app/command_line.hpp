#pragma once

#include <string>

namespace gnomon::app {

/// What the user typed, for the report; empty where nothing was typed.
std::string& command_line();

}  // namespace gnomon::app
