#!/usr/bin/env python3
"""Where the noise variance of a path is best taken: the study behind `--noise auto` of learners without a basis.

usage: bench/study_noise.py DATA_FOLDER > bench/study_noise.md     (NumPy; about three minutes)

Kernel ridge (gaussian, median width, intercept, penalty on the function) on random subsets of n rows; C_L chooses λ with σ²
taken as rss/(n − tr H) at the minimum of GCV, of GCV with 1.4 per degree of freedom, or of leave-one-out. Reported: the error on up to
1000 other rows of C_L's choice over the least one on the grid.
"""
import pathlib
import sys

import numpy as np

SETS = ["abalone", "bank-8fh", "bank-8fm", "bank-8nh", "bank-8nm", "boston", "concrete", "diabetes", "energy-heating",
        "kin-8fh", "kin-8fm", "kin-8nh", "kin-8nm", "prostate", "wine-quality-red", "yacht"]
READING = """
**Reading.** Plain GCV now and then prefers a fit through nearly all rows; σ² is then far too small and C_L follows it. Counting
each degree of freedom as 1.4 (Kim & Gu 2004) prevents that at no cost and without leverages, and does as well as taking σ²
where leave-one-out is least, which would have to be computed for it. So `--noise auto` takes `gcv-1.4`."""
SIZES = [30, 60, 120, 240]
SPLITS = 20


def read(folder, name):
    lines = (pathlib.Path(folder) / f"{name}.csv").read_text().splitlines()[1:]
    cells = [line.split(",") for line in lines]
    numeric = [j for j in range(len(cells[0])) if all(is_number(row[j]) for row in cells)]
    return np.array([[float(row[j]) for j in numeric] for row in cells])


def is_number(text):
    try:
        float(text)
    except ValueError:
        return False
    return True


def distances(a, b):
    return np.maximum(((a[:, None, :] - b[None, :, :]) ** 2).sum(axis=2), 0)


def regrets(train, test):
    spread = train[:, :-1].std(axis=0)
    keep = spread > 0
    centre = train[:, :-1].mean(axis=0)[keep]
    x, z = ((part[:, :-1][:, keep] - centre) / spread[keep] for part in (train, test))
    y, n = train[:, -1], len(train)
    squared = distances(x, x)
    width = np.median(squared[np.triu_indices(n, 1)])
    gram, cross = np.exp(-squared / (2 * width)), np.exp(-distances(z, x) / (2 * width))
    mean = gram.mean(axis=0)
    values, vectors = np.linalg.eigh(gram - mean[:, None] - mean[None, :] + mean.mean())
    values = np.maximum(values, 0)
    coordinates = vectors.T @ (y - y.mean())
    paths = {name: [] for name in ("rss", "df", "loo", "test")}
    for lam in 10.0 ** np.arange(-10, 3.01, 0.2):
        left = lam / (values + lam)
        residual = vectors @ (left * coordinates)
        leverage = 1 - (vectors ** 2) @ left + 1 / n
        alpha = vectors @ (coordinates / (values + lam))
        alpha -= alpha.mean()
        predicted = (cross - mean) @ alpha + y.mean()
        paths["rss"].append((residual ** 2).sum())
        paths["df"].append(n - left.sum() + (left.max() > 0.999999) * 1.0)
        paths["loo"].append(((residual / np.maximum(1 - leverage, 1e-12)) ** 2).mean())
        paths["test"].append(((predicted - test[:, -1]) ** 2).mean())
    rss, df, loo, test_error = (np.array(paths[name]) for name in ("rss", "df", "loo", "test"))

    def chosen_by(score):
        at = np.nanargmin(score)
        sigma2 = rss[at] / (n - df[at])
        return test_error[np.argmin(rss + 2 * sigma2 * df)] / test_error.min()

    with np.errstate(divide="ignore"):
        gcv = np.where(n - df > 1e-6 * n, rss / (n - df) ** 2, np.inf)
        cautious = np.where(n - 1.4 * df > 1e-6 * n, rss / (n - 1.4 * df) ** 2, np.inf)
    return [chosen_by(gcv), chosen_by(cautious), chosen_by(loo)]


def main():
    print("<!-- Made by: bench/study_noise.py with fixed seeds -->")
    print("# Where the noise variance of a path is taken\n")
    print(__doc__.split("\n\n", 2)[2].strip(), "\n")
    print(f"{len(SETS)} real sets, {SPLITS} subsets each; mean of the ratio, its 95 % point, and in how many sets the mean is least.\n")
    print("| n | GCV | GCV, 1.4 per degree | leave-one-out | 95 %: GCV | GCV 1.4 | loo | sets: GCV | GCV 1.4 | loo |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for n in SIZES:
        by_set = []
        for place, name in enumerate(SETS):
            rows = read(sys.argv[1], name)
            if len(rows) < n + 30:
                continue
            random = np.random.default_rng([place, n])
            found = []
            for _ in range(SPLITS):
                order = random.permutation(len(rows))
                found.append(regrets(rows[order[:n]], rows[order[n:n + 1000]]))
            by_set.append(np.array(found))
        every = np.concatenate(by_set)
        means = np.array([found.mean(axis=0) for found in by_set])
        wins = [int((means.argmin(axis=1) == k).sum()) for k in range(3)]
        cells = [f"{v:.3f}" for v in every.mean(axis=0)] + [f"{v:.2f}" for v in np.quantile(every, 0.95, axis=0)]
        print("| " + " | ".join([str(n), *cells, *map(str, wins)]) + " |", flush=True)
    print(READING)


if __name__ == "__main__":
    main()
