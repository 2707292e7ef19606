#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "gnomon/data/dataset.hpp"
#include "temp_file.hpp"

namespace gnomon::feature_plan_test {
namespace {

using testing::message_of;
using testing::TempFile;

Table table_of(const std::string& bytes, const CsvOptions& options = {}) {
  const TempFile file(bytes);
  Table table = read_table(file.path(), options);
  table.source = "new.csv";
  return table;
}

FeaturePlan plan_of(const std::string& bytes, Missing missing = Missing::error) {
  FeaturePlan plan;
  DatasetOptions options;
  options.targets = {"y"};
  options.missing = missing;
  make_dataset(table_of(bytes), options, &plan);
  return plan;
}

const std::string training = "age,sex,y\n30,M,1\n40,F,2\n50,M,3\n60,F,4\n";

TEST(FeaturePlan, TrainingRowsAreEncodedAsInTraining) {
  const Table table = table_of(training);
  FeaturePlan plan;
  DatasetOptions options;
  options.targets = {"y"};
  const Dataset data = make_dataset(table, options, &plan);
  EXPECT_EQ(plan.encode(table), data.x);
  EXPECT_EQ(plan.names(), data.feature_names);
  EXPECT_EQ(plan.features(), data.x.cols());
}

TEST(FeaturePlan, ColumnsAreFoundByNameAndOthersIgnored) {
  const Matrix x = plan_of(training).encode(table_of("extra,sex,age\nq,F,1\nr,F,2\n"));
  EXPECT_EQ(x, (Matrix(2, 3) << 1, 1, 0, 2, 1, 0).finished());
}

TEST(FeaturePlan, TrueAndFalseAreNumbersWhoeverWroteThem) {
  const std::string text = "flag,y\nTrue,1\nFalse,2\nFALSE,3\n,4\ntrue,5\n";
  FeaturePlan plan;
  const Table table = table_of(text);
  DatasetOptions options;
  options.targets = {"y"};
  options.missing = Missing::drop;
  const Dataset data = make_dataset(table, options, &plan);
  EXPECT_EQ(data.feature_names, std::vector<std::string>{"flag"});
  EXPECT_EQ(data.x, (Matrix(4, 1) << 1, 0, 0, 1).finished());
  EXPECT_EQ(data.notes.back(), "column 'flag': true is 1, false is 0");
  const std::string later = "flag\nFalse\nTRUE\n";
  for (const CsvOptions& read : {CsvOptions{}, plan.csv_options()})
    EXPECT_EQ(plan.encode(table_of(later, read)), (Matrix(2, 1) << 0, 1).finished());
  EXPECT_EQ(plan.encode(table_of("flag\n0\n1\n")), (Matrix(2, 1) << 0, 1).finished());
  EXPECT_EQ(message_of([&] { plan.encode(table_of("flag\nTrue\nmaybe\n")); }),
            "new.csv: row 2, column 'flag': 'True' is not a number; correct the cell");
}

TEST(FeaturePlan, BadNewData) {
  const FeaturePlan plan = plan_of(training);
  auto complaint = [&](const std::string& bytes) {
    return message_of([&] { plan.encode(table_of(bytes)); });
  };
  EXPECT_EQ(complaint("Age,sex\n1,M\n"),
            "new.csv: column 'age' of the training rows is missing; did you mean 'Age'?");
  EXPECT_EQ(complaint("q\n1\n"), "new.csv: columns 'age', 'sex' of the training rows are missing");
  EXPECT_EQ(complaint("age,sex\n1,M\n2,X\n"),
            "new.csv: row 3, column 'sex': the value 'X' did not occur in training; give one of F, M, "
            "or train with rows of it");
  EXPECT_EQ(complaint("age,sex\n1,1\n"),
            "new.csv: row 2, column 'sex': a number, but the model knows the texts F, M; correct the cell");
  EXPECT_EQ(complaint("age,sex\n1,M\nold,F\n"),
            "new.csv: row 3, column 'age': 'old' is not a number; correct the cell");
  EXPECT_EQ(complaint("age,sex\n1,M\n1e400,F\n"),
            "new.csv: row 3, column 'age': the number is not finite; correct the cell");
  EXPECT_EQ(complaint("age,sex\n1,M\n,F\n"),
            "new.csv: row 3, column 'age': the cell is missing; fill it in, or train with `missing` mean");
  EXPECT_NE(message_of([&] {
              plan_of(training, Missing::drop).encode(table_of("age,sex\n1,\n"));
            }).find("row 2, column 'sex': the cell is missing; rows cannot be left out here"),
            std::string::npos);
}

TEST(FeaturePlan, MissingCellsTakeTheTrainingMeans) {
  const Matrix x = plan_of(training, Missing::mean).encode(table_of("age,sex\n,M\n1,\n"));
  EXPECT_EQ(x, (Matrix(2, 3) << 45, 0, 1, 1, 0.5, 0.5).finished());
}

TEST(FeaturePlan, BlocksOfAnySizeGiveTheSameFeatures) {
  std::string train = "code,v,y\n", fresh = "v,code\n";
  for (int i = 0; i < 30; ++i) {
    const std::string code = i % 3 == 0 ? "x" : std::to_string(i % 3);
    train += fmt::format("{},{},1\n", code, i);
    fresh += fmt::format("{},{}\n", i * 0.5, code);
  }
  const FeaturePlan plan = plan_of(train);
  const Matrix whole = plan.encode(table_of(fresh, plan.csv_options()));
  const TempFile file(fresh);
  for (const Index size : {1, 4, 100}) {
    TableReader reader(file.path(), plan.csv_options());
    Table block;
    for (Index row = 0; reader.next(block, size); row += block.rows())
      EXPECT_EQ(plan.encode(block), whole.middleRows(row, block.rows()));
  }
}

TEST(FeaturePlan, JsonRoundTrip) {
  for (const Missing missing : {Missing::error, Missing::drop, Missing::mean}) {
    const FeaturePlan plan = plan_of("a,sex,y\n0.1,M,1\n0.7,F,2\n0.3,F,3\n", missing);
    const FeaturePlan back = feature_plan_from_json(nlohmann::json::parse(to_json(plan).dump()));
    EXPECT_EQ(back.missing, missing);
    ASSERT_EQ(back.sources.size(), plan.sources.size());
    for (std::size_t s = 0; s < plan.sources.size(); ++s) {
      EXPECT_EQ(back.sources[s].column, plan.sources[s].column);
      EXPECT_EQ(back.sources[s].levels, plan.sources[s].levels);
      EXPECT_EQ(back.sources[s].fill, plan.sources[s].fill);
    }
  }
  EXPECT_NE(message_of([] { feature_plan_from_json(nlohmann::json::object()); }).find("damaged"),
            std::string::npos);
  EXPECT_NE(message_of([] {
              feature_plan_from_json({{"missing", "mean"}, {"sources", {{{"column", "a"}}}}});
            }).find("column 'a' lacks its means"),
            std::string::npos);
}

}  // namespace
}  // namespace gnomon::feature_plan_test
