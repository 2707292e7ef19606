#include "gnomon/learn/model_file.hpp"

#include <zlib.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "gnomon/core/error.hpp"

namespace gnomon {
namespace {

using Json = nlohmann::json;
constexpr int current_schema = 1;
constexpr const char* format_name = "gnomon-model";

std::uint32_t checksum(const std::vector<std::uint8_t>& bytes) {
  return static_cast<std::uint32_t>(crc32_z(0, bytes.data(), bytes.size()));
}

}  // namespace

Matrix SavedModel::predict(const Table& table) const {
  Matrix x = plan.encode(table);
  scaling.apply(x);
  return model.predict(x);
}

std::string encode_model(const SavedModel& saved) {
  const Json payload{{"plan", to_json(saved.plan)},   {"scaling", to_json(saved.scaling)},
                     {"model", to_json(saved.model)}, {"targets", saved.target_names},
                     {"summary", saved.summary},      {"gnomon", GNOMON_VERSION}};
  std::vector<std::uint8_t> body = Json::to_cbor(payload);
  const Json file{{"format", format_name},
                  {"schema", current_schema},
                  {"checksum", checksum(body)},
                  {"payload", Json::binary(std::move(body))}};
  const std::vector<std::uint8_t> bytes = Json::to_cbor(file);
  return {bytes.begin(), bytes.end()};
}

SavedModel decode_model(const std::string& bytes, const std::string& source) {
  const Json file = Json::from_cbor(bytes.begin(), bytes.end(), true, false);
  require(
      !file.is_discarded() && file.is_object() && file.contains("format") && file["format"] == format_name,
      "{}: not a gnomon model, or truncated; make it again with gnomon select --model", source);
  require(file.contains("schema") && file["schema"].is_number_integer() && file["schema"] >= 1 &&
              file["schema"] <= current_schema,
          "{}: the model has schema {}, this gnomon reads up to {}; use a newer gnomon", source,
          file.value("schema", Json("?")).dump(), current_schema);
  require(file.contains("payload") && file["payload"].is_binary() && file.contains("checksum") &&
              file["checksum"] == checksum(file["payload"].get_binary()),
          "{}: the model file was altered or damaged (checksum does not match); make it again with gnomon "
          "select --model",
          source);
  try {
    const Json payload = Json::from_cbor(file["payload"].get_binary());
    return {feature_plan_from_json(payload.at("plan")), scaling_from_json(payload.at("scaling")),
            linear_model_from_json(payload.at("model")),
            payload.at("targets").get<std::vector<std::string>>(), payload.at("summary").get<std::string>()};
  } catch (const Json::exception& error) {
    fail("{}: the model file cannot be understood ({}); make it again with gnomon select --model", source,
         error.what());
  }
}

SavedModel read_model(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  require(in.good(), "{}: cannot open the model file; check the path", path);
  const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  require(!bytes.empty(), "{}: the model file is empty or not a file", path);
  return decode_model(bytes, path);
}

}  // namespace gnomon
