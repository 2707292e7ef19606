#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gnomon/data/dataset.hpp"
#include "gnomon/data/scaling.hpp"
#include "gnomon/report/study.hpp"

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
  FeaturePlan plan;  ///< of new rows on their way into the same space
  Scaling scaling;
};

bool is_missing(const Table& table, const Column& column, Index row);

/// Reads both files; columns are matched by name.
Samples read_samples(const SampleOptions& options);
/// The same of tables that are already there; that of the test inputs is asked for when the types of its columns are known.
Samples make_samples(Table&& train, const std::function<Table(const FeaturePlan&)>& test,
                     const SampleOptions& options);

/// The density ratio of two samples of scaled inputs, and what it says of the shift between them.
struct WeighedSamples {
  DensityRatio ratio;  ///< in the space of the samples
  ShiftStudy shift;
};
WeighedSamples weigh(const Matrix& train, const Matrix& test, const std::vector<std::string>& input_names,
                     const std::string& method, std::uint64_t seed, const Progress& progress);

}  // namespace gnomon::app
