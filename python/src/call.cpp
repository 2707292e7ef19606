#include "call.hpp"

#include <cblas.h>
#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "gnomon/core/parallel.hpp"

namespace gnomon::python {
namespace {

using namespace std::chrono_literals;
constexpr auto between_looks = 50ms, patience = 500ms;

/// What the two threads of a call share.
struct Task {
  std::function<void(const Progress&)> work;
  std::mutex lock;
  std::condition_variable changed;
  bool done = false, stop = false;
  std::string what;
  double fraction = 0;
  std::exception_ptr failure;

  void run() {
    std::exception_ptr thrown;
    try {
      work({[this](std::string_view now, double share) {
        const std::lock_guard guard(lock);
        what = now;
        fraction = share;
        return !stop;
      }});
    } catch (...) {
      thrown = std::current_exception();
    }
    work = nullptr;  // lets go of what it owns before anybody hears of the end
    const std::lock_guard guard(lock);
    failure = std::move(thrown);
    done = true;
    changed.notify_all();
  }
};

/// How many tasks are at work, whether somebody waits for them or not. Never destroyed: threads may outlive static objects.
struct Running {
  std::mutex lock;
  std::condition_variable fewer;
  int count = 0;
};
Running* all_running = new Running;
Running& running() { return *all_running; }

/// Calls that are under way, and the numbers of threads before the first of them.
struct ThreadNumbers {
  std::mutex lock;
  int calls = 0, blas = 0, own = 0;
};
ThreadNumbers* thread_numbers = new ThreadNumbers;

void start(std::shared_ptr<Task> task) {
  {
    const std::lock_guard guard(running().lock);
    ++running().count;
  }
  std::thread([task = std::move(task)]() mutable {
    task->run();
    task.reset();
    const std::lock_guard guard(running().lock);
    --running().count;
    running().fewer.notify_all();
  }).detach();
}

/// Lets Python look at signals and at the progress; what it raises, if anything.
std::exception_ptr look_up(const py::object& hook, const std::string& what, double fraction) {
  const py::gil_scoped_acquire interpreter;
  try {
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (!hook.is_none()) hook(what, fraction);
  } catch (py::error_already_set&) {
    return std::current_exception();
  }
  return nullptr;
}

/// What was raised while waiting, or came out of the work.
std::exception_ptr wait_for(Task& task, const py::object& hook) {
  std::unique_lock guard(task.lock);
  const auto done = [&] { return task.done; };
  while (!task.changed.wait_for(guard, between_looks, done)) {
    const std::string what = task.what;
    const double fraction = task.fraction;
    guard.unlock();
    const std::exception_ptr raised = look_up(hook, what, fraction);
    guard.lock();
    if (!raised) continue;
    task.stop = true;
    task.changed.wait_for(guard, patience, done);
    return raised;
  }
  return task.failure;
}

}  // namespace

app::FieldNames field_names(const Keywords& keywords) {
  return [keywords](std::string_view field) {
    std::string name(field);
    std::replace(name.begin(), name.end(), '_', '-');
    const auto found = keywords.find(name);
    return found == keywords.end() ? std::string() : found->second;
  };
}

std::shared_ptr<py::object> shared(py::object object) {
  return {new py::object(std::move(object)), [](py::object* held) {
            const py::gil_scoped_acquire interpreter;
            delete held;
          }};
}

void interruptibly(std::function<void(const Progress&)> work, const py::object& hook) {
  const auto task = std::make_shared<Task>();
  task->work = std::move(work);
  std::exception_ptr thrown;
  {
    const py::gil_scoped_release computing;
    start(task);
    thrown = wait_for(*task, hook);
  }
  if (thrown) std::rethrow_exception(thrown);
}

void wait_at_exit() {
  pthread_atfork(nullptr, nullptr, [] {  // a child has no threads but its own
    all_running = new Running;
    thread_numbers = new ThreadNumbers;
  });
  py::module_::import("atexit").attr("register")(py::cpp_function([] {
    const py::gil_scoped_release waiting;
    std::unique_lock guard(running().lock);
    // With an end to every wait: the form without one needs a newer libstdc++ than the rest of a wheel.
    while (!running().fewer.wait_for(guard, 1min, [] { return running().count == 0; })) continue;
  }));
}

ThreadsOfCall::ThreadsOfCall(std::optional<int> jobs) {
  ThreadNumbers& numbers = *thread_numbers;
  const std::lock_guard guard(numbers.lock);
  if (numbers.calls++ == 0) numbers.blas = openblas_get_num_threads(), numbers.own = threads();
  set_threads(jobs.value_or(numbers.blas));
  one_.emplace(1);
}

ThreadsOfCall::~ThreadsOfCall() {
  ThreadNumbers& numbers = *thread_numbers;
  const std::lock_guard guard(numbers.lock);
  if (--numbers.calls == 0) set_threads(numbers.own);
}

}  // namespace gnomon::python
