"""Prediction intervals: between which two values a new observation will lie, nine times out of ten.

Intervals are made from errors at rows that the fit had not seen, so they need no assumption about the noise. New observations tell
whether they keep their promise.
"""
import numpy as np

import gnomon
from gallery import arguments

asked = arguments(__doc__)
rng = np.random.default_rng(6)


def observe(count):
    X = rng.uniform(-3, 3, size=(count, 1))
    return X, np.sinc(X[:, 0]) + 0.2 * rng.standard_t(4, size=count)  # heavier tails than the normal law


X, y = observe(120)
model = gnomon.KernelRidge().fit(X, y)
X_new, y_new = observe(4000)
for level in (0.5, 0.8, 0.9, 0.95):
    _, lower, upper = model.predict(X_new, return_interval=level)
    covered = np.mean((lower <= y_new) & (y_new <= upper))
    print(f"{level:.0%} intervals, {np.mean(upper - lower):.2f} wide, hold {covered:.1%} of new observations")
    assert abs(covered - level) < 0.08

if asked.figure:
    import matplotlib.pyplot as plt

    at = np.linspace(-3, 3, 200)[:, None]
    middle, lower, upper = model.predict(at, return_interval=0.9)
    figure, ax = plt.subplots(figsize=(6.4, 3.6), constrained_layout=True)
    ax.fill_between(at[:, 0], lower, upper, alpha=0.2, lw=0, label="90 % interval")
    ax.plot(at, middle, label="prediction")
    ax.plot(X, y, ".", color="0.3", ms=4, label="training rows")
    ax.legend(frameon=False)
    figure.savefig(asked.figure, dpi=110)
