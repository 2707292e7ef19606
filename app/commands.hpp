#pragma once

// The `gnomon` command: one file per subcommand. Each registers its flags and returns what to run.

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

namespace gnomon::app {

using Action = std::function<void()>;

void add_select(CLI::App& app, Action& action);
void add_compare(CLI::App& app, Action& action);
void add_predict(CLI::App& app, Action& action);
void add_inspect(CLI::App& app, Action& action);
void add_weights(CLI::App& app, Action& action);
void add_demo(CLI::App& app, Action& action);
void add_reproduce(CLI::App& app, Action& action);

}  // namespace gnomon::app
