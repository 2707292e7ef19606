#pragma once

#include <array>

#include "lane_ridge.hpp"

namespace gnomon::experiments {

/// The κ of eight problems: 100 values from 1e-4 of the least eigenvalue to 1e3 of the largest, each lane its own.
class LaneGrid {
 public:
  static constexpr Index points = 100;

  explicit LaneGrid(const LaneRidge& ridge);

  /// The least value on the grid, refined by golden section; 0 where the lower end is least, the upper end as it is.
  std::array<double, 8> minimise(LaneCurve curve) const;
  /// The first zero of a slope met from the mean eigenvalue moving against its sign; 0 or the upper end if there is none.
  std::array<double, 8> downhill_zero(LaneCurve slope) const;

 private:
  const LaneRidge& ridge_;
  LaneBuffer kappa_;
};

}  // namespace gnomon::experiments
