#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "gnomon/report/study.hpp"

namespace gnomon {

/// For a terminal, never wider than 80 columns: what was chosen, what it rests on, what each criterion would
/// have picked, and the warnings. `colour` adds ANSI escapes.
std::string text_report(const Study&, bool colour);

/// One self-contained page with interactive charts; needs no network.
std::string html_report(const Study&);

/// The JSON of `gnomon select`. Undefined numbers are null; several targets are listed under "targets".
nlohmann::ordered_json json_report(const Study&);

}  // namespace gnomon
