#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "gnomon/report/block.hpp"
#include "gnomon/report/study.hpp"

namespace gnomon {

/// For a terminal, never wider than 80 columns: what was chosen, what it rests on, what each criterion would
/// have picked, and the warnings. `colour` adds ANSI escapes.
std::string text_report(const Study&, bool colour);

/// Blocks for a terminal, likewise; charts are left out.
std::string text_report(const std::vector<Block>&, bool colour);

/// One self-contained page with interactive charts; needs no network.
std::string html_report(const Study&);

struct Section {
  std::string title;
  std::vector<Block> blocks;
};

/// The same kind of page for anything else: a title, what was found in a sentence or two, and sections.
std::string html_page(std::string_view title, std::string_view lead, const std::vector<Section>& sections);

/// A chart as a picture of its own, on a light ground; it scales, needs no script and can be printed.
std::string svg_figure(const Chart& chart);

/// The JSON of `gnomon select`. Undefined numbers are null; several targets are listed under "targets".
nlohmann::ordered_json json_report(const Study&);

/// The object "shift" in it, which is also what `gnomon weights` reports. Numbers that need test inputs are null where
/// the user gave the weights.
nlohmann::ordered_json json_report(const ShiftStudy&);

}  // namespace gnomon
