#pragma once

#include <functional>

#include "gnomon/core/types.hpp"

namespace gnomon {

/// Threads used by our loops. 0 = all cores. Process-wide. BLAS itself is held to one thread while we compute: its threads wait awake,
/// and beside a busy neighbour two of them are slower than one.
void set_threads(int threads);
int threads();

/// Runs body(0), …, body(count−1) over `threads()` threads, BLAS held to one thread meanwhile. The first
/// exception of a task is rethrown. Nested calls run serially, so oversubscription cannot happen.
void parallel_for(Index count, const std::function<void(Index)>& body);

/// Holds BLAS at `count` threads for the life of the object. When the last of several holders is gone, nested ones or those of other
/// threads, BLAS gets back the number that it had before the first.
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

/// The highest instruction set that our own kernels are compiled for: 4 is x86-64-v4 (AVX-512), 3 is x86-64-v3
/// (AVX2), 1 the baseline. CMake's option of the same name lowers it, so that a newer processor can test what an
/// older one runs.
#if !defined(GNOMON_INSTRUCTIONS)
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define GNOMON_INSTRUCTIONS 4
#else
#define GNOMON_INSTRUCTIONS 1
#endif
#endif

/// GNOMON_HOT marks a hot loop to be compiled for several instruction sets and dispatched at load time (too early
/// for a sanitizer). The library itself is built for the baseline, so that its Eigen types have one layout whatever
/// flags a consumer uses.
#if GNOMON_INSTRUCTIONS == 1 || defined(__SANITIZE_ADDRESS__)
#define GNOMON_HOT
#elif GNOMON_INSTRUCTIONS == 3
#define GNOMON_HOT [[gnu::target_clones("arch=x86-64-v3", "default")]]
#else
#define GNOMON_HOT [[gnu::target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")]]
#endif

/// GNOMON_WIDE marks a function made for AVX-512 alone. It exists where GNOMON_INSTRUCTIONS is 4, and may be called
/// where has_wide_vectors().
#define GNOMON_WIDE [[gnu::target("arch=x86-64-v4")]]
bool has_wide_vectors();

/// GNOMON_FUSED likewise for AVX2 and fused multiply-add, where GNOMON_INSTRUCTIONS is at least 3 and has_fused_vectors().
#define GNOMON_FUSED [[gnu::target("arch=x86-64-v3")]]
bool has_fused_vectors();

}  // namespace gnomon
