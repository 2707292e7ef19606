#!/usr/bin/env python3
"""Times pandas on the file that bench_csv reads, in the same sitting.

    csv_peers.py BENCH_CSV [rows] [columns]

BENCH_CSV is the built benchmark. One thread each, CPU seconds, median of three.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import pandas as pd


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
        print("pandas", pd.__version__)
        for label, precision in (("default (not exactly rounded)", None), ("round_trip (exactly rounded)", "round_trip")):
            seconds = cpu_seconds(lambda: pd.read_csv(path, float_precision=precision))
            print(f"  {label}: cpu {seconds:.3f} s, {size / seconds:.3f} GB/s, {seconds / ours:.1f} x gnomon's time")


if __name__ == "__main__":
    main()
