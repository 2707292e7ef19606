#!/usr/bin/env python3
"""gnomon's estimators beside those people use today, on 12 real sets: CPU seconds of fit and mean squared error on held-out rows.

    python_peers.py DATA [--rows 300] [--splits 5] [-o python_peers.md]

DATA is a folder of CSV files with the target in the last column (see README: the data sets are not part of the repository).
Everyone gets inputs of mean 0 and variance 1 and the same splits; one thread; what a user types: default grids where there are
some, else the ones of each documentation's example, written out below. himalaya and polars are left out where they are absent.
"""
import argparse
import importlib.metadata
import os
import platform
import time
import warnings
from pathlib import Path

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import numpy as np
from sklearn.compose import TransformedTargetRegressor
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LassoCV, RidgeCV
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import gnomon

SETS = ["prostate", "motorcycle", "yacht", "diabetes", "boston", "energy-heating", "concrete", "wine-quality-red",
        "kin-8nm", "kin-8fh", "bank-8fm", "abalone"]  # fmt: skip


def linear(inputs):
    yield "gnomon Ridge()", gnomon.Ridge()
    yield "RidgeCV(logspace(-3, 3, 25))", RidgeCV(np.logspace(-3, 3, 25))
    yield "gnomon Lasso()", gnomon.Lasso()
    yield "LassoCV()", LassoCV()


def kernels(inputs):
    yield "gnomon KernelRidge()", gnomon.KernelRidge()
    grid = {"alpha": np.logspace(-4, 2, 7), "gamma": np.logspace(-2, 1, 7) / inputs}
    yield "GridSearchCV(KernelRidge, 7 × 7)", _centred(GridSearchCV(KernelRidge(kernel="rbf"), grid))
    kernel = ConstantKernel() * RBF(np.sqrt(inputs)) + WhiteKernel()
    yield "GaussianProcessRegressor", GaussianProcessRegressor(kernel, normalize_y=True)
    try:
        from himalaya.kernel_ridge import KernelRidgeCV
    except ImportError:
        return
    yield "himalaya KernelRidgeCV", _centred(KernelRidgeCV(alphas=np.logspace(-4, 3, 15), kernel="rbf"))


def _centred(estimator):
    """For those without an intercept."""
    return TransformedTargetRegressor(estimator, transformer=StandardScaler())


def read(path):
    import csv

    with open(path, newline="") as file:
        header, *rows = csv.reader(file)
    columns = list(zip(*rows))
    parts = []
    for column in columns[:-1]:
        try:
            parts.append(np.array(column, dtype=float)[:, None])
        except ValueError:
            levels = sorted(set(column))[1:]
            parts.append(np.array([[cell == level for level in levels] for cell in column], dtype=float))
    return np.hstack(parts), np.array(columns[-1], dtype=float)


def judge(estimator, X, y, X_new, y_new):
    begin = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fitted = make_pipeline(StandardScaler(), estimator).fit(X, y)
    seconds = time.process_time() - begin
    return seconds, np.mean((fitted.predict(X_new) - y_new) ** 2) / np.var(y_new)


def table(family, arguments):
    found = {}  # learner → set → (seconds, error)
    for name in SETS:
        X, y = read(Path(arguments.data) / f"{name}.csv")
        for split in range(arguments.splits):
            order = np.random.default_rng(split).permutation(len(y))
            rows = min(arguments.rows, 2 * len(y) // 3)
            train, new = order[:rows], order[rows:rows + 4000]
            for label, estimator in family(X.shape[1]):
                found.setdefault(label, {}).setdefault(name, []).append(judge(estimator, X[train], y[train], X[new], y[new]))
    labels = list(found)
    lines = ["| set | " + " | ".join(labels) + " |", "|---" * (len(labels) + 1) + "|"]
    mean = {label: {name: np.mean(runs, axis=0) for name, runs in sets.items()} for label, sets in found.items()}
    for name in SETS:
        best = min(mean[label][name][1] for label in labels)
        cells = []
        for label in labels:
            seconds, error = mean[label][name]
            mark = "**" if error <= 1.005 * best else ""
            cells.append(f"{mark}{error:.4f}{mark} · {seconds:.3f} s")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    total = [f"{np.exp(np.mean([np.log(mean[l][n][1] / min(mean[k][n][1] for k in labels)) for n in SETS])):.3f} × best · "
             f"{sum(mean[l][n][0] for n in SETS):.2f} s" for l in labels]  # fmt: skip
    lines.append("| **mean ratio to the best, seconds in all** | " + " | ".join(total) + " |")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data")
    parser.add_argument("--rows", type=int, default=300)
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("-o", "--output", default="python_peers.md")
    arguments = parser.parse_args()
    versions = []
    for package in ("numpy", "scikit-learn", "himalaya"):
        try:
            versions.append(f"{package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            pass
    model = [line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")]
    lines = ["# gnomon beside other estimators in Python", "",
             f"Made by `bench/peers/python_peers.py`: gnomon {gnomon.__version__}, {', '.join(versions)}, Python "
             f"{platform.python_version()}, {model[0] if model else platform.machine()}, one thread. Mean squared error on held-out rows "
             f"over their variance · CPU seconds of one fit; means over {arguments.splits} splits with at most {arguments.rows} training rows. "
             "Bold: within half a percent of the best of the row.", "",
             "## Linear in the inputs", "", *table(linear, arguments), "",
             "## Kernels", "", *table(kernels, arguments), ""]  # fmt: skip
    Path(arguments.output).write_text("\n".join(lines))
    print("\n".join(lines))


if __name__ == "__main__":
    main()
