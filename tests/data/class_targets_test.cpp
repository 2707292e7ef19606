#include "gnomon/data/class_targets.hpp"

#include <gtest/gtest.h>

#include "gnomon/core/error.hpp"
#include "gnomon/data/csv.hpp"
#include "temp_file.hpp"

namespace gnomon::class_targets_test {
namespace {

Table table_of(const std::string& text) {
  const testing::TempFile file(text);
  return read_table(file.path());
}

TEST(ClassTargets, TextsBecomeIndicatorsAndMissingStaysMissing) {
  const Table table = table_of("x,species\n1,b\n2,a\n3,\n4,b\n5,a\n");
  const ClassTargets found = find_classes(table, "species");
  EXPECT_EQ(found.classes, (std::vector<std::string>{"a", "b"}));
  const Table out = found.apply(table);
  EXPECT_EQ(out.find("species"), nullptr);
  ASSERT_NE(out.find("species=b"), nullptr);
  const auto b = out.numbers.col(out.find("species=b")->index),
             a = out.numbers.col(out.find("species=a")->index);
  EXPECT_EQ(b[0], 1);
  EXPECT_EQ(a[0], 0);
  EXPECT_EQ(a[1], 1);
  EXPECT_TRUE(std::isnan(a[2]) && std::isnan(b[2]));
  EXPECT_EQ(out.numbers.col(out.find("x")->index), table.numbers.col(table.find("x")->index));
}

TEST(ClassTargets, NumbersSortByValue) {
  EXPECT_EQ(find_classes(table_of("x,c\n1,10\n2,9\n3,10\n4,9\n"), "c").classes,
            (std::vector<std::string>{"9", "10"}));
}

TEST(ClassTargets, RefusesOneClassManyAndUnknownOnes) {
  EXPECT_THROW(find_classes(table_of("x,c\n1,a\n2,a\n"), "c"), Error);
  EXPECT_THROW(find_classes(table_of("x,c\n1,a\n2,b\n"), "d"), Error);
  std::string many = "x,c\n";
  for (int i = 0; i < 150; ++i) many += "1," + std::to_string(i) + "\n";
  EXPECT_THROW(find_classes(table_of(many), "c"), Error);
  EXPECT_THROW(find_classes(table_of("x,c\n1,1.5\n2,2.5\n3,3.5\n4,3.5\n"), "c"),
               Error);  // three classes of four rows
  const ClassTargets known = find_classes(table_of("x,c\n1,a\n2,b\n3,a\n4,b\n"), "c");
  EXPECT_THROW(known.apply(table_of("x,c\n1,a\n2,z\n")), Error);
}

}  // namespace
}  // namespace gnomon::class_targets_test
