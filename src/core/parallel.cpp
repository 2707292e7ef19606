#include "gnomon/core/parallel.hpp"

#include <cblas.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace gnomon {
namespace {
std::atomic<int> requested{0};
thread_local bool inside_loop = false;
}  // namespace

void set_threads(int threads) {
  requested = std::max(threads, 0);
  openblas_set_num_threads(gnomon::threads());
}

int threads() {
  static const int cores =
      std::max(1, static_cast<int>(std::thread::hardware_concurrency()));  // asks the kernel
  const int wanted = requested;
  return wanted > 0 ? wanted : cores;
}

BlasThreads::BlasThreads(int count) : before_(openblas_get_num_threads()) { openblas_set_num_threads(count); }
BlasThreads::~BlasThreads() { openblas_set_num_threads(before_); }

const char* blas_core_name() { return openblas_get_corename(); }

bool has_wide_vectors() {
#if GNOMON_INSTRUCTIONS == 4
  static const bool has = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
                          __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                          __builtin_cpu_supports("avx512vl");
  return has;
#else
  return false;
#endif
}

void parallel_for(Index count, const std::function<void(Index)>& body) {
  const int workers = static_cast<int>(std::min<Index>(threads(), count));
  if (workers <= 1 || inside_loop) {
    for (Index i = 0; i < count; ++i) body(i);
    return;
  }
  BlasThreads one(1);
  std::atomic<Index> next{0};
  std::exception_ptr failure;
  std::mutex failure_lock;
  auto work = [&] {
    inside_loop = true;
    try {
      for (Index i = next++; i < count; i = next++) body(i);
    } catch (...) {
      const std::lock_guard lock(failure_lock);
      if (!failure) failure = std::current_exception();
      next = count;
    }
    inside_loop = false;
  };
  std::vector<std::jthread> pool;
  for (int t = 1; t < workers; ++t) pool.emplace_back(work);
  work();
  pool.clear();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace gnomon
