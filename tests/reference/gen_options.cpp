#include "reference/gen_options.hpp"

namespace gnomon::reference {

Vector lag_weights(const GenOptions& options, Index samples) {
  Vector c = Vector::Ones(options.lags + 1);
  for (Index n = 1; n <= options.lags; ++n) {
    const double lag = static_cast<double>(n);
    if (options.window == LagWindow::paper) c[n] = 1 - lag / static_cast<double>(samples);
    if (options.window == LagWindow::bartlett) c[n] = 1 - lag / static_cast<double>(options.lags + 1);
  }
  return c;
}

double lag_count(const GenOptions& options, Index samples) {
  const double m = static_cast<double>(options.lags), n = static_cast<double>(samples);
  switch (options.window) {
    case LagWindow::corrected:
      return 2 * m + 1 - m * (m + 1) / n;
    case LagWindow::paper:
      return m + 1 - m * (m + 1) / (2 * n);
    case LagWindow::bartlett:
      return m + 1;
  }
  return undefined;
}

}  // namespace gnomon::reference
