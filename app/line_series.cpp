#include "line_series.hpp"

namespace gnomon::app {

Series strokes(std::string label, const Vector& low, const Vector& high, bool emphasised) {
  Series series{.label = std::move(label), .x = Vector(3 * low.size()), .y = Vector(3 * low.size())};
  for (Index i = 0; i < low.size(); ++i) {
    series.x.segment(3 * i, 3) << low[i], high[i], undefined;
    series.y.segment(3 * i, 3) << static_cast<double>(i), static_cast<double>(i), undefined;
  }
  series.emphasised = emphasised;
  return series;
}

Series dots(std::string label, const Vector& at) {
  return {.label = std::move(label),
          .style = Series::Style::points,
          .x = at,
          .y = Vector::LinSpaced(at.size(), 0, static_cast<double>(at.size() - 1))};
}

}  // namespace gnomon::app
