#!/usr/bin/env python3
"""Times pandas and polars on the file that bench_csv reads, in the same sitting.

    csv_peers.py BENCH_CSV [rows] [columns]

BENCH_CSV is the built benchmark. One thread each, CPU seconds, median of three. Whether a reader rounds exactly is found from the numbers
that it reads: Python's own conversion does.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "POLARS_MAX_THREADS"):
    os.environ.setdefault(name, "1")

import numpy as np
import pandas as pd

try:
    import polars as pl
except ImportError:
    pl = None


def cpu_seconds(read):
    times = []
    for _ in range(3):
        start = time.process_time()
        read()
        times.append(time.process_time() - start)
    return statistics.median(times)


def main():
    bench = sys.argv[1]
    rows = sys.argv[2] if len(sys.argv) > 2 else "1000000"
    columns = sys.argv[3] if len(sys.argv) > 3 else "10"
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "numbers.csv")
        output = subprocess.run([bench, rows, columns, path], check=True, capture_output=True, text=True).stdout
        print(output, end="")
        one_thread = next(line.split() for line in output.splitlines() if line.split()[0] == "1")
        ours = float(one_thread[1])
        size = os.path.getsize(path) * 1e-9
        with open(path) as file:
            next(file)
            exact = np.array([[float(cell) for cell in line.split(",")] for line, _ in zip(file, range(20000))])
        readers = [(f"pandas {pd.__version__}", pd.read_csv),
                   (f"pandas {pd.__version__}, round_trip", lambda path: pd.read_csv(path, float_precision="round_trip"))]
        if pl:
            readers.append((f"polars {pl.__version__}", pl.read_csv))
        for label, read in readers:
            rounds = "exactly" if (read(path).to_numpy()[:len(exact)] == exact).all() else "not exactly"
            seconds = cpu_seconds(lambda: read(path))
            print(f"{label} ({rounds} rounded): cpu {seconds:.3f} s, {size / seconds:.3f} GB/s, {seconds / ours:.1f} x gnomon's time")


if __name__ == "__main__":
    main()
