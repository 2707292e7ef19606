#!/usr/bin/python3
"""Support vector regression beside LIBSVM (scikit-learn's SVR): objectives on the same problems, and CPU seconds.

    OPENBLAS_CORETYPE=SkylakeX OPENBLAS_NUM_THREADS=1 /usr/bin/python3 bench/peers/svr_peers.py BENCH_SVR [tol]

BENCH_SVR is the built benchmark; it writes data and answers to a folder of its own. LIBSVM solves each λ cold with
C = 1/λ to its tolerance on the optimality conditions (default 1e-9) on a Gram computed beforehand; it keeps kernel
values in single precision, which limits its answers as C grows. LIBSVM's β is feasible for the dual, so that its dual
objective (second order in its error) and its primal objective ½‖f‖² + C Σ|y − f|_ε (first order, times C), both evaluated
here in double precision, must enclose ours; for C ≤ 100 the dual must also agree to 1e-8. Times: cold fits, LIBSVM
at that tolerance and at its default 1e-3. Needs Debian's python3-sklearn.
"""
import os
import subprocess
import sys
import tempfile
import time
import warnings

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy as np
from sklearn.svm import SVR

LIMIT = 5_000_000


def gram(x, gamma):
    if gamma == 0:
        return x @ x.T
    square = (x * x).sum(1)
    return np.exp(-gamma * np.maximum(0, square[:, None] + square[None, :] - 2 * x @ x.T))


def libsvm(k, y, c, epsilon, tol):
    model = SVR(kernel="precomputed", C=c, epsilon=epsilon, tol=tol, cache_size=1000, max_iter=LIMIT)
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(k, y)
    seconds = time.process_time() - start
    beta = np.zeros(len(y))
    beta[model.support_] = model.dual_coef_[0]
    f = k @ beta
    loss = np.maximum(0, np.abs(y - f - model.intercept_[0]) - epsilon).sum()
    primal, dual = 0.5 * beta @ f + c * loss, y @ beta - epsilon * np.abs(beta).sum() - 0.5 * beta @ f
    return primal, dual, seconds, model.fit_status_ == 0 and np.max(model.n_iter_) < LIMIT


def main():
    bench = sys.argv[1]
    tol = float(sys.argv[2]) if len(sys.argv) > 2 else 1e-9
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        print(subprocess.run([bench, folder], check=True, capture_output=True, text=True).stdout, end="")
        for name in ("gaussian200", "absolute500", "linear500", "gaussian1000"):
            data = np.loadtxt(f"{folder}/{name}.data.csv", delimiter=",")
            answers = np.loadtxt(f"{folder}/{name}.answers.csv", delimiter=",")
            gamma, epsilon, path = np.loadtxt(f"{folder}/{name}.setting.csv", delimiter=",")
            y, x = data[:, 0], data[:, 1:]
            k = gram(x, gamma)
            print(f"{name}: our path of {len(answers)} λ {path:.4f} s")
            for lam, objective, ours in answers[::3]:
                primal, dual, seconds, finished = libsvm(k, y, 1 / lam, epsilon, tol)
                default_seconds = libsvm(k, y, 1 / lam, epsilon, 1e-3)[2]
                above, below = (objective - dual) / objective, (primal - objective) / objective
                note = "" if finished else "  LIBSVM stopped at its limit of iterations"
                print(
                    f"  C {1 / lam:10.4g}  ours − LIBSVM's dual {above:+.1e}, LIBSVM's primal − ours {below:+.1e} (relative)  "
                    f"cold fit {1e3 * ours:9.3f} ms, LIBSVM {1e3 * seconds:10.3f} ms, default {1e3 * default_seconds:9.3f} ms{note}",
                    flush=True,
                )
                failures += min(above, below) < -1e-10 or (finished and lam >= 0.01 and above > 1e-8)
    print("objectives agree" if failures == 0 else f"{failures} objectives differ")
    sys.exit(failures != 0)


if __name__ == "__main__":
    main()
