#pragma once

#include <string>

#include "gnomon/core/types.hpp"

namespace gnomon::app {

/// The 4177 abalones of the UCI repository: length, diameter, height, whole, shucked, viscera and shell weight, and the
/// rings, which tell the age. Sex is left out. Rows are sorted, so that every source gives the same numbers.
struct Abalone {
  Matrix x;  ///< each column scaled to [0, 1]
  Vector rings;
  std::string source;
};

/// Whether these are the 4177 abalones: by their number and their mean of rings.
bool is_whole(const Abalone& data);

/// From a CSV file with the columns length, diameter, height, whole_weight, shucked_weight, viscera_weight,
/// shell_weight, rings; from a folder that has it as abalone.csv, or FANN's files abelone.train and abelone.test; or, if
/// `path` is empty, from where Debian's package libfann-doc puts that folder. MissingData where they are not there.
Abalone load_abalone(const std::string& path);

}  // namespace gnomon::app
