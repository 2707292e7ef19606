#include "gnomon/data/dataset.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "temp_file.hpp"

namespace gnomon::dataset_test {
namespace {

using testing::message_of;
using testing::TempFile;
using Names = std::vector<std::string>;

Table table_of(const std::string& bytes) {
  const TempFile file(bytes);
  Table table = read_table(file.path());
  table.source = "data.csv";
  return table;
}

DatasetOptions with_target(const std::string& target) {
  DatasetOptions options;
  options.targets = {target};
  return options;
}

const std::string people = "age,sex,y\n30,M,1\n40,F,2\n50,M,3\n60,I,4\n";

TEST(MakeDataset, NumbersAndOneHot) {
  const Dataset data = make_dataset(table_of(people), with_target("y"));
  EXPECT_EQ(data.feature_names, (Names{"age", "sex=F", "sex=I", "sex=M"}));
  EXPECT_EQ(data.target_names, (Names{"y"}));
  EXPECT_EQ(data.x, (Matrix(4, 4) << 30, 0, 0, 1, 40, 1, 0, 0, 50, 0, 0, 1, 60, 0, 1, 0).finished());
  EXPECT_EQ(data.y, (Matrix(4, 1) << 1, 2, 3, 4).finished());
  EXPECT_EQ(data.weight.size(), 0);
  EXPECT_EQ(data.notes, (Names{"text column 'sex' one-hot encoded as sex=F, sex=I, sex=M"}));
}

TEST(MakeDataset, ChoiceOfColumns) {
  const Table table = table_of("a,b,c,d,w\n1,2,3,4,1\n5,6,7,8,2\n");
  DatasetOptions options;
  options.targets = {"d", "b"};
  options.weight_column = "w";
  Dataset data = make_dataset(table, options);
  EXPECT_EQ(data.feature_names, (Names{"a", "c"}));
  EXPECT_EQ(data.y, (Matrix(2, 2) << 4, 2, 8, 6).finished());
  EXPECT_EQ(data.weight, (Vector(2) << 1, 2).finished());
  options.features = {"c", "a", "w"};
  data = make_dataset(table, options);
  EXPECT_EQ(data.x, (Matrix(2, 2) << 3, 1, 7, 5).finished());
  options.drop = {"a"};
  EXPECT_EQ(make_dataset(table, options).feature_names, (Names{"c"}));
}

TEST(MakeDataset, TakingOverTheTableGivesTheSame) {
  for (const std::string& bytes :
       {std::string("y,a,w,b\n1,2,3,4\n5,6,7,8\n9,1,2,3\n"), people + "70,F,5\n"}) {
    const Table table = table_of(bytes);
    const Dataset copied = make_dataset(table, with_target("y"));
    const Dataset taken = make_dataset(Table(table), with_target("y"));
    EXPECT_EQ(copied.x, taken.x);
    EXPECT_EQ(copied.y, taken.y);
    EXPECT_EQ(copied.notes, taken.notes);
  }
}

TEST(MakeDataset, UnknownOrClashingColumns) {
  const Table table = table_of(people);
  auto complaint = [&](const DatasetOptions& options) {
    return message_of([&] { make_dataset(table, options); });
  };
  EXPECT_EQ(complaint({}), "data.csv: no target given; columns: age, sex, y");
  EXPECT_EQ(complaint(with_target("ages")),
            "data.csv: no column 'ages' (given as target) among age, sex, y; did you mean 'age'?");
  DatasetOptions options = with_target("y");
  options.features = {"age", "seks"};
  EXPECT_NE(
      complaint(options).find("no column 'seks' (given as feature) among age, sex, y; did you mean 'sex'?"),
      std::string::npos);
  options.features = {"age", "y"};
  EXPECT_EQ(complaint(options), "column 'y' cannot be both target and feature");
  options.features = {};
  options.drop = {"agee"};
  EXPECT_NE(complaint(options).find("no column 'agee' (given as `drop`)"), std::string::npos);
  options.drop = {"age", "sex"};
  EXPECT_NE(complaint(options).find("no feature column is left"), std::string::npos);
  options.drop = {};
  options.weight_column = "weight";
  EXPECT_NE(complaint(options).find("no column 'weight' (given as weights)"), std::string::npos);
  EXPECT_EQ(complaint(with_target("sex")),
            "data.csv: row 2, column 'sex': 'M' is not a number; a target must be numeric");
}

TEST(MakeDataset, StrayTextInANumericColumn) {
  std::string bytes = "age,y\n";
  for (int i = 0; i < 60; ++i) bytes += i == 15 || i == 40 ? "abc,1\n" : fmt::format("{},{}\n", i % 7, i);
  const Table table = table_of(bytes);
  EXPECT_EQ(message_of([&] { make_dataset(table, with_target("y")); }),
            "data.csv: row 17, column 'age': 'abc' is not a number; fix the cell, or `drop` the column");
  EXPECT_NE(message_of([&] {
              make_dataset(table_of("a,y\n1,1\nx,2\n3,3\n"), with_target("y"));
            }).find("row 3, column 'a': 'x' is not a number"),
            std::string::npos);
}

TEST(MakeDataset, CategoriesThatHappenToBeNumbersAreStillCategories) {
  std::string bytes = "rooms,y\n";
  for (int i = 0; i < 40; ++i) bytes += fmt::format("{},{}\n", i % 4 == 3 ? "3+" : std::to_string(i % 4), i);
  EXPECT_EQ(make_dataset(table_of(bytes), with_target("y")).feature_names,
            (Names{"rooms=0", "rooms=1", "rooms=2", "rooms=3+"}));
}

TEST(MakeDataset, TextColumnsThatAreNoCategories) {
  std::string many = "name,y\n", ids = "name,y\n";
  for (int i = 0; i < 300; ++i) {
    many += fmt::format("n{},1\n", i % 101);
    ids += fmt::format("n{},1\n", i);
  }
  EXPECT_EQ(message_of([&] { make_dataset(table_of(many), with_target("y")); }),
            "data.csv: text column 'name' has 101 different values, more than 100; `drop` it");
  EXPECT_EQ(message_of([&] { make_dataset(table_of(ids), with_target("y")); }),
            "data.csv: text column 'name' has a different value in every row, like an identifier; `drop` it");
  EXPECT_EQ(
      message_of([&] { make_dataset(table_of("a;y\n1,5;1\n2,25;2\n3;3\n-4,5e1;1\n"), with_target("y")); }),
      "data.csv: column 'a' has numbers with commas, such as '-4,5e1'; write decimal points");
  EXPECT_NE(message_of([&] {
              make_dataset(table_of("a,y\n\xE9,1\n\xE9,2\n"), with_target("y"));
            }).find("not UTF-8"),
            std::string::npos);
}

TEST(MakeDataset, InfiniteCellsOnlyMatterWhereUsed) {
  const Table table = table_of("a,b,y\n1,2,3\n4,inf,6\n");
  EXPECT_EQ(message_of([&] { make_dataset(table, with_target("y")); }),
            "data.csv: row 3, column 'b': the number is not finite; correct the cell or leave the row out");
  DatasetOptions options = with_target("y");
  options.drop = {"b"};
  EXPECT_EQ(make_dataset(table, options).rows(), 2);
}

TEST(MakeDataset, MissingCells) {
  const Table table = table_of("a,t,y\n1,u,1\n,v,2\n3,,3\n8,u,4\n");
  DatasetOptions options = with_target("y");
  EXPECT_EQ(message_of([&] { make_dataset(table, options); }),
            "data.csv: row 3, column 'a': the cell is missing (2 cells in 2 rows); use `missing` drop or "
            "`missing` mean");
  options.missing = Missing::drop;
  const Dataset dropped = make_dataset(table, options);
  EXPECT_EQ(dropped.y, (Matrix(2, 1) << 1, 4).finished());
  EXPECT_EQ(dropped.feature_names, (Names{"a", "t=u"}));
  EXPECT_EQ(dropped.notes.front(), "2 rows with missing cells dropped");
  options.missing = Missing::mean;
  const Dataset filled = make_dataset(table, options);
  EXPECT_EQ(filled.x(1, 0), 4);
  EXPECT_DOUBLE_EQ(filled.x(2, 1), 2.0 / 3);
  EXPECT_DOUBLE_EQ(filled.x(2, 2), 1.0 / 3);
  const Table no_target = table_of("a,y\n1,1\n2,\n3,NA\n");
  EXPECT_EQ(message_of([&] { make_dataset(no_target, options); }),
            "data.csv: row 3, column 'y': the target is missing (2 cells in all); use `missing` drop");
  options.missing = Missing::drop;
  EXPECT_EQ(make_dataset(no_target, options).rows(), 1);
  EXPECT_NE(message_of([&] {
              make_dataset(table_of("a,y\n,1\n2,\n"), options);
            }).find("every row has a missing cell"),
            std::string::npos);
  options.missing = Missing::mean;
  EXPECT_EQ(message_of([&] { make_dataset(table_of("a,b,y\n,1,1\n,2,2\n"), options); }),
            "data.csv: column 'a' has no values; `drop` it");
}

TEST(MakeDataset, WeightKEqualsRowRepeatedKTimes) {
  DatasetOptions options = with_target("y");
  options.missing = Missing::mean;
  FeaturePlan repeated, weighted;
  make_dataset(table_of("a,t,y\n1,u,1\n,v,2\n,v,2\n7,v,3\n7,v,3\n7,v,3\n"), options, &repeated);
  options.weight_column = "w";
  const Dataset data =
      make_dataset(table_of("a,t,y,w\n1,u,1,1\n5,zz,9,0\n,v,2,2\n7,v,3,3\n,,,0\n"), options, &weighted);
  EXPECT_EQ(data.weight, (Vector(3) << 1, 2, 3).finished());
  EXPECT_EQ(data.notes.front(), "2 rows of weight zero left out");
  ASSERT_EQ(repeated.names(), weighted.names());
  for (std::size_t s = 0; s < 2; ++s)
    EXPECT_TRUE(repeated.sources[s].fill.isApprox(weighted.sources[s].fill, 1e-15));
}

TEST(MakeDataset, BadWeights) {
  DatasetOptions options = with_target("y");
  options.weight_column = "w";
  auto complaint = [&](const std::string& a, const std::string& b) {
    return message_of([&] { make_dataset(table_of("x,y,w\n1,2," + a + "\n3,4," + b + "\n"), options); });
  };
  EXPECT_EQ(complaint("1", "-2"),
            "data.csv: row 3, column 'w': the weight -2 is negative; a weight counts how often a row occurs");
  options.weights_are_ratios = true;
  EXPECT_EQ(complaint("1", "-2"),
            "data.csv: row 3, column 'w': the weight -2 is negative; a density ratio is 0 or more");
  options.weights_are_ratios = false;
  EXPECT_EQ(complaint("NaN", "1"),
            "data.csv: row 2, column 'w': the weight is missing; fill it in, or give the row weight 0");
  EXPECT_EQ(complaint("1", "inf"), "data.csv: row 3, column 'w': the weight is not finite; correct the cell");
  EXPECT_EQ(complaint("0", "0"),
            "data.csv: all weights in column 'w' are zero (rows 2 to 3); at least two rows must count");
  EXPECT_EQ(complaint("1", "big"),
            "data.csv: row 3, column 'w': 'big' is not a number; a weight must be numeric");
}

TEST(MakeDataset, ConstantFeaturesAreKeptAndNoted) {
  const Dataset data = make_dataset(table_of("a,b,y\n1,5,1\n2,5,2\n"), with_target("y"));
  EXPECT_EQ(data.x.cols(), 2);
  EXPECT_EQ(data.notes, (Names{"constant feature b"}));
}

}  // namespace
}  // namespace gnomon::dataset_test
