#include "no_lags.hpp"

#include "gnomon/core/error.hpp"

namespace gnomon {

std::string no_lags(const Learner& learner, int lags) {
  if (lags == 0) return "";
  if (lags < 0) return fmt::format("a dependence over {} rows makes no sense; give 0 or more", lags);
  if (lags >= learner.rows())
    return fmt::format("a dependence over {} rows needs more than {} rows; there are {}", lags, lags,
                       learner.rows());
  return learner.repeats_rows()
             ? "weights repeat rows, and then no row has a neighbour so many rows away; use "
               "gen without a number"
             : "";
}

}  // namespace gnomon
