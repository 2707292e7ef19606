#include "team.hpp"

#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>

#include "gnomon/core/parallel.hpp"

namespace gnomon {
namespace {

thread_local bool inside_task = false;

constexpr std::uint64_t tasks_mask = 0xffffffff;

/// Waits until `value` is no longer `old`: a few microseconds awake, which is as long as a wake-up takes, then asleep.
void wait_for_change(const std::atomic<std::int32_t>& value, std::int32_t old) {
  for (int spin = 0; spin < 400; ++spin) {
    if (value.load(std::memory_order_acquire) != old) return;
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
  value.wait(old, std::memory_order_acquire);
}

}  // namespace

Team::Team(int size) {
  const int wanted = inside_task || size == 0 ? available_threads() : size;
  for (int t = 1; t < wanted; ++t) {
    const auto work = [this] {
      inside_task = true;
      for (std::int32_t seen = 0;;) {
        wait_for_change(round_, seen);
        // In this order: whoever has seen the last round, which never changes again, has seen that the team leaves.
        seen = round_.load(std::memory_order_acquire);
        if (leaving_.load(std::memory_order_acquire)) return;
        take_tasks();
      }
    };
    try {
      workers_.emplace_back(work);
    } catch (const std::system_error&) {
      break;  // the system gives no more threads; those at hand do the work
    }
  }
}

Team::~Team() {
  leaving_.store(true, std::memory_order_release);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
}

void Team::run(Index count, const std::function<void(Index)>& task) {
  if (count <= 0) return;
  std::optional<BlasThreads> one;
  if (!inside_task) one.emplace(1);
  if (workers_.empty() || count == 1) {
    for (Index i = 0; i < count; ++i) task(i);
    return;
  }
  task_ = &task;
  count_ = count;
  failure_ = nullptr;
  failed_.store(false, std::memory_order_relaxed);
  unfinished_.store(static_cast<std::int32_t>(count), std::memory_order_relaxed);
  const auto round = static_cast<std::uint64_t>(round_.load(std::memory_order_relaxed)) + 1;
  open_.store(round << 32 | static_cast<std::uint64_t>(count), std::memory_order_release);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  const bool inside_another = std::exchange(inside_task, true);
  take_tasks();
  inside_task = inside_another;
  for (std::int32_t left; (left = unfinished_.load(std::memory_order_acquire)) != 0;)
    wait_for_change(unfinished_, left);
  if (failure_) std::rethrow_exception(failure_);
}

/// A task is claimed by lowering its round's number of open ones, so that a thread that comes late can neither take one twice nor
/// mistake the next round for its own; what belongs to a round is read after the claim and stays until its last task has ended.
void Team::take_tasks() {
  std::uint64_t open = open_.load(std::memory_order_acquire);
  while ((open & tasks_mask) != 0) {
    if (!open_.compare_exchange_weak(open, open - 1, std::memory_order_acq_rel, std::memory_order_acquire))
      continue;
    attempt(count_ - static_cast<Index>(open & tasks_mask));
    if (unfinished_.fetch_sub(1, std::memory_order_acq_rel) == 1) unfinished_.notify_one();
    open = open_.load(std::memory_order_acquire);
  }
}

void Team::attempt(Index index) {
  if (failed_.load(std::memory_order_relaxed)) return;
  try {
    (*task_)(index);
  } catch (...) {
    const std::lock_guard lock(failure_lock_);
    if (!failed_.exchange(true)) failure_ = std::current_exception();
  }
}

int available_threads() { return inside_task ? 1 : threads(); }

int library_threads(Index order) {
  constexpr Index worth = 1000;
  return order < worth ? 1 : available_threads();
}

void parallel_for(Index count, const std::function<void(Index)>& body) {
  Team(static_cast<int>(std::min<Index>(threads(), std::max<Index>(count, 1)))).run(count, body);
}

}  // namespace gnomon
