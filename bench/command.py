#!/usr/bin/env python3
"""The whole command on kernel ridge, as a user types it: file to answer, default grid, default output.

    command.py GNOMON [--rows 1000,2000,4000] [--threads 1,2] [--cores Haswell,SkylakeX] [--neighbours 0,2] [--before OTHER_GNOMON]

Every row is one criterion at one size: CPU seconds and seconds on the clock (medians of --repeats), as multiples of one dgemm of that
order by the same OpenBLAS kernels with one thread, measured in the same minute; and the most memory it had, in n × n matrices of doubles. With --neighbours N, N processes that only compute
run beside the command. With --before, another build of the command is timed in turn with the first. Needs numpy."""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

DGEMM = """
import numpy, time
a = numpy.random.default_rng(1).normal(size=({n}, {n}))
a @ a
times = []
for _ in range(3):
    begin = time.process_time(); a @ a; times.append(time.process_time() - begin)
print(min(times))
"""


def write_data(path, n):
    import numpy
    random = numpy.random.default_rng(n)
    x = random.normal(size=(n, 8))
    y = numpy.sin(x[:, 0]) + 0.5 * x[:, 1] * x[:, 2] + 0.3 * random.normal(size=n)
    header = ",".join([f"x{k}" for k in range(8)] + ["y"])
    numpy.savetxt(path, numpy.column_stack([x, y]), delimiter=",", header=header, comments="")


def dgemm(n, environment):
    run = subprocess.run([sys.executable, "-c", DGEMM.format(n=n)], env=dict(environment, OPENBLAS_NUM_THREADS="1"),
                         capture_output=True, text=True, check=True)
    return float(run.stdout)


def timed(command, environment):
    """CPU and clock seconds, and the largest resident size in bytes."""
    begin = time.monotonic()
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{' '.join(command)} failed")
    return used.ru_utime + used.ru_stime, time.monotonic() - begin, 1024 * used.ru_maxrss


def numbers(text):
    return [int(word) for word in text.split(",")]


def main():
    parse = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parse.add_argument("gnomon")
    parse.add_argument("--before")
    parse.add_argument("--rows", type=numbers, default=[1000, 2000, 4000])
    parse.add_argument("--threads", type=numbers, default=[1, 2])
    parse.add_argument("--neighbours", type=numbers, default=[0])
    parse.add_argument("--cores", type=lambda text: text.split(","), default=["Haswell", "SkylakeX"])
    parse.add_argument("--criteria", type=lambda text: text.split(","), default=["gcv", "loo", "cv:10"])
    parse.add_argument("--repeats", type=int, default=3)
    asked = parse.parse_args()
    asked.gnomon, asked.before = os.path.abspath(asked.gnomon), asked.before and os.path.abspath(asked.before)
    builds = {"": asked.gnomon} if not asked.before else {"before ": asked.before, "now ": asked.gnomon}
    print("| kernels | rows | dgemm | criterion | threads | neighbours | CPU | clock | memory |\n|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for core in asked.cores:
            environment = dict(os.environ, OPENBLAS_CORETYPE=core)
            for n in asked.rows:
                data = os.path.join(folder, f"{n}.csv")
                write_data(data, n)
                unit = dgemm(n, environment)
                for criterion in asked.criteria:
                    for neighbours in asked.neighbours:
                        for threads in asked.threads:
                            row(builds, core, n, unit, criterion, neighbours, threads, data, environment, asked.repeats)


def row(builds, core, n, unit, criterion, neighbours, threads, data, environment, repeats):
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(neighbours)]
    try:
        times = {name: [] for name in builds}
        for _ in range(repeats):
            for name, gnomon in builds.items():
                times[name].append(timed([gnomon, "select", data, "--target", "y", "--width", "median", "--criterion",
                                          criterion, "--threads", str(threads), "--quiet"], environment))
    finally:
        for process in busy:
            process.kill()
    def cell(k, unit, shown):
        medians = {name: statistics.median(t[k] for t in times[name]) for name in builds}
        return "; ".join(name + shown.format(value, value / unit) for name, value in medians.items())

    seconds = "{:.2f} s = {:.1f} ×"
    print(f"| {core} | {n} | {unit:.3f} s | {criterion} | {threads} | {neighbours} | {cell(0, unit, seconds)} | {cell(1, unit, seconds)} | "
          f"{cell(2, 8 * n * n, '{1:.1f}')} |", flush=True)


main()
