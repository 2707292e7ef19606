#!/usr/bin/env python3
"""What a call from Python costs beside the same call from C++: ridge on 200 × 5, CPU seconds, one thread.

    python_call.py BENCH_CALL [--rows 200] [--columns 5] [--calls 200] [--rounds 5]

Both scale, choose λ by the default criterion along the default grid, refit and judge the choice; Python also looks at its arguments as
scikit-learn asks of it. They take turns, so that a busy machine slows both; ratios are of medians. Needs gnomon on PYTHONPATH."""
import argparse
import os
import statistics
import subprocess
import tempfile
import time
import warnings

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

import gnomon


def median_seconds(call, calls):
    found = []
    for _ in range(calls):
        begin = time.process_time()
        call()
        found.append(time.process_time() - begin)
    return statistics.median(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    for name, value in (("rows", 200), ("columns", 5), ("calls", 200), ("rounds", 5)):
        parser.add_argument(f"--{name}", type=int, default=value)
    given = parser.parse_args()
    rng = np.random.default_rng(1)
    X = rng.normal(size=(given.rows, given.columns))
    y = X @ rng.normal(size=given.columns) + rng.normal(size=given.rows)
    warnings.simplefilter("ignore")
    environment = {**os.environ, "OPENBLAS_CORETYPE": gnomon._core.blas_core()}
    with tempfile.NamedTemporaryFile() as file:
        file.write(np.asfortranarray(np.column_stack([X, y])).tobytes(order="F"))
        file.flush()
        program = [given.program, file.name, str(given.rows), str(given.columns), str(given.calls)]
        ratios, print_row = [], "{:>12} {:>12} {:>8}".format
        print(print_row("C++ ms", "Python ms", "ratio"))
        for _ in range(given.rounds):
            ours = float(subprocess.run(program, env=environment, capture_output=True, text=True, check=True).stdout)
            theirs = median_seconds(lambda: gnomon.Ridge(n_jobs=1).fit(X, y), given.calls)
            ratios.append(theirs / ours)
            print(print_row(f"{1e3 * ours:.3f}", f"{1e3 * theirs:.3f}", f"{ratios[-1]:.2f}"))
        print(f"median ratio {statistics.median(ratios):.2f}")


if __name__ == "__main__":
    main()
