"""How wrong is a random forest? Its training error does not tell; refits do.

gnomon knows nothing about forests. It hands out targets that differ a little from yours, has the forest refitted to them, and learns how
much of the noise the forest follows: its degrees of freedom, which turn the training error into an error on new observations.
"""
import warnings

import numpy as np
from sklearn.ensemble import RandomForestRegressor

import gnomon
from gallery import arguments, save

asked = arguments(__doc__)
rng = np.random.default_rng(4)
X = rng.uniform(-1, 1, size=(120, 4))
truth = 3 * np.sin(2 * X[:, 0]) + 2 * X[:, 1] * X[:, 2]
sigma = 1.0
y = truth + sigma * rng.normal(size=120)
forest = RandomForestRegressor(n_estimators=25, min_samples_leaf=3, random_state=0)

with warnings.catch_warnings():  # trees jump: the steps are large for that reason, and the estimate is rough
    warnings.simplefilter("ignore")
    found = gnomon.estimate(forest, X, y, ["sure", "basic"], n_probes=15, n_bootstrap=40, bootstrap_residuals="scaled")

# What it estimates: the error on observations made once more at these inputs.
fitted = forest.fit(X, y).predict(X)
true_error = np.mean((fitted - truth) ** 2) + sigma**2
print(f"training error    {found['sure'].parts['training_error']:.2f}")
for name, one in found.items():
    print(f"by {name:<6}         {one.prediction_error:.2f} ± {one.standard_error:.2f}")
print(f"true error        {true_error:.2f}")
print(f"degrees of freedom of the forest: {found['sure'].parts['degrees_of_freedom']:.0f} of {len(y)} rows")
for one in found.values():
    assert abs(one.prediction_error - true_error) < 0.35 * true_error
    assert one.parts["training_error"] < 0.6 * true_error

if asked.figure:
    import matplotlib.pyplot as plt

    figure, ax = plt.subplots(figsize=(6.4, 2.4), constrained_layout=True)
    names = ["training error", *(f"by {name}" for name in found)]
    values = [found["sure"].parts["training_error"], *(one.prediction_error for one in found.values())]
    ax.barh(names[::-1], values[::-1], xerr=[one.standard_error for one in found.values()][::-1] + [0], color=["C0", "C0", "0.7"])
    ax.axvline(true_error, color="C3", label="true error")
    ax.set_xlabel("mean squared error of new observations")
    ax.legend(frameon=False)
    figure.savefig(asked.figure, dpi=110)
