"""reproduce sic-toy, sic-delve and nonlinear, on a few trials."""
import json
import os
import signal
import subprocess
import time
import unittest

import numpy as np
from scipy import stats

from command import COMMAND
from test_reproduce import ReproduceTest

CHOOSERS = ["sic_residual", "sic_gcv", "loo", "abic"]
GENERATED = [f"{family}-8{kind}" for family in ("kin", "pumadyn") for kind in ("fm", "nm", "fh", "nh")]


class SicTest(ReproduceTest):
    def columns(self, folder):
        """trials.csv as {column: numbers}."""
        lines = self.text(folder, "trials.csv").splitlines()
        rows = np.array([[float(cell) for cell in line.split(",")] for line in lines[2:]])
        return dict(zip(lines[1].split(","), rows.T, strict=True))

    def check_resumed(self, name, *flags):
        """In one go, in two parts, and killed at any instant: the same bytes."""
        self.reproduce(name, "whole", *flags, trials=5)
        self.reproduce(name, "parts", *flags, trials=2)
        self.reproduce(name, "parts", "--resume", "--threads", 1, *flags, trials=5)
        self.same_answer("whole", "parts")
        command = [COMMAND, "reproduce", name, "-o", "killed", "--trials", "1000000", *map(str, flags)]
        process = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            path, start = self.folder / "killed" / "trials.csv", time.monotonic()
            while not (path.exists() and path.stat().st_size > 60000) and time.monotonic() - start < 60:
                time.sleep(0.02)
        finally:
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
        self.assertEqual([p.name for p in (self.folder / "killed").iterdir()], ["trials.csv"])
        self.assertGreater(len(self.text("killed", "trials.csv").splitlines()), 4)
        self.reproduce(name, "killed", "--resume", *flags, trials=5)
        for file in ("table.csv", "table.md", "result.json"):
            self.assertEqual(self.text("killed", file), self.text("whole", file), file)
        self.refuse(1, ["other settings"], "reproduce", name, "-o", "parts", "--resume", "--seed", 7, *flags)


class ToyTest(SicTest):
    CONDITIONS = [(target, s2, n) for target in ("sinc", "sincpi") for s2 in (0.01, 0.09) for n in (50, 100)]

    def test_results_follow_from_the_trials(self):
        self.reproduce("sic-toy", "out", trials=12)
        self.check_files("out", "details.csv", charts=16)
        rows = {row["name"]: row for row in self.check_rows("out")}
        self.assertEqual(len(rows), 2 * 56 + 12 + 2)
        trials = self.columns("out")
        conditions = self.result("out")["results"]["conditions"]
        for (target, s2, n), found in zip(self.CONDITIONS, conditions, strict=True):
            self.assertEqual((found["n"], found["sigma2"]), (n, s2))
            of = f"{target}_{n}_{s2}"
            truth = np.array([trials[f"j_{of}_{x}"] for x in ("0.001", "0.01", "0.1", "1", "10", "100", "1000")])
            self.assert_close(found["true_error"]["mean"], truth.mean(axis=1), 1e-12)
            self.assertTrue((truth > 0).all() and (truth < found["squared_norm"] + 2).all())
            least = trials[f"least_{of}"]
            for name in CHOOSERS + ["sic_known"]:
                error = trials[f"error_{name}_{of}"]
                self.assertTrue((error >= least).all())
                self.assert_close(found["chosen"][name]["ratio"], (error / least).mean(), 1e-12)
        gap = trials["sic_sinc_50_0.01_1"] - trials["j_sinc_50_0.01_1"]
        row = rows["mean of SIC − J_G, sin(x)/x, n = 50, σ² = 0.01, λ = 1"]
        self.assert_close(row["ours"], gap.mean(), 1e-9)
        self.assert_close(row["se"], gap.std(ddof=1) / 12**0.5, 1e-9)
        self.assertEqual(row["expected"], 0)
        self.assertEqual(rows["J_G, sin(πx)/(πx), n = 100, σ² = 0.09, λ = 1"]["expected"], 3.601)

    def test_agrees_with_the_expectation(self):
        self.reproduce("sic-toy", "out", trials=60)
        self.assertTrue(all(abs(row["z"]) < 4.5 for row in self.check_rows("out")))

    def test_resumed_equals_one_go(self):
        self.check_resumed("sic-toy")

    def test_own_data(self):
        self.refuse(1, ["--data"], "reproduce", "sic-toy", "-o", "out", "--data", "x.csv")


class DelveTest(SicTest):
    def sets(self, folder):
        return {found["set"]: found for found in self.result(folder)["results"]["sets"]}

    def small_sets(self):
        """Stand-ins under the names of two sets: text M, F, I, and a column that never changes."""
        random = np.random.default_rng(2)
        x = random.uniform(0, 3, (260, 2))
        y = np.sin(x).sum(axis=1) + 0.1 * random.standard_normal(260)
        (self.folder / "sets").mkdir()
        self.write("sets/abalone.csv", {"sex": random.choice(["M", "F", "I"], 260), "a": x[:, 0], "b": x[:, 1], "rings": y})
        self.write("sets/boston.csv", {"a": x[:, 0], "same": np.ones(260), "b": x[:, 1], "medv": y})

    def test_without_data(self):
        said = self.reproduce("sic-delve", "out", trials=2)
        self.assertIn("Generated stand-ins", said)
        self.assertIn("Not there, and left out: abalone, boston, bank-8fm", said)
        self.check_files("out", "details.csv", charts=len(GENERATED) + 1)
        self.assertEqual(list(self.sets("out")), GENERATED)
        for row in self.check_rows("out"):
            self.assertEqual(row["verdict"], "not comparable")
            self.assertIn("generated", row["reason"])

    def test_results_follow_from_the_trials(self):
        self.small_sets()
        self.reproduce("sic-delve", "out", "--data", "sets", trials=8)
        sets = self.sets("out")
        self.assertEqual(list(sets), ["abalone", "boston", *GENERATED])
        self.assertEqual([found["generated"] for found in sets.values()], [False, False] + [True] * 8)
        trials, place = self.columns("out"), list(sets).index("boston")
        errors = np.array([values[place::10] for name, values in trials.items() if name.startswith("error_")])
        self.assertEqual(errors.shape, (45, 8))
        chosen = {}
        for name in CHOOSERS:
            for end, grid in zip(range(-3, -9, -1), sets["boston"]["chosen"][name]["grids"], strict=True):
                start = 4 * (end + 8)
                at = trials[f"place_{name}_from_1e{end}"][place::10].astype(int)
                self.assertTrue((at >= start).all())
                reached = errors[at, np.arange(8)]
                self.assert_close(grid["ratio"], (reached / errors[start:].min(axis=0)).mean(), 1e-12)
                if end == -3:
                    chosen[name] = reached
        best = min(chosen, key=lambda name: chosen[name].mean())
        for name, reached in chosen.items():
            found = sets["boston"]["chosen"][name]
            self.assert_close(found["mean_error"], reached.mean(), 1e-12)
            if np.any(reached != chosen[best]):
                p = stats.ttest_rel(reached, chosen[best]).pvalue
                self.assert_close(found["p_against_best"], p, 1e-8)
                self.assertEqual(found["among_the_best"], p >= 0.05)
        rows = {row["name"]: row for row in self.check_rows("out")}
        row = rows["test error ÷ least on the grid, boston, LOOCV"]
        self.assertEqual(row["expected"], 1.11)
        self.assertIn("260 rows are not the 506", row["reason"])

    def test_resumed_equals_one_go(self):
        self.check_resumed("sic-delve")

    def test_seed_draws_splits_not_data(self):
        self.reproduce("sic-delve", "one", trials=2)
        self.reproduce("sic-delve", "two", "--seed", 2, trials=2)
        head = [self.text(folder, "trials.csv").splitlines()[0].split(", ")[2:] for folder in ("one", "two")]
        self.assertEqual(head[0], head[1])
        self.assertNotEqual(self.text("one", "table.csv"), self.text("two", "table.csv"))

    def test_bad_data(self):
        def refused(says, name, data):
            self.write(f"sets/{name}.csv", data)
            self.refuse(1, says, "reproduce", "sic-delve", "-o", "out", "--data", "sets")
        (self.folder / "sets").mkdir()
        self.refuse(1, ["'nothere' is no folder"], "reproduce", "sic-delve", "-o", "out", "--data", "nothere")
        refused(["199 rows"], "boston", {"a": range(199), "y": range(199)})
        refused(["'rather'", "M, F, I"], "boston", {"a": ["rather"] * 300, "y": range(300)})
        refused(["one column"], "boston", {"y": range(300)})
        refused(["'a'", "none missing"], "boston", {"a": [""] + [1] * 299, "y": range(300)})


class NonlinearTest(SicTest):
    def test_results_follow_from_the_trials(self):
        self.reproduce("nonlinear", "out", trials=300)
        self.check_files("out", "details.csv", charts=2)
        rows = self.check_rows("out")
        results = self.result("out")["results"]
        trials = self.columns("out")
        names = [name[:-len("_rows")].replace("_gap", "") for name in trials if name.endswith("gap_rows")]
        self.assertEqual(len(results["sic"]), 2 * len(names))
        for case, (rows_found, points_found) in zip(names, zip(results["sic"][::2], results["sic"][1::2]), strict=True):
            for found, where in ((rows_found, "rows"), (points_found, "points")):
                gap, term = trials[f"{case}_gap_{where}"], trials[f"{case}_term_{where}"]
                self.assert_close(found["gap"], gap.mean(), 1e-9)
                self.assert_close(found["share"], gap.mean() / term.mean(), 1e-9)
                if found["claim"] == "unbiased":
                    self.assertLess(abs(found["gap"]), 4.5 * found["gap_se"], found)
        for law in results["tau"]:
            self.assertEqual(law["prefers_least_squares"], 1)
        self.assertLess(results["tau"][1]["error_at_half"], results["tau"][1]["error_at_choice"])
        self.assertEqual(len(results["basic"]), 6 * 3 - 1)  # a learner that jumps is not rescaled
        self.assertTrue(all(abs(row["z"]) < 4.5 for row in rows if row["z"] is not None and row["expected"] == 0))

    def test_what_must_fail_fails(self):
        self.reproduce("nonlinear", "out", trials=4000)
        must = [row for row in self.check_rows("out") if row["name"].startswith("bias beyond")]
        self.assertEqual(len(must), 4)
        self.assertTrue(all(row["verdict"] == "agrees" for row in must), must)
        shares = [found["share"] for found in self.result("out")["results"]["basic"]]
        self.assertLess(min(shares), -0.1)
        self.assertGreater(max(shares), 0.1)

    def test_resumed_equals_one_go(self):
        self.check_resumed("nonlinear")


if __name__ == "__main__":
    unittest.main()
