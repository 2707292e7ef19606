#pragma once

#include <string>
#include <vector>

#include "gnomon/report/block.hpp"

namespace gnomon::app {

/// Cells are texts, the same in every format.
struct ResultTable {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
};

std::string csv_of(const ResultTable& table);
/// A Markdown table that also reads well as plain text.
std::string markdown_of(const ResultTable& table);
/// Part of a page.
TableBlock block_of(const ResultTable& table);

}  // namespace gnomon::app
