#include "gnomon/core/parallel.hpp"

#include <cblas.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

namespace gnomon {
namespace {

constexpr int most_threads = 256;  // more are a slip of the finger: starting them would take minutes
std::atomic<int> requested{0};

std::mutex blas_lock;
int blas_holders = 0, blas_threads_outside = 1;
thread_local int held_here = 0;  // by this thread

/// Setting the number that it has would start threads that have been sent away.
void set_blas_threads(int count) {
  if (openblas_get_num_threads() != count) openblas_set_num_threads(count);
}

}  // namespace

void set_threads(int threads) { requested = std::max(threads, 0); }

int threads() {
  static const int cores =
      std::max(1, static_cast<int>(std::thread::hardware_concurrency()));  // asks the kernel
  const int wanted = requested;
  return wanted > 0 ? std::min(wanted, std::max(most_threads, cores)) : cores;
}

BlasThreads::BlasThreads(int count) {
  const std::lock_guard lock(blas_lock);
  before_ = openblas_get_num_threads();
  if (blas_holders++ == 0) blas_threads_outside = before_;
  ++held_here;
  set_blas_threads(count);
}

BlasThreads::~BlasThreads() {
  const std::lock_guard lock(blas_lock);
  const bool nested = --held_here > 0, last = --blas_holders == 0;
  set_blas_threads(last ? blas_threads_outside : nested ? before_ : 1);
}

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

bool has_fused_vectors() {
#if GNOMON_INSTRUCTIONS >= 3
  static const bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return has;
#else
  return false;
#endif
}

}  // namespace gnomon
