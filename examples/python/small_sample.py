"""Thirty rows and a curve: kernel ridge that chooses λ and width by itself, beside a search over folds.

With few rows, what five folds say depends on who happens to be in which. On a usual data set both do alike; now and then the folds go
far astray, and that is what their mean error is made of. A criterion that uses all rows at once, here gnomon's default, is steadier.
"""
import numpy as np
from sklearn import kernel_ridge
from sklearn.model_selection import GridSearchCV

import gnomon
from gallery import arguments, save

asked = arguments(__doc__)
rng = np.random.default_rng(1)
new = np.linspace(-3, 3, 200)[:, None]
truth = np.sinc(new[:, 0])
grid = {"alpha": np.logspace(-4, 1, 6), "gamma": np.logspace(-2, 1, 6)}
folds = GridSearchCV(kernel_ridge.KernelRidge(kernel="rbf"), grid, cv=5, scoring="neg_mean_squared_error")

errors = []
for _ in range(10):
    X = rng.uniform(-3, 3, size=(30, 1))
    y = np.sinc(X[:, 0]) + 0.2 * rng.normal(size=30)
    ours = gnomon.KernelRidge().fit(X, y)
    errors.append([np.mean((model.predict(new) - truth) ** 2) for model in (ours, folds.fit(X, y))])
mean, median = np.mean(errors, axis=0), np.median(errors, axis=0)
print(f"squared error of the curve, mean over data sets: gnomon {mean[0]:.4f}, grid search over 5 folds {mean[1]:.4f}")
print(f"                                         median: gnomon {median[0]:.4f}, grid search over 5 folds {median[1]:.4f}")
print(f"the last fit: λ = {ours.alpha_:.3g} by {ours.criterion_}, its error on new data {ours.error_['value']:.3g} "
      f"({ours.error_['low']:.3g} to {ours.error_['high']:.3g}), noise included")  # fmt: skip
assert mean[0] < mean[1] and median[0] < 1.2 * median[1]

save(gnomon.RiskCurveDisplay.from_estimator(gnomon.KernelRidge(criterion=["loo", "evidence"]).fit(X, y)), asked.figure)
