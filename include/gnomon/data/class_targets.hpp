#pragma once

#include <string>
#include <vector>

#include "gnomon/data/table.hpp"

namespace gnomon {

/// A target column that names classes. Learners see one indicator column per class instead.
struct ClassTargets {
  std::string column;
  std::vector<std::string> classes;  ///< sorted: texts, or numbers in ascending order

  /// "species=setosa", …: the names of the indicators.
  std::vector<std::string> indicators() const;
  /// The table with the column replaced by its indicators at the end. Missing cells stay missing in all of them; a class
  /// that is not in the list is an error where it stands.
  Table apply(Table table) const;
};

/// The classes that occur in a column, at least two and at most 100.
ClassTargets find_classes(const Table& table, const std::string& column);

}  // namespace gnomon
