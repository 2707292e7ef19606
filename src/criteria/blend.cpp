#include "gnomon/criteria/criteria.hpp"

namespace gnomon {

/// Leave-one-out and the evidence on one scale, minus twice a log likelihood:
///
///   ¾·n·log L + ¼·E,   L the mean squared leave-one-out error, E the evidence.
///
/// n·log L is minus twice the profiled Gaussian likelihood of the left-out errors. Leave-one-out assumes no prior but is
/// blind to fits that happen to hit the rows left out, above all where a width is chosen too and rows are few; the evidence
/// sees those and trusts its prior too much where it is wrong. Together they had less regret than either in the studies of
/// bench/regret, which also set the share. Defined where both are, and cost what both cost.
constexpr Criterion blend{.name = "blend",
                          .words = "leave-one-out and the evidence together",
                          .estimates =
                              "minus twice a log likelihood, three quarters leave-one-out and one "
                              "quarter evidence (no prediction error)",
                          .target = {.of = Target::Of::log_evidence},
                          .formula = Blend{.share = 0.75}};

}  // namespace gnomon
