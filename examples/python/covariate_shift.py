"""The test inputs lie elsewhere: weighting the rows that look like them.

A line is fitted to a curve. Where the training inputs are, it has one slope; where it will be used, another. Importance-weighted
ridge weighs every row by p_test/p_train, raised to a power between 0 (plain least squares) and 1, and chooses that power by an
estimate of the error at the test inputs. With ``--data`` and a folder that holds abalone.csv, the same on biased splits of Abalone, where seven
inputs make the ratio hard to estimate and weighting does not pay.
"""
import csv
import pathlib
import warnings

import numpy as np

import gnomon
from gallery import arguments, save

asked = arguments(__doc__)
rng = np.random.default_rng(0)


def toy():
    """After Sugiyama & Müller (2005), section 5.1, nearer together and with less noise."""
    X, X_test = rng.normal(1, 0.5, size=(150, 1)), rng.normal(1.6, 0.25, size=(300, 1))
    curve = lambda inputs: np.sinc(inputs[:, 0])  # noqa: E731
    return X, curve(X) + 0.2 * rng.normal(size=150), X_test, curve(X_test)


def abalone(path):
    """Learn from mostly small animals, predict mostly large ones."""
    path = pathlib.Path(path) / "abalone.csv" if pathlib.Path(path).is_dir() else pathlib.Path(path)
    with open(path, newline="") as file:
        rows = list(csv.reader(file))[1:]
    cells = np.array([[float(cell) for cell in row[1:]] for row in rows])  # the first column is the sex
    X, y = cells[:, :-1], cells[:, -1]
    place = (X[:, 0] - X[:, 0].mean()) / X[:, 0].std()
    far = rng.random(len(y)) < 1 / (1 + np.exp(-1.5 * place))
    train = rng.permutation(np.flatnonzero(~far))[:300]
    return X[train], y[train], X[far], y[far]


def compare(X, y, X_test, y_test):
    weighted = gnomon.ImportanceWeightedRidge(weights="ulsif").fit(X, y, X_test=X_test)
    plain = gnomon.Ridge().fit(X, y)
    error = [np.mean((model.predict(X_test) - y_test) ** 2) for model in (plain, weighted)]
    return weighted, error


fit, error = compare(*toy())
print(f"a line on sinc: error at the test inputs {error[0]:.4f} unweighted, {error[1]:.4f} weighted by p_test/p_train to the "
      f"power {fit.result_.data['chosen']['flattening']:.2g}")  # fmt: skip
assert error[1] < error[0]
save(gnomon.RiskCurveDisplay.from_estimator(fit), asked.figure)
if asked.data:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that weights are unsteady is said for every split
        errors = np.array([compare(*abalone(asked.data))[1] for _ in range(10)])
    gain = errors[:, 0] - errors[:, 1]
    print(f"abalone, ten biased splits: error {errors[:, 0].mean():.2f} unweighted, {errors[:, 1].mean():.2f} weighted; "
          f"gain {gain.mean():.2f} ± {gain.std(ddof=1) / 10**0.5:.2f}")  # fmt: skip
else:
    print("abalone: skipped; name the folder that holds abalone.csv with --data")
