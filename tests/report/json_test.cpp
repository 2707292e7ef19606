#include <gtest/gtest.h>

#include "gnomon/report/writers.hpp"
#include "studies.hpp"

namespace gnomon::json_test {
namespace {

using testing::asking_for;
using testing::small_study;
using Json = nlohmann::ordered_json;

std::vector<std::string> keys(const Json& json) {
  std::vector<std::string> names;
  for (const auto& [key, value] : json.items()) names.push_back(key);
  return names;
}

TEST(JsonReport, HasTheDocumentedKeysInTheirOrder) {
  const Json json = json_report(small_study(asking_for({"loo", "gcv", "evidence", "sic"})));
  EXPECT_EQ(keys(json),
            (std::vector<std::string>{"gnomon", "data", "learner", "settings", "noise_variance", "path",
                                      "selected", "chosen", "test_error", "test_error_se", "warnings"}));
  EXPECT_TRUE(json["gnomon"].is_string());
  EXPECT_EQ(json["data"]["rows"], 30);
  EXPECT_EQ(json["data"]["features"], 1);
  EXPECT_EQ(json["data"]["target"], "y1");
  EXPECT_EQ(json["data"]["test_rows"], 0);
  EXPECT_EQ(json["data"]["feature_names"], Json::array({"x1"}));
  EXPECT_FALSE(json["data"].contains("weight_sum"));
  EXPECT_EQ(json["learner"]["name"], "kernel-ridge");
  EXPECT_EQ(json["learner"]["kernel"], "gaussian");
  EXPECT_TRUE(json["learner"]["width"].is_number());
  EXPECT_EQ(json["learner"]["penalty"], "function");
  EXPECT_TRUE(json["learner"]["strategy"].is_string());
  EXPECT_TRUE(json["noise_variance"]["method"].is_string());
  EXPECT_TRUE(json["noise_variance"]["value"].is_number());
  EXPECT_TRUE(json["test_error"].is_null());
  EXPECT_TRUE(json["warnings"].is_array());
}

TEST(JsonReport, PathAndChoiceAreThoseOfTheSelection) {
  SelectionRequest request = asking_for({"loo", "gcv", "evidence", "sic"});
  request.penalty = "coefficients";  // its sic is that of the function space
  const Study study = small_study(request);
  const TargetSelection& t = study.selection.targets[0];
  const SelectionPath& found = *t.path();
  const Json json = json_report(study);
  const Json& path = json["path"];
  EXPECT_EQ(keys(path), (std::vector<std::string>{"lambda", "df", "train_error", "criteria"}));
  EXPECT_EQ(path["lambda"].get<std::vector<double>>(), found.lambda);
  EXPECT_EQ(path["df"].size(), found.lambda.size());
  EXPECT_EQ(path["train_error"].size(), found.lambda.size());
  EXPECT_EQ(keys(path["criteria"]), (std::vector<std::string>{"loo", "gcv", "evidence", "sic"}));
  const std::vector<std::string> scales{"prediction", "prediction", "log-evidence", "function-space"};
  for (std::size_t i = 0; i < found.criteria.size(); ++i) {
    const PathOutcome& c = found.criteria[i];
    const Json& curve = path["criteria"][c.label];
    EXPECT_EQ(curve["scale"], scales[i]);
    EXPECT_EQ(curve["value"].size(), found.lambda.size());
    EXPECT_EQ(curve["se"].is_null(), c.curve.standard_error.size() == 0) << c.label;
    EXPECT_EQ(json["selected"][c.label]["lambda"].get<double>(), c.lambda);
    EXPECT_EQ(json["selected"][c.label]["value"].get<double>(), c.selected->value);
    EXPECT_EQ(json["selected"][c.label]["at_edge"].get<bool>(), c.selected->at_edge);
  }
  EXPECT_EQ(json["chosen"]["criterion"], "loo");
  EXPECT_EQ(json["chosen"]["lambda"].get<double>(), found.chosen().lambda);
  EXPECT_EQ(json["chosen"]["df"].get<double>(), t.chosen_df);
}

TEST(JsonReport, ABasisHasNoKernel) {
  SelectionRequest request = asking_for({"gcv"});
  request.learner = "ridge";
  request.basis = "polynomial:3";
  const Json learner = json_report(small_study(request))["learner"];
  EXPECT_EQ(learner["basis"], "polynomial:3");
  EXPECT_FALSE(learner.contains("kernel"));
  EXPECT_FALSE(learner.contains("penalty"));
}

TEST(JsonReport, OnlyKernelRidgeHasAPenalty) {
  SelectionRequest request = asking_for({"gcv"});
  request.learner = "landweber";
  const Json learner = json_report(small_study(request))["learner"];
  EXPECT_EQ(learner["kernel"], "gaussian");
  EXPECT_FALSE(learner.contains("penalty"));
}

TEST(JsonReport, UndefinedIsNull) {
  Study study = small_study(asking_for({"loo", "gcv"}));
  TargetSelection& t = study.selection.targets[0];
  testing::undefine(t.path()->criteria[1]);
  t.noise.value[0] = undefined;
  t.path()->df[0] = undefined;
  const Json json = json_report(study);
  EXPECT_TRUE(json["selected"]["gcv"]["lambda"].is_null());
  EXPECT_TRUE(json["selected"]["gcv"]["value"].is_null());
  EXPECT_EQ(json["selected"]["gcv"]["at_edge"], false);
  EXPECT_TRUE(json["path"]["criteria"]["gcv"]["value"][0].is_null());
  EXPECT_TRUE(json["path"]["df"][0].is_null());
  EXPECT_TRUE(json["noise_variance"]["value"].is_null());
}

TEST(JsonReport, NoisePerLambdaIsAnArray) {
  SelectionRequest request = asking_for({"gcv"});
  request.noise = "residual";
  const Json json = json_report(small_study(request));
  EXPECT_EQ(json["noise_variance"]["value"].size(), json["path"]["lambda"].size());
}

TEST(JsonReport, SeveralWidthsAreAnAxisOfTheirOwn) {
  SelectionRequest request = asking_for({"loo", "gcv"});
  request.width = "0.5,1,2";
  const Json json = json_report(small_study(request));
  const Json& path = json["path"];
  EXPECT_EQ(path["width"].size(), path["lambda"].size());
  EXPECT_EQ(path["parameters"]["lambda"], path["lambda"]);
  EXPECT_EQ(path["parameters"]["width"], path["width"]);
  EXPECT_EQ(json["learner"]["width"], json["chosen"]["width"]);
  EXPECT_TRUE(json["selected"]["gcv"]["width"].is_number());
}

TEST(JsonReport, SeveralTargetsAreListed) {
  Study study = small_study(asking_for({"loo"}), 2);
  study.test_error = {std::nullopt, 0.25};
  const Json json = json_report(study);
  EXPECT_EQ(keys(json), (std::vector<std::string>{"gnomon", "data", "learner", "settings", "targets"}));
  EXPECT_EQ(json["data"]["target"], Json::array({"y1", "y2"}));
  ASSERT_EQ(json["targets"].size(), 2u);
  EXPECT_EQ(keys(json["targets"][1]),
            (std::vector<std::string>{"target", "settings", "noise_variance", "path", "selected", "chosen",
                                      "test_error", "test_error_se", "warnings"}));
  EXPECT_EQ(json["targets"][1]["target"], "y2");
  EXPECT_TRUE(json["targets"][0]["test_error"].is_null());
  EXPECT_EQ(json["targets"][1]["test_error"], 0.25);
}

TEST(JsonReport, TruthWeightsAndWarningsAreThere) {
  Study study = small_study(asking_for({"loo"}));
  const Index m = static_cast<Index>(study.selection.targets[0].path()->lambda.size());
  study.truth = TruthCurve{Vector::Ones(m), 0.04, "error on new data"};
  study.weight = Vector::Constant(30, 2.0);
  study.selection.targets[0].warnings = {"beware"};
  const Json json = json_report(study);
  EXPECT_EQ(json["path"]["truth"]["value"].size(), static_cast<std::size_t>(m));
  EXPECT_EQ(json["path"]["truth"]["description"], "error on new data");
  EXPECT_EQ(json["data"]["weight_sum"], 60.0);
  EXPECT_EQ(json["warnings"], Json::array({"beware"}));
}

TEST(JsonReport, BrokenNamesCanStillBeWritten) {
  Study study = small_study(asking_for({"loo"}));
  study.feature_names[0] =
      "gr\xf6\xdf"
      "e";
  EXPECT_NO_THROW(json_report(study).dump());
}

TEST(JsonReport, SettingsSayWhatWasAskedForAndWhatWasUsed) {
  SelectionRequest request = asking_for({"auto"});
  request.width = "0.5,1,2";
  request.seed = 7;
  const Study study = small_study(request);
  const Json settings = json_report(study)["settings"];
  EXPECT_EQ(settings["seed"], 7);
  EXPECT_EQ(settings["asked"]["width"], "0.5,1,2");
  EXPECT_EQ(settings["used"]["width"], study.selection.targets[0].path()->chosen().width);
  EXPECT_EQ(settings["asked"]["criterion"], "auto");
  EXPECT_EQ(settings["used"]["criterion"], "blend, sic, loo");
  EXPECT_EQ(settings["used"]["learner"], "tikhonov filter");
  EXPECT_EQ(settings["asked"]["intercept"], true);
  EXPECT_EQ(keys(settings["asked"]), keys(settings["used"]));
  for (const char* other : {"tau", "basis", "hidden", "bootstrap", "flattening", "groups"})
    EXPECT_FALSE(settings["asked"].contains(other)) << other;
}

TEST(JsonReport, EveryTargetHasItsOwnSettingsUsed) {
  const Json json = json_report(small_study(asking_for({"gcv"}), 2));
  EXPECT_EQ(keys(json["settings"]), (std::vector<std::string>{"seed", "asked"}));
  for (const Json& target : json["targets"]) EXPECT_EQ(target["settings"]["used"]["criterion"], "gcv");
}

}  // namespace
}  // namespace gnomon::json_test
