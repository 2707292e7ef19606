#include "run_study.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "commands.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/text.hpp"
#include "gnomon/data/class_targets.hpp"
#include "gnomon/report/writers.hpp"
#include "gnomon/represent/quadrature.hpp"
#include "output.hpp"
#include "terminal.hpp"

namespace gnomon::app {
namespace {

/// New rows on the way into the learner's input space.
Matrix scaled_inputs(const Table& table, const FeaturePlan& plan, const Scaling& scaling) {
  Matrix x = plan.encode(table);
  scaling.apply(x);
  return x;
}

/// "uniform:a:b" or "normal:mean:sd": the error averaged over a known density of the one input.
MetricPoints density_points(const std::string& text, const std::vector<std::string>& parts,
                            const Scaling& scaling) {
  const auto a = parts.size() == 3 ? parse_number(parts[1]) : std::nullopt;
  const auto b = parts.size() == 3 ? parse_number(parts[2]) : std::nullopt;
  if (!a || !b)
    throw UsageError(fmt::format("metric '{}' is not understood; give uniform:a:b or normal:mean:sd", text));
  require(scaling.shift.size() == 1, "metric {} describes one input; the data have {}", text,
          scaling.shift.size());
  const bool uniform = parts[0] == "uniform";
  require(uniform ? *a < *b : *b > 0, "metric {}: {}", text,
          uniform ? "a must be below b" : "sd must be positive");
  const Quadrature rule =
      expectation_rule(uniform ? Density(UniformDensity{*a, *b}) : Density(NormalDensity{*a, *b}), 200);
  Matrix x = rule.nodes;
  scaling.apply(x);
  return {x, rule.weights};
}

Metric parse_metric(const std::string& text, const std::optional<Matrix>& test, const FeaturePlan& plan,
                    const Scaling& scaling) {
  if (text == "function-space") return {Metric::Kind::function_space, {}, text};
  if (text == "train") return {Metric::Kind::train, {}, text};
  if (text == "test") {
    require(test.has_value(), "metric test needs --test FILE with the test inputs");
    return {Metric::Kind::points, metric_points(*test), text};
  }
  const auto parts = split(text, ':');
  if (!parts.empty() && (parts[0] == "uniform" || parts[0] == "normal")) {
    return {Metric::Kind::points, density_points(text, parts, scaling), text};
  }
  try {
    return {Metric::Kind::points,
            metric_points(scaled_inputs(read_table(text, plan.csv_options()), plan, scaling)), text};
  } catch (const UsageError&) {
    throw;
  } catch (const Error& error) {
    fail(
        "metric '{}' is neither function-space, train, test, uniform:a:b, normal:mean:sd nor a readable CSV "
        "of inputs ({})",
        text, error.what());
  }
}

/// Test rows with a value of the target: the true error of the whole path is reported on them.
void label_test_rows(const Table& test, const Matrix& test_x, const std::string& target,
                     TrainingData& training) {
  const Column* column = test.find(target);
  if (!column || !column->numeric) return;
  std::vector<Index> labelled;
  for (Index i = 0; i < test.rows(); ++i) {
    if (std::isfinite(test.numbers(i, column->index))) labelled.push_back(i);
  }
  if (labelled.empty()) return;
  training.test_x = test_x(labelled, Eigen::all);
  training.test_y = test.numbers(labelled, column->index);
}

/// Columns of TEST that play no part: said, since a misspelt name looks the same.
void note_unused_columns(const Table& test, const FeaturePlan& plan, const DatasetOptions& columns,
                         std::vector<std::string>& notes) {
  std::vector<std::string> unused;
  for (const auto& name : test.names()) {
    const auto named = [&](const std::vector<std::string>& list) {
      return std::find(list.begin(), list.end(), name) != list.end();
    };
    const bool feature = std::any_of(plan.sources.begin(), plan.sources.end(),
                                     [&](const FeatureSource& source) { return source.column == name; });
    if (!feature && !named(columns.targets) && !named(columns.drop) && name != columns.weight_column)
      unused.push_back(name);
  }
  if (!unused.empty())
    notes.push_back(fmt::format("columns of {} that the model does not use: {}", test.source, join(unused)));
}

/// With a capital and a full stop.
std::string sentence(std::string text) {
  if (text.empty()) return text;
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text.ends_with('.') ? text : text + ".";
}

/// The method of --weights, or the default of iwls.
std::string ratio_method(const StudyOptions& options) {
  return options.weights == "none" ? "kliep" : options.weights;
}

/// Whether the weights are to be estimated from the test inputs: --weights names a method (and no column), or iwls is
/// given test inputs and no weights.
bool names_a_ratio_method(const StudyOptions& options, const Table& table) {
  if (options.weights == "none") return options.request.learner == "iwls" && !options.test.empty();
  if (table.find(options.weights)) return false;
  const auto methods = ratio_methods();
  if (std::find(methods.begin(), methods.end(), options.weights) != methods.end()) return true;
  std::vector<std::string> known = table.names();
  known.insert(known.end(), methods.begin(), methods.end());
  fail("--weights '{}' is neither a column of {} nor a method; columns: {}; methods (with --test): {}{}",
       options.weights, table.source, join(table.names()), join(methods), suggestion(options.weights, known));
}

ShiftVerdict verdict_on(const Vector& weight, const Matrix& train, const Matrix& test, const Study& study,
                        std::uint64_t seed, const Progress& progress) {
  return judge_shift(train, test, weight, {.test = {.seed = seed}, .input_names = study.feature_names},
                     progress);
}

ShiftStudy estimate_shift(const std::string& method, const Matrix& train, const Matrix& test,
                          const Study& study, std::uint64_t seed, const Progress& progress) {
  const DensityRatio ratio = estimate_density_ratio(method, train, test, {.seed = seed}, progress);
  ShiftVerdict verdict = verdict_on(ratio.train_weight, train, test, study, seed, progress);
  verdict.warnings.insert(verdict.warnings.end(), ratio.warnings.begin(), ratio.warnings.end());
  return {method, ratio.parameters, ratio.train_weight, std::move(verdict), {}};
}

void check_targets(const Dataset& data, const std::string& source) {
  require(data.rows() >= 2, "{}: only {} row can be used; at least 2 are needed", source, data.rows());
  for (Index t = 0; t < data.y.cols(); ++t) {
    const auto y = data.y.col(t);
    require((y.array() != y[0]).any(),
            "{}: target '{}' is constant ({} in all {} rows); there is nothing to learn", source,
            data.target_names[static_cast<std::size_t>(t)], pretty(y[0], 6), data.rows());
  }
  require(data.x.cols() > 0, "{}: no feature column is left; check --features and --drop", source);
}

std::string summary_of(const Selection& selection) {
  const auto& first = selection.targets.front();
  if (first.tuned)
    return fmt::format("{}, {} regularization parameter{} by {}", selection.request.learner,
                       first.tuned->parameters.size(), first.tuned->parameters.size() == 1 ? "" : "s",
                       first.chosen().label);
  const std::string tuning = first.tuning_name.empty()
                                 ? ""
                                 : fmt::format(", {} = {}", first.tuning_name, pretty(first.chosen_tuning));
  return fmt::format("{}, λ = {}{} by {}", selection.request.learner, pretty(first.chosen_lambda), tuning,
                     first.chosen().label);
}

/// Mean squared error on labelled test rows, per target; nothing where TEST lacks the target.
std::vector<std::optional<double>> test_errors(const Table& test, const Matrix& predictions,
                                               const std::vector<std::string>& targets,
                                               std::vector<std::string>& notes) {
  std::vector<std::optional<double>> errors;
  for (std::size_t t = 0; t < targets.size(); ++t) {
    const Column* column = test.find(targets[t]);
    if (!column || !column->numeric) {
      errors.emplace_back();
      continue;
    }

    double sum = 0;
    Index labelled = 0;
    for (Index i = 0; i < test.rows(); ++i) {
      const double e = test.numbers(i, column->index) - predictions(i, static_cast<Index>(t));
      if (std::isfinite(e)) sum += e * e, ++labelled;
    }
    if (labelled < test.rows()) {
      notes.push_back(fmt::format("the test error of '{}' leaves out {} test rows without a value",
                                  targets[t], test.rows() - labelled));
    }
    errors.emplace_back(labelled ? std::optional(sum / static_cast<double>(labelled)) : std::nullopt);
  }
  return errors;
}

/// Flags that have no meaning for a series, before any file is opened.
void check_series_flags(const StudyOptions& options) {
  const auto refuse = [](bool wrong, const std::string& what) {
    if (wrong) throw UsageError(what);
  };
  refuse(*options.lags < 1, fmt::format("--lags {} is not allowed; give 1 or more", *options.lags));
  refuse(options.horizon < 1, fmt::format("--horizon {} is not allowed; give 1 or more", options.horizon));
  refuse(!options.features.empty(),
         "--features and --lags cannot go together: the features are the lags of the target");
  refuse(options.weights != "none",
         "--weights and --lags cannot go together: a row of a series is part of many windows");
  refuse(
      options.missing == "mean",
      "--missing mean and --lags cannot go together: a series is not filled with its mean; use drop, which "
      "leaves out windows");
}

/// The windows that --lags makes of the target; other columns play no part.
Table windows_of(const Table& table, const SeriesPlan& series, const std::vector<std::string>& dropped,
                 Missing missing, std::vector<std::string>& notes) {
  const auto is_dropped = [&](const std::string& name) {
    return std::find(dropped.begin(), dropped.end(), name) != dropped.end();
  };
  for (const auto& name : dropped)
    require(table.find(name), "{}: no column '{}' (given as --drop) among {}{}", table.source, name,
            join(table.names()), suggestion(name, table.names()));
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
  if (options.request.learner != "mlp" || options.lags || (!text && !options.classify)) return std::nullopt;
  require(targets.size() == 1, "classes are told apart for one target; run one target at a time");
  return find_classes(table, targets.front());
}

/// Mean of −log p(true class) on labelled test rows; nothing without any.
std::optional<double> test_cross_entropy(const Table& test, const Matrix& probabilities,
                                         const ClassTargets& classes, std::vector<std::string>& notes) {
  if (!test.find(classes.column)) return std::nullopt;
  const Table labelled = classes.apply(test);
  const Index first = labelled.find(classes.indicators().front())->index;
  double sum = 0;
  Index count = 0, wrong = 0;
  for (Index i = 0; i < test.rows(); ++i) {
    const auto truth = labelled.numbers.row(i).segment(first, probabilities.cols());
    if (truth.hasNaN()) continue;
    Index at = 0, predicted = 0;
    truth.maxCoeff(&at);
    probabilities.row(i).maxCoeff(&predicted);
    sum -= std::log(probabilities(i, at));
    ++count, wrong += at != predicted;
  }
  if (count == 0) return std::nullopt;
  notes.push_back(
      fmt::format("{} of {} labelled test rows are put into another class than their own", wrong, count));
  return sum / static_cast<double>(count);
}

/// The parameters that an earlier search chose.
std::map<std::string, double> read_start(const std::string& path) {
  std::ifstream in(path);
  require(in.good(), "{}: cannot open the start; check the path", path);
  const auto json = nlohmann::json::parse(in, nullptr, false);
  const bool usable = json.is_object() && json.contains("chosen") && json["chosen"].contains("parameters");
  require(usable, "{}: not the JSON of a search over several parameters of one target; write it with --json",
          path);
  std::map<std::string, double> start;
  for (const auto& [name, value] : json["chosen"]["parameters"].items()) {
    require(value.is_number(), "{}: parameter '{}' is not a number", path, name);
    start[name] = value.get<double>();
  }
  return start;
}

/// The column that each feature came from.
std::vector<std::string> columns_of_features(const FeaturePlan& plan) {
  std::vector<std::string> columns;
  for (const FeatureSource& source : plan.sources)
    columns.insert(columns.end(), std::max<std::size_t>(1, source.levels.size()), source.column);
  return columns;
}

}  // namespace

FinishedStudy run_study(const StudyOptions& options, const Progress& progress) {
  check_request(options.request);
  missing_from_name(options.missing);
  scale_from_name(options.scale);
  if (options.lags) check_series_flags(options);
  if (options.target.empty()) {
    const auto names = TableReader(options.data).names();

    throw UsageError(fmt::format("--target is missing; name the column to predict: {}", join(names)));
  }
  return run_study(read_table(options.data), options, progress);
}

FinishedStudy run_study(Table&& table, const StudyOptions& options, const Progress& progress) {
  const std::string source = table.source;
  FinishedStudy out;

  // A name may itself hold a comma: the whole text is tried as one name first.
  const auto names = [&](const std::string& text) {
    return table.find(text) ? std::vector<std::string>{text} : split(text, ',');
  };
  DatasetOptions columns{.targets = names(options.target),
                         .features = names(options.features),
                         .drop = names(options.drop),
                         .weight_column = {},
                         .missing = missing_from_name(options.missing),
                         .weights_are_ratios = options.request.learner == "iwls"};
  std::vector<std::string> notes;
  if (options.lags) {
    if (columns.targets.size() != 1)
      throw UsageError(
          fmt::format("--lags takes one target, not {}; a series predicts itself", columns.targets.size()));
    out.model.series = SeriesPlan{columns.targets.front(), *options.lags, options.horizon};
    table = windows_of(table, *out.model.series, std::exchange(columns.drop, {}), columns.missing, notes);
  }
  const std::optional<ClassTargets> classes = classes_of(table, options, columns.targets);
  if (classes) {
    table = classes->apply(std::move(table));
    columns.targets = classes->indicators();
    out.model.classes = classes->classes;
  }
  // Importance weights: estimated from the test inputs, or a column of density ratios for iwls; else a column counts rows.
  const bool estimated = names_a_ratio_method(options, table);
  if (!estimated && options.weights != "none") columns.weight_column = options.weights;
  const Scale scale = scale_from_name(options.scale);
  Dataset data = make_dataset(std::move(table), columns, &out.model.plan);
  check_targets(data, source);
  if (classes) data.target_names = {classes->column};
  // Counts weigh the scaling too; density ratios do not.
  const bool ratios = options.request.learner == "iwls";
  out.model.scaling = Scaling::fit(data.x, ratios ? Vector() : data.weight, scale);

  Study& study = out.study;
  study.source = source;
  study.command = command_line();
  study.scale = scale;
  study.notes = std::move(notes);
  study.notes.insert(study.notes.end(), data.notes.begin(), data.notes.end());
  study.feature_names = data.feature_names;
  study.classes = out.model.classes;
  study.weight = data.weight;
  study.y = data.y;
  study.x = data.x;

  std::optional<Table> test;
  std::optional<Matrix> test_x;
  if (!options.test.empty()) {
    test = read_table(options.test, out.model.csv_options());
    if (out.model.series) test = out.model.series->windows(*test, columns.missing, 1, study.notes);
    test_x = scaled_inputs(*test, out.model.plan, out.model.scaling);
    study.test_rows = test->rows();
    if (classes) columns.targets.push_back(classes->column);
    note_unused_columns(*test, out.model.plan, columns, study.notes);
  }
  SelectionRequest request = options.request;
  if (!options.start.empty()) request.start = read_start(options.start);
  if (!options.metric.empty())
    request.metric = parse_metric(options.metric, test_x, out.model.plan, out.model.scaling);

  TrainingData training{std::move(data.x), std::move(data.y), std::move(data.weight), data.target_names, {}};
  training.feature_names = data.feature_names;
  training.feature_columns = columns_of_features(out.model.plan);
  training.classes = out.model.classes;
  out.model.scaling.apply(training.x);
  if (estimated) {
    require(test_x.has_value(), "--weights {} needs --test FILE with the test inputs", options.weights);
    study.shift = estimate_shift(ratio_method(options), training.x, *test_x, study, request.seed, progress);
    study.shift->test_x = out.model.plan.encode(*test);
  } else if (request.learner == "iwls" && training.weight.size()) {
    study.shift = ShiftStudy{options.weights, {}, std::move(training.weight), std::nullopt, {}};
    training.weight = Vector();
    study.weight = Vector();
    if (test_x) {
      study.shift->verdict =
          verdict_on(study.shift->weight, training.x, *test_x, study, request.seed, progress);
      study.shift->test_x = out.model.plan.encode(*test);
    }
  }
  if (study.shift) {
    training.importance = study.shift->weight;
    if (!request.metric && test_x)
      request.metric = Metric{Metric::Kind::points, metric_points(*test_x), "test"};
  }
  if (test && data.target_names.size() == 1 && !is_tuned(request))
    label_test_rows(*test, *test_x, data.target_names.front(), training);
  study.selection = select(training, request, progress);
  if (const Vector& error = study.selection.targets.front().test_error; error.size())
    study.truth =
        TruthCurve{error, undefined,
                   fmt::format("mean squared error on the {} labelled test rows", training.test_y.rows())};
  if (study.shift && study.shift->verdict) {
    for (auto& target : study.selection.targets) {
      for (const auto& warning : study.shift->verdict->warnings) target.warnings.push_back(sentence(warning));
    }
  }
  out.model.model = study.selection.model;
  out.model.target_names = data.target_names;
  out.model.summary = summary_of(study.selection);
  study.test_error.assign(data.target_names.size(), std::nullopt);
  if (test && classes)
    study.test_error = {test_cross_entropy(*test, out.model.model.predict(*test_x), *classes, study.notes)};
  else if (test)
    study.test_error = test_errors(*test, out.model.model.predict(*test_x), data.target_names, study.notes);
  return out;
}

void check_outputs(const Outputs& outputs) {
  std::set<std::string> seen;
  for (const auto& path : {outputs.json, outputs.report, outputs.model}) {
    check_writable(path);
    if (!path.empty() && path != "/dev/null" && !seen.insert(path).second) {
      throw UsageError(fmt::format("two outputs would go to '{}'; give each its own file", path));
    }
  }
}

void write_outputs(const FinishedStudy& finished, const Outputs& outputs) {
  // Everything is rendered before the first byte is written.
  const std::string json = outputs.json.empty() ? "" : json_report(finished.study).dump(2) + "\n";
  const std::string report = outputs.report.empty() ? "" : html_report(finished.study);
  const std::string model = outputs.model.empty() ? "" : encode_model(finished.model);
  if (!outputs.json.empty()) write_file(outputs.json, json);
  if (!outputs.report.empty()) write_file(outputs.report, report);
  if (!outputs.model.empty()) write_file(outputs.model, model);
  if (outputs.json == "-") return;

  write_file("-", text_report(finished.study, wants_colour()));
}

}  // namespace gnomon::app
