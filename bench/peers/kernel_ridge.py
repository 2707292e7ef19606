#!/usr/bin/python3
"""Kernel ridge with 100 λ: gnomon beside scikit-learn and an expert's NumPy, one thread, CPU seconds, one run.

    OPENBLAS_CORETYPE=SkylakeX OPENBLAS_NUM_THREADS=1 /usr/bin/python3 bench/peers/kernel_ridge.py build/release/app/gnomon [n]

The core type gives NumPy the kernels that gnomon would choose for itself where OpenBLAS does not know the processor.
Same data, kernel and grid. GridSearchCV refits for every λ and fold; it is timed on a few λ and scaled, which is stated.
Medians of three, except GridSearchCV. Needs Debian's python3-sklearn. gnomon is timed as a user runs it: process start, reading CSV, all outputs.
"""
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy as np
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV, KFold


def cpu(body):
    start = time.process_time()
    result = body()
    return time.process_time() - start, result


def eigh_loo(x, y, lambdas, gamma):
    """Eigendecomposition and vectorised leave-one-out, as an expert would write it."""
    d, q = np.linalg.eigh(rbf_kernel(x, gamma=gamma))
    z = q.T @ y
    g = lambdas[None, :] / (d[:, None] + lambdas[None, :])
    residual = q @ (g * z[:, None])
    return np.mean((residual / ((q * q) @ g)) ** 2, axis=0)


def main():
    command, n = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 2000
    rng = np.random.default_rng(1)
    x = rng.standard_normal((n, 8))
    y = np.sin(x[:, :3].sum(1)) + 0.3 * rng.standard_normal(n)
    width = 4.0
    gamma = 1 / (2 * width**2)
    lambdas = np.geomspace(1e-6 * n, 1e2 * n, 100)
    some = lambdas[::33][:3]

    eigh_loo(x[:200], y[:200], lambdas, gamma)  # warm up
    runs = [cpu(lambda: eigh_loo(x, y, lambdas, gamma)) for _ in range(3)]
    numpy_seconds, numpy_loo = sorted(run[0] for run in runs)[1], runs[0][1]
    search = GridSearchCV(KernelRidge(kernel="rbf", gamma=gamma), {"alpha": some}, cv=KFold(10),
                          scoring="neg_mean_squared_error", refit=False)
    grid_seconds, _ = cpu(lambda: search.fit(x, y))
    grid_seconds *= len(lambdas) / len(some)

    with tempfile.TemporaryDirectory() as folder:
        data, out = os.path.join(folder, "d.csv"), os.path.join(folder, "o.json")
        np.savetxt(data, np.column_stack([x, y]), delimiter=",", fmt="%.17g", comments="",
                   header=",".join([f"x{j}" for j in range(8)] + ["y"]))
        grid = f"{lambdas[0]!r}:{lambdas[-1]!r}:100"
        rows = {}
        for name, criterion in (("gcv,cp,sic,evidence", "gcv,cp,sic,evidence"), ("loo", "loo"), ("cv:10", "cv:10")):
            arguments = [command, "select", data, "--target", "y", "--width", str(width), "--scale", "none", "--no-intercept",
                         "--lambda", grid, "--criterion", criterion, "--search", "grid", "--threads", "1", "--json", out]
            seconds = []
            for _ in range(3):
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL)
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
            rows[name] = sorted(seconds)[1]
            if name == "loo":
                with open(out) as file:
                    ours = np.array(json.load(file)["path"]["criteria"]["loo"]["value"])
                difference = np.max(np.abs(ours - numpy_loo) / numpy_loo)
    print(f"n = {n}, d = 8, 100 λ, 1 thread, CPU seconds")
    print(f"{'scikit-learn GridSearchCV, 10-fold':44} {grid_seconds:9.2f}   (3 λ timed, scaled to 100)")
    print(f"{'NumPy eigh + vectorised LOO':44} {numpy_seconds:9.3f}")
    for name, seconds in rows.items():
        print(f"{'gnomon select --criterion ' + name:44} {seconds:9.3f}   "
              f"{grid_seconds / seconds:7.0f} × GridSearchCV, {numpy_seconds / seconds:5.2f} × eigh + LOO")
    print(f"largest relative difference of the LOO curves: {difference:.1e}")


if __name__ == "__main__":
    main()
