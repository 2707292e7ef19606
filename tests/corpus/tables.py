"""The small tables that the corpus runs on, made on the spot.

Python's random.Random gives the same numbers in every version, and cells are rounded to six decimals, so that
every recording starts from the same bytes.
"""

import math
import random


def _write(folder, name, header, rows):
    def cell(value):
        return value if isinstance(value, str) else f"{round(value, 6):g}" if value == int(value) else f"{value:.6f}"

    lines = [",".join(header)] + [",".join(cell(v) for v in row) for row in rows]
    (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


def _sinc(x):
    return math.sin(3 * x) / (3 * x) if x else 1.0


def _one_input(folder, r):
    """sinc.csv, one smooth function of one input; few.csv, so few rows that fits interpolate."""
    points = [r.uniform(-3, 3) for _ in range(60)]
    _write(folder, "sinc.csv", ["x", "y"], [[x, _sinc(x) + r.gauss(0, 0.15)] for x in points])
    points = [r.uniform(-1, 1) for _ in range(7)]
    _write(folder, "few.csv", ["x", "y"], [[x, x * x + r.gauss(0, 0.1)] for x in points])


def _correlated_row(r):
    common = r.gauss(0, 1)
    return [common + 0.5 * r.gauss(0, 1), common + 0.3 * r.gauss(0, 1), r.gauss(0, 2), r.uniform(0, 5)]


def _several_inputs(folder, r):
    """four.csv, correlated inputs of which one is useless; points.csv, inputs of the same kind; wide.csv, n < p."""
    rows = []
    for _ in range(40):
        x = _correlated_row(r)
        rows.append(x + [x[0] - 0.5 * x[1] + math.sin(x[2]) + r.gauss(0, 0.4)])
    names = ["x1", "x2", "x3", "x4"]
    _write(folder, "four.csv", names + ["y"], rows)
    _write(folder, "points.csv", names, [_correlated_row(r) for _ in range(25)])
    rows = []
    for _ in range(24):
        x = [r.gauss(0, 1) for _ in range(36)]
        rows.append(x + [2 * x[0] - x[1] + 0.5 * x[2] + r.gauss(0, 0.5)])
    _write(folder, "wide.csv", [f"v{j}" for j in range(1, 37)] + ["y"], rows)


def _many_rows(folder, r):
    """many.csv: enough rows for the ways of computing that small tables never take."""
    rows = []
    for _ in range(500):
        x = _correlated_row(r)
        rows.append(x + [math.sin(x[0] + x[3]) + 0.5 * x[2] + r.gauss(0, 0.5)])
    _write(folder, "many.csv", ["x1", "x2", "x3", "x4", "y"], rows)


def _kinds_of_columns(folder, r):
    """text.csv, a column of names; gaps.csv, missing cells; constant.csv; repeated.csv, rows measured several times."""
    effect = {"red": 0.0, "green": 1.5, "blue": -1.0}
    rows = []
    for _ in range(50):
        colour, size = r.choice(sorted(effect)), r.uniform(0, 4)
        rows.append([colour, size, effect[colour] + 0.7 * size + r.gauss(0, 0.3)])
    _write(folder, "text.csv", ["colour", "size", "y"], rows)
    for i in (3, 17, 31):
        rows[i] = [rows[i][0], "NA", rows[i][2]]
    _write(folder, "gaps.csv", ["colour", "size", "y"], rows)
    rows = [[x, 4.0, 1 - x + r.gauss(0, 0.2)] for x in (r.gauss(0, 1) for _ in range(30))]
    _write(folder, "constant.csv", ["x", "same", "y"], rows)
    rows = []
    for _ in range(16):
        a, b = r.uniform(-2, 2), r.choice([0.0, 1.0])
        rows += [[a, b, math.cos(a) + b + r.gauss(0, 0.25)] for _ in range(3)]
    _write(folder, "repeated.csv", ["a", "b", "y"], rows)


def _weights(folder, r):
    """counts.csv, weight k is a row repeated k times; ratio.csv, weights p_test/p_train of two normal densities."""
    rows = []
    for _ in range(45):
        x, z = r.uniform(-2, 2), r.gauss(0, 1)
        rows.append([x, z, float(r.randint(1, 4)), math.exp(-x * x) + 0.3 * z + r.gauss(0, 0.2)])
    _write(folder, "counts.csv", ["x", "z", "count", "y"], rows)
    rows = []
    for _ in range(50):
        x, z = r.gauss(0, 1), r.gauss(0, 1)
        weight = math.exp(x - 0.5)  # N(1, 1) over N(0, 1)
        rows.append([x, z, weight, _sinc(x) + 0.2 * z + r.gauss(0, 0.2)])
    _write(folder, "ratio.csv", ["x", "z", "weight", "y"], rows)


def _several_targets(folder, r):
    rows = []
    for _ in range(45):
        u, v = r.uniform(-1, 1), r.uniform(-1, 1)
        rows.append([u, v, math.sin(3 * u) + r.gauss(0, 0.2), u * v + 0.5 * v + r.gauss(0, 0.1)])
    _write(folder, "two.csv", ["u", "v", "a", "b"], rows)


def _shifted(folder, r):
    """train.csv and test.csv, labelled, inputs moved to one side; inputs.csv, the same without labels; far.csv, out of reach."""
    def row(centre, spread):
        x, z = r.gauss(centre, spread), r.gauss(0, 1)
        return [x, z, _sinc(x) + 0.2 * z + r.gauss(0, 0.2)]

    _write(folder, "train.csv", ["x", "z", "y"], [row(0.8, 0.7) for _ in range(60)])
    test = [row(1.6, 0.4) for _ in range(40)]
    _write(folder, "test.csv", ["x", "z", "y"], test)
    _write(folder, "inputs.csv", ["x", "z"], [t[:2] for t in test])
    _write(folder, "far.csv", ["x", "z"], [row(12, 0.3)[:2] for _ in range(20)])
    rows = [[x, _sinc(x) + r.gauss(0, 0.2)] for x in (r.gauss(0.8, 0.7) for _ in range(50))]
    _write(folder, "train1.csv", ["x", "y"], rows)
    rows = [[x, _sinc(x) + r.gauss(0, 0.2)] for x in (r.gauss(1.5, 0.4) for _ in range(30))]
    _write(folder, "test1.csv", ["x", "y"], rows)


def _series(folder, r):
    level, before, rows = 0.5, 0.3, []
    for t in range(120):
        level, before = 1.6 * level - 0.8 * before + r.gauss(0, 0.3), level
        rows.append([float(t), level + 0.3 * math.sin(t / 6)])
    _write(folder, "series.csv", ["time", "value"], rows)


def _classes(folder, r):
    rows = []
    for i in range(45):
        kind = i % 3
        a, b = r.gauss((0.0, 1.5, -0.5)[kind], 0.8), r.gauss((0.0, 0.5, 1.8)[kind], 0.8)
        rows.append([a, b, ("setosa", "rosa", "iris")[kind], float(kind == 1)])
    _write(folder, "classes.csv", ["a", "b", "kind", "is_rosa"], rows)


def _outliers(folder, r):
    rows = []
    for i in range(40):
        x = [r.gauss(0, 1) for _ in range(3)]
        noise = r.gauss(0, 6) if i % 8 == 0 else r.gauss(0, 0.3)
        rows.append(x + [1.0 + x[0] - 2 * x[1] + noise])
    _write(folder, "outliers.csv", ["p", "q", "r", "y"], rows)


def _abalone(folder, r):
    """abalone.csv: not the real shells, but columns of the same names."""
    names = ["length", "diameter", "height", "whole_weight", "shucked_weight", "viscera_weight", "shell_weight", "rings"]
    rows = []
    for _ in range(1000):
        length = r.uniform(0.2, 0.8)
        size = [length * f * math.exp(r.gauss(0, 0.1)) for f in (1.0, 0.8, 0.25)]
        mass = [4 * length**3 * f * math.exp(r.gauss(0, 0.15)) for f in (1.0, 0.45, 0.2, 0.3)]
        rows.append(size + mass + [float(max(1, round(4 + 14 * length + r.gauss(0, 2))))])
    _write(folder, "abalone.csv", names, rows)


def write_tables(folder):
    """Every table has its own generator, so that a new one leaves the others as they are."""
    folder.mkdir(parents=True, exist_ok=True)
    makers = [_one_input, _several_inputs, _many_rows, _kinds_of_columns, _weights, _several_targets, _shifted, _series, _classes,
              _outliers, _abalone]
    for make in makers:
        make(folder, random.Random(f"gnomon {make.__name__}"))
