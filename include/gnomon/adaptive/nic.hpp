#pragma once

#include "gnomon/adaptive/gen.hpp"

namespace gnomon::adaptive {

/// Murata, Yoshizawa and Amari's network information criterion S + tr(J⁻¹Cov(s))/N: GEN of independent samples.
inline GenEstimate nic(const TrainedModel& model, const Penalty& penalty, const VectorView& kappa,
                       bool gradient = true) {
  return gen(model, penalty, kappa, {.lags = 0, .window = LagWindow::corrected, .gradient = gradient});
}

}  // namespace gnomon::adaptive
