#include "gnomon/learn/model_file.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cases.hpp"
#include "gnomon/core/error.hpp"

namespace gnomon {
namespace {

SavedModel make_model(const Representation& representation, const Matrix& x, const Matrix& y) {
  SavedModel saved;
  saved.plan.sources = {{"a", {}, Vector::Zero(1)}, {"b", {}, Vector::Zero(1)}};
  saved.scaling = Scaling::fit(x, Vector(), Scale::standard);
  Matrix scaled = x;
  saved.scaling.apply(scaled);
  const Smoother smoother(scaled, y, Vector(), {.representation = representation, .filter = tikhonov});
  const double lambda = 0.1;
  saved.model = smoother.fit({&lambda, 1});
  saved.target_names = {"y"};
  saved.summary = "test";
  return saved;
}

struct ModelFile : ::testing::Test {
  testing::Data data = testing::make_data(30, 2, 3, false);
  std::string complaint(const std::string& bytes) {
    try {
      decode_model(bytes, "m.gnomon");
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  }
};

TEST_F(ModelFile, PredictsTheSameBitsAfterReading) {
  for (const Representation& representation :
       {Representation(parse_kernel("gaussian", 1)), Representation(parse_kernel("polynomial:3", 2)),
        Representation(Basis::fit("gaussian:7", data.x)), Representation(Basis::fit("fourier:3", data.x))}) {
    const SavedModel saved = make_model(representation, data.x, data.y);
    const SavedModel read = decode_model(encode_model(saved), "m");
    EXPECT_EQ(saved.model.predict(data.x), read.model.predict(data.x));
    EXPECT_EQ(read.target_names, saved.target_names);
  }
}

TEST_F(ModelFile, PredictionsDoNotDependOnHowRowsAreCut) {
  for (const Representation& representation :
       {Representation(parse_kernel("matern32", 1)), Representation(Basis::fit("polynomial:4", data.x))}) {
    const SavedModel saved = make_model(representation, data.x, data.y);
    const Matrix whole = saved.model.predict(data.x);
    for (const Index size : {1, 7, 13}) {
      for (Index first = 0; first < 30; first += size) {
        const Index count = std::min(size, 30 - first);
        EXPECT_EQ(saved.model.predict(data.x.middleRows(first, count)), whole.middleRows(first, count));
      }
    }
  }
}

TEST_F(ModelFile, DamageIsNoticed) {
  const std::string bytes = encode_model(make_model(parse_kernel("gaussian", 1), data.x, data.y));
  EXPECT_NE(complaint(bytes.substr(0, bytes.size() / 2)).find("truncated"), std::string::npos);
  EXPECT_NE(complaint("not a model").find("not a gnomon model"), std::string::npos);
  EXPECT_NE(complaint("").find("not a gnomon model"), std::string::npos);
  for (const std::size_t at : {bytes.size() / 3, bytes.size() / 2, bytes.size() - 40}) {
    std::string altered = bytes;
    altered[at] = static_cast<char>(altered[at] ^ 0x10);
    EXPECT_NE(complaint(altered), "accepted") << at;
  }
}

TEST_F(ModelFile, NewerSchemaIsRefused) {
  nlohmann::json file =
      nlohmann::json::from_cbor(encode_model(make_model(parse_kernel("linear", 1), data.x, data.y)));
  file["schema"] = 99;
  const auto bytes = nlohmann::json::to_cbor(file);
  EXPECT_NE(complaint({bytes.begin(), bytes.end()}).find("use a newer gnomon"), std::string::npos);
}

}  // namespace
}  // namespace gnomon
