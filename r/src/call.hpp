#pragma once

// Rcpp before all that may bring in R's own headers.
#include <Rcpp.h>

#include <chrono>
#include <optional>
#include <string>
#include <thread>

#include "flags.hpp"
#include "gnomon/core/parallel.hpp"
#include "gnomon/core/progress.hpp"

namespace gnomon::r {

/// What messages call an option: decay_groups for `decay-groups`.
std::string argument_of(std::string_view field);

/// Looks for Ctrl-C while the library computes, on the thread that called and at most every 50 ms. R leaves a function by a long
/// jump, which must not pass C++ frames: it ends inside `look`, and the computation is asked to stop.
class Interruptible {
 public:
  Progress progress();

 private:
  bool look();

  std::thread::id caller_ = std::this_thread::get_id();
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  bool stopped_ = false;
};

/// Threads for one call: as many as asked for, 0 for all cores, or as many as BLAS is allowed where nothing is said. All is as before
/// afterwards.
class ThreadsOfCall {
 public:
  explicit ThreadsOfCall(std::optional<int> wanted);
  ~ThreadsOfCall();
  ThreadsOfCall(const ThreadsOfCall&) = delete;
  ThreadsOfCall& operator=(const ThreadsOfCall&) = delete;

 private:
  int own_;
  std::optional<BlasThreads> one_;
};

/// Runs `body`; what the library throws becomes an R condition with the one-line message, in the words of R's arguments.
template <class Body>
auto call(const Body& body) {
  try {
    return body();
  } catch (const Interrupted&) {
    throw Rcpp::internal::InterruptedException();
  } catch (const std::bad_alloc&) {
    throw Rcpp::exception(
        "not enough memory for this problem; use fewer rows, or a basis instead of a kernel", false);
  } catch (const std::runtime_error& error) {
    throw Rcpp::exception(app::spoken(error.what(), argument_of).c_str(), false);
  }
}

}  // namespace gnomon::r
