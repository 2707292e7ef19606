"""A time series: forecasts by ridge on lagged values, judged on blocks of consecutive rows.

y_t = 1.2 y_{t−1} − 0.5 y_{t−2} + noise of variance 1. The best forecast one step ahead has an error of 1. Rows that share most of
their lags are near copies: ``cv-blocked`` holds neighbours out together.
"""
import numpy as np

import gnomon
from gallery import arguments, save

asked = arguments(__doc__)
rng = np.random.default_rng(5)
series = np.zeros(2500)
for t in range(2, len(series)):
    series[t] = 1.2 * series[t - 1] - 0.5 * series[t - 2] + rng.normal()
series = 20 + series[100:]

lags = 8
windows = np.lib.stride_tricks.sliding_window_view(series, lags + 1)
X, y = windows[:, :lags][:, ::-1], windows[:, lags]  # the newest value first
train, later = slice(0, 300), slice(300 + lags, None)

model = gnomon.Ridge(criterion=["cv-blocked:5", "loo"]).fit(X[train], y[train])
error = np.mean((model.predict(X[later]) - y[later]) ** 2)
print(f"λ = {model.alpha_:.3g} by {model.criterion_}; coefficients of the newest two values {model.coef_[0]:.2f}, {model.coef_[1]:.2f}")
print(f"expected error {model.error_['value']:.2f} ({model.error_['low']:.2f} to {model.error_['high']:.2f}), "
      f"on {len(y[later])} later rows {error:.2f}; the best possible is 1")  # fmt: skip
assert model.error_["low"] < error < model.error_["high"] and error < 1.1
assert abs(model.coef_[0] - 1.2) < 0.2

save(gnomon.RiskCurveDisplay.from_estimator(model), asked.figure)
