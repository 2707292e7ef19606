#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gnomon/core/types.hpp"

namespace gnomon::app {

/// A data set of Sugiyama & Müller's second comparison: attributes and output scaled to [0, 1] over all rows.
struct DelveSet {
  std::string name;  ///< "kin-8nm"
  Matrix x;
  Vector y;
  bool generated = false;  ///< made here by a simulator of the same kind, for want of the file

  std::uint64_t fingerprint() const;
};

/// abalone, boston, bank-8fm, …, kin-8fm, …, pumadyn-8fm, …
const std::vector<std::string_view>& delve_names();

/// Every set that the folder holds as NAME.csv, target last; kin and pumadyn families that it does not hold are generated.
/// Without a folder these are all there is. Text columns are Abalone's sex, M, F, I = 0, 1, ½.
std::vector<DelveSet> load_delve_sets(const std::string& folder);

}  // namespace gnomon::app
