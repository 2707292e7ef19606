#pragma once

#include <string_view>

namespace gnomon::assets {

/// Made from the files of these names at build time (cmake/Embed.cmake). Chart.js is Debian's libjs-chart.js.
extern const std::string_view report_css, report_js, chart_min_js;

}  // namespace gnomon::assets
