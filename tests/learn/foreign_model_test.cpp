// Model files that someone else wrote, with a right checksum and anything inside: they are refused in words or serve; they
// never crash, read past an end or ask for memory that the file does not account for.
#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "gnomon/core/error.hpp"
#include "gnomon/core/random.hpp"
#include "saved_models.hpp"

namespace gnomon::foreign_model_test {
namespace {

using Json = nlohmann::json;
using Bytes = std::vector<std::uint8_t>;

Json file_of(const SavedModel& saved) { return Json::from_cbor(encode_model(saved)); }
Json payload_of(const SavedModel& saved) {
  return Json::from_cbor(file_of(saved).at("payload").get_binary());
}

/// The file of a model with another payload, and the checksum that belongs to it.
std::string with_payload(const SavedModel& saved, const Bytes& payload) {
  Json file = file_of(saved);
  file["checksum"] = static_cast<std::uint32_t>(crc32_z(0, payload.data(), payload.size()));
  file["payload"] = Json::binary(payload);
  const Bytes bytes = Json::to_cbor(file);
  return {bytes.begin(), bytes.end()};
}

/// A few rows with the columns of all our models.
Table some_rows() {
  Table table = testing::series_table(Vector::LinSpaced(6, -1, 1));
  table.columns = {{.name = "a"}, {.name = "b", .index = 1}, {.name = "y", .index = 2}};
  table.numbers = Matrix::Random(6, 3);
  return table;
}

/// What reading the file says, and after that predicting with it; nothing where both end well.
std::string complaint(const std::string& bytes) {
  try {
    const SavedModel read = decode_model(bytes, "m.gnomon");
    EXPECT_EQ(read.predict(some_rows()).rows(), 6);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

struct ForeignModel : ::testing::Test {
  testing::Data data = testing::make_data(12, 2, 3, false);

  SavedModel kernel() const { return testing::make_model(parse_kernel("gaussian", 1), data.x, data.y); }
  SavedModel on_basis(const char* spec) const {
    return testing::make_model(Basis::fit(spec, data.x), data.x, data.y);
  }
  /// Of the second of the two inputs.
  SavedModel on_column(const char* spec) const {
    return testing::make_model(Basis::fit_on({1}, spec, data.x), data.x, data.y);
  }
  SavedModel widths() const {
    SavedModel saved = kernel();
    LinearModel model = *saved.model.linear();
    model.input_widths = Eigen::Vector2d(0.5, 2);
    saved.model = model;
    return saved;
  }
  SavedModel classes() const {
    SavedModel saved = testing::make_network(3, MlpLoss::cross_entropy, data.x);
    saved.classes = {"no", "so", "yes"};
    return saved;
  }
  SavedModel filled() const {
    SavedModel saved = kernel();
    saved.plan.missing = Missing::mean;
    return saved;
  }
  std::vector<SavedModel> all() const {
    return {kernel(),
            widths(),
            filled(),
            on_basis("linear"),
            on_basis("polynomial:3"),
            on_basis("fourier:2"),
            on_basis("gaussian:4"),
            on_column("linear"),
            on_column("fourier:2"),
            on_column("gaussian:4"),
            testing::make_network(1, MlpLoss::squared, data.x),
            classes(),
            testing::make_sum(data.x, data.y),
            testing::make_forecast(2)};
  }

  /// The payload after `change` must not be understood.
  void refuse(const SavedModel& saved, const char* what, const std::function<void(Json&)>& change) const {
    Json payload = payload_of(saved);
    change(payload);
    const std::string said = complaint(with_payload(saved, Json::to_cbor(payload)));
    EXPECT_EQ(said.find("m.gnomon: the model file cannot be understood ("), 0u) << what << ": " << said;
    EXPECT_EQ(said.find("json.exception"), std::string::npos) << what << ": " << said;
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 0) << what;
  }
};

Json matrix(Index rows, Index cols, Index values, double value = 0.5) {
  return {{"rows", rows},
          {"cols", cols},
          {"values", std::vector<double>(static_cast<std::size_t>(values), value)}};
}

constexpr Index huge = Index{1} << 32;

TEST_F(ForeignModel, UnchangedTheyServe) {
  for (const SavedModel& saved : all()) EXPECT_EQ(complaint(encode_model(saved)), "");
}

TEST_F(ForeignModel, ShapesAreCompared) {
  const auto model = [](Json& p) -> Json& { return p["model"]; };
  refuse(kernel(), "fewer coefficients", [&](Json& p) { model(p)["coefficients"] = matrix(3, 1, 3); });
  refuse(kernel(), "more coefficients", [&](Json& p) { model(p)["coefficients"] = matrix(13, 1, 13); });
  refuse(kernel(), "fewer centres", [&](Json& p) { model(p)["centres"] = matrix(3, 2, 6); });
  refuse(kernel(), "narrow centres", [&](Json& p) { model(p)["centres"] = matrix(12, 1, 12); });
  refuse(kernel(), "two targets", [&](Json& p) { model(p)["coefficients"] = matrix(12, 2, 24); });
  refuse(kernel(), "no targets", [&](Json& p) {
    model(p)["coefficients"] = matrix(12, 0, 0);
    model(p)["offset"] = p["targets"] = Json::array();
  });
  refuse(kernel(), "two offsets", [&](Json& p) { model(p)["offset"] = {1.0, 2.0}; });
  refuse(widths(), "three widths", [&](Json& p) { model(p)["input_widths"] = {1.0, 1.0, 1.0}; });
  for (const char* spec : {"linear", "polynomial:3", "fourier:2", "gaussian:4"}) {
    refuse(on_basis(spec), spec, [&](Json& p) { model(p)["coefficients"] = matrix(1, 1, 1); });
    refuse(on_basis(spec), spec, [&](Json& p) { model(p)["coefficients"] = matrix(40, 1, 40); });
    refuse(on_basis(spec), spec, [&](Json& p) { model(p)["basis"]["inputs"] = 1; });
  }
  for (const SavedModel& saved : {kernel(), on_basis("polynomial:3"), classes()}) {
    refuse(saved, "narrow scaling", [](Json& p) { p["scaling"] = {{"shift", {0.0}}, {"factor", {1.0}}}; });
    refuse(saved, "one column", [](Json& p) { p["plan"]["sources"].erase(0); });
    refuse(saved, "no columns", [](Json& p) {
      p["plan"]["sources"] = p["scaling"]["shift"] = p["scaling"]["factor"] = Json::array();
    });
  }
  refuse(classes(), "three inputs", [&](Json& p) { model(p)["network"]["inputs"] = 3; });
  refuse(classes(), "two classes", [](Json& p) { p["classes"] = {"no", "yes"}; });
  refuse(on_basis("linear"), "a class", [](Json& p) { p["classes"] = {"no"}; });
  refuse(filled(), "two means", [](Json& p) { p["plan"]["sources"][0]["fill"] = {1.0, 2.0}; });
}

TEST_F(ForeignModel, ColumnsInUseArePlacesAmongTheInputs) {
  for (const char* spec : {"linear", "fourier:2", "gaussian:4"}) {
    for (const Json& wrong : std::vector<Json>{
             Json::array(), {2}, {-1}, {0, 1}, {1, 0}, {1, 1}, {0.5}, {"b"}, Json(nullptr), {1e300}, 1})
      refuse(on_column(spec), wrong.dump().c_str(), [&](Json& p) { p["model"]["basis"]["columns"] = wrong; });
    refuse(on_column(spec), "no list", [](Json& p) { p["model"]["basis"].erase("columns"); });
    refuse(on_basis(spec), "a list", [](Json& p) { p["model"]["basis"]["columns"] = {0}; });
    refuse(on_column(spec), "three inputs", [](Json& p) { p["model"]["basis"]["inputs"] = 3; });
    refuse(on_column(spec), "huge", [](Json& p) { p["model"]["basis"]["inputs"] = huge; });
  }
}

TEST_F(ForeignModel, TermsOfASumAreCompared) {
  const SavedModel saved = testing::make_sum(data.x, data.y);
  const auto terms = [](Json& p) -> Json& { return p["model"]["sum"]; };
  refuse(saved, "no term", [&](Json& p) { terms(p) = Json::array(); });
  refuse(saved, "one term", [&](Json& p) { terms(p).erase(1); });
  refuse(saved, "no list", [&](Json& p) { terms(p) = terms(p)[0]; });
  refuse(saved, "many terms", [&](Json& p) { terms(p) = Json(101, terms(p)[0]); });
  refuse(saved, "a sum in a sum", [&](Json& p) { terms(p)[1] = Json(p["model"]); });
  refuse(saved, "a network", [&](Json& p) { terms(p)[1] = payload_of(classes())["model"]; });
  refuse(saved, "no centres at all", [&](Json& p) { terms(p)[0].erase("centres"); });
  refuse(saved, "fewer coefficients", [&](Json& p) { terms(p)[1]["coefficients"] = matrix(3, 1, 3); });
  refuse(saved, "narrow centres", [&](Json& p) { terms(p)[1]["centres"] = matrix(12, 1, 12); });
  refuse(saved, "two targets", [&](Json& p) {
    terms(p)[1]["coefficients"] = matrix(12, 2, 24);
    terms(p)[1]["offset"] = {1.0, 2.0};
  });
  refuse(saved, "two targets of both", [&](Json& p) {
    for (Json& term : terms(p)) term["coefficients"] = matrix(12, 2, 24), term["offset"] = {1.0, 2.0};
  });
  refuse(saved, "a basis of other inputs", [&](Json& p) {
    terms(p)[1] = payload_of(on_basis("polynomial:3"))["model"];
    terms(p)[1]["basis"]["inputs"] = 1;
  });
  refuse(saved, "not finite", [&](Json& p) { terms(p)[1]["offset"][0] = nullptr; });
  refuse(kernel(), "a sum under the schema of one term",
         [&](Json& p) { p["model"] = payload_of(saved)["model"]; });
}

TEST_F(ForeignModel, SizesAreComparedBeforeAnythingIsAllocated) {
  refuse(kernel(), "product of sizes", [](Json& p) { p["model"]["centres"] = matrix(huge, huge, 0); });
  refuse(kernel(), "product of sizes", [](Json& p) { p["model"]["coefficients"] = matrix(huge, huge, 0); });
  refuse(kernel(), "negative sizes", [](Json& p) { p["model"]["coefficients"] = matrix(-12, -1, 12); });
  for (const char* name : {"polynomial:1000000000", "polynomial:4611686018427387904",
                           "fourier:2305843009213693952", "fourier:100000000"})
    refuse(on_basis("fourier:2"), name, [&](Json& p) { p["model"]["basis"]["name"] = name; });
  refuse(on_basis("gaussian:4"), "centres",
         [](Json& p) { p["model"]["basis"]["name"] = "gaussian:8589934592"; });
  const auto network = [](Json& p) -> Json& { return p["model"]["network"]; };
  refuse(classes(), "hidden units", [&](Json& p) { network(p)["hidden"] = {huge}; });
  refuse(classes(), "product of sizes", [&](Json& p) {
    network(p)["hidden"] = {huge, huge};
    network(p)["bias"] = false;
  });
  refuse(classes(), "inputs", [&](Json& p) { network(p)["inputs"] = std::numeric_limits<Index>::max() - 1; });
  refuse(classes(), "outputs", [&](Json& p) { network(p)["outputs"] = huge; });
  refuse(testing::make_forecast(1), "lags", [](Json& p) { p["series"]["lags"] = huge; });
  refuse(testing::make_forecast(1), "horizon",
         [](Json& p) { p["series"]["horizon"] = std::numeric_limits<Index>::max(); });
}

TEST_F(ForeignModel, NumbersMustBeFinite) {
  const Json undefined_number = nullptr, infinite = HUGE_VAL;
  for (const Json& bad : {undefined_number, infinite}) {
    refuse(kernel(), "coefficient", [&](Json& p) { p["model"]["coefficients"]["values"][0] = bad; });
    refuse(kernel(), "centre", [&](Json& p) { p["model"]["centres"]["values"][0] = bad; });
    refuse(kernel(), "offset", [&](Json& p) { p["model"]["offset"][0] = bad; });
    refuse(kernel(), "kernel", [&](Json& p) { p["model"]["kernel"]["width"] = bad; });
    refuse(kernel(), "scaling", [&](Json& p) { p["scaling"]["factor"][0] = bad; });
    refuse(widths(), "width", [&](Json& p) { p["model"]["input_widths"][0] = bad; });
    refuse(filled(), "mean", [&](Json& p) { p["plan"]["sources"][0]["fill"][0] = bad; });
    refuse(classes(), "weight", [&](Json& p) { p["model"]["network"]["weights"][0] = bad; });
    refuse(on_basis("fourier:2"), "low", [&](Json& p) { p["model"]["basis"]["low"][0] = bad; });
    refuse(on_basis("gaussian:4"), "centre", [&](Json& p) { p["model"]["basis"]["centres"][0] = bad; });
    refuse(on_basis("gaussian:4"), "width", [&](Json& p) { p["model"]["basis"]["width"] = bad; });
  }
  refuse(widths(), "width", [](Json& p) { p["model"]["input_widths"][0] = 0; });
}

TEST_F(ForeignModel, NestedValuesAreRefused) {
  const Bytes levels[] = {{0x81}, {0x9f}, {0x5f}, {0x7f}, {0xa1, 0x61, 'a'}, {0xbf, 0x61, 'a'}, {0xc1}};
  for (const Bytes& level : levels) {
    for (const std::size_t depth : {17u, 131072u, 2000000u}) {
      Bytes nested;
      for (std::size_t i = 0; i < depth; ++i) nested.insert(nested.end(), level.begin(), level.end());
      nested.push_back(0x01);
      EXPECT_NE(complaint(std::string(nested.begin(), nested.end())), "");
      EXPECT_NE(complaint(with_payload(kernel(), nested)), "");
      // Somewhere inside a payload that is right for the rest.
      Bytes payload = Json::to_cbor(payload_of(kernel()));
      payload[0] = static_cast<std::uint8_t>(payload[0] + 1);  // one more entry of the map
      payload.insert(payload.end(), {0x63, 'm', 'o', 'r'});
      payload.insert(payload.end(), nested.begin(), nested.end());
      EXPECT_NE(complaint(with_payload(kernel(), payload)), "") << depth;
    }
  }
}

TEST_F(ForeignModel, EveryTruncationIsRefused) {
  for (const SavedModel& saved : all()) {
    const Bytes payload = Json::to_cbor(payload_of(saved));
    for (std::size_t size = 0; size < payload.size(); size += 1 + payload.size() / 97)
      EXPECT_NE(complaint(with_payload(saved, {payload.begin(), payload.begin() + static_cast<Index>(size)})),
                "")
          << size;
  }
}

TEST_F(ForeignModel, ChangedBytesAreRefusedOrServe) {
  Random random(5);
  Index refused = 0, served = 0;
  for (const SavedModel& saved : all()) {
    const Bytes payload = Json::to_cbor(payload_of(saved));
    for (int trial = 0; trial < 300; ++trial) {
      Bytes changed = payload;
      for (std::uint64_t k = 0; k <= random.bits() % 3; ++k)
        changed[random.bits() % changed.size()] = static_cast<std::uint8_t>(random.bits());
      (complaint(with_payload(saved, changed)).empty() ? served : refused) += 1;
    }
  }
  EXPECT_GT(refused, 500);  // both ends occur
  EXPECT_GT(served, 100);
}

/// Every place in a value; of a long list the first two entries.
void visit_places(const Json& value, const Json::json_pointer& at, std::vector<Json::json_pointer>& places) {
  if (!at.empty()) places.push_back(at);
  if (value.is_object())
    for (const auto& [key, part] : value.items()) visit_places(part, at / key, places);
  if (value.is_array())
    for (std::size_t i = 0; i < std::min<std::size_t>(2, value.size()); ++i)
      visit_places(value[i], at / i, places);
}

TEST_F(ForeignModel, ValuesOfAnotherKindAreRefusedOrServe) {
  Json nested = Json::array();
  for (int i = 0; i < 12; ++i) nested = Json::array({nested});
  const std::vector<Json> others{nullptr,
                                 true,
                                 -1,
                                 0,
                                 3,
                                 huge,
                                 std::numeric_limits<Index>::max(),
                                 -1e300,
                                 1e300,
                                 HUGE_VAL,
                                 "",
                                 "x",
                                 "\xff\xfe",
                                 Json::array(),
                                 Json::object(),
                                 nested,
                                 Json::binary({1, 2, 3}),
                                 matrix(1, 1, 1)};
  Index refused = 0;
  for (const SavedModel& saved : all()) {
    const Json payload = payload_of(saved);
    std::vector<Json::json_pointer> places;
    visit_places(payload, Json::json_pointer(), places);
    for (const auto& place : places) {
      Json without = payload;
      without.at(place.parent_pointer()).is_object()
          ? void(without.at(place.parent_pointer()).erase(place.back()))
          : without.at(place.parent_pointer()).erase(0);
      refused += !complaint(with_payload(saved, Json::to_cbor(without))).empty();
      for (const Json& other : others) {
        Json changed = payload;
        changed[place] = other;
        refused += !complaint(with_payload(saved, Json::to_cbor(changed))).empty();
      }
    }
  }
  EXPECT_GT(refused, 1000);
}

TEST_F(ForeignModel, TheFrameIsCheckedToo) {
  const Json file = file_of(kernel());
  for (const char* key : {"format", "schema", "checksum", "payload"}) {
    for (const Json& other :
         {Json(nullptr), Json("\xff"), Json(-1), Json(1e300), Json::array(), Json::object(), Json(true)}) {
      Json changed = file;
      changed[key] = other;
      const Bytes bytes = Json::to_cbor(changed);
      EXPECT_NE(complaint({bytes.begin(), bytes.end()}), "") << key;
    }
  }
}

}  // namespace
}  // namespace gnomon::foreign_model_test
