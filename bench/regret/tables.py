#!/usr/bin/env python3
"""Markdown tables of study_kernel_ridge: tables.py kernel_ridge.csv > kernel_ridge.md"""
import collections
import csv
import sys

RULES = [("median/loo", "median width, loo"), ("median/cv", "median width, cv"),
         ("median/evidence", "median width, evidence"), ("median/loo w0.75 p0 c0", "median width, blend"),
         ("loo", "loo"), ("cv", "cv"), ("evidence", "evidence"), ("aicc", "aicc"), ("gcv", "gcv"), ("sic", "sic (train)"),
         ("loo w0.5 p0 c0", "half loo, half evidence"), ("loo w0.75 p0 c0", "blend"),
         ("loo w0.75 p1 c0.25", "**blend and prior (auto)**"),
         ("loo w0.75 p2 c0.25", "the prior twice"), ("loo w0.75 p1 c0", "the prior about the median"),
         ("cv w0.75 p1 c0.25", "blend with cv for loo"),
         ("loo w0.75 p1 c0.25 mean over λ t1", "auto's width, averaged over λ, exp(−blend/2)"),
         ("loo w0.75 p1 c0.25 mean over λ t2", "auto's width, averaged over λ, exp(−blend/4)"),
         ("loo w0.75 p1 c0.25 mean t1", "auto's fits averaged, exp(−blend/2)"),
         ("loo w0.75 p1 c0.25 mean t2", "auto's fits averaged, exp(−blend/4)")]
GROUPS = [("choose", "Real sets that rules were chosen on"), ("confirm", "Real sets kept for confirmation"),
          ("made", "Made-up families")]


def main():
    mean, tail = collections.defaultdict(list), collections.defaultdict(list)
    sets, splits = collections.defaultdict(set), {}
    with open(sys.argv[1], encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter=";"):
            key = row["group"], int(row["n"]), row["rule"]
            mean[key].append(float(row["mean"]))
            tail[key].append(float(row["tail"]))
            sets[row["group"]].add(row["problem"])
            splits[int(row["n"])] = max(splits.get(int(row["n"]), 0), int(row["count"]))
    sizes = sorted(splits)

    def cell(values):
        average = sum(values) / len(values)
        return f"{average:.3f}" if average < 100 else f"{average:.0e}"

    print("Data sets per problem: " + ", ".join(f"{splits[n]} at n = {n}" for n in sizes) + ".\n")
    for group, title in GROUPS:
        print(f"### {title}\n\n{', '.join(sorted(sets[group]))}\n")
        print("| rule | " + " | ".join(f"n = {n}" for n in sizes) + " | all | 95 % |\n|---|" + "---|" * (len(sizes) + 2))
        for rule, words in RULES:
            every = [v for n in sizes for v in mean[group, n, rule]]
            worst = [v for n in sizes for v in tail[group, n, rule]]
            print(f"| {words} | " + " | ".join(cell(mean[group, n, rule]) for n in sizes) + f" | {cell(every)} | {cell(worst)} |")
        print()


main()
