#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "flags.hpp"
#include "gnomon/data/dataset.hpp"
#include "gnomon/learn/model_file.hpp"
#include "gnomon/report/study.hpp"
#include "output.hpp"

namespace gnomon::app {

/// What the user typed, before any file is opened.
struct StudyOptions {
  std::string data, test;
  std::string target, features, drop, weights = "none", missing = "error", scale = "standard", metric;
  /// A time series: the target is predicted `horizon` rows ahead from its `lags` newest values.
  std::optional<Index> lags;
  Index horizon = 1;
  std::string
      sigma;  ///< standard deviation of the noise, whose square is the request's noise; empty = not said
  std::string fold_column;  ///< column of the fold that each row is held out in; empty = folds are drawn
  std::string fold_groups;  ///< column of groups that are held out as a whole; empty = rows are
  std::string start;        ///< JSON of an earlier search, to go on from; empty = none
  bool classify = false;    ///< mlp: the target names classes; a text target always does
  SelectionRequest request;
  FieldNames field_names = flag_of;  ///< what notes and warnings call the options
};

/// A table of numbers that somebody else holds: a part of it is made when it is asked for. Several threads ask at once.
struct HeldTable {
  Index rows = 0;
  std::vector<std::string> names;
  std::function<Table(const std::vector<Index>& columns)> columns;
  /// Rows from `first` on, as many as `to` has, of the columns.
  std::function<void(Index first, const std::vector<Index>& columns, Eigen::Ref<Matrix> to)> read;
};

/// The rows of a study, and those where the error matters unless `StudyOptions::test` names a file of them.
struct StudyTables {
  Table data{};
  std::optional<Table> test{};
  /// Makes `data` once more: then no second copy of the inputs is kept while learners work. Empty = keep one.
  std::function<Table()> data_again{};
  /// Instead of `data`, which `data_again` then makes where the study cannot do with parts of it.
  std::optional<HeldTable> held{};
  /// The finished study holds the inputs, which the charts of its page show; all else is there without them.
  bool keep_inputs = true;
};

/// Where results go; empty = not wanted.
struct Outputs {
  std::string json, report, model;
  bool quiet = false;
};

struct FinishedStudy {
  Study study;
  SavedModel model;
};

/// Reads, selects, refits. `keep_inputs` as in StudyTables.
FinishedStudy run_study(const StudyOptions& options, const Progress& progress, bool keep_inputs = true);

/// The same on tables that are already there.
FinishedStudy run_study(StudyTables&& tables, const StudyOptions& options, const Progress& progress);

/// The rows of a study in the units that learners work in, with their weights and the test inputs, and its request with all that was
/// read from files.
struct StudyRows {
  TrainingData training;
  SelectionRequest request;
  std::vector<std::string> notes;
};
StudyRows study_rows(StudyTables&& tables, const StudyOptions& options, const Progress& progress);
/// Fails where something is wrong that can be told before the data are read.
void check_study(const StudyOptions& options);

/// Prints the table and writes the files; every output path has been checked by check_outputs before.
void write_outputs(const FinishedStudy& finished, const Outputs& outputs);
void check_outputs(const Outputs& outputs, const std::vector<NamedFile>& inputs);
/// The files that a study reads.
std::vector<NamedFile> input_files(const StudyOptions& options);

}  // namespace gnomon::app
