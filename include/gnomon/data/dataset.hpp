#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "gnomon/core/types.hpp"
#include "gnomon/data/csv.hpp"
#include "gnomon/data/folds.hpp"
#include "gnomon/data/table.hpp"

namespace gnomon {

/// What to do with missing cells: refuse, leave the row out, or put in the weighted mean of the column (for a
/// one-hot column the share of each level). Targets are never filled in.
enum class Missing { error, drop, mean };
std::string_view name_of(Missing);
Missing missing_from_name(std::string_view);

/// A source column and the features it becomes: itself, or one indicator per level.
struct FeatureSource {
  std::string column;
  std::vector<std::string> levels;  // empty = numeric
  Vector fill;                      // per feature, what stands for a missing cell under Missing::mean

  bool numeric() const { return levels.empty(); }
};

/// How columns become features, kept with a model so that new data are treated like the training data.
struct FeaturePlan {
  std::vector<FeatureSource> sources;
  Missing missing = Missing::error;

  Index features() const;
  /// "age", "sex=F", "sex=M", …
  std::vector<std::string> names() const;
  /// Column types for reading new data block by block.
  CsvOptions csv_options() const;
  /// Features of new rows. Columns are matched by name, others are ignored.
  Matrix encode(const Table& table) const;
};

nlohmann::json to_json(const FeaturePlan& plan);
FeaturePlan feature_plan_from_json(const nlohmann::json& json);

/// Which columns play which part.
struct DatasetOptions {
  std::vector<std::string> targets;
  std::vector<std::string> features;  // empty = every column that is not a target, the weight or dropped
  std::vector<std::string> drop;
  std::string weight_column;   // empty = unweighted
  std::string group_column{};  // of rows that are held out together; empty = none
  bool groups_are_folds = false;
  Missing missing = Missing::error;
  bool weights_are_ratios = false;  // density ratios, not counts: rows of weight zero stay
};

/// Numbers ready for a learner. Weight k means the same as the row repeated k times.
struct Dataset {
  Matrix x, y;
  Vector weight;  // empty = all ones
  RowGroups groups;
  std::vector<std::string> feature_names, target_names;
  std::vector<std::string> notes;  // what was done to the data, in short sentences

  Index rows() const { return x.rows(); }
};

/// Picks columns, treats missing cells, encodes text columns one-hot (every level gets a feature) and leaves
/// out rows of weight zero. The second form takes over the memory of the table where the numbers can stay
/// where they are.
Dataset make_dataset(const Table& table, const DatasetOptions& options, FeaturePlan* plan_out = nullptr);
Dataset make_dataset(Table&& table, const DatasetOptions& options, FeaturePlan* plan_out = nullptr);

}  // namespace gnomon
