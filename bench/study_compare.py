#!/usr/bin/env python3
"""Does the advice of `gnomon compare` pay? The criterion it recommends against always choosing by leave-one-out.

usage: bench/study_compare.py GNOMON FOLDER [--rows 80] [--repeats 15] [--trials 120] [--first-seed 0]

For every CSV of FOLDER (target in the last column; series are left out), `repeats` times: draw `rows` rows, let compare recommend a
criterion from them alone, choose by it and by loo, and measure both on up to 1000 of the other rows. One line per set: mean log
ratio of the test errors (negative: the advice was better) with its standard error over the repeats, and what was recommended.
"""
import argparse
import collections
import csv
import json
import math
import pathlib
import random
import statistics
import subprocess
import tempfile

SERIES = {"sunspots-yearly", "sunspots-monthly", "santa-fe-laser"}


def write(path, header, rows):
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([header, *rows])


def test_error(gnomon, folder, target, criterion):
    done = subprocess.run([gnomon, "select", folder / "train.csv", "--target", target, "--test", folder / "test.csv",
                           "--criterion", criterion, "--search", "grid", "--threads", "1", "--json", "-"],
                          capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["test_error"]


def one(gnomon, header, rows, seed, options):
    drawn = random.Random(seed).sample(rows, min(len(rows), options.rows + 1000))
    count = min(options.rows, len(rows) * 2 // 3)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write(folder / "train.csv", header, drawn[:count])
        write(folder / "test.csv", header, drawn[count:])
        subprocess.run([gnomon, "compare", folder / "train.csv", "--target", header[-1], "-o", folder / "out", "--threads", "1",
                        "--trials", str(options.trials)], capture_output=True, check=True)
        advice = json.loads((folder / "out" / "result.json").read_text())["ranking"][0]
        errors = [test_error(gnomon, folder, header[-1], criterion) for criterion in (advice, "loo")]
    return advice, math.log(errors[0] / errors[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gnomon", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--rows", type=int, default=80)
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--trials", type=int, default=120)
    parser.add_argument("--first-seed", type=int, default=0)
    options = parser.parse_args()
    means = []
    print("| set | advice ÷ loo, % | s.e. | recommended |\n|---|---|---|---|")
    for path in sorted(options.folder.glob("*.csv")):
        if path.stem in SERIES:
            continue
        with open(path, newline="") as file:
            header, *rows = csv.reader(file)
        found = [one(options.gnomon, header, rows, seed, options) for seed in
                 range(options.first_seed, options.first_seed + options.repeats)]
        logs = [log for _, log in found]
        means.append(statistics.mean(logs))
        named = ", ".join(f"{name} {count}" for name, count in collections.Counter(n for n, _ in found).most_common())
        print(f"| {path.stem} | {100 * math.expm1(means[-1]):+.1f} | "
              f"{100 * statistics.stdev(logs) / math.sqrt(len(logs)):.1f} | {named} |", flush=True)
    se = statistics.stdev(means) / math.sqrt(len(means))
    print(f"\n{len(means)} sets: {100 * math.expm1(statistics.mean(means)):+.2f} % ± {100 * se:.2f}; "
          f"better on {sum(m < 0 for m in means)}, worse on {sum(m > 0 for m in means)}.")


if __name__ == "__main__":
    main()
