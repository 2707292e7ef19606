#include "gnomon/criteria/criteria.hpp"

namespace gnomon {

/// Leave-one-out cross-validation: the mean of squared errors at the row left out, with the standard error of that
/// mean. For smoothers in closed form (Allen 1974), (r_i/(1 − H_ii))², O(n·rank) per λ; a weight is a count, one unit
/// of which is left out at a time. For other learners by n refits.
constexpr Criterion loo{.name = "loo",
                        .words = "leave-one-out",
                        .estimates = "mean squared prediction error, noise included",
                        .formula = LeftOutFormula([](auto a, const Given&) { return a.sum / a.weight; })};

}  // namespace gnomon
