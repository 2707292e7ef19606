#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gnomon/data/dataset.hpp"
#include "gnomon/data/scaling.hpp"
#include "gnomon/data/series.hpp"
#include "gnomon/learn/model.hpp"

namespace gnomon {

/// What a model was made from; empty or 0 where the file does not say.
struct ModelOrigin {
  std::string gnomon;  ///< the version that made it
  std::string source;  ///< the file of its rows
  Index rows = 0;
};

/// A fitted function with all that new data need on their way to it: columns → features → scaling →
/// prediction.
struct SavedModel {
  FeaturePlan plan;
  Scaling scaling;
  Model model;
  std::vector<std::string> target_names;
  std::string summary;  ///< one line: learner, λ, criterion
  /// A time series: features are the windows of one column, and a prediction looks `horizon` rows ahead.
  std::optional<SeriesPlan> series{};
  /// A classifier: names of the classes, in the order of the model's columns of probabilities.
  std::vector<std::string> classes{};
  ModelOrigin origin{};

  /// Column types for reading new data block by block.
  CsvOptions csv_options() const;
  /// Predictions for rows of a table; columns are matched by name. Under a series row t is the forecast for
  /// row t + horizon, and undefined where the window that ends at t is not complete.
  Matrix predict(const Table& table) const;
  /// The same for the next rows of a table that comes in blocks. `past` is empty for the first block and
  /// carries what a series needs from one block to the next; other models leave it alone.
  Matrix predict(const Table& block, SeriesPast& past) const;
};

/// CBOR: {format, schema, checksum, payload}; the payload is a byte string of CBOR, the checksum its CRC-32.
/// The schema written is the oldest whose readers understand the payload: 2 with a network, input widths, a
/// series or classes, else 1. Reading refuses a file that is truncated, altered, of another format, of a newer
/// schema, or of another schema than its payload has.
std::string encode_model(const SavedModel& model);
SavedModel decode_model(const std::string& bytes, const std::string& source);
SavedModel read_model(const std::string& path);

}  // namespace gnomon
