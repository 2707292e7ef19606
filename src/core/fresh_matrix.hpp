#pragma once

#include "gnomon/core/types.hpp"

namespace gnomon {

/// A matrix of undefined entries. A large one asks the system for huge pages: fresh memory costs more to map
/// in small pages than a kernel matrix costs to compute, and later decompositions miss the TLB less.
Matrix fresh_matrix(Index rows, Index columns);

}  // namespace gnomon
