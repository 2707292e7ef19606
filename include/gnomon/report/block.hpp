#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "gnomon/core/types.hpp"

namespace gnomon {

/// A report is a list of blocks. Panels make them, writers render them; neither knows the other. Texts are
/// plain: a writer escapes what its format needs.
struct Heading {
  std::string text;
};

struct Paragraph {
  std::string text;
};

struct Notice {
  enum class Level { info, warning } level = Level::info;
  std::string text;
};

/// A named value. Key facts stand out.
struct Fact {
  std::string label, value;
  std::string note = {};  ///< where the value comes from or what it means
  bool key = false;
};

struct Facts {
  std::vector<Fact> facts;
};

struct TableCell {
  std::string text;
  bool number = false;  ///< aligned to the right
};

struct TableRow {
  std::vector<TableCell> cells;
  bool emphasised = false;
  bool group = false;  ///< one cell across the table: the heading of the rows below it
};

struct TableBlock {
  std::vector<std::string> header;
  std::vector<TableRow> rows;
};

struct Axis {
  std::string label;
  bool log = false;
  std::optional<double> lower = {}, upper = {};  ///< values beyond are cut off; empty = all the data
  /// One line per name instead of a scale: values 0, 1, … stand for them, the first at the top. For the y axis.
  std::vector<std::string> names = {};
};

struct Series {
  enum class Style { line, dashed, points };
  std::string label;
  Style style = Style::line;
  Vector x, y;
  Vector band = {};  ///< half-width around y; empty = none
  /// A point to stand out (what a criterion picks); NaN = none.
  double picked_x = undefined, picked_y = undefined;
  bool emphasised = false;
};

/// A vertical line with a label.
struct Marker {
  double x;
  std::string label;
};

struct Chart {
  std::string title;
  std::string description;  ///< what is to be seen, for those who cannot see it
  Axis x, y;
  std::vector<Series> series;
  std::vector<Marker> markers = {};
  std::string note = {};  ///< what was cut off or thinned out
  bool zoomed = false;    ///< the axes leave data out, and the reader may ask for the whole
};

using Block = std::variant<Heading, Paragraph, Notice, Facts, TableBlock, Chart>;

inline TableCell text_cell(std::string text) { return {std::move(text), false}; }
inline TableCell number_cell(std::string text) { return {std::move(text), true}; }

}  // namespace gnomon
