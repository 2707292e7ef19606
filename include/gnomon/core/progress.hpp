#pragma once

#include <functional>
#include <stdexcept>
#include <string_view>

namespace gnomon {

/// Thrown by a long computation whose Progress asked it to stop. Nothing is half done: results are values.
class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted") {}
};

/// How a long computation talks to its caller. `report` gets what is being done and the fraction done, and
/// returns false to ask for a stop. Empty = quiet and unstoppable.
struct Progress {
  std::function<bool(std::string_view what, double fraction)> report;

  void operator()(std::string_view what, double fraction) const {
    if (report && !report(what, fraction)) throw Interrupted();
  }
};

}  // namespace gnomon
