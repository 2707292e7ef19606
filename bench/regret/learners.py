#!/usr/bin/env python3
"""Tables and plot of study_learners: learners.py learners.csv learners.svg > tables.md"""
import collections
import csv
import html
import math
import statistics
import sys

GROUPS = ["choose", "confirm", "made"]
# What `auto` stands for; the study names decays of networks only to know the least error.
DEFAULTS = {"ridge": "loo", "ridge on polynomial:2": "loo", "ridge on gaussian:20": "loo", "lasso": "cv", "elastic net": "cv",
            "huber": "cv", "svr": "cv", "iwls": "sic", "mlp": "evidence"}
INK = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#999999"]


def default_of(learner):
    return "cv-blocked:5" if learner.startswith("series") else DEFAULTS[learner]


def read(path):
    """learner → rule → group → n → [(problem, mean, tail)]"""
    found = collections.defaultdict(
        lambda: collections.defaultdict(lambda: collections.defaultdict(lambda: collections.defaultdict(list))))
    sets = collections.defaultdict(dict)
    with open(path, encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter=";"):
            if row["rule"].startswith("decay"):
                continue
            n = int(row["n"])
            found[row["learner"]][row["rule"]][row["group"]][n].append((row["problem"], float(row["mean"]), float(row["tail"])))
            sets[row["learner"]][n] = max(sets[row["learner"]].get(n, 0), int(row["count"]))
    return found, sets


def number(value):
    return f"{value:.3f}" if value < 10 else f"{value:.0f}" if value < 1000 else f"{value:.0e}"


def mean_of(cells, part=1):
    return statistics.fmean(c[part] for c in cells) if cells else math.nan


def joined(values):
    return " / ".join("–" if math.isnan(v) else number(v) for v in values)


def over_all(by_n, part=1):
    return mean_of([c for cells in by_n.values() for c in cells], part)


def gain_of(other, default):
    """Mean over problems of the log ratio of two rules' regrets, in per cent, with its standard error: positive where the default loses."""
    logs = collections.defaultdict(list)
    for n, cells in default.items():
        known = {c[0]: c[1] for c in other.get(n, [])}
        for problem, mean, _ in cells:
            if problem in known:
                logs[problem].append(math.log(mean / known[problem]))
    each = [100 * statistics.fmean(v) for v in logs.values()]
    if len(each) < 2:
        return "–"
    return f"{statistics.fmean(each):+.1f} ± {statistics.stdev(each) / math.sqrt(len(each)):.1f}"


def table(learner, rules, sets):
    sizes = sorted(sets)
    default = default_of(learner)
    print(f"### {learner}\n\nData sets per problem: " + ", ".join(f"{sets[n]} at n = {n}" for n in sizes) + ".\n")
    print("| criterion | " + " | ".join(f"n = {n}" for n in sizes) + " | all n | 95 % | log regret of the default less this one's, % |")
    print("|---|" + "---|" * (len(sizes) + 3))
    for rule in sorted(rules, key=lambda r: (r != default, over_all(rules[r]["choose"]))):
        by = rules[rule]
        cells = [joined(mean_of(by[g][n]) for g in GROUPS) for n in sizes]
        gains = "" if rule == default else " / ".join(gain_of(by[g], rules[default][g]) for g in GROUPS)
        name = f"**{rule} (auto)**" if rule == default else rule
        print(f"| {name} | " + " | ".join(cells) + f" | {joined(over_all(by[g]) for g in GROUPS)} | "
              f"{joined(over_all(by[g], 2) for g in GROUPS)} | {gains} |")
    print()


def panel(learner, rules, x, y, wide, high):
    """Mean regret on all real sets against n."""
    out = [f'<g transform="translate({x},{y})"><text x="0" y="-6" font-weight="bold">{html.escape(learner)}</text>']
    lines = {}
    for rule, by in rules.items():
        sizes = sorted(set(by["choose"]) | set(by["confirm"]))
        lines[rule] = [(n, mean_of(by["choose"][n] + by["confirm"][n])) for n in sizes]
    highest = min(1.6, max(1.1, max(v for rule in lines for _, v in lines[rule] if v < 1.6) if any(
        v < 1.6 for rule in lines for _, v in lines[rule]) else 1.1))
    sizes = sorted({n for line in lines.values() for n, _ in line})

    def at(n, value):
        place = (math.log(n) - math.log(sizes[0])) / (math.log(sizes[-1]) - math.log(sizes[0]))
        return place * wide, high * (1 - (min(value, highest) - 1) / (highest - 1))

    out.append(f'<rect width="{wide}" height="{high}" fill="none" stroke="#bbb"/>')
    for n in sizes:
        out.append(f'<text x="{at(n, 1)[0]:.1f}" y="{high + 12}" text-anchor="middle">{n}</text>')
    for value in (1, highest):
        out.append(f'<text x="-4" y="{at(sizes[0], value)[1] + 4:.1f}" text-anchor="end">{value:.2f}</text>')
    default = default_of(learner)
    order = [default] + sorted(r for r in lines if r != default)
    for k, rule in enumerate(order):
        ink, stroke = ("#000", 2.4) if rule == default else (INK[(k - 1) % len(INK)], 1.2)
        way = " ".join(f"{a:.1f},{b:.1f}" for a, b in (at(n, v) for n, v in lines[rule]))
        out.append(f'<polyline points="{way}" fill="none" stroke="{ink}" stroke-width="{stroke}"/>')
        out.append(f'<text x="{wide + 6}" y="{10 + 12 * k}" fill="{ink}">{html.escape(rule)}</text>')
    return "\n".join(out + ["</g>"])


def plot(found, path):
    wide, high, columns = 150, 110, 3
    parts = [panel(learner, rules, 45 + (k % columns) * (wide + 135), 30 + (k // columns) * (high + 50), wide, high)
             for k, (learner, rules) in enumerate(found.items())]
    total = 30 + math.ceil(len(parts) / columns) * (high + 50)
    with open(path, "w", encoding="utf-8") as file:
        file.write(f'<svg xmlns="http://www.w3.org/2000/svg" width="{columns * (wide + 135) + 20}" height="{total}" '
                   'font-family="sans-serif" font-size="10">\n<rect width="100%" height="100%" fill="#fff"/>\n'
                   + "\n".join(parts) + "\n</svg>\n")


def main():
    found, sets = read(sys.argv[1])
    for learner, rules in found.items():
        table(learner, rules, sets[learner])
    plot(found, sys.argv[2])


main()
