#pragma once

#include <string>
#include <vector>

#include "gnomon/data/csv.hpp"
#include "gnomon/data/table.hpp"

namespace gnomon::app {

/// Which columns of two files are inputs, as on the command line.
struct SampleOptions {
  std::string train, test;
  std::string target, features, drop, missing = "error", scale = "standard";
  bool keep_table = false;  ///< the training file is to be written again
};

/// Both samples in one input space, and where the training rows are in their file.
struct Samples {
  Table train_table;  ///< as read; with its numbers only if they are kept
  Matrix train, test;
  std::vector<Index> row;  ///< 0-based rows of the file that were used
  std::vector<std::string> input_names, notes;
  std::string test_source;
};

bool is_missing(const Table& table, const Column& column, Index row);

/// Reads both files; columns are matched by name.
Samples read_samples(const SampleOptions& options);

}  // namespace gnomon::app
