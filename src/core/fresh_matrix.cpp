#include "fresh_matrix.hpp"

#ifdef __linux__
#include <sys/mman.h>
#endif

#include <cstdint>

namespace gnomon {

Matrix fresh_matrix(Index rows, Index columns) {
  Matrix out(rows, columns);
#ifdef __linux__
  constexpr std::uintptr_t huge_page = std::uintptr_t{1} << 21;
  const auto begin = (reinterpret_cast<std::uintptr_t>(out.data()) + huge_page - 1) & ~(huge_page - 1);
  const auto end = reinterpret_cast<std::uintptr_t>(out.data() + out.size()) & ~(huge_page - 1);
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#endif
  return out;
}

}  // namespace gnomon
