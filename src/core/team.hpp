#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "gnomon/core/types.hpp"

namespace gnomon {

/// Threads that sleep between rounds of work, for loops that follow one another every millisecond. A round ends with its last task,
/// not with its last thread: one that the system has not woken yet, because a neighbour has the core, is not waited for.
class Team {
 public:
  /// The caller is one of the threads; `size` = 0 takes threads(). Inside another team's task a team is the caller alone.
  explicit Team(int size = 0);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  int size() const { return 1 + static_cast<int>(workers_.size()); }

  /// Runs task(0), …, task(count−1), begun in this order, BLAS held to one thread meanwhile. The first exception of a task is
  /// rethrown when all have ended; those that were not begun are left out then.
  void run(Index count, const std::function<void(Index)>& task);

 private:
  void take_tasks();
  void attempt(Index index);

  const std::function<void(Index)>* task_ = nullptr;
  Index count_ = 0;
  std::atomic<std::uint64_t> open_{0};  // the round in the upper half, its tasks not begun in the lower one
  std::atomic<std::int32_t> unfinished_{0};
  std::atomic<std::int32_t> round_{0};
  std::atomic<bool> leaving_{false};
  std::atomic<bool> failed_{false};
  std::exception_ptr failure_;
  std::mutex failure_lock_;
  std::vector<std::jthread> workers_;
};

/// Threads that a new team would have: one inside a task.
int available_threads();

/// Threads that a library routine on matrices of this order may use: BLAS's own wait awake, so one inside a task, and one below an
/// order where they gain nothing.
int library_threads(Index order);

}  // namespace gnomon
