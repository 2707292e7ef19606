#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <map>
#include <string>
#include <thread>

#include "flags.hpp"
#include "gnomon/core/parallel.hpp"
#include "gnomon/core/progress.hpp"

namespace gnomon::python {

namespace py = pybind11;

/// Keywords by option, for messages: {"lambda": "alphas", …}.
using Keywords = std::map<std::string, std::string>;
app::FieldNames field_names(const Keywords& keywords);

/// Lets Python's signal handlers run while we compute without the interpreter: a Ctrl-C stops the computation. Only the thread
/// that called looks, at most every 50 ms. `hook`, if it is not None, is called then too, with what is done and the fraction done.
class Interruptible {
 public:
  explicit Interruptible(py::object hook) : hook_(std::move(hook)) {}
  Progress progress();
  /// After Interrupted: hands the exception of the handler (KeyboardInterrupt) to the caller.
  [[noreturn]] void rethrow();

 private:
  bool look(std::string_view what, double fraction);

  py::object hook_;
  std::thread::id caller_ = std::this_thread::get_id();
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  std::exception_ptr raised_;
};

/// Threads for one call: `jobs` of them, 0 for all cores, or as many as BLAS is allowed where nothing is said (so that
/// threadpoolctl and OPENBLAS_NUM_THREADS hold for our own loops too). All is as before afterwards.
class ThreadsOfCall {
 public:
  explicit ThreadsOfCall(std::optional<int> jobs);
  ~ThreadsOfCall();
  ThreadsOfCall(const ThreadsOfCall&) = delete;
  ThreadsOfCall& operator=(const ThreadsOfCall&) = delete;

 private:
  int blas_, own_;
};

}  // namespace gnomon::python
