#include "gnomon/learn/model_file.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "gnomon/core/error.hpp"
#include "saved_models.hpp"

namespace gnomon::model_file_test {
namespace {

using testing::make_forecast;
using testing::make_model;
using testing::make_network;
using testing::make_sum;
using testing::series_table;

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

TEST_F(ModelFile, AnotherSchemaThanThatOfThePayloadIsRefused) {
  nlohmann::json file =
      nlohmann::json::from_cbor(encode_model(make_model(parse_kernel("linear", 1), data.x, data.y)));
  file["schema"] = 2;
  const auto bytes = nlohmann::json::to_cbor(file);
  EXPECT_NE(complaint({bytes.begin(), bytes.end()}).find("schema 2 is given, the payload has 1"),
            std::string::npos);
}

int schema_of(const SavedModel& model) { return nlohmann::json::from_cbor(encode_model(model)).at("schema"); }

TEST_F(ModelFile, SchemaIsTheOldestThatCanBeUnderstood) {
  SavedModel plain = make_model(parse_kernel("gaussian", 1), data.x, data.y);
  EXPECT_EQ(schema_of(plain), 1);
  EXPECT_EQ(schema_of(make_forecast(1)), 2);
  EXPECT_EQ(schema_of(make_network(1, MlpLoss::squared, data.x)), 2);
  EXPECT_EQ(schema_of(make_model(Basis::fit_on({0}, "linear", data.x), data.x, data.y)), 3);
  LinearModel wide = *plain.model.linear();
  wide.input_widths = Eigen::Vector2d(0.5, 2);
  plain.model = wide;
  EXPECT_EQ(schema_of(plain), 2);
}

TEST_F(ModelFile, SumsComeBackWithTheirCentresStoredOnce) {
  const SavedModel sum = make_sum(data.x, data.y);
  EXPECT_EQ(schema_of(sum), 3);
  const nlohmann::json file = nlohmann::json::from_cbor(encode_model(sum));
  const nlohmann::json payload = nlohmann::json::from_cbor(file.at("payload").get_binary());
  EXPECT_TRUE(payload["model"]["sum"][0].contains("centres"));
  EXPECT_FALSE(payload["model"]["sum"][1].contains("centres"));
  const SavedModel back = decode_model(encode_model(sum), "m");
  EXPECT_EQ(back.model.predict(data.x), sum.model.predict(data.x));
  EXPECT_EQ(encode_model(back), encode_model(sum));
  const Matrix one = sum.model.sum()->terms[0].predict(data.x),
               other = sum.model.sum()->terms[1].predict(data.x);
  EXPECT_EQ(sum.model.predict(data.x), one + other);
  EXPECT_EQ(sum.model.size(), 2 * data.x.rows());
}

TEST_F(ModelFile, NetworksWidthsAndClassesComeBack) {
  SavedModel wide = make_model(parse_kernel("gaussian", 1), data.x, data.y);
  LinearModel kernel = *wide.model.linear();
  kernel.input_widths = Eigen::Vector2d(0.5, 2);
  wide.model = kernel;
  SavedModel classifier = make_network(3, MlpLoss::cross_entropy, data.x);
  classifier.classes = {"no", "so, so", "yes"};
  for (const SavedModel& saved : {wide, make_network(1, MlpLoss::squared, data.x), classifier}) {
    const SavedModel read = decode_model(encode_model(saved), "m");
    EXPECT_EQ(saved.model.predict(data.x), read.model.predict(data.x));
    EXPECT_EQ(read.classes, saved.classes);
    EXPECT_FALSE(read.series);
  }
}

TEST_F(ModelFile, ForecastsByHand) {
  for (const Index horizon : {1, 3}) {
    const SavedModel read = decode_model(encode_model(make_forecast(horizon)), "m");
    EXPECT_EQ(read.series, (SeriesPlan{"y", 2, horizon}));
    EXPECT_EQ(read.csv_options().numeric_columns, std::vector<std::string>{"y"});
    const Matrix forecast = read.predict(series_table((Vector(4) << 1, 5, 2, 7).finished()));
    ASSERT_EQ(forecast.rows(), 4);
    EXPECT_TRUE(std::isnan(forecast(0, 0)));
    EXPECT_EQ(forecast.bottomRows(3), (Vector(3) << 3 + 10 - 1, 3 + 4 - 5, 3 + 14 - 2).finished());
  }
}

TEST_F(ModelFile, ForecastsDoNotDependOnHowRowsAreCut) {
  Vector y = data.y.col(0);
  y[11] = undefined;
  const SavedModel saved = make_forecast(1, Missing::drop);
  const Matrix whole = saved.predict(series_table(y));
  EXPECT_EQ(whole.array().isNaN().count(), 3);  // the first row, and two that touch the missing value
  for (const Index size : {1, 2, 7, 29}) {
    SeriesPast past;
    for (Index first = 0; first < y.size(); first += size) {
      const Index count = std::min(size, y.size() - first);
      const Matrix part = saved.predict(series_table(y.segment(first, count), 2 + first), past);
      for (Index i = 0; i < count; ++i)
        EXPECT_TRUE(part(i, 0) == whole(first + i, 0) ||
                    (std::isnan(part(i, 0)) && std::isnan(whole(first + i, 0))))
            << size << " " << first + i;
    }
  }
}

TEST_F(ModelFile, TooShortForAnyForecast) {
  EXPECT_TRUE(std::isnan(make_forecast(2).predict(series_table(Vector::Ones(1)))(0, 0)));
}

TEST_F(ModelFile, PartsThatDoNotFitAreRefused) {
  SavedModel lags = make_forecast(1);
  lags.series->lags = 3;
  SavedModel horizon = make_forecast(1);
  horizon.series->horizon = 2;  // the features are called "y lag 1", "y lag 2"
  SavedModel classes = make_network(3, MlpLoss::cross_entropy, data.x);
  classes.classes = {"no", "yes"};
  SavedModel targets = make_network(2, MlpLoss::squared, data.x);
  for (const SavedModel& saved : {lags, horizon, make_forecast(1, Missing::mean), classes, targets}) {
    const std::string said = complaint(encode_model(saved));
    EXPECT_EQ(said.find("m.gnomon: the model file cannot be understood ("), 0u) << said;
  }
}

TEST_F(ModelFile, ColumnsThatAreNotInUseNeedNotBeThere) {
  // a, a text with two levels, b: the basis uses the text and b, or one level of the text and b.
  const testing::Data four = testing::make_data(30, 4, 3, false);
  Matrix x = four.x;
  x.col(1) = (x.col(1).array() > 0).cast<double>();
  x.col(2) = 1 - x.col(1).array();
  for (const std::vector<Index>& used : std::vector<std::vector<Index>>{{1, 2, 3}, {2, 3}}) {
    SavedModel saved = make_model(Basis::fit_on(used, "polynomial:2", x), x, four.y);
    saved.plan.sources = {
        {"a", {}, Vector::Zero(1)}, {"sex", {"F", "M"}, Vector::Zero(2)}, {"b", {}, Vector::Zero(1)}};
    saved.held_out = held_out_rows(four.y, Vector(), x);
    const SavedModel narrow = without_unused_columns(saved);
    const SavedModel read = decode_model(encode_model(narrow), "m");
    EXPECT_EQ(schema_of(narrow), used.size() == 3 ? 1 : 3);
    EXPECT_EQ(read.plan.names(), (std::vector<std::string>{"sex=F", "sex=M", "b"}));
    const Matrix rest = x.rightCols(3);
    EXPECT_EQ(read.held_out->outside(rest), saved.held_out->outside(x));
    Matrix all_scaled = x, rest_scaled = rest;
    saved.scaling.apply(all_scaled);
    read.scaling.apply(rest_scaled);
    EXPECT_EQ(read.model.predict(rest_scaled), saved.model.predict(all_scaled));
  }
  const SavedModel whole = make_model(Basis::fit("linear", data.x), data.x, data.y);
  EXPECT_EQ(encode_model(without_unused_columns(whole)), encode_model(whole));
  SavedModel series = make_forecast(1);
  LinearModel second = *series.model.linear();
  second.representation = Basis::fit_on({1}, "linear", Matrix::Random(5, 2));
  second.coefficients = Matrix::Ones(1, 1);
  series.model = second;
  EXPECT_EQ(without_unused_columns(series).plan.features(), 2);  // windows come as they are
  EXPECT_EQ(schema_of(series), 3);
}

}  // namespace
}  // namespace gnomon::model_file_test
