#!/usr/bin/env python3
"""From a CSV file to a chosen fit: gnomon beside what people use today, in one run on one machine.

    file_to_answer.py GNOMON [-o file_to_answer.md] [--scale 1] [--repeats 3]

`scripts/peers` installs current versions of the others and calls this. Tasks, sizes at --scale 1:
  tall ridge    400000 x 60, λ chosen among 100
  tall lasso    100000 x 200, 100 λ, ten folds
  kernel ridge  2000 x 8, gaussian kernel, 100 λ, ten folds or leaving one out

gnomon is timed as a user runs it: the whole process, reading and the error after choosing included, and a model written. The others are
timed inside Python or R: reading the file and fitting, without the start of the interpreter and imports. Everyone chooses by its own
documented way over the same number of λ, with the threads that the table says. Seconds are medians over --repeats, CPU and on the clock. The error is the
mean squared error over its variance on 20000 fresh rows (2000 for kernels), so that a fast answer that is wrong shows. Where an estimator is too slow, it gets
fewer λ and its time is scaled: the table says so.
"""
import argparse
import datetime
import importlib.metadata
import json
import os
import platform
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
COUNT = 100  # λ


def data(task, n, p, rng):
    import numpy as np
    x = rng.normal(size=(n, p))
    if task == "kernel ridge":
        return x, np.sin(x[:, 0]) + 0.5 * x[:, 1] * x[:, 2] + 0.3 * rng.normal(size=n)
    x += rng.normal(size=(n, 1))  # columns that are alike, as they mostly are
    beta = np.where(np.arange(p) % 5 == 0, 1.0, 0.1 if task == "tall ridge" else 0.0)
    return x, x @ beta + 5 * rng.normal(size=n)


def write(path, x, y):
    import numpy as np
    header = ",".join([f"x{k}" for k in range(x.shape[1])] + ["y"])
    np.savetxt(path, np.column_stack([x, y]), fmt="%.17g", delimiter=",", header=header, comments="")


# What the others are asked to do: each takes (inputs, targets), gives back a function that predicts, and how often less than asked it worked.
def ridge_cv(x, y):
    import numpy as np
    from sklearn.linear_model import RidgeCV
    return RidgeCV(np.logspace(-3, 6, COUNT)).fit(x, y).predict, 1


def lasso_cv(x, y):
    from sklearn.linear_model import LassoCV
    return LassoCV(cv=10, n_jobs=1).fit(x, y).predict, 1


def adelie_cv(x, y):
    import adelie
    import numpy as np
    x, target = np.asfortranarray(x), adelie.glm.gaussian(y)
    # Its own path ends at a hundredth of the largest λ, which is too early here.
    options = {"n_threads": 1, "progress_bar": False}
    chosen = adelie.cv.cv_grpnet(x, target, n_folds=10, lmda_path_size=COUNT, min_ratio=1e-3, **options)
    fit = chosen.fit(x, target, **options)
    beta, offset = fit.betas[-1], fit.intercepts[-1]
    return lambda new: (beta @ new.T + offset).ravel(), 1


def grid_search(x, y):
    import numpy as np
    from sklearn.kernel_ridge import KernelRidge
    from sklearn.model_selection import GridSearchCV
    some = np.logspace(-3, 1, 3)
    centre = y.mean()
    search = GridSearchCV(KernelRidge(kernel="rbf", gamma=1 / (2 * median_distance(x) ** 2)), {"alpha": some}, cv=10,
                          scoring="neg_mean_squared_error").fit(x, y - centre)
    return lambda new: search.predict(new) + centre, COUNT / len(some)


def himalaya_cv(x, y):
    import numpy as np
    from himalaya.kernel_ridge import KernelRidgeCV
    centre = y.mean()
    some = np.logspace(-4, 3, 20)
    model = KernelRidgeCV(alphas=some, kernel="rbf", kernel_params={"gamma": 1 / (2 * median_distance(x) ** 2)}, cv=10).fit(x, y - centre)
    return lambda new: np.ravel(model.predict(new)) + centre, COUNT / len(some)


def eigh_loo(x, y):
    """As an expert writes it: one eigendecomposition, leaving one out for every λ."""
    import numpy as np
    from scipy.spatial.distance import cdist
    width, centre = median_distance(x), y.mean()
    kernel = lambda a, b: np.exp(-cdist(a, b, "sqeuclidean") / (2 * width**2))
    d, q = np.linalg.eigh(kernel(x, x))
    lambdas = np.logspace(-6, 3, COUNT)
    g = lambdas / (d[:, None] + lambdas)
    z = q.T @ (y - centre)
    loo = np.mean(((q @ (g * z[:, None])) / ((q * q) @ g)) ** 2, axis=0)
    alpha = q @ (z / (d + lambdas[np.argmin(loo)]))
    return lambda new: kernel(new, x) @ alpha + centre, 1


def median_distance(x):
    import numpy as np
    from scipy.spatial.distance import pdist
    return np.median(pdist(x))


def read_polars(path):
    import polars
    frame = polars.read_csv(path).to_numpy()
    return frame[:, :-1], frame[:, -1]


def read_pandas(path):
    import pandas
    frame = pandas.read_csv(path).to_numpy()
    return frame[:, :-1], frame[:, -1]


OTHERS = {
    "tall ridge": {"polars + RidgeCV": ("polars", ridge_cv), "pandas + RidgeCV": ("pandas", ridge_cv)},
    "tall lasso": {"polars + LassoCV": ("polars", lasso_cv), "polars + adelie cv_grpnet": ("polars", adelie_cv)},
    "kernel ridge": {"polars + eigh and LOO (NumPy)": ("polars", eigh_loo), "polars + GridSearchCV(KernelRidge)": ("polars", grid_search),
                     "polars + himalaya KernelRidgeCV": ("polars", himalaya_cv)},
}
OURS = {
    "tall ridge": {"gnomon select --learner ridge": ["--learner", "ridge"], "… --criterion loo": ["--learner", "ridge", "--criterion", "loo"]},
    "tall lasso": {"gnomon select --learner lasso": ["--learner", "lasso"]},
    "kernel ridge": {f"gnomon select --width median --criterion {c}": ["--width", "median", "--criterion", c] for c in ("gcv", "loo", "cv:10")}
    | {"gnomon select (width chosen too)": []},
}


def other(task, name, train, test):
    """In a process of its own: reads, fits, prints CPU and clock seconds and the error on fresh rows."""
    import numpy as np
    reader, fit = OTHERS[task][name]
    read = {"polars": read_polars, "pandas": read_pandas}[reader]
    for module in (reader, "scipy.spatial.distance", "sklearn.linear_model", "sklearn.kernel_ridge", "sklearn.model_selection"):
        __import__(module)
    if "adelie" in name or "himalaya" in name:
        __import__("adelie" if "adelie" in name else "himalaya.kernel_ridge")
    cpu, clock = time.process_time(), time.monotonic()
    predict, factor = fit(*read(train))
    cpu, clock = time.process_time() - cpu, time.monotonic() - clock
    x, y = read_polars(test)
    print(json.dumps([cpu * factor, clock * factor, float(np.mean((predict(x) - y) ** 2) / np.var(y)), factor]))


def glmnet(train, test):
    done = subprocess.run(["Rscript", str(HERE / "file_to_answer.R"), train, test], capture_output=True, text=True, check=True)
    return [float(word) for word in done.stdout.split()] + [1]


def ours(gnomon, flags, train, test, threads, folder):
    import numpy as np
    model, out = f"{folder}/model", f"{folder}/predictions.csv"
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run([gnomon, "select", train, "--target", "y", "--model", model, "--threads", str(threads), "--quiet", *flags],
                   stdout=subprocess.DEVNULL, check=True)
    clock, after = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    subprocess.run([gnomon, "predict", model, test, "-o", out], stderr=subprocess.DEVNULL, check=True)
    _, y = read_polars(test)
    predicted = np.loadtxt(out, skiprows=1)
    return [cpu, clock, float(np.mean((predicted - y) ** 2) / np.var(y)), 1]


def version(name):
    try:
        return f"{name} {importlib.metadata.version(name)}"
    except importlib.metadata.PackageNotFoundError:
        return f"{name} absent"


def processor():
    for line in open("/proc/cpuinfo"):
        if line.startswith("model name"):
            return line.split(":")[1].strip()
    return platform.machine()


def main():
    parse = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parse.add_argument("gnomon")
    parse.add_argument("-o")
    parse.add_argument("--scale", type=float, default=1.0)
    parse.add_argument("--repeats", type=int, default=3)
    parse.add_argument("--threads", type=lambda text: [int(word) for word in text.split(",")], default=[1, 2])
    asked = parse.parse_args()
    import numpy as np
    rows = {"tall ridge": (400_000, 60), "tall lasso": (100_000, 200), "kernel ridge": (2000, 8)}
    said = subprocess.run([asked.gnomon, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    lines = ["# From a file to an answer, beside others", "",
             f"Made by `scripts/peers` on {datetime.date.today()}: {said}, "
             + ", ".join(map(version, ["numpy", "scikit-learn", "polars", "pandas", "adelie", "himalaya"]))
             + f"; {processor()}, {os.cpu_count()} cores. Medians of {asked.repeats}; what is timed, and how, stands at the top of `file_to_answer.py`.",
             "", "| task | who | threads | CPU s | clock s | error on fresh rows |", "|---|---|---|---|---|---|"]
    print("\n".join(lines), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for task, (n, p) in rows.items():
            n = max(200, int(n * asked.scale))
            train, test = f"{folder}/train.csv", f"{folder}/test.csv"
            rng = np.random.default_rng(1)
            write(train, *data(task, n, p, rng))
            write(test, *data(task, min(20_000, n), p, rng))
            runs = []
            for threads in asked.threads:
                environment = dict(os.environ, OPENBLAS_NUM_THREADS=str(threads), OMP_NUM_THREADS=str(threads), POLARS_MAX_THREADS=str(threads))
                for name, flags in OURS[task].items():
                    runs.append((name, threads, lambda flags=flags, threads=threads: ours(asked.gnomon, flags, train, test, threads, folder)))
                for name in OTHERS[task]:
                    def run(name=name, environment=environment):
                        done = subprocess.run([sys.executable, __file__, "--other", task, name, train, test], env=environment, capture_output=True,
                                              text=True)
                        if done.returncode:
                            raise RuntimeError(done.stderr.strip().splitlines()[-1])
                        return json.loads(done.stdout.splitlines()[-1])
                    runs.append((name, threads, run))
            if task == "tall lasso" and shutil.which("Rscript"):
                runs.append(("fread + cv.glmnet", 1, lambda: glmnet(train, test)))
            for name, threads, run in runs:
                try:
                    got = [run() for _ in range(asked.repeats)]
                except (RuntimeError, subprocess.CalledProcessError) as error:
                    lines.append(f"| {task} | {name} | {threads} | – | – | {str(error)[:80]} |")
                else:
                    middle = [statistics.median(g[k] for g in got) for k in range(4)]
                    scaled = "" if middle[3] == 1 else f" (scaled from {COUNT / middle[3]:.0f} λ)"
                    lines.append(f"| {task}, {n} x {p} | {name}{scaled} | {threads} | {middle[0]:.2f} | {middle[1]:.2f} | {middle[2]:.4f} |")
                print(lines[-1], flush=True)
    if asked.o:
        Path(asked.o).write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--other"]:
        other(*sys.argv[2:])
    else:
        main()
