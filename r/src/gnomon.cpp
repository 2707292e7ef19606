// The functions that R calls; the names of their arguments are those of the R functions around them.
#include "call.hpp"
#include "values.hpp"

#include <cblas.h>

#include <algorithm>

#include "core/text.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "gnomon/learn/model_file.hpp"
#include "gnomon/report/writers.hpp"
#include "gnomon/version.hpp"
#include "learn/equation.hpp"
#include "select_options.hpp"
#include "typed_flags.hpp"

namespace gnomon::r {

std::string argument_of(std::string_view field) {
  if (field == "criteria") return "criterion";
  if (field == "importance") return "test with weights = \"kliep\", \"ulsif\", …";
  std::string name(field);
  std::replace(name.begin(), name.end(), '_', '-');
  const auto& options = app::select_options();
  if (std::none_of(options.begin(), options.end(), [&](const auto& o) { return o.name == name; })) return "";
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

Progress Interruptible::progress() {
  return {[this](std::string_view, double) { return look(); }};
}

bool Interruptible::look() {
  using namespace std::chrono;
  if (std::this_thread::get_id() != caller_) return true;
  const auto now = steady_clock::now();
  if (stopped_ || now - last_ < milliseconds(50)) return !stopped_;
  last_ = now;
  stopped_ = !R_ToplevelExec([](void*) { R_CheckUserInterrupt(); }, nullptr);
  return !stopped_;
}

ThreadsOfCall::ThreadsOfCall(std::optional<int> wanted) : own_(threads()) {
  set_threads(wanted.value_or(openblas_get_num_threads()));
  one_.emplace(1);
}

ThreadsOfCall::~ThreadsOfCall() { set_threads(own_); }

namespace {

constexpr Index rows_at_once = 4096;  // as the command

/// Refuses texts that no number and no flag has.
void check_kind(const Option<app::SelectFlags>& option, const std::string& text) {
  const std::string name = argument_of(option.name);
  if (option.kind == OptionKind::whole) whole_number(name, text);
  if (option.kind == OptionKind::counter) counting_number(name, text);
  if (option.kind == OptionKind::flag && text != on_or_off(true) && text != on_or_off(false))
    throw UsageError(fmt::format("{} '{}' is not understood; give TRUE or FALSE", name, text));
}

/// Options by name, as the command would be told.
app::Typed typed_of(const Rcpp::List& options) {
  app::Typed typed;
  const Rcpp::CharacterVector names =
      options.size() ? Rcpp::CharacterVector(options.names()) : Rcpp::CharacterVector();
  const auto& table = app::select_options();
  for (R_xlen_t i = 0; i < options.size(); ++i) {
    const std::string name = text_of(STRING_ELT(names, i));
    const auto option =
        std::find_if(table.begin(), table.end(), [&](const auto& o) { return argument_of(o.name) == name; });
    if (option == table.end()) {
      std::vector<std::string> known;
      for (const auto& o : table) known.push_back(argument_of(o.name));
      throw UsageError(fmt::format("there is no option '{}'; gnomon_options() lists them{}", name,
                                   suggestion(name, known)));
    }
    const std::string text = option_text(options[i], name);
    check_kind(*option, text);
    if (option->kind != OptionKind::flag && TYPEOF(options[i]) == LGLSXP)
      throw UsageError(fmt::format("{} is no flag that is TRUE or FALSE; it takes {}", name, option->help));
    typed[option->name] = text;
  }
  return typed;
}

Rcpp::RawVector raw_of(const std::string& bytes) { return Rcpp::RawVector(bytes.begin(), bytes.end()); }

SavedModel model_of(const Rcpp::RawVector& bytes, const std::string& source = "the model") {
  return decode_model(std::string(bytes.begin(), bytes.end()), source);
}

/// Each once, in the order of the targets.
std::vector<std::string> warnings_of(const Study& study) {
  std::vector<std::string> all;
  for (const TargetSelection& target : study.selection.targets)
    for (const std::string& warning : target.warnings)
      if (std::find(all.begin(), all.end(), warning) == all.end()) all.push_back(warning);
  return all;
}

/// What R keeps of a model beside its bytes.
Rcpp::List facts_of(const SavedModel& model) {
  std::vector<std::string> columns;
  for (const FeatureSource& source : model.plan.sources) columns.push_back(source.column);
  if (model.series) columns = {model.series->column};
  Rcpp::List equations;
  for (std::size_t t = 0; t < model.target_names.size() && model.classes.empty(); ++t) {
    const auto equation = linear_equation(model.model, model.scaling, static_cast<Index>(t));
    if (!equation) break;
    Rcpp::NumericVector coefficients(equation->coefficients.size() + 1);
    coefficients[0] = equation->offset;
    std::copy(equation->coefficients.begin(), equation->coefficients.end(), coefficients.begin() + 1);
    equations.push_back(coefficients);
  }
  return Rcpp::List::create(
      Rcpp::_["columns"] = characters_of(columns), Rcpp::_["features"] = characters_of(model.plan.names()),
      Rcpp::_["targets"] = characters_of(model.target_names),
      Rcpp::_["classes"] = characters_of(model.classes), Rcpp::_["summary"] = characters_of({model.summary}),
      Rcpp::_["series"] = model.series.has_value(),
      Rcpp::_["horizon"] = model.series ? static_cast<double>(model.series->horizon) : 0.0,
      Rcpp::_["fills_in"] = model.plan.missing == Missing::mean, Rcpp::_["equations"] = equations);
}

Rcpp::List select(const Rcpp::List& data, const Rcpp::List& options, SEXP test) {
  app::Typed typed = typed_of(options);
  std::optional<int> wanted;
  app::SelectFlags flags = app::read_flags("data", typed);
  if (typed.contains("threads")) {
    require(flags.threads >= 0, "`threads` {} is not allowed; give 0 (all cores) or more", flags.threads);
    wanted = flags.threads;
  }
  flags.study.field_names = argument_of;
  flags.study.request.chosen_error = true;
  flags.study.request.keep_spectrum = flags.study.request.keep_held_out = !flags.outputs.report.empty();
  app::check_study(flags.study);
  app::check_outputs(flags.outputs, app::input_files(flags.study));
  const Rows rows(data, "data");
  app::StudyTables tables{.data = rows.table(0, rows.size())};
  if (!Rf_isNull(test)) {
    const Rows test_rows(test, "test");
    tables.test = test_rows.table(0, test_rows.size());
  }
  const ThreadsOfCall threads(wanted);
  Interruptible interruptible;
  app::FinishedStudy finished = app::run_study(std::move(tables), flags.study, interruptible.progress());
  finished.study.asked = app::asked_of_data(flags);
  const auto json = json_report(finished.study);
  const std::string model = encode_model(finished.model);
  if (!flags.outputs.json.empty()) app::write_file(flags.outputs.json, json.dump(2) + "\n");
  if (!flags.outputs.model.empty()) app::write_file(flags.outputs.model, model);
  if (!flags.outputs.report.empty()) app::write_file(flags.outputs.report, html_report(finished.study));
  return Rcpp::List::create(Rcpp::_["results"] = Rcpp::RObject(value_of(json)),
                            Rcpp::_["bytes"] = raw_of(model), Rcpp::_["facts"] = facts_of(finished.model),
                            Rcpp::_["text"] = characters_of({text_report(finished.study, false)}),
                            Rcpp::_["warnings"] = characters_of(warnings_of(finished.study)));
}

/// Rows × targets, or × classes.
Rcpp::NumericMatrix predict(const Rcpp::RawVector& bytes, const Rcpp::List& data) {
  const SavedModel model = model_of(bytes);
  const Rows rows(data, "newdata");
  const ThreadsOfCall threads(std::nullopt);
  Interruptible interruptible;
  const Progress progress = interruptible.progress();
  const auto columns = model.classes.empty() ? model.target_names.size() : model.classes.size();
  Rcpp::NumericMatrix out(static_cast<int>(rows.size()), static_cast<int>(columns));
  Eigen::Map<Matrix> values(out.begin(), out.nrow(), out.ncol());
  SeriesPast past;
  for (Index first = 0; first < rows.size(); first += rows_at_once) {
    const Index last = std::min(rows.size(), first + rows_at_once);
    progress("predicting", 0);
    values.middleRows(first, last - first) = model.predict(rows.table(first, last), past);
  }
  return out;
}

Rcpp::NumericVector half_widths(const Rcpp::RawVector& bytes, double level) {
  const SavedModel model = model_of(bytes);
  require(level > 0 && level < 1, "interval {} is not allowed; give a probability between 0 and 1", level);
  require(model.classes.empty(),
          "intervals are for numbers; this model tells classes apart, with probabilities");
  require(model.held_out && model.held_out->deviation.rows() > 0,
          "the model holds no held-out rows for intervals; fit it again");
  const Vector half = model.held_out->half_widths(level);
  require(half.allFinite(),
          "an interval of level {} needs more held-out rows than the {} of the model; give a lower level",
          level, model.held_out->deviation.rows());
  return Rcpp::NumericVector(half.begin(), half.end());
}

/// The table of options, columns by name.
Rcpp::List options() {
  std::vector<std::string> names, groups, defaults, meanings;
  for (const auto& option : app::select_options()) {
    const std::string by_default = option.get({});
    names.push_back(argument_of(option.name));
    groups.push_back(option.group);
    defaults.push_back(by_default);
    meanings.push_back(filled(option.help, option.allowed, by_default, ""));
  }
  return Rcpp::List::create(Rcpp::_["name"] = characters_of(names), Rcpp::_["group"] = characters_of(groups),
                            Rcpp::_["default"] = characters_of(defaults),
                            Rcpp::_["meaning"] = characters_of(meanings));
}

}  // namespace
}  // namespace gnomon::r

using gnomon::r::call;

extern "C" {

SEXP gnomon_r_select(SEXP data, SEXP options, SEXP test) {
  BEGIN_RCPP
  return call([&] { return gnomon::r::select(data, options, test); });
  END_RCPP
}

SEXP gnomon_r_predict(SEXP bytes, SEXP newdata) {
  BEGIN_RCPP
  return call([&] { return gnomon::r::predict(bytes, newdata); });
  END_RCPP
}

SEXP gnomon_r_half_widths(SEXP bytes, SEXP level) {
  BEGIN_RCPP
  return call([&] { return gnomon::r::half_widths(bytes, Rcpp::as<double>(level)); });
  END_RCPP
}

SEXP gnomon_r_facts(SEXP bytes, SEXP source) {
  BEGIN_RCPP
  return call([&] {
    const std::string name = gnomon::r::text_of(STRING_ELT(source, 0));
    return gnomon::r::facts_of(gnomon::r::model_of(bytes, name));
  });
  END_RCPP
}

SEXP gnomon_r_options() {
  BEGIN_RCPP
  return gnomon::r::options();
  END_RCPP
}

/// Which kernels OpenBLAS chose.
SEXP gnomon_r_blas_core() { return Rf_mkString(gnomon::blas_core_name()); }

void R_init_gnomon(DllInfo* library) {
  static const R_CallMethodDef functions[] = {
      {"gnomon_r_select", reinterpret_cast<DL_FUNC>(&gnomon_r_select), 3},
      {"gnomon_r_predict", reinterpret_cast<DL_FUNC>(&gnomon_r_predict), 2},
      {"gnomon_r_half_widths", reinterpret_cast<DL_FUNC>(&gnomon_r_half_widths), 2},
      {"gnomon_r_facts", reinterpret_cast<DL_FUNC>(&gnomon_r_facts), 2},
      {"gnomon_r_options", reinterpret_cast<DL_FUNC>(&gnomon_r_options), 0},
      {"gnomon_r_blas_core", reinterpret_cast<DL_FUNC>(&gnomon_r_blas_core), 0},
      {nullptr, nullptr, 0}};
  R_registerRoutines(library, nullptr, functions, nullptr, nullptr);
  R_useDynamicSymbols(library, FALSE);
}

}  // extern "C"
