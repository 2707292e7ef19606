#include "gnomon/criteria/criteria.hpp"
#include "no_shift.hpp"

namespace gnomon {

/// Murata, Yoshizawa and Amari's network information criterion (1994), S + tr(J⁻¹ Cov s)/n: for independent rows. Since the
/// scores of a regularized fit have mean −R', this is GEN with M = 0, the same number. Without a penalty it is Takeuchi's
/// information criterion (1976), TIC, over 2n and in the units of the loss.
constexpr Criterion nic{
    .name = "nic",
    .words = "the network information criterion",
    .estimates = "expected training loss on new rows, noise included (squared error; Huber's loss for huber)",
    .formula = ScoresFormula([](auto a, const Given&) {
      return (a.loss + 2 * a.products) / a.n - 2 / (a.n * a.n) * a.stationarity;
    }),
    .own_loss = true,
    .most_df = most_df_in_sample,
    .same_as = "gen",
    .equal_to = "gen",

    .refuses = no_shift};

}  // namespace gnomon
