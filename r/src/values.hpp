#pragma once

#include <Rcpp.h>

#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

#include "gnomon/data/table.hpp"

namespace gnomon::r {

/// Texts go in and out as UTF-8.
std::string text_of(SEXP character);
SEXP character_of(const std::string& text);
Rcpp::CharacterVector characters_of(const std::vector<std::string>& texts);

/// A value as the text of an option: numbers with all their digits, vectors with commas, lists of vectors with semicolons.
std::string option_text(SEXP value, const std::string& name);

/// A JSON value as R has it: objects are named lists, arrays of numbers are vectors with NA for null, arrays of texts are character
/// vectors.
SEXP value_of(const nlohmann::ordered_json& json);

/// Columns on their way from R into a table, read where they lie: a named list of doubles, and of factors whose levels are sorted
/// by their bytes and all in use.
class Rows {
 public:
  /// `source` is what messages call them.
  Rows(const Rcpp::List& columns, std::string source);
  Index size() const { return rows_; }
  /// The rows first ≤ i < last, counted from 1 in messages.
  Table table(Index first, Index last) const;

 private:
  struct Numbers {
    std::string name;
    const double* values;
  };
  struct Texts {
    std::string name;
    const int* codes;
    std::vector<std::string> levels;
  };
  std::string source_;
  Index rows_ = 0;
  Rcpp::List kept_;
  std::vector<std::variant<Numbers, Texts>> columns_;
};

}  // namespace gnomon::r
