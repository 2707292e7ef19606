#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "gnomon/data/dataset.hpp"

namespace gnomon {

/// What forecasts for the next block of rows need of the rows before it; empty at the start of a series.
struct SeriesPast {
  Vector values;        ///< oldest first
  Index last_line = 0;  ///< of the file; 0 = none yet
};

/// One column read as a time series y_1, y_2, … in the order of the rows, and the forecast asked of it:
///   y_{t+H} from y_t, y_{t−1}, …, y_{t−K+1},   K = lags, H = horizon.
/// Windows are ordinary rows to everything behind this point.
struct SeriesPlan {
  std::string column;
  Index lags = 1;
  Index horizon = 1;

  bool operator==(const SeriesPlan&) const = default;
  /// Throws unless K ≥ 1 and H ≥ 1.
  void check() const;
  /// "y lag H", …, "y lag H+K−1": how far a value lies before the one to predict. The newest comes first.
  std::vector<std::string> lag_names() const;
  /// The column is to be read as numbers.
  CsvOptions csv_options() const;

  /// The lagged table: columns lag_names() and then the series itself, one row per complete window; its line
  /// is that of the value to predict. n rows make n − K − H + 1 windows. A missing value is refused, or under
  /// Missing::drop leaves out all windows that touch it; a blank line in a file of one column may stand for one
  /// and is always refused. Throws if fewer than `least` windows are left. `notes` is told what became of the
  /// rows. Cost O(nK).
  Table windows(const Table& table, Missing missing, Index least, std::vector<std::string>& notes) const;

  /// The newest window at each row of a block: row t holds y_t, y_{t−1}, …, y_{t−K+1}, in the order of
  /// lag_names(). Where it is not complete, or under Missing::drop touches a missing value, the whole row is
  /// NaN. `past` goes from block to block, so that answers do not depend on how the series is cut.
  Matrix newest_windows(const Table& block, Missing missing, SeriesPast& past) const;
};

nlohmann::json to_json(const SeriesPlan& plan);
SeriesPlan series_plan_from_json(const nlohmann::json& json);

}  // namespace gnomon
