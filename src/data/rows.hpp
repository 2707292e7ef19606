#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "gnomon/data/csv.hpp"
#include "layout.hpp"

namespace gnomon::detail {

/// A run of complete rows, parsed by one task. Where the cuts lie depends on the text alone, not on threads.
struct Chunk {
  std::string_view text;
  Index first_row = 0;
  Index rows = 0;
  Index first_line = 0;
};

/// Tells that a part of the text is not needed for now.
using Release = std::function<void(std::string_view)>;

/// Cuts the rows below a header into chunks and counts their rows. Blank lines are no rows.
/// One pass at memory speed in parallel; a text with quotes is cut in sequence, row by row.
std::vector<Chunk> cut_rows(std::string_view text, Index first_line, const Layout& layout,
                            const Release& release);

/// Parses the rows below a header: one pass for the numbers, a second one over the text columns if there are
/// any.
Table parse_rows(std::string_view text, Index first_line, const Layout& layout, const CsvOptions& options,
                 const Release& release);

/// Codes the cells of the given columns (positions in the header); the rows have been parsed before, so they
/// are known to be well formed.
std::vector<TextColumn> code_text(const std::vector<Chunk>& chunks, const std::vector<std::size_t>& columns,
                                  const Layout& layout, const Release& release);

}  // namespace gnomon::detail
