#include "select_options.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>

#include "core/text.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/shift/density_ratio.hpp"
#include "select/make_tunable.hpp"
#include "select/options.hpp"

namespace gnomon::app {
namespace {

using F = SelectFlags;
using Row = Option<SelectFlags>;
using Text = const std::string&;

constexpr const char *model = "Model", *choice = "Choice", *data = "Data", *output = "Output";

/// A text of the study or of the outputs, as it is.
template <class Part>
Row plain(Row row, Part F::*part, std::string Part::*member) {
  row.set = [part, member](F& f, Text text) { f.*part.*member = text; };
  row.get = [part, member](const F& f) { return f.*part.*member; };
  const F defaults;
  row.shows_default = !(defaults.*part.*member).empty();
  return row;
}
/// A column that says which rows are held out together.
Row of_groups(Row row, std::string StudyOptions::*member) {
  row.set = [member](F& f, Text text) {
    f.study.*member = text;
    f.study.request.grouped = !f.study.fold_column.empty() || !f.study.fold_groups.empty();
  };
  row.get = [member](const F& f) { return f.study.*member; };
  row.shows_default = false;
  return row;
}
Row of_study(Row row, std::string StudyOptions::*member) { return plain(std::move(row), &F::study, member); }
Row of_output(Row row, std::string Outputs::*member) { return plain(std::move(row), &F::outputs, member); }

template <class Part>
Row flag(Row row, Part F::*part, bool Part::*member) {
  row.kind = OptionKind::flag;
  row.set = [part, member, name = row.name](F& f, Text text) { f.*part.*member = read_flag(name, text); };
  row.get = [part, member](const F& f) { return on_or_off(f.*part.*member); };
  return row;
}

/// An option of the selection, seen from the whole command.
Row lifted(const Option<SelectionRequest>& option) {
  Row row{.name = option.name,
          .group = option.group,
          .kind = option.kind,
          .help = option.help,
          .manual = option.manual,
          .allowed = option.allowed,
          .label = option.label,
          .shows_default = option.shows_default};
  row.set = [&option](F& f, Text text) { option.set(f.study.request, text); };
  row.get = [&option](const F& f) { return option.get(f.study.request); };
  if (option.refusal) row.refusal = [&option](const F& f) { return option.refusal(f.study.request); };
  return row;
}

/// A number of rows, which may be larger than an int: too many are refused by the data.
Index rows_told(std::string_view name, Text text) {
  Index rows = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), rows);
  if (wrong != std::errc() || end != text.data() + text.size())
    throw UsageError(fmt::format("`{}` '{}' is not understood; give a whole number", name, text));
  return rows;
}

/// σ, for those who do not think in variances.
void set_sigma(F& f, Text text) {
  const auto sigma = parse_number(text);
  if (!sigma) throw UsageError(fmt::format("`sigma` '{}' is not a number; give a standard deviation", text));
  if (!(std::isfinite(*sigma) && *sigma >= 0))
    throw UsageError(fmt::format("`sigma` {} is not allowed; give a standard deviation ≥ 0", text));
  f.study.sigma = text;
  f.study.request.noise = *sigma * *sigma;
}

using Rows = std::vector<Row>;

/// What is asked: of which column, where the error matters, from where a search goes on.
Rows question_options() {
  return {
      of_study(
          {.name = "target",
           .group = data,
           .help = "column to predict; several separated by commas",
           .manual =
               "column to predict; several separated by commas: one path each, one decomposition for all. "
               "Learners with a tuning parameter beside λ take one target at a time"},
          &StudyOptions::target),
      of_study(
          {.name = "test",
           .group = data,
           .help = "test inputs; a target column in them only serves to report the true error",
           .manual = "a file of test inputs, columns matched by name; those that the model does not use are "
                     "noted, a missing one is an error. A target column in it only serves to report the true "
                     "error"},
          &StudyOptions::test),
      flag({.name = "classify",
            .group = model,
            .help = "mlp: the target names classes (a text target always does)",
            .manual = "mlp: the target names classes; a text target always does",
            .refusal = [](const F& f) { return refusal_of_learner(f.study.request, "classify"); }},
           &F::study, &StudyOptions::classify),
      of_study(
          {.name = "metric",
           .group = choice,
           .help = "where sic measures the error: function-space, train, test, uniform:a:b, normal:mean:sd, "
                   "or a CSV of inputs",
           .manual =
               "where `sic` measures the error: `function-space`, `train`, `test` (inputs of `--test`), "
               "`uniform:a:b` or `normal:mean:sd` (one input, units of the file), or a CSV of inputs "
               "[importance weights: `test`, or the weighted training inputs without `--test`; "
               "`function-space` for `--penalty coefficients`; else `train`]",
           .refusal =
               [](const F& f) {
                 return std::string(
                     is_tuned(f.study.request)
                         ? "belongs to a path of one lambda, not to a search over several parameters"
                         : "");
               }},
          &StudyOptions::metric),
      Row{.name = "sigma",
          .group = choice,
          .help = "standard deviation of the noise, if it is known; the same as --noise with its square",
          .manual =
              "standard deviation σ of the noise, if it is known: the same as `--noise` with its square",
          .set = set_sigma,
          .get = [](const F& f) { return f.study.sigma; },
          .shows_default = false},
      of_study(
          {.name = "start",
           .group = choice,
           .help = "go on from the parameters that an earlier search wrote with --json",
           .manual = "a search over several parameters goes on from those that an earlier one wrote with "
                     "`--json`",
           .refusal =
               [](const F& f) {
                 const auto& request = f.study.request;
                 return is_tuned(request) ? std::string()
                                          : fmt::format(
                                                "belongs to a search over several parameters (`search` "
                                                "gradient), not to `learner` {}",
                                                request.learner);
               }},
          &StudyOptions::start)};
}

/// Which rows and columns are learned from.
Rows data_options() {
  return {
      of_study({.name = "features",
                .group = data,
                .help = "columns to learn from [all but target, weights and dropped ones]",
                .manual = "columns to learn from [all but target, weights and dropped ones]"},
               &StudyOptions::features),
      of_study(
          {.name = "drop", .group = data, .help = "columns to leave out", .manual = "columns to leave out"},
          &StudyOptions::drop),
      Row{.name = "lags",
          .group = data,
          .kind = OptionKind::whole,
          .help = "time series, rows in order of time: predict the target from this many of its own newest "
                  "values",
          .manual = "time series, rows in order of time: predict the target from this many of its own newest "
                    "values; "
                    "other columns play no part. See [time series](howto/time-series.md)",
          .set =
              [](F& f, Text text) {
                f.study.lags = rows_told("lags", text);
                f.study.request.series = true;
              },
          .get = [](const F& f) { return f.study.lags ? std::to_string(*f.study.lags) : std::string(); },
          .shows_default = false},
      Row{.name = "horizon",
          .group = data,
          .kind = OptionKind::whole,
          .help = "with --lags: how many rows ahead to predict",
          .manual = "with `--lags`: how many rows ahead to predict {default}",
          .set = [](F& f, Text text) { f.study.horizon = rows_told("horizon", text); },
          .get = [](const F& f) { return std::to_string(f.study.horizon); },
          .refusal =
              [](const F& f) {
                return std::string(f.study.lags ? "" : "belongs to a time series; give `lags` too");
              }},
      of_study(
          {.name = "missing",
           .group = data,
           .help = "missing cells: error, drop (the row), mean",
           .manual =
               "missing cells: `error`, `drop` (the row), `mean` {default}; targets are never filled in"},
          &StudyOptions::missing),
      of_study(
          {.name = "weights",
           .group = data,
           .help =
               "none; a column of row weights (weight k = row repeated k times; density ratios for iwls); "
               "or, with --test, importance weights by {allowed}",
           .manual = "`none`; a column of counts, where weight k means the row repeated k times "
                     "([weights](theory/weights.md)); `--learner iwls`: a column of density ratios "
                     "p_test/p_train; with `--test`: importance weights by {allowed} ([density "
                     "ratios](theory/density-ratio.md)), for `iwls`, `ridge`, `kernel-ridge` with penalty "
                     "`function`, `lasso`, `elastic-net`, `huber`, `svr`, `additive`. A column goes before a "
                     "method of the same name [`none`; `iwls` with `--test`: `kliep`]",
           .allowed = ratio_methods()},
          &StudyOptions::weights),
      of_groups(
          {.name = "fold-column",
           .group = data,
           .help = "column of the fold in which each row is held out, instead of random folds",
           .manual = "column of the fold in which each row is held out, instead of random folds: numbers or "
                     "names, a fold each. `auto` is `cv` then"},
          &StudyOptions::fold_column),
      of_groups(
          {.name = "fold-groups",
           .group = data,
           .help = "column of groups (patients, sites) that are held out as a whole",
           .manual = "column of groups, such as patients or sites: `cv` holds out whole groups, dealt at "
                     "random among its folds, so that no fit knows the group it is judged by; `auto` is "
                     "`cv` then, and the error of the choice is that on new groups"},
          &StudyOptions::fold_groups),
      of_study({.name = "scale",
                .group = data,
                .help = "inputs: none, standard, unit",
                .manual = "inputs: `none`, `standard` (mean 0, variance 1), `unit` (0 to 1) {default}. "
                          "Without an intercept columns "
                          "are divided only, for a shift would be a constant in the fit"},
               &StudyOptions::scale)};
}

/// Where results go.
Rows output_options() {
  return {
      of_output({.name = "json",
                 .group = output,
                 .help = "write all results as JSON (- for stdout)",
                 .manual = "all results; `-` writes them to standard output in place of the table"},
                &Outputs::json),
      of_output({.name = "report",
                 .group = output,
                 .help = "write a self-contained HTML report",
                 .manual = "a self-contained HTML page"},
                &Outputs::report),
      of_output({.name = "model",
                 .group = output,
                 .help = "write the fitted model for gnomon predict",
                 .manual = "for `gnomon predict`, see [model file](model-file.md)"},
                &Outputs::model),
      flag({.name = "quiet",
            .group = output,
            .help = "no progress bar",
            .manual =
                "no progress bar; there is none either if stderr is no terminal or the work takes under a "
                "second"},
           &F::outputs, &Outputs::quiet),
      Row{.name = "threads",
          .group = output,
          .kind = OptionKind::whole,
          .help = "threads, 0 = all cores; changes no answer beyond rounding",
          .manual = "0 = all cores {default}; changes no answer beyond rounding",
          .set = [](F& f, Text text) { f.threads = whole_number("threads", text); },
          .get = [](const F& f) { return std::to_string(f.threads); }}};
}

Rows own_options() {
  Rows all;
  for (const auto& part : {question_options, data_options, output_options}) {
    Rows rows = part();
    std::move(rows.begin(), rows.end(), std::back_inserter(all));
  }
  return all;
}

/// Group by group, those of the selection first.
Rows all_options() {
  const Rows own = own_options();
  Rows rows;
  for (const char* group : {model, choice, data, output}) {
    for (const auto& option : selection_options()) {
      if (option.group == group) rows.push_back(lifted(option));
    }
    for (const Row& row : own) {
      if (row.group == group) rows.push_back(row);
    }
  }
  return rows;
}

}  // namespace

const std::vector<Option<SelectFlags>>& select_options() {
  static const std::vector<Option<SelectFlags>> options = all_options();
  return options;
}

std::vector<std::pair<std::string, std::string>> asked_of_data(const SelectFlags& flags) {
  std::vector<std::pair<std::string, std::string>> asked;
  for (const Row& option : own_options()) {
    const bool applies = !option.refusal || option.refusal(flags).empty();
    if (applies && option.group != output) asked.emplace_back(option.name, option.get(flags));
  }
  return asked;
}

std::string options_manual() {
  std::string text, group;
  for (const auto& option : select_options()) {
    if (option.group != group) {
      text +=
          fmt::format("{}**{}**\n\n| flag | values |\n|---|---|\n", group.empty() ? "" : "\n", option.group);
      group = option.group;
    }
    text += fmt::format("| `--{}` | {} |\n", option.name,
                        filled(option.manual, option.allowed, option.get(SelectFlags{}), "`"));
  }
  return text;
}

}  // namespace gnomon::app
