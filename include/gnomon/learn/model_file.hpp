#pragma once

#include <nlohmann/json_fwd.hpp>
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

/// What rows that their fits had not seen tell of new ones: how far off a prediction is, and where inputs are unknown.
struct HeldOutRows {
  Matrix deviation;     ///< |y − f|, ascending in each column; one column per target, none for classes
  Matrix weight;        ///< of the same rows, 1 on average; empty = ones
  Vector lower, upper;  ///< the range of every feature in training, before scaling

  /// The least half-width of an interval that holds a new value with this probability, by target: the jackknife's, the
  /// new row counted as one more. Infinite where there are too few rows for it.
  Vector half_widths(double level) const;
  /// Per row of features, whether one of them lies outside its range.
  std::vector<bool> outside(const MatrixView& features) const;
};

/// From residuals of rows by fits that had not seen them (rows × targets; none for classes), the weights of the rows (counts or
/// importance; empty = ones) and their features. Of very many rows every target keeps some thousands of deviations.
HeldOutRows held_out_rows(const MatrixView& residual, const VectorView& weight, const MatrixView& features);
nlohmann::json to_json(const HeldOutRows&);
/// Throws unless the numbers make sense for this many targets and features.
HeldOutRows held_out_rows_from_json(const nlohmann::json&, Index targets, Index features);

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
  std::optional<HeldOutRows> held_out{};  ///< empty in files that were written without it

  /// Column types for reading new data block by block.
  CsvOptions csv_options() const;
  /// Predictions for rows of a table; columns are matched by name. Under a series row t is the forecast for
  /// row t + horizon, and undefined where the window that ends at t is not complete.
  Matrix predict(const Table& table) const;
  /// The same for the next rows of a table that comes in blocks. `past` is empty for the first block and
  /// carries what a series needs from one block to the next; other models leave it alone.
  Matrix predict(const Table& block, SeriesPast& past) const;
  /// The same, and per row whether an input lies outside the range that training saw (never where that is unknown).
  struct Judged {
    Matrix value;
    std::vector<bool> outside;
  };
  Judged predict_and_judge(const Table& block, SeriesPast& past) const;
};

/// The same function without the columns that its basis does not use: new data need not have them. A series keeps its lags.
SavedModel without_unused_columns(SavedModel model);

/// CBOR: {format, schema, checksum, payload}; the payload is a byte string of CBOR, the checksum its CRC-32.
/// The schema written is the oldest whose readers understand the payload: 3 with a sum or a basis of some of the inputs,
/// 2 with a network, input widths, a series or classes, else 1. Reading refuses a file that is truncated, altered, of another format, of a newer
/// schema, or of another schema than its payload has.
std::string encode_model(const SavedModel& model);
SavedModel decode_model(const std::string& bytes, const std::string& source);
SavedModel read_model(const std::string& path);

}  // namespace gnomon
