#!/usr/bin/python3
"""Huber regression beside scikit-learn's HuberRegressor: the same minimum at matching scale.

    /usr/bin/python3 bench/peers/huber_peers.py build/release/bench/bench_huber

HuberRegressor minimises over a, b and a scale s > 0

    sum_i [ s + s H_e(u_i / s) ] + alpha |a|^2,    H_e(z) = z^2 for |z| < e,  2 e |z| - e^2 beyond.

s H_e(u/s) = (2/s) rho_t(u) with t = e s, so at its fitted scale (a, b) minimise sum_i 2 rho_t(u_i) + alpha s |a|^2:
gnomon's objective with tau = e s and lambda = alpha s. Printed per problem: both objectives (gnomon's form, half of
that sum) and the distance of the coefficients. HuberRegressor stops its L-BFGS at a gradient of `tol`, here 1e-10.
Needs Debian's python3-sklearn.
"""

import os
import subprocess
import sys
import tempfile
import warnings

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy as np
from sklearn.linear_model import HuberRegressor


def rho(u, tau):
    size = np.abs(u)
    return np.where(size <= tau, u * u / 2, tau * size - tau * tau / 2)


def objective(x, y, a, b, tau, lam):
    return rho(y - b - x @ a, tau).sum() + lam / 2 * a @ a


def gnomon(bench, x, y, tau, lam):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "table.txt")
        np.savetxt(path, np.column_stack([x, y]), fmt="%.17g")
        out = subprocess.run([bench, "solve", path, repr(tau), repr(lam)], check=True, capture_output=True, text=True)
    numbers = np.array([float(line) for line in out.stdout.split()])
    return numbers[0], numbers[1], numbers[2:]


def main():
    bench = sys.argv[1]
    random = np.random.default_rng(1)
    worst = 0
    print(f"{'n':>5} {'p':>3} {'eps':>5} {'alpha':>7} {'gnomon':>18} {'scikit-learn':>18} {'excess':>9} {'|da|/|a|':>9}")
    for n, p in ((100, 3), (300, 10), (1000, 30)):
        x = random.standard_normal((n, p))
        y = x @ random.standard_normal(p) + 1.5 + random.standard_normal(n)
        y[:: 9] += 12 * random.standard_normal(len(y[:: 9]))
        for epsilon, alpha in ((1.35, 0.0), (1.35, 1e-4), (1.1, 1.0), (2.5, 30.0)):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                peer = HuberRegressor(epsilon=epsilon, alpha=alpha, max_iter=100000, tol=1e-10).fit(x, y)
            tau, lam = epsilon * peer.scale_, alpha * peer.scale_
            ours, offset, a = gnomon(bench, x, y, tau, lam)
            theirs = objective(x, y, peer.coef_, peer.intercept_, tau, lam)
            excess = theirs / ours - 1
            distance = np.linalg.norm(peer.coef_ - a) / np.linalg.norm(a)
            worst = max(worst, abs(excess))
            assert abs(objective(x, y, a, offset, tau, lam) / ours - 1) < 1e-12
            print(f"{n:5} {p:3} {epsilon:5} {alpha:7} {ours:18.12f} {theirs:18.12f} {excess:9.1e} {distance:9.1e}")
    print(f"largest relative difference of the objectives: {worst:.1e}")
    return 0 if worst < 1e-9 else 1


if __name__ == "__main__":
    sys.exit(main())
