#pragma once

#include <string>
#include <vector>

#include "gnomon/report/block.hpp"

namespace gnomon {

struct Tick {
  double value;
  std::string label;
};

/// Where values of an axis lie: a fraction of its length, 0 at the lower end. Names stand at equal distances, the first at the
/// upper end.
class ChartScale {
 public:
  /// The ends are those of the axis where it has any, else those of the finite values (on a log axis the positive ones), moved
  /// out to the next tick where `round` and by a little where the values are one.
  ChartScale(const Axis& axis, const std::vector<double>& values, bool round);

  /// NaN where the value has no place: not finite, or not positive on a log axis. May lie outside [0, 1].
  double fraction(double value) const;
  /// At round numbers, on a log axis at powers of ten, between which 2 and 5 times those stand on a short one; about `most`.
  std::vector<Tick> ticks(int most) const;

 private:
  double forward(double value) const;

  bool log_;
  double low_ = 0, high_ = 1;  // of the logarithm on a log axis
  std::vector<std::string> names_;
};

}  // namespace gnomon
