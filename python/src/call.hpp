#pragma once

#include <pybind11/pybind11.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "flags.hpp"
#include "gnomon/core/parallel.hpp"
#include "gnomon/core/progress.hpp"

namespace gnomon::python {

namespace py = pybind11;

/// Keywords by option, for messages: {"lambda": "alphas", …}.
using Keywords = std::map<std::string, std::string>;
app::FieldNames field_names(const Keywords& keywords);

/// An object of Python that may be let go of by a thread without the interpreter.
std::shared_ptr<py::object> shared(py::object object);

/// Runs `work` on a thread of its own, the interpreter free for others, and waits. Twenty times a second Python's signal handlers
/// run, and `hook(what, fraction)` if it is not None. What either of them raises (KeyboardInterrupt) asks the work to stop. Some
/// steps, a large eigenvalue problem say, look up only after seconds: the caller does not wait for them. The work then ends by itself,
/// so it must own all that it touches; before Python ends it is waited for.
void interruptibly(std::function<void(const Progress&)> work, const py::object& hook);

/// To be called once: waits at exit for work that nobody waits for any longer.
void wait_at_exit();

/// Threads for one call: `jobs` of them, 0 for all cores, or as many as BLAS is allowed where nothing is said (so that
/// threadpoolctl and OPENBLAS_NUM_THREADS hold for our own loops too). The numbers are the process's: calls that overlap share them, and
/// when the last of them ends all is as before the first.
class ThreadsOfCall {
 public:
  explicit ThreadsOfCall(std::optional<int> jobs);
  ~ThreadsOfCall();
  ThreadsOfCall(const ThreadsOfCall&) = delete;
  ThreadsOfCall& operator=(const ThreadsOfCall&) = delete;

 private:
  std::optional<BlasThreads> one_;
};

}  // namespace gnomon::python
