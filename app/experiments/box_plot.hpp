#pragma once

#include <string>
#include <vector>

#include "gnomon/report/block.hpp"

namespace gnomon::app {

/// One line of a box plot.
struct Box {
  std::string name;
  Vector sample;
};

/// The value below which this share of the sample lies, between two of its members where it falls between them.
double sample_quantile(Vector sample, double share);

/// Median, middle half and 5 % to 95 % range of every sample, one line each. `title`, `axis` and `log` as in a Chart.
Chart box_plot(std::string title, std::string axis, bool log, const std::vector<Box>& boxes);

/// Values with errors to either side, one line each; `what` says what they are.
Chart interval_plot(std::string title, std::string axis, const std::vector<std::string>& names,
                    const Vector& value, const Vector& error, const std::string& what);

}  // namespace gnomon::app
