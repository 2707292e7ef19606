#!/usr/bin/python3
"""scikit-learn's LassoCV beside gnomon on the data that bench_lasso wrote: same grid and folds, one thread, CPU seconds.

    bench_lasso folder; OPENBLAS_NUM_THREADS=1 /usr/bin/python3 bench/peers/lasso_peers.py folder [tol]

alpha = lambda/(2n). `tol` is scikit-learn's own relative duality gap (relative to the null deviance, as ours); 1e-10 by
default, the tolerance of gnomon. Objectives are compared on the path over all rows.
"""
import os
import sys
import time
import warnings

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy as np
from sklearn.linear_model import LassoCV, lasso_path

warnings.simplefilter("ignore")  # LassoCV says so where it does not reach tol; the objective shows by how much


def main():
    folder, tol = sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 1e-10
    for case in ("tall", "wide"):
        def values(name):
            return np.fromfile(os.path.join(folder, f"{case}_{name}.bin"))

        n, p = (int(v) for v in values("size"))
        x = values("x").reshape((n, p), order="F")
        y, fold, grid, ours = values("y"), values("fold"), values("grid"), values("objective")
        alphas = grid[::-1] / (2 * n)
        splits = [(np.flatnonzero(fold != f), np.flatnonzero(fold == f)) for f in range(10)]
        start = time.process_time()
        LassoCV(alphas=alphas, cv=splits, tol=tol, max_iter=100000).fit(x, y)
        seconds = time.process_time() - start
        centred, target = x - x.mean(0), y - y.mean()
        _, coefficients, _ = lasso_path(centred, target, alphas=alphas, tol=tol, max_iter=100000)
        coefficients = coefficients[:, ::-1]
        objective = ((target[:, None] - centred @ coefficients) ** 2).sum(0) + grid * np.abs(coefficients).sum(0)
        print(f"{case}: LassoCV tol {tol:.0e}: {seconds:.3f} s CPU; objective above ours by {np.min(objective / ours - 1):.1e}"
              f" to {np.max(objective / ours - 1):.1e} of it")


if __name__ == "__main__":
    main()
