#pragma once

#include "gnomon/core/progress.hpp"

namespace gnomon::app {

/// A progress bar on stderr for anything that takes over a second; nothing if `quiet` or if stderr is no
/// terminal. Ctrl-C asks the computation to stop; a second one ends the process.
Progress terminal_progress(bool quiet);

/// Whether standard output is a terminal that takes colour.
bool wants_colour();

}  // namespace gnomon::app
