#pragma once

#include <string>
#include <vector>

#include "gnomon/data/dataset.hpp"
#include "gnomon/data/scaling.hpp"
#include "gnomon/learn/linear_model.hpp"

namespace gnomon {

/// A fitted function with all that new data need on their way to it: columns → features → scaling →
/// prediction.
struct SavedModel {
  FeaturePlan plan;
  Scaling scaling;
  LinearModel model;
  std::vector<std::string> target_names;
  std::string summary;  ///< one line: learner, λ, criterion

  /// Predictions for rows of a table; columns are matched by name.
  Matrix predict(const Table& table) const;
};

/// CBOR: {format, schema, checksum, payload}; the payload is a byte string of CBOR, the checksum its CRC-32.
/// Reading refuses a file that is truncated, altered, of another format, or of a newer schema.
std::string encode_model(const SavedModel& model);
SavedModel decode_model(const std::string& bytes, const std::string& source);
SavedModel read_model(const std::string& path);

}  // namespace gnomon
