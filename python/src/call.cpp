#include "call.hpp"

#include <cblas.h>

#include <algorithm>

namespace gnomon::python {

app::FieldNames field_names(const Keywords& keywords) {
  return [keywords](std::string_view field) {
    std::string name(field);
    std::replace(name.begin(), name.end(), '_', '-');
    const auto found = keywords.find(name);
    return found == keywords.end() ? std::string() : found->second;
  };
}

Progress Interruptible::progress() {
  return {[this](std::string_view what, double fraction) { return look(what, fraction); }};
}

bool Interruptible::look(std::string_view what, double fraction) {
  using namespace std::chrono;
  if (std::this_thread::get_id() != caller_) return true;
  const auto now = steady_clock::now();
  if (now - last_ < milliseconds(50)) return !raised_;
  last_ = now;
  const py::gil_scoped_acquire interpreter;
  try {
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (!hook_.is_none()) hook_(std::string(what), fraction);
  } catch (py::error_already_set&) {
    raised_ = std::current_exception();
  }
  return !raised_;
}

void Interruptible::rethrow() {
  if (raised_) std::rethrow_exception(std::exchange(raised_, nullptr));
  throw Interrupted();
}

ThreadsOfCall::ThreadsOfCall(std::optional<int> jobs) : blas_(openblas_get_num_threads()), own_(threads()) {
  set_threads(jobs.value_or(blas_));
}

ThreadsOfCall::~ThreadsOfCall() {
  set_threads(own_);
  openblas_set_num_threads(blas_);
}

}  // namespace gnomon::python
