#include "values.hpp"

#include <algorithm>

#include "core/text.hpp"
#include "gnomon/core/error.hpp"

namespace gnomon::r {

std::string text_of(SEXP character) { return Rf_translateCharUTF8(character); }

SEXP character_of(const std::string& text) {
  return Rf_mkCharLenCE(text.data(), static_cast<int>(text.size()), CE_UTF8);
}

Rcpp::CharacterVector characters_of(const std::vector<std::string>& texts) {
  Rcpp::CharacterVector all(static_cast<R_xlen_t>(texts.size()));
  for (std::size_t i = 0; i < texts.size(); ++i)
    SET_STRING_ELT(all, static_cast<R_xlen_t>(i), character_of(texts[i]));
  return all;
}

namespace {

/// One entry of a vector; nothing if it is NA, or no text, number or flag.
std::optional<std::string> entry_text(SEXP value, R_xlen_t i) {
  switch (TYPEOF(value)) {
    case STRSXP:
      if (STRING_ELT(value, i) == NA_STRING) return {};
      return text_of(STRING_ELT(value, i));
    case LGLSXP:
      if (LOGICAL(value)[i] == NA_LOGICAL) return {};
      return LOGICAL(value)[i] ? "true" : "false";
    case INTSXP:
      if (INTEGER(value)[i] == NA_INTEGER || Rf_isFactor(value)) return {};
      return fmt::format("{}", INTEGER(value)[i]);
    case REALSXP:
      if (ISNAN(REAL(value)[i])) return {};
      return fmt::format("{}", REAL(value)[i]);
    default:
      return {};
  }
}

}  // namespace

std::string option_text(SEXP value, const std::string& name) {
  std::vector<std::string> parts;
  const bool nested = TYPEOF(value) == VECSXP;
  for (R_xlen_t i = 0; i < Rf_xlength(value); ++i) {
    auto part = nested ? option_text(VECTOR_ELT(value, i), name) : entry_text(value, i);
    if (!part) fail("{} must be texts, numbers or flags without NA", name);
    parts.push_back(std::move(*part));
  }
  if (parts.empty()) fail("{} is empty", name);
  return join(parts, nested ? ";" : ",");
}

namespace {

using Json = nlohmann::ordered_json;

template <class Keep>
bool all_of(const Json& array, const Keep& keep) {
  return std::all_of(array.begin(), array.end(), keep);
}

SEXP array_of(const Json& json) {
  const auto size = static_cast<R_xlen_t>(json.size());
  if (all_of(json, [](const Json& item) { return item.is_number() || item.is_null(); })) {
    Rcpp::NumericVector numbers(size);
    for (R_xlen_t i = 0; i < size; ++i) {
      const Json& item = json[static_cast<std::size_t>(i)];
      numbers[i] = item.is_null() ? NA_REAL : item.get<double>();
    }
    return numbers;
  }
  if (all_of(json, [](const Json& item) { return item.is_string(); }))
    return characters_of(json.get<std::vector<std::string>>());
  Rcpp::List items(size);
  for (R_xlen_t i = 0; i < size; ++i) items[i] = value_of(json[static_cast<std::size_t>(i)]);
  return items;
}

SEXP object_of(const Json& json) {
  Rcpp::List items(static_cast<R_xlen_t>(json.size()));
  std::vector<std::string> names;
  for (const auto& [name, item] : json.items()) {
    items[static_cast<R_xlen_t>(names.size())] = value_of(item);
    names.push_back(name);
  }
  items.names() = characters_of(names);
  return items;
}

TextColumn text_column(const int* codes, const std::vector<std::string>& levels, Index rows) {
  TextColumn column{.levels = levels, .codes = std::vector<int>(static_cast<std::size_t>(rows))};
  for (Index i = 0; i < rows; ++i) {
    const bool missing = codes[i] == NA_INTEGER;
    column.codes[static_cast<std::size_t>(i)] = missing ? -1 : codes[i] - 1;
    if (!missing && column.text_cells++ == 0) column.first_text_row = i;
  }
  return column;
}

}  // namespace

SEXP value_of(const Json& json) {
  if (json.is_null()) return R_NilValue;
  if (json.is_boolean()) return Rf_ScalarLogical(json.get<bool>());
  if (json.is_number()) return Rf_ScalarReal(json.get<double>());
  if (json.is_string()) return characters_of({json.get<std::string>()});
  return json.is_array() ? array_of(json) : object_of(json);
}

Rows::Rows(const Rcpp::List& columns, std::string source) : source_(std::move(source)), kept_(columns) {
  const Rcpp::CharacterVector names =
      columns.size() ? Rcpp::CharacterVector(columns.names()) : Rcpp::CharacterVector();
  for (R_xlen_t j = 0; j < columns.size(); ++j) {
    const SEXP column = columns[j];
    const std::string name = text_of(STRING_ELT(names, j));
    require(j == 0 || Rf_xlength(column) == rows_, "{}: columns of {} and of {} rows cannot go together",
            source_, rows_, Rf_xlength(column));
    rows_ = Rf_xlength(column);
    if (TYPEOF(column) == REALSXP) {
      columns_.emplace_back(Numbers{name, REAL(column)});
      continue;
    }
    require(Rf_isFactor(column), "{}: column '{}' holds neither numbers nor texts", source_, name);
    const Rcpp::CharacterVector levels = Rf_getAttrib(column, R_LevelsSymbol);
    std::vector<std::string> texts;
    for (R_xlen_t k = 0; k < levels.size(); ++k) texts.push_back(text_of(STRING_ELT(levels, k)));
    columns_.emplace_back(Texts{name, INTEGER(column), std::move(texts)});
  }
}

Table Rows::table(Index first, Index last) const {
  Table table;
  table.source = source_;
  table.line_jumps = {{0, first + 1}};
  const auto numeric = std::count_if(columns_.begin(), columns_.end(), [](const auto& column) {
    return std::holds_alternative<Numbers>(column);
  });
  table.numbers.resize(last - first, numeric);
  Index at = 0;
  for (const auto& column : columns_) {
    if (const auto* texts = std::get_if<Texts>(&column)) {
      table.columns.push_back({texts->name, false, static_cast<Index>(table.texts.size())});
      table.texts.push_back(text_column(texts->codes + first, texts->levels, last - first));
      continue;
    }
    const auto& numbers = std::get<Numbers>(column);
    table.columns.push_back({numbers.name, true, at});
    table.numbers.col(at++) = Eigen::Map<const Vector>(numbers.values + first, last - first);
  }
  return table;
}

}  // namespace gnomon::r
