#include "run_study.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "command_line.hpp"
#include "core/text.hpp"
#include "data/row_blocks.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/data/class_targets.hpp"
#include "gnomon/report/writers.hpp"
#include "gnomon/version.hpp"
#include "select/make_tunable.hpp"
#include "select/training_rows.hpp"
#include "shift_samples.hpp"
#include "study_metric.hpp"
#include "study_test_rows.hpp"
#include "terminal.hpp"

namespace gnomon::app {
namespace {

/// With a capital and a full stop.
std::string sentence(std::string text) {
  if (text.empty()) return text;
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text.ends_with('.') ? text : text + ".";
}

/// Whether a column of weights holds density ratios: learners for covariate shift.
bool weighs_by_ratio(const StudyOptions& options) {
  return options.request.learner->row_weights == RowWeights::density_ratios;
}

bool has_weights(const StudyOptions& options) { return options.weights != "none"; }

/// The method of --weights, or the default of learners for covariate shift.
std::string ratio_method(const StudyOptions& options) {
  return has_weights(options) ? options.weights : "kliep";
}

/// Whether the weights are to be estimated from the test inputs: --weights names a method (and no column), or iwls is
/// given test inputs and no weights.
bool names_a_ratio_method(const StudyOptions& options, const Table& table, bool has_test) {
  if (!has_weights(options)) return weighs_by_ratio(options) && has_test;
  if (table.find(options.weights)) return false;
  const auto methods = ratio_methods();
  if (std::find(methods.begin(), methods.end(), options.weights) != methods.end()) return true;
  std::vector<std::string> known = table.names();
  known.insert(known.end(), methods.begin(), methods.end());
  fail("`weights` '{}' is neither a column of {} nor a method; columns: {}; methods (with `test`): {}{}",
       options.weights, table.source, join(table.names()), join(methods), suggestion(options.weights, known));
}

void check_targets(const Dataset& data, const std::string& source) {
  require(data.rows() >= 2, "{}: {} can be used; at least 2 are needed", source,
          data.rows() == 1 ? "only one row" : "no row");
  for (Index t = 0; t < data.y.cols(); ++t) {
    const auto y = data.y.col(t);
    if ((y.array() == y[0]).all())
      fail("{}: target '{}' is constant ({} in all {} rows); there is nothing to learn", source,
           data.target_names[static_cast<std::size_t>(t)], pretty(y[0], 6), data.rows());
  }
  require(data.x.cols() > 0, "{}: no feature column is left; check `features` and `drop`", source);
}

std::string summary_of(const Selection& selection) {
  const auto& first = selection.targets.front();
  if (const TunedSearch* tuned = first.search())
    return fmt::format("{}, {} regularization parameter{} by {}", selection.request.learner,
                       tuned->parameters.size(), tuned->parameters.size() == 1 ? "" : "s",
                       first.chosen().label);
  const SelectionPath& path = *first.path();
  const PathOutcome& chosen = path.chosen();
  if (!path.combined.empty())
    return fmt::format("{}, {} averaged by {}", selection.request.learner,
                       counted(fit_count(path.combined), "fit"), chosen.label);
  const std::string tuning =
      path.tuning_name.empty() ? "" : fmt::format(", {} = {}", path.tuning_name, pretty(chosen.tuning));
  const std::string representation =
      chosen.representation.empty() ? "" : fmt::format(" on {}", chosen.representation);
  return fmt::format("{}{}, λ = {}{} by {}", selection.request.learner, representation, pretty(chosen.lambda),
                     tuning, chosen.label);
}

/// Flags that have no meaning for a series, before any file is opened.
void check_series_flags(const StudyOptions& options) {
  if (*options.lags < 1)
    throw UsageError(fmt::format("`lags` {} is not allowed; give 1 or more", *options.lags));
  if (options.horizon < 1)
    throw UsageError(fmt::format("`horizon` {} is not allowed; give 1 or more", options.horizon));
  const auto refuse = [](bool wrong, const char* what) {
    if (wrong) throw UsageError(what);
  };
  refuse(options.classify, "`classify` and `lags` cannot go together: a series predicts its own values");
  refuse(!options.features.empty(),
         "`features` and `lags` cannot go together: the features are the lags of the target");
  refuse(has_weights(options),
         "`weights` and `lags` cannot go together: a row of a series is part of many windows");
  refuse(options.request.grouped,
         "`fold-column` or `fold-groups` and `lags` cannot go together: a row of a series is part of many "
         "windows; use cv-blocked");
  refuse(
      missing_from_name(options.missing) == Missing::mean,
      "`missing` mean and `lags` cannot go together: a series is not filled with its mean; use drop, which "
      "leaves out windows");
}

/// The windows that --lags makes of the target; other columns play no part.
Table windows_of(const Table& table, const SeriesPlan& series, const std::vector<std::string>& dropped,
                 Missing missing, std::vector<std::string>& notes) {
  const auto is_dropped = [&](const std::string& name) {
    return std::find(dropped.begin(), dropped.end(), name) != dropped.end();
  };
  for (const auto& name : dropped)
    if (!table.find(name))
      fail("{}: no column '{}' (given as `drop`) among {}{}", table.source, name, join(table.names()),
           suggestion(name, table.names()));
  require(!is_dropped(series.column), "column '{}' cannot be both target and dropped", series.column);
  std::vector<std::string> others = table.names();
  std::erase_if(others, [&](const auto& name) { return name == series.column || is_dropped(name); });
  Table windows = series.windows(table, missing, 2, notes);
  if (!others.empty()) notes.push_back("columns that play no part in the series: " + join(others));
  return windows;
}

/// The classes to tell apart, if the target names some: a text, or whatever --classify says.
std::optional<ClassTargets> classes_of(const Table& table, const StudyOptions& options,
                                       const std::vector<std::string>& targets) {
  const Column* column = targets.size() == 1 ? table.find(targets.front()) : nullptr;
  const bool text = column && !column->numeric;
  if (!options.request.learner->classifies || options.lags || (!text && !options.classify))
    return std::nullopt;
  require(targets.size() == 1, "classes are told apart for one target; run one target at a time");
  return find_classes(table, targets.front());
}

/// The parameters that an earlier search chose.
std::map<std::string, double> read_start(const std::string& path) {
  std::ifstream in(path);
  require(in.good(), "{}: cannot open the start; check the path", path);
  const auto json = nlohmann::json::parse(in, nullptr, false);
  const bool usable = json.is_object() && json.contains("chosen") && json["chosen"].contains("parameters");
  require(usable, "{}: not the JSON of a search over several parameters of one target; write it with `json`",
          path);
  std::map<std::string, double> start;
  for (const auto& [name, value] : json["chosen"]["parameters"].items()) {
    require(value.is_number(), "{}: parameter '{}' is not a number", path, name);
    start[name] = value.get<double>();
  }
  return start;
}

/// Residuals for prediction intervals, rows × targets; no rows where one of them is unknown. Those of the chosen fit are a little
/// too small for having been chosen, and grow to the error that counts it.
Matrix unseen_residuals(const Selection& selection, const TrainingData& data) {
  constexpr double most_growth = 2;
  const Index targets = data.classes.empty() ? data.y.cols() : 0;
  Matrix out(data.y.rows(), targets);
  const Vector weight = data.importance.size() ? data.importance
                        : data.weight.size()   ? data.weight
                                               : Vector::Ones(data.y.rows());
  for (Index t = 0; t < targets; ++t) {
    const auto& error = selection.targets[static_cast<std::size_t>(t)].error;
    if (!error || error->residual.size() != out.rows() || !error->residual.allFinite())
      return Matrix(0, targets);
    const double own = weight.dot(error->residual.cwiseAbs2()) / weight.sum();
    const double growth = std::sqrt(error->value / own);
    out.col(t) = error->residual * (growth > 1 ? std::min(growth, most_growth) : 1);
  }
  return out;
}

/// The column that each feature came from.
std::vector<std::string> columns_of_features(const FeaturePlan& plan) {
  std::vector<std::string> columns;
  for (const FeatureSource& source : plan.sources)
    columns.insert(columns.end(), std::max<std::size_t>(1, source.levels.size()), source.column);
  return columns;
}

/// The least and largest values of every column.
Matrix ranges_of(const Matrix& x) {
  Matrix ranges(2, x.cols());
  ranges << x.colwise().minCoeff(), x.colwise().maxCoeff();
  return ranges;
}

/// The way from a table to a finished study, step by step.
class StudyRun {
 public:
  StudyRun(StudyTables&& tables, const StudyOptions& options, const Progress& progress)
      : options_(options),
        progress_(progress),
        request_(options.request),
        table_(std::move(tables.data)),
        test_(std::move(tables.test)),
        table_again_(std::move(tables.data_again)),
        held_(std::move(tables.held)),
        keep_inputs_(tables.keep_inputs) {}

  FinishedStudy run() {
    if (!take_rows_in_place()) {
      if (held_) table_ = table_again_();
      choose_columns();
      make_rows();
    }
    read_test();
    complete_request();
    weigh_rows();
    choose();
    judge_on_test();
    return std::move(out_);
  }

  StudyRows rows() {
    choose_columns();
    make_rows();
    read_test();
    complete_request();
    weigh_rows();
    if (test_x_) training_.test_x = *test_x_;
    if (study_.shift && study_.shift->verdict) {
      for (const auto& warning : study_.shift->verdict->warnings) study_.notes.push_back(sentence(warning));
    }
    return {std::move(training_), std::move(request_), std::move(study_.notes)};
  }

 private:
  /// Who plays which part; a series and classes change the table first.
  void choose_columns() {
    // A name may itself hold a comma: the whole text is tried as one name first.
    const auto names = [&](const std::string& text) {
      return !text.empty() && table_.find(text) ? std::vector<std::string>{text} : split(text, ',');
    };
    columns_ = {.targets = names(options_.target),
                .features = names(options_.features),
                .drop = names(options_.drop),
                .weight_column = {},
                .group_column = options_.fold_column + options_.fold_groups,  // one of them
                .groups_are_folds = !options_.fold_column.empty(),
                .missing = missing_from_name(options_.missing),
                .weights_are_ratios = weighs_by_ratio(options_)};
    study_.source = table_.source;
    if (options_.lags) {
      if (columns_.targets.size() != 1)
        throw UsageError(fmt::format("`lags` takes one target, not {}; a series predicts itself",
                                     columns_.targets.size()));
      model_.series = SeriesPlan{columns_.targets.front(), *options_.lags, options_.horizon};
      table_ = windows_of(table_, *model_.series, std::exchange(columns_.drop, {}), columns_.missing,
                          study_.notes);
    }
    classes_ = classes_of(table_, options_, columns_.targets);
    if (classes_) {
      table_ = classes_->apply(std::move(table_));
      columns_.targets = classes_->indicators();
      model_.classes = study_.classes = classes_->classes;
    }
    // Importance weights: estimated from the test inputs, or a column of density ratios for iwls; else a column counts
    // rows.
    estimated_ = names_a_ratio_method(options_, table_, test_ || !options_.test.empty());
    if (estimated_ && request_.strategy != Strategy::automatic)
      throw UsageError(fmt::format(
          "`strategy` and importance weights (`weights` {}) cannot go together: {} then solves the "
          "weighted rows for every lambda, without a decomposition to choose",
          ratio_method(options_), request_.learner));
    if (!estimated_ && has_weights(options_)) columns_.weight_column = options_.weights;
  }

  void make_rows() {
    columns_of_rows_ = columns_;
    Dataset data = make_dataset(std::move(table_), columns_, &model_.plan);
    check_targets(data, study_.source);
    if (classes_) data.target_names = {classes_->column};
    study_.scale = scale_from_name(options_.scale);
    study_.notes.insert(study_.notes.end(), data.notes.begin(), data.notes.end());
    if (keep_inputs_ && !table_again_) study_.x = data.x;
    ranges_ = ranges_of(data.x);
    // Counts weigh the scaling too; density ratios do not.
    model_.scaling = Scaling::fit(data.x, weighs_by_ratio(options_) ? Vector() : data.weight, study_.scale,
                                  options_.request.intercept);
    training_.x = std::move(data.x);
    training_.classes = model_.classes;
    // Windows share values, and the errors of forecasts overlap.
    if (model_.series) training_.dependence = model_.series->lags + model_.series->horizon - 1;
    model_.scaling.apply(training_.x);
    name_rows(std::move(data));
  }

  /// All that there is of the rows but their inputs.
  void name_rows(Dataset&& data) {
    study_.command = command_line();
    study_.feature_names = data.feature_names;
    study_.weight = data.weight;
    study_.y = data.y;
    study_.scaling = model_.scaling;
    model_.target_names = data.target_names;
    training_.y = std::move(data.y);
    training_.weight = std::move(data.weight);
    training_.groups = std::move(data.groups);
    if (const RowGroups& groups = training_.groups; !groups.empty())
      study_.notes.push_back("rows are held out in " +
                             counted(groups.count(), groups.are_folds ? "given fold" : "group"));
    training_.target_names = std::move(data.target_names);
    training_.feature_names = std::move(data.feature_names);
    training_.feature_columns = columns_of_features(model_.plan);
  }

  /// The steps above for a tall table of numbers that stays where it is: its columns are looked at a few at a time, and its rows are
  /// scaled when a learner asks for them. False where nothing was done: the learner wants the rows as a whole, or there is something to
  /// say of them.
  bool take_rows_in_place() {
    if (!held_ || test_ || keep_inputs_ || options_.lags || options_.classify || !options_.features.empty() ||
        !options_.drop.empty() || !options_.test.empty() || !options_.metric.empty() || request_.grouped)
      return false;
    const auto place = [&](const std::string& name) {
      const auto at = std::find(held_->names.begin(), held_->names.end(), name);
      return at == held_->names.end() ? Index{-1} : static_cast<Index>(at - held_->names.begin());
    };
    const std::string weight = has_weights(options_) ? options_.weights : "";
    std::vector<Index> others, features;  // targets and weight; inputs
    const std::vector<std::string> targets =
        place(options_.target) >= 0 ? std::vector<std::string>{options_.target} : split(options_.target, ',');
    for (const std::string& name : targets) others.push_back(place(name));
    if (!weight.empty()) others.push_back(place(weight));
    if (std::find(others.begin(), others.end(), Index{-1}) != others.end()) return false;
    for (Index j = 0; j < static_cast<Index>(held_->names.size()); ++j)
      if (std::find(others.begin(), others.end(), j) == others.end()) features.push_back(j);
    if (!reads_blocks(request_, held_->rows, static_cast<Index>(features.size()))) return false;
    DatasetOptions columns{.targets = targets,
                           .features = {},
                           .drop = {},
                           .weight_column = weight,
                           .missing = missing_from_name(options_.missing)};
    const Scale scale = scale_from_name(options_.scale);
    const auto count = static_cast<Index>(features.size());
    FeaturePlan plan{{}, columns.missing};
    Scaling scaling{Vector(count), Vector(count)};
    Matrix ranges(2, count);
    Dataset data;
    constexpr Index columns_at_once = 8;
    for (Index first = 0; first < count; first += columns_at_once) {
      const Index some = std::min(columns_at_once, count - first);
      std::vector<Index> looked_at(features.begin() + first, features.begin() + first + some);
      looked_at.insert(looked_at.end(), others.begin(), others.end());
      FeaturePlan own;
      Dataset part;
      try {
        part = make_dataset(held_->columns(looked_at), columns, &own);
        check_targets(part, study_.source);
      } catch (const Error&) {
        return false;  // the whole table says it better
      }
      if (!part.notes.empty() || part.rows() != held_->rows) return false;
      plan.sources.insert(plan.sources.end(), own.sources.begin(), own.sources.end());
      ranges.middleCols(first, some) = ranges_of(part.x);
      const Scaling fitted = Scaling::fit(part.x, part.weight, scale, options_.request.intercept);
      scaling.shift.segment(first, some) = fitted.shift;
      scaling.factor.segment(first, some) = fitted.factor;
      part.x = Matrix();
      data = std::move(part);
    }
    data.feature_names = plan.names();
    study_.source = held_->columns({}).source;
    study_.scale = scale;
    columns_ = columns_of_rows_ = std::move(columns);
    model_.plan = std::move(plan);
    model_.scaling = scaling;
    ranges_ = std::move(ranges);
    training_.blocks = std::make_shared<const RowBlocks>(
        held_->rows, count, [read = held_->read, features, scaling](Index first, Eigen::Ref<Matrix> to) {
          read(first, features, to);
          for (Index j = 0; j < to.cols(); ++j)
            to.col(j).array() = (to.col(j).array() - scaling.shift[j]) * scaling.factor[j];
        });
    name_rows(std::move(data));
    return true;
  }

  void read_test() {
    if (!options_.test.empty()) test_ = read_table(options_.test, model_.csv_options());
    if (!test_) return;
    if (model_.series) test_ = model_.series->windows(*test_, columns_.missing, 1, study_.notes);
    test_x_ = scaled_inputs(*test_, model_.plan, model_.scaling);
    study_.test_rows = test_->rows();
    if (classes_)
      columns_.targets.push_back(classes_->column);
    else
      check_test_targets(*test_, columns_.targets);
    note_unused_columns(*test_, model_.plan, columns_, study_.notes);
  }

  void complete_request() {
    if (!options_.start.empty()) request_.start = read_start(options_.start);
    if (!options_.metric.empty())
      request_.metric = parse_metric(options_.metric, test_x_, model_.plan, model_.scaling);
  }

  /// Importance weights, and what they say of the shift.
  void weigh_rows() {
    if (estimated_) {
      require(test_x_.has_value(), "`weights` {} needs the test inputs: give `test`", options_.weights);
      study_.shift =
          weigh(training_.x, *test_x_, study_.feature_names, ratio_method(options_), request_.seed, progress_)
              .shift;
    } else if (weighs_by_ratio(options_) && training_.weight.size()) {
      study_.shift = ShiftStudy{options_.weights, {}, std::exchange(training_.weight, {}), std::nullopt, {}};
      study_.weight = Vector();
      if (test_x_)
        study_.shift->verdict =
            judge_shift(training_.x, *test_x_, study_.shift->weight,
                        {.test = {.seed = request_.seed}, .input_names = study_.feature_names}, progress_);
    }
    if (!study_.shift) return;
    if (test_) study_.shift->test_x = model_.plan.encode(*test_);
    training_.importance = study_.shift->weight;
    if (!request_.metric && test_x_)
      request_.metric = Metric{Metric::Kind::points, metric_points(*test_x_), "test"};
  }

  void choose() {
    if (test_ && model_.target_names.size() == 1 && !is_tuned(request_))
      label_test_rows(*test_, *test_x_, model_.target_names.front(), training_);
    study_.selection = select(training_, request_, progress_);
    if (const SelectionPath* path = study_.selection.targets.front().path(); path && path->test_error.size())
      study_.truth =
          TruthCurve{path->test_error, undefined,
                     fmt::format("mean squared error on the {} labelled test rows", training_.test_y.rows())};
    if (study_.shift && study_.shift->verdict) {
      for (auto& target : study_.selection.targets) {
        for (const auto& warning : study_.shift->verdict->warnings)
          target.warnings.push_back(sentence(warning));
      }
    }
    model_.model = study_.selection.model;
    model_.summary = summary_of(study_.selection);
    model_.origin = {version(), study_.source, training_.y.rows()};
    const Matrix residual = unseen_residuals(study_.selection, training_);
    if (keep_inputs_ && table_again_) restore_inputs();
    model_.held_out = held_out_rows(
        residual, training_.importance.size() ? training_.importance : training_.weight, ranges_);
  }

  /// The inputs in the user's units take the place of the scaled ones.
  void restore_inputs() {
    training_.x = Matrix();
    Table table = table_again_();
    study_.x =
        make_dataset(classes_ ? classes_->apply(std::move(table)) : std::move(table), columns_of_rows_).x;
  }

  void judge_on_test() {
    study_.test_error.assign(model_.target_names.size(), std::nullopt);
    if (!test_) return;
    const Matrix predicted = model_.model.predict(*test_x_);
    std::vector<std::optional<MeanError>> errors;
    if (classes_) {
      errors = {test_cross_entropy(*test_, predicted, *classes_, study_.notes)};
    } else {
      study_.test_y = test_targets(*test_, model_.target_names);
      study_.test_predicted = predicted;
      errors = test_errors(study_.test_y, predicted, model_.target_names, study_.notes);
    }
    study_.test_error_se.assign(errors.size(), std::nullopt);
    for (std::size_t t = 0; t < errors.size(); ++t) {
      if (!errors[t]) continue;
      study_.test_error[t] = errors[t]->value;
      if (std::isfinite(errors[t]->standard_error)) study_.test_error_se[t] = errors[t]->standard_error;
    }
  }

  const StudyOptions& options_;
  const Progress& progress_;
  SelectionRequest request_;
  Table table_;
  std::optional<Table> test_;
  std::function<Table()> table_again_;
  std::optional<HeldTable> held_;
  bool keep_inputs_;
  Matrix ranges_;  // of the features in the user's units: their least and largest values
  DatasetOptions columns_, columns_of_rows_;
  std::optional<ClassTargets> classes_;
  bool estimated_ = false;  // importance weights from the test inputs
  TrainingData training_;
  std::optional<Matrix> test_x_;
  FinishedStudy out_;
  Study& study_ = out_.study;
  SavedModel& model_ = out_.model;
};

}  // namespace

void check_study(const StudyOptions& options) {
  check_request(options.request);
  missing_from_name(options.missing);
  scale_from_name(options.scale);
  if (options.lags) check_series_flags(options);
  if (!options.fold_column.empty() && !options.fold_groups.empty())
    throw UsageError(
        "`fold-column` and `fold-groups` cannot go together: one says which fold a row is in, "
        "the other which rows share a fold");
  if (!options.target.empty()) return;
  const auto names = TableReader(options.data).names();
  throw UsageError(fmt::format("`target` is missing; name the column to predict: {}", join(names)));
}

FinishedStudy run_study(const StudyOptions& options, const Progress& progress, bool keep_inputs) {
  check_study(options);
  // Groups are told apart by their texts: 1 and 01 are two.
  CsvOptions reading;
  if (const std::string group = options.fold_column + options.fold_groups; !group.empty())
    reading.text_columns = {group};
  return run_study({.data = read_table(options.data, reading), .keep_inputs = keep_inputs}, options,
                   progress);
}

StudyRows study_rows(StudyTables&& tables, const StudyOptions& options, const Progress& progress) {
  StudyRows rows = StudyRun(std::move(tables), options, progress).rows();
  for (auto& note : rows.notes) note = spoken(note, options.field_names);
  return rows;
}

FinishedStudy run_study(StudyTables&& tables, const StudyOptions& options, const Progress& progress) {
  FinishedStudy finished = StudyRun(std::move(tables), options, progress).run();
  speak(finished.study, options.field_names);
  return finished;
}

std::vector<NamedFile> input_files(const StudyOptions& options) {
  return {{"the data", options.data},
          {"the file of --test", options.test},
          {"the file of --start", options.start},
          {"the file of --metric", metric_names_a_file(options.metric) ? options.metric : ""}};
}

void check_outputs(const Outputs& outputs, const std::vector<NamedFile>& inputs) {
  check_files(inputs, {{"--json", outputs.json}, {"--report", outputs.report}, {"--model", outputs.model}});
}

void write_outputs(const FinishedStudy& finished, const Outputs& outputs) {
  // JSON and model are rendered before the first byte is written. The report is for people to look at: what goes wrong with
  // it takes nothing from the others.
  const std::string json = outputs.json.empty() ? "" : json_report(finished.study).dump(2) + "\n";
  const std::string model = outputs.model.empty() ? "" : encode_model(without_unused_columns(finished.model));
  if (!outputs.json.empty()) write_file(outputs.json, json);
  if (!outputs.model.empty()) write_file(outputs.model, model);
  std::string trouble;
  try {
    if (!outputs.report.empty()) write_file(outputs.report, html_report(finished.study));
  } catch (const std::exception& error) {
    trouble = error.what();
  }
  if (outputs.json != "-") write_file("-", text_report(finished.study, wants_colour()));
  if (!trouble.empty()) fail("there is no report, all other results are written: {}", trouble);
}

}  // namespace gnomon::app
