#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace gnomon::app {

/// The page that `man gnomon` shows, in the language of man(7): every command with its arguments and flags. What flags of `select`
/// mean is told in full, as in docs/cli.md; of the others, what their help says.
std::string man_page(const CLI::App& app);

}  // namespace gnomon::app
