"""reproduce adaptive-mlp: two decays of small networks, on two trials."""
import csv
import json
import math
import pathlib
import shutil
import tempfile
import unittest

import numpy as np
from scipy import stats

from command import CommandTest, run, table_text

METHODS = ["none", "gen-gauss-newton", "gen-exact", "gen-eq14", "fper", "five-fold", "evidence", "evidence-exact",
           "mackay", "grid"]
QUANTITIES = ["test_error", "training_error", "kappa_input", "kappa_output", "evaluations", "converged"]
TASKS = ["regression", "mackey-glass", "sunspots"]
LOWER, UPPER = 1e-6, 10
STATSMODELS = pathlib.Path("/usr/lib/python3/dist-packages/statsmodels/datasets/sunspots/sunspots.csv")


def like_sunspots(first=1700, last=1979, seed=0):
    """A cycle of eleven years whose height changes, never below 0."""
    year = np.arange(first, last + 1)
    height = 50 + 30 * np.sin(2 * np.pi * year / 87)
    noise = 8 * np.random.default_rng(seed).standard_normal(len(year))
    return {"year": year, "sunspots": np.round(np.maximum(height * (1 + np.sin(2 * np.pi * year / 11)) + noise, 0), 1)}


class AdaptiveMlpTest(CommandTest):
    """The folder `shared`/out holds one run of two trials with sunspots; tests read it or go on from a copy."""

    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory(prefix="gnomon-test-")
        cls.addClassCleanup(holder.cleanup)
        cls.shared = pathlib.Path(holder.name)
        (cls.shared / "sunspots.csv").write_text(table_text(like_sunspots()))
        cls.done = run("reproduce", "adaptive-mlp", "-o", "out", "--trials", 2, "--data", "sunspots.csv",
                       cwd=cls.shared)

    def setUp(self):
        super().setUp()
        self.assertEqual(self.done.returncode, 0, self.done.stderr)
        shutil.copytree(self.shared, self.folder, dirs_exist_ok=True)

    def text(self, name, folder="out"):
        return (self.folder / folder / name).read_text("utf-8")

    def results(self, folder="out"):
        return json.loads(self.text("result.json", folder))["results"]

    def trials(self):
        """{task: {method: {quantity: values}}} of trials.csv; with two trials the three tasks take turns."""
        lines = self.text("trials.csv").splitlines()
        header = lines[1].split(",")
        self.assertEqual(header, ["trial"] + [f"{m}_{q}" for m in METHODS for q in QUANTITIES])
        rows = np.array([[float(cell) for cell in line.split(",")] for line in lines[2:]])
        np.testing.assert_array_equal(rows[:, 0], np.arange(6))
        return {task: {m: {q: rows[i::3, header.index(f"{m}_{q}")] for q in QUANTITIES} for m in METHODS}
                for i, task in enumerate(TASKS)}

    def go_on(self, *flags, trials=2):
        return self.succeed("reproduce", "adaptive-mlp", "-o", "out", "--resume", "--data", "sunspots.csv", "--trials",
                            trials, *flags)

    def test_files(self):
        figures = json.loads(self.text("result.json"))["figures"]
        self.assertEqual(len(figures), 9)
        self.assertEqual(sorted(p.name for p in (self.folder / "out").iterdir()),
                         sorted(["details.csv", "report.html", "result.json", "table.csv", "table.md", "trials.csv"]
                                + figures))
        self.assertEqual(self.done.stderr, "")
        self.assertIn(self.text("table.md").split("\n\n")[2].strip(), self.done.stdout)
        page = self.text("report.html")
        self.assertEqual(page.count("<canvas"), 9)  # per task the errors and the decays of two layers
        self.assertNotIn("<script src", page)
        self.assertIn("adaptive-mlp", self.succeed("reproduce", "--list"))

    def test_numbers_follow_from_the_trials(self):
        trials, results = self.trials(), self.results()
        self.assertEqual([t["task"] for t in results["tasks"]], TASKS)
        with (self.folder / "out" / "details.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 30)
        for task in results["tasks"]:
            self.assertEqual([m["method"] for m in task["methods"]], METHODS)
            none = trials[task["task"]]["none"]["test_error"]
            for method in task["methods"]:
                row, own = rows.pop(0), trials[task["task"]][method["method"]]
                error = own["test_error"]
                self.assertEqual(method["test_error"]["values"], list(error))
                self.assert_close(method["test_error"]["mean"], error.mean(), 1e-12)
                self.assert_close(method["test_error"]["se"], error.std(ddof=1) / math.sqrt(2), 1e-9)
                self.assert_close(float(row["test error"]), error.mean(), 1e-2)
                for layer in ("input", "output"):
                    kappa = own[f"kappa_{layer}"]
                    self.assertTrue(np.all(kappa > LOWER * (1 - 1e-9)) and np.all(kappa < UPPER * (1 + 1e-9)))
                    self.assert_close(method[f"kappa_{layer}"]["median"], np.median(kappa), 1e-12)
                    at_lower = np.mean(np.isclose(kappa, LOWER, rtol=1e-6, atol=0))
                    at_upper = np.mean(np.isclose(kappa, UPPER, rtol=1e-6, atol=0))
                    self.assertEqual(method[f"kappa_{layer}"]["at_lower"], at_lower)
                    self.assertEqual(method[f"kappa_{layer}"]["at_upper"], at_upper)
                    self.assertEqual(row[f"{layer} at bound"], f"{100 * (at_lower + at_upper):.0f} %")
                if method["method"] == "none":
                    self.assertEqual(method["kappa_input"]["at_lower"], 1)
                    self.assertEqual(method["kappa_output"]["at_lower"], 1)
                else:
                    self.assertEqual(method["beats_none"], np.mean(error < none))
                    if np.ptp(error - none) > 0:
                        self.assert_close(method["p_against_none"], stats.ttest_rel(error, none).pvalue, 1e-7)
                if row["z"]:
                    expected = method["expected"]
                    z = (error.mean() - expected["mean"]) / math.hypot(method["test_error"]["se"], expected["se"])
                    self.assert_close(expected["z"], z, 1e-9)

    def test_rows_stand_beside_what_is_expected(self):
        means = {(t["task"], m["method"]): m for t in self.results()["tasks"] for m in t["methods"]}
        rows = json.loads(self.text("result.json"))["rows"]
        self.assertEqual(len(rows), 8 + 8 + 7)
        for task, row in zip(["regression"] * 8 + ["mackey-glass"] * 8 + ["sunspots"] * 7, rows, strict=True):
            self.assertIn(row["ours"], [m["test_error"]["mean"] for (t, _), m in means.items() if t == task])
            if task == "sunspots":  # one split
                self.assertEqual(row["verdict"], "not comparable")
            else:
                z = (row["ours"] - row["expected"]) / math.hypot(row["se"], row["expected_se"])
                self.assertEqual(row["verdict"], "agrees" if abs(z) <= 3 else "differs")
            self.assertEqual(bool(row["reason"]), row["verdict"] != "agrees", row)

    def test_claims_follow_from_the_means(self):
        for task in self.results()["tasks"]:
            values = {m["method"]: np.array(m["test_error"]["values"]) for m in task["methods"]}
            mean = {m: v.mean() for m, v in values.items()}
            good = ("five-fold", "evidence", "mackay")
            judged = ("none", "gen-gauss-newton", "gen-eq14", "fper") + good

            def not_above(a, b):
                difference = values[a] - values[b]
                return difference.mean() <= 2 * difference.std(ddof=1) / math.sqrt(len(difference))
            if task["task"] == "sunspots":
                mackay = next(m for m in task["methods"] if m["method"] == "mackay")
                claims = [max(mean["five-fold"], mean["evidence"]) < mean["none"],
                          max(mean["five-fold"], mean["evidence"]) < mean["gen-gauss-newton"],
                          mean["mackay"] > mean["none"], mackay["kappa_output"]["at_lower"] == 1]
            else:
                worst = max(judged, key=mean.get)
                claims = [not_above(worst, "none"),
                          not_above("gen-gauss-newton", "none")
                          and all(mean[m] < mean["gen-gauss-newton"] for m in good),
                          max(mean[m] for m in good) < min(mean[m] for m in judged if m not in good)]
            claims.append(mean["grid"] < min(mean[m] for m in judged))
            self.assertEqual([c["holds"] for c in task["checks"]], claims, task["task"])
            for check in task["checks"]:
                verdict = "holds" if check["holds"] else "does not hold"
                self.assertTrue(any(check["claim"] in note and note.endswith(f": {verdict}.")
                                    for note in json.loads(self.text("result.json"))["notes"]), check)

    def test_networks_learn(self):
        """What must be so whatever the numbers: noise is not fitted away on test rows, decay costs training error."""
        trials = self.trials()
        self.assertTrue(np.all(trials["regression"]["grid"]["test_error"] > 0.8 * 0.09))  # the variance of the noise
        self.assertTrue(np.all(trials["regression"]["grid"]["test_error"] < 0.3))
        noise = 0.04 / 1.04  # standardised: signal and noise have variance 1 and 0.04
        self.assertTrue(np.all(trials["mackey-glass"]["grid"]["test_error"] > 0.8 * noise))
        self.assertTrue(np.all(trials["mackey-glass"]["grid"]["test_error"] < 0.3))
        for task, methods in trials.items():
            for name, method in methods.items():
                self.assertTrue(np.all(method["training_error"] > 0), (task, name))
                self.assertTrue(np.all(method["training_error"] < 1.1), (task, name))  # targets of about unit variance
                self.assertTrue(np.all(method["evaluations"] >= 1), (task, name))
            self.assertGreater(methods["evidence"]["training_error"].mean(), methods["none"]["training_error"].mean())

    def test_resumed_equals_one_go_for_any_threads(self):
        whole = {name: self.text(name) for name in ("trials.csv", "table.csv", "details.csv", "table.md", "result.json",
                                                   "report.html")}
        lines = whole["trials.csv"].splitlines(keepends=True)
        (self.folder / "out" / "trials.csv").write_text("".join(lines[:5]) + lines[5][:40], "utf-8")  # torn in row 3
        self.go_on("--threads", 1)
        for name, text in whole.items():
            self.assertEqual(self.text(name), text, name)

    def test_a_longer_run_goes_on_from_a_shorter_one(self):
        before = self.text("trials.csv").splitlines()
        self.go_on(trials=3)
        after = self.text("trials.csv").splitlines()
        self.assertEqual(after[:len(before)], before)
        self.assertEqual(len(after), len(before) + 3)
        self.assertEqual([t["trials"] for t in self.results()["tasks"]], [3, 3, 3])

    def test_other_settings_are_refused(self):
        self.refuse(1, ["other settings", "seed 2"], "reproduce", "adaptive-mlp", "-o", "out", "--resume", "--data",
                    "sunspots.csv", "--seed", 2)
        self.write("other.csv", like_sunspots(seed=1))
        self.refuse(1, ["other settings"], "reproduce", "adaptive-mlp", "-o", "out", "--resume", "--data", "other.csv")


class UsageTest(CommandTest):
    def test_bad_data(self):
        def refused(says, data):
            self.refuse(1, says, "reproduce", "adaptive-mlp", "-o", "out", "--trials", 2, "--data", data)
        good = like_sunspots()
        refused(["nothere.csv"], "nothere.csv")
        refused(["two columns", "year"], self.write("columns.csv", {"when": good["year"], "sunspots": good["sunspots"]}))
        refused(["two columns"], self.write("more.csv", {**good, "other": good["sunspots"]}))
        refused(["two columns"], self.write("texts.csv", {"year": good["year"], "sunspots": ["many"] * 280}))
        refused(["1700 to 1979"], self.write("short.csv", like_sunspots(last=1950)))
        refused(["1700 to 1979"], self.write("late.csv", like_sunspots(first=1749, last=2008)))
        holed = {"year": good["year"], "sunspots": [str(v) for v in good["sunspots"]]}
        holed["sunspots"][100] = "NA"
        refused(["none missing"], self.write("holed.csv", holed))
        refused(["the same"], self.write("constant.csv", {"year": good["year"], "sunspots": [1] * 280}))

    @unittest.skipIf(STATSMODELS.exists(), "the sunspot numbers are installed")
    def test_without_sunspots(self):
        said = self.succeed("reproduce", "adaptive-mlp", "-o", "out", "--trials", 2)
        result = json.loads((self.folder / "out" / "result.json").read_text("utf-8"))
        self.assertEqual([t["task"] for t in result["results"]["tasks"]], TASKS[:2])
        self.assertTrue(any("--data FILE" in note and "left out" in note for note in result["notes"]))
        self.assertIn("--data FILE", said)
        self.assertEqual((self.folder / "out" / "report.html").read_text("utf-8").count("<canvas"), 6)


if __name__ == "__main__":
    unittest.main()
