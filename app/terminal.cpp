#include "terminal.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <string>

namespace gnomon::app {
namespace {

volatile std::sig_atomic_t stop_requested = 0;

void on_interrupt(int) {
  stop_requested = 1;
  std::signal(SIGINT, SIG_DFL);
}

/// Draws at most ten times a second, and only after the first second; wipes itself when destroyed.
class Bar {
 public:
  ~Bar() {
    if (drawn_) fmt::print(stderr, "\r\033[K");
  }
  void draw(std::string_view what, double fraction) {
    using namespace std::chrono;
    const auto now = steady_clock::now();
    if (now - start_ < seconds(1) || now - last_ < milliseconds(100)) return;
    last_ = now;
    drawn_ = true;
    const int width = 24, full = static_cast<int>(std::clamp(fraction, 0.0, 1.0) * width);
    fmt::print(stderr, "\r\033[K[{}{}] {}", std::string(static_cast<std::size_t>(full), '#'),
               std::string(static_cast<std::size_t>(width - full), '.'), what.substr(0, 48));
    std::fflush(stderr);
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now(), last_{};
  bool drawn_ = false;
};

}  // namespace

Progress terminal_progress(bool quiet) {
  std::signal(SIGINT, on_interrupt);
  const bool show = !quiet && isatty(STDERR_FILENO);
  return {[bar = std::make_shared<Bar>(), show](std::string_view what, double fraction) {
    if (show) bar->draw(what, fraction);
    return stop_requested == 0;
  }};
}

bool wants_colour() { return isatty(STDOUT_FILENO) && !std::getenv("NO_COLOR"); }

}  // namespace gnomon::app
