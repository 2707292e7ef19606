#!/usr/bin/python3
"""Kernel density estimates of SciPy and scikit-learn, and uLSIF as an expert would write it in NumPy, one thread, CPU
seconds: what to set beside bench_shift, which prints its own dgemm(2000) as this script does.

    OPENBLAS_CORETYPE=SkylakeX OPENBLAS_NUM_THREADS=1 /usr/bin/python3 bench/peers/shift_peers.py [n]

Values are checked where two programs compute the same quantity: SciPy's and scikit-learn's densities against the product
Gaussian written out, and the NumPy leave-one-out score against refitting without each pair.
Needs Debian's python3-sklearn.
"""
import os
import sys
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy as np
from scipy.stats import gaussian_kde
from sklearn.neighbors import KernelDensity


def median_cpu(body, repetitions=3):
    seconds = []
    for _ in range(repetitions):
        start = time.process_time()
        result = body()
        seconds.append(time.process_time() - start)
    return sorted(seconds)[repetitions // 2], result


def features(x, centres, width):
    square = (x**2).sum(1)[:, None] + (centres**2).sum(1)[None, :] - 2 * x @ centres.T
    return np.exp(-np.maximum(square, 0) / (2 * width**2))


def ulsif_scores(train, test, centres, widths, lambdas):
    """Leave-one-pair-out scores with coefficients clipped at zero; one eigendecomposition per width."""
    n, m = len(train), len(test)
    pairs = min(n, m)
    scores = np.empty((len(widths), len(lambdas)))
    for i, width in enumerate(widths):
        phi, psi = features(train, centres, width), features(test, centres, width)
        values, vectors = np.linalg.eigh(phi.T @ phi / (n - 1))
        f, g = phi[:pairs] @ vectors, psi[:pairs] @ vectors
        target = vectors.T @ psi.sum(0) / (m - 1)
        for j, lam in enumerate(lambdas):
            inverse = 1 / (np.maximum(values, 0) + lam)
            right = target - g / (m - 1)
            inner = (f * inverse * right).sum(1) / (n - 1) / (1 - (f**2 * inverse).sum(1) / (n - 1))
            theta = np.maximum(0, ((right + inner[:, None] * f) * inverse) @ vectors.T)
            at_train, at_test = (phi[:pairs] * theta).sum(1), (psi[:pairs] * theta).sum(1)
            scores[i, j] = np.mean(at_train**2 / 2 - at_test)
    return scores


def refitted_score(train, test, centres, width, lam):
    phi, psi = features(train, centres, width), features(test, centres, width)
    total, pairs = 0.0, min(len(train), len(test))
    for i in range(pairs):
        p, q = np.delete(phi, i, 0), np.delete(psi, i, 0)
        theta = np.maximum(0, np.linalg.solve(p.T @ p / len(p) + lam * np.eye(len(centres)), q.mean(0)))
        total += (phi[i] @ theta) ** 2 / 2 - psi[i] @ theta
    return total / pairs


def main():
    n, d = int(sys.argv[1]) if len(sys.argv) > 1 else 5000, 8
    rng = np.random.default_rng(1)
    train, test = rng.standard_normal((n, d)), 0.3 + 0.8 * rng.standard_normal((n, d))
    square = rng.standard_normal((2000, 2000))
    square @ square
    gemm, _ = median_cpu(lambda: square @ square)
    print(f"n = {n}, d = {d}, 1 thread, CPU seconds; dgemm(2000) {gemm:.3f} s")

    h = 0.6
    few = test[:20]
    exact = np.exp(-((few[:, None] - train[None]) ** 2).sum(-1) / (2 * h * h)).mean(1) / (h * np.sqrt(2 * np.pi)) ** d
    white = gaussian_kde(train.T, bw_method=1.0)
    white.set_bandwidth(h)
    seconds, _ = median_cpu(lambda: white(test.T))
    print(f"{'scipy gaussian_kde (full covariance)':44} {seconds:9.3f}   {1e9 * seconds / n**2:6.2f} ns per pair")
    tree = KernelDensity(bandwidth=h).fit(train)
    seconds, _ = median_cpu(lambda: tree.score_samples(test), 1)
    difference = np.max(np.abs(np.exp(tree.score_samples(few)) / exact - 1))
    print(f"{'sklearn KernelDensity (one run)':44} {seconds:9.3f}   {1e9 * seconds / n**2:6.2f} ns per pair, "
          f"relative difference to the definition {difference:.0e}")

    widths, lambdas = np.geomspace(0.6, 20, 10), np.geomspace(1e-4, 10, 10)
    small = ulsif_scores(train[:40], test[:30], test[:10], [1.5], [0.1])[0, 0]
    slow = refitted_score(train[:40], test[:30], test[:10], 1.5, 0.1)
    seconds, _ = median_cpu(lambda: ulsif_scores(train, test, test[:100], widths, lambdas))
    print(f"{'NumPy uLSIF, 10 × 10 grid, 100 centres':44} {seconds:9.3f}   {seconds / gemm:6.2f} × dgemm(2000), "
          f"difference to refitting {abs(small - slow):.0e}")


if __name__ == "__main__":
    main()
