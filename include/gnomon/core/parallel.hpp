#pragma once

#include <functional>

#include "gnomon/core/types.hpp"

namespace gnomon {

/// Threads used by our own loops and by BLAS. 0 = all cores. Process-wide, like OpenBLAS's own setting.
void set_threads(int threads);
int threads();

/// Runs body(0), …, body(count−1) over `threads()` threads, BLAS held to one thread meanwhile. The first
/// exception of a task is rethrown. Nested calls run serially, so oversubscription cannot happen.
void parallel_for(Index count, const std::function<void(Index)>& body);

/// Holds BLAS at `count` threads for the life of the object.
class BlasThreads {
 public:
  explicit BlasThreads(int count);
  ~BlasThreads();
  BlasThreads(const BlasThreads&) = delete;
  BlasThreads& operator=(const BlasThreads&) = delete;

 private:
  int before_;
};

/// Which kernels OpenBLAS chose ("SkylakeX", "Zen", "Prescott", …).
const char* blas_core_name();

/// Marks a hot loop to be compiled for several instruction sets and dispatched at load time. The library
/// itself is built for the baseline, so that its Eigen types have one layout whatever flags a consumer uses.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define GNOMON_HOT [[gnu::target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")]]
#else
#define GNOMON_HOT
#endif

}  // namespace gnomon
