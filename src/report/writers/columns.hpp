#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gnomon {

/// Text fit for a terminal: control characters and broken UTF-8 become '?', so that names from a file can
/// neither move the cursor nor break the layout.
std::string printable(std::string_view text);

/// Columns that a text takes on a terminal (East Asian wide characters and emoji take two, combining marks
/// none).
std::size_t columns(std::string_view text);

/// `text` filled with blanks up to `width` columns, before it if `right`.
std::string padded(std::string_view text, std::size_t width, bool right = false);

/// Lines of at most `width` columns, broken at blanks, inside a word only where it is longer than a line.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

}  // namespace gnomon
