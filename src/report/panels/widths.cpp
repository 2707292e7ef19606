#include "core/text.hpp"
#include "report/panel.hpp"
#include "report/words.hpp"

namespace gnomon {

std::vector<Block> widths_panel(const Study& study, Index) {
  const auto& found = study.selection.widths;
  if (!found || found->width.size() < 2) return {};
  const auto vector = [](const std::vector<double>& v) {
    return Vector(Eigen::Map<const Vector>(v.data(), static_cast<Index>(v.size())));
  };
  const Vector width = vector(found->width);
  const Vector value = vector(found->value);
  return {Chart{
      .title = "Widths tried before λ",
      .description = fmt::format("{} widths from {} to {}; the chosen one is {}.", width.size(),
                                 pretty(width[0]), pretty(width[width.size() - 1]), pretty(found->chosen)),
      .x = {"kernel width", true},
      .y = {"blend and prior, least over λ"},
      .series = {{.label = "least over λ", .x = width, .y = value, .emphasised = true}},
      .note = fmt::format(
          "Minus twice a log likelihood; a difference of 2 is weak evidence. The "
          "median distance between rows is {}.{}",
          pretty(found->median),
          found->rows < row_count(study) ? fmt::format(" From {} of the rows.", found->rows) : "")}};
}

}  // namespace gnomon
