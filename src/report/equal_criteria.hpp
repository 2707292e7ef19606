#pragma once

#include <cstddef>
#include <vector>

#include "gnomon/report/study.hpp"

namespace gnomon {

/// The criteria of a target by the choice they make: those that are one criterion up to a constant (cp, sure and sic at the
/// training inputs; fpe and gpe; gen and nic) stand together, so that they do not read as several votes. Places in
/// TargetSelection::criteria(), in its order.
std::vector<std::vector<std::size_t>> by_choice(const Study&, const TargetSelection&);

}  // namespace gnomon
