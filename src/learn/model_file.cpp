#include "gnomon/learn/model_file.hpp"

#include <zlib.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "cbor_nesting.hpp"
#include "core/json.hpp"
#include "gnomon/core/error.hpp"

namespace gnomon {
namespace {

using Json = nlohmann::json;
constexpr int current_schema = 3;
constexpr const char* format_name = "gnomon-model";

std::uint32_t checksum(const std::vector<std::uint8_t>& bytes) {
  return static_cast<std::uint32_t>(crc32_z(0, bytes.data(), bytes.size()));
}

/// The oldest schema whose readers understand the model.
int schema_of(const SavedModel& saved) {
  if (saved.model.sum()) return 3;
  if (const Basis* basis = saved.model.basis(); basis && !basis->columns().empty()) return 3;
  const bool plain = saved.model.linear() && saved.model.linear()->input_widths.size() == 0 &&
                     !saved.series && saved.classes.empty();
  return plain ? 1 : 2;
}

/// The columns of the data must make as many features as the scaling and the function take.
void check_inputs(const SavedModel& saved) {
  const Index features = saved.plan.features();
  require(features > 0, "the model has no columns to predict from");
  require(saved.scaling.shift.size() == features, "the scaling has {} columns, the data make {}",
          saved.scaling.shift.size(), features);
  if (saved.model.network())
    saved.model.predict(Matrix(0, features));  // refuses other numbers of columns itself
  for (const LinearModel* term : saved.model.terms()) {
    if (const Basis* basis = std::get_if<Basis>(&term->representation))
      require(basis->inputs() == features, "the basis has {} inputs, the data make {}", basis->inputs(),
              features);
    else
      require(term->centres.cols() == features, "the centres have {} columns, the data make {}",
              term->centres.cols(), features);
  }
}

/// Columns of a prediction.
Index outputs_of(const Model& model) {
  return model.network() ? model.network()->shape.outputs : model.terms().front()->coefficients.cols();
}

/// The parts must fit each other; a file with a right checksum may still be wrong.
void check_parts(const SavedModel& saved) {
  const auto named =
      static_cast<Index>(saved.classes.empty() ? saved.target_names.size() : saved.classes.size());
  require(outputs_of(saved.model) == named, "{} names for the {} outputs of the model", named,
          outputs_of(saved.model));
  require(saved.classes.empty() || saved.target_names.size() == 1, "classes of {} targets",
          saved.target_names.size());
  require(saved.classes.empty() ||
              (saved.model.network() && saved.model.network()->loss == MlpLoss::cross_entropy),
          "classes of a model that does not tell classes apart");
  check_inputs(saved);
  if (!saved.series) return;
  require(saved.plan.features() == saved.series->lags && saved.plan.names() == saved.series->lag_names(),
          "the features are not the lags of the series '{}'", saved.series->column);
  require(saved.plan.missing != Missing::mean,
          "a series cannot have its missing values filled with the mean");
}

/// A value out of bytes that someone else wrote; discarded where they are no CBOR, or nested deeper than any model.
template <class Bytes>
Json value_of(const Bytes& bytes) {
  constexpr std::size_t most_levels = 16;
  const auto* first = reinterpret_cast<const std::uint8_t*>(bytes.data());
  if (!is_shallow_cbor({first, bytes.size()}, most_levels)) return Json(Json::value_t::discarded);
  return Json::from_cbor(bytes, true, false);
}

/// Files of older versions say nothing of it but their version.
ModelOrigin origin_of(const Json& payload) {
  ModelOrigin origin;
  origin.gnomon = payload.value("gnomon", "");
  if (!payload.contains("origin")) return origin;
  const Json& from = payload.at("origin");
  origin.source = from.at("source").get<std::string>();
  origin.rows = whole_from_json(from.at("rows"));
  return origin;
}

[[noreturn]] void refuse_payload(const std::string& source, const std::exception& why) {
  std::string reason = why.what();
  for (std::size_t at;
       (at = reason.find("[json.exception")) != std::string::npos;)  // the parser's error numbers
    reason.erase(at, reason.find("] ", at) + 2 - at);
  fail("{}: the model file cannot be understood ({}); make it again with gnomon select --model", source,
       reason);
}

}  // namespace

CsvOptions SavedModel::csv_options() const { return series ? series->csv_options() : plan.csv_options(); }

Matrix SavedModel::predict(const Table& table) const {
  SeriesPast past;
  return predict(table, past);
}

Matrix SavedModel::predict(const Table& block, SeriesPast& past) const {
  return predict_and_judge(block, past).value;
}

SavedModel::Judged SavedModel::predict_and_judge(const Table& block, SeriesPast& past) const {
  const auto judged = [&](const Matrix& features) {
    return held_out ? held_out->outside(features)
                    : std::vector<bool>(static_cast<std::size_t>(features.rows()), false);
  };
  if (!series) {
    Matrix x = plan.encode(block);
    Judged out{{}, judged(x)};
    scaling.apply(x);
    out.value = model.predict(x);
    return out;
  }
  const Matrix windows = series->newest_windows(block, plan.missing, past);
  std::vector<Index> complete;
  for (Index row = 0; row < windows.rows(); ++row)
    if (!std::isnan(windows(row, 0))) complete.push_back(row);
  Judged out{Matrix::Constant(windows.rows(), outputs_of(model), undefined),
             std::vector<bool>(static_cast<std::size_t>(windows.rows()), false)};
  if (complete.empty()) return out;
  Matrix x = windows(complete, Eigen::all);
  const auto outside = judged(x);
  for (std::size_t i = 0; i < complete.size(); ++i)
    out.outside[static_cast<std::size_t>(complete[i])] = outside[i];
  scaling.apply(x);
  out.value(complete, Eigen::all) = model.predict(x);
  return out;
}

std::string encode_model(const SavedModel& saved) {
  Json payload{{"plan", to_json(saved.plan)},   {"scaling", to_json(saved.scaling)},
               {"model", to_json(saved.model)}, {"targets", saved.target_names},
               {"summary", saved.summary},      {"gnomon", GNOMON_VERSION}};
  if (saved.origin.rows > 0)
    payload["origin"] = Json{{"source", saved.origin.source}, {"rows", saved.origin.rows}};
  if (saved.series) payload["series"] = to_json(*saved.series);
  if (!saved.classes.empty()) payload["classes"] = saved.classes;
  if (saved.held_out) payload["held_out"] = to_json(*saved.held_out);
  std::vector<std::uint8_t> body = Json::to_cbor(payload);
  const Json file{{"format", format_name},
                  {"schema", schema_of(saved)},
                  {"checksum", checksum(body)},
                  {"payload", Json::binary(std::move(body))}};
  const std::vector<std::uint8_t> bytes = Json::to_cbor(file);
  return {bytes.begin(), bytes.end()};
}

SavedModel decode_model(const std::string& bytes, const std::string& source) {
  const Json file = value_of(bytes);
  require(
      !file.is_discarded() && file.is_object() && file.contains("format") && file["format"] == format_name,
      "{}: not a gnomon model, or truncated; make it again with gnomon select --model", source);
  if (!(file.contains("schema") && file["schema"].is_number_integer() && file["schema"] >= 1 &&
        file["schema"] <= current_schema))
    fail("{}: the model has schema {}, this gnomon reads up to {}; use a newer gnomon", source,
         file.value("schema", Json("?")).dump(-1, ' ', false, Json::error_handler_t::replace),
         current_schema);
  require(file.contains("payload") && file["payload"].is_binary() && file.contains("checksum") &&
              file["checksum"] == checksum(file["payload"].get_binary()),
          "{}: the model file was altered or damaged (checksum does not match); make it again with gnomon "
          "select --model",
          source);
  try {
    const Json payload = value_of(file["payload"].get_binary());
    require(payload.is_object(), "its payload is no CBOR map, or nested too deep");
    SavedModel saved{feature_plan_from_json(payload.at("plan")), scaling_from_json(payload.at("scaling")),
                     model_from_json(payload.at("model")),
                     payload.at("targets").get<std::vector<std::string>>(),
                     payload.at("summary").get<std::string>()};
    if (payload.contains("series")) saved.series = series_plan_from_json(payload.at("series"));
    if (payload.contains("classes")) saved.classes = payload.at("classes").get<std::vector<std::string>>();
    saved.origin = origin_of(payload);
    check_parts(saved);
    if (payload.contains("held_out"))
      saved.held_out = held_out_rows_from_json(
          payload.at("held_out"), saved.classes.empty() ? static_cast<Index>(saved.target_names.size()) : 0,
          saved.plan.features());
    if (file["schema"] != schema_of(saved))
      fail("schema {} is given, the payload has {}", file["schema"].dump(), schema_of(saved));
    return saved;
  } catch (const Json::exception& error) {
    refuse_payload(source, error);
  } catch (const Error& error) {
    refuse_payload(source, error);
  }
}

SavedModel read_model(const std::string& path) {
  if (path == "-") throw UsageError("a model cannot come from standard input; give its file");
  std::error_code trouble;
  require(!std::filesystem::is_directory(path, trouble), "{}: is a directory; give a model file", path);
  std::ifstream in(path, std::ios::binary);
  require(in.good(), "{}: cannot open the model file; check the path", path);
  const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  require(!bytes.empty(), "{}: the model file is empty or not a file", path);
  return decode_model(bytes, path);
}

}  // namespace gnomon
