"""compare: which criterion to trust, on a few simulated data sets."""
import json
import signal
import subprocess
import time
import unittest

import numpy as np

from command import COMMAND, CommandTest, is_number, smooth_sample

SAME = ["trials.csv", "table.csv", "table.md"]


class CompareTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("data.csv", smooth_sample(40, 2, noise=0.3))

    def compare(self, folder, *flags, trials=24):
        return self.succeed("compare", "data.csv", "--target", "y", "-o", folder, "--trials", trials, *flags)

    def text(self, folder, name):
        return (self.folder / folder / name).read_text("utf-8")

    def result(self, folder):
        return json.loads(self.text(folder, "result.json"))

    def without_seconds(self, folder):
        result = self.result(folder)
        for criterion in result["criteria"].values():
            self.assertGreater(criterion.pop("seconds"), 0)
        return result

    def same_answer(self, a, b):
        for name in SAME:
            self.assertEqual(self.text(a, name), self.text(b, name), name)
        self.assertEqual(self.without_seconds(a), self.without_seconds(b))


class ContractTest(CompareTest):
    def test_json(self):
        said = self.compare("out")
        result = self.result("out")
        self.assertIn(result["recommendation"], said)
        self.assertEqual(sorted(p.name for p in (self.folder / "out").iterdir()),
                         ["report.html", "result.json", "table.csv", "table.md", "trials.csv"])
        for name in ("loo", "gcv", "sic", "evidence", "cp", "aic"):
            criterion = result["criteria"][name]
            for field in ("mean", "se", "quantile_95"):
                self.assertTrue(is_number(criterion["regret"][field]), (name, field))
            self.assertGreaterEqual(criterion["regret"]["mean"], 1)
            self.assertTrue(0 <= criterion["improvement_probability"] <= 1)
            self.assertLessEqual(criterion["mean_relative_improvement"], 1)
            self.assertGreater(criterion["seconds"], 0)
        self.assertTrue(is_number(result["criteria"]["loo"]["bias"]))
        self.assertIsNone(result["criteria"]["evidence"]["bias"])  # no error
        self.assertTrue(is_number(result["criteria"]["sic"]["bias"]))  # the constant it leaves out is known here
        self.assertIn("cv", result["left_out"])
        self.assertEqual(len(result["combinations"]), 12)
        self.assertEqual({c["trials"] for c in result["combinations"]}, {2})
        self.assertEqual([t["name"] for t in result["truths"]], ["fit", "smoother", "rougher"])
        self.assertEqual(result["ranking"][0], result["ties"][0])
        self.assertTrue(result["recommendation"].startswith(f"Choose by {result['ranking'][0]}"))

    def test_table_follows_from_the_trials(self):
        self.compare("out", "--criterion", "loo,gcv,bic")
        lines = self.text("out", "trials.csv").splitlines()
        header = lines[1].split(",")
        rows = np.array([[float(cell) for cell in line.split(",")] for line in lines[2:]])
        column = dict(zip(header, rows.T))
        result = self.result("out")
        self.assertEqual(set(result["criteria"]), {"loo", "gcv", "bic"})
        for name, criterion in result["criteria"].items():
            regret = column[f"{name}_error"] / column["least"]
            self.assertTrue(np.all(regret >= 1))
            self.assert_close(criterion["regret"]["mean"], regret.mean(), 1e-12)
            self.assert_close(criterion["regret"]["se"], regret.std(ddof=1) / np.sqrt(len(rows)), 1e-9)
            self.assert_close(criterion["regret"]["quantile_95"], np.quantile(regret, 0.95), 1e-12)
            gain = 1 - column[f"{name}_error"] / column["unregularized"]
            self.assert_close(criterion["mean_relative_improvement"], gain.mean(), 1e-12)
            self.assert_close(criterion["improvement_probability"], (gain > 0).mean(), 1e-12)
            behind = np.log(column[f"{name}_error"] / column[f"{result['ranking'][0]}_error"])
            self.assert_close(criterion["behind_best"]["mean"], behind.mean(), 1e-12)
        table = [line.split(",") for line in self.text("out", "table.csv").splitlines()]
        self.assertEqual([row[0] for row in table[1:]], result["ranking"])

    def test_page(self):
        self.compare("out")
        page = self.text("out", "report.html")
        self.assertTrue(page.startswith("<!DOCTYPE html>"))
        self.assertEqual(page.count("<canvas"), 3)
        self.assertNotIn("<script src", page)
        self.assertIn(self.result("out")["recommendation"], page)

    def test_splits_and_learners(self):
        self.compare("out", "--splits", 6, "--learner", "ridge,kernel-ridge,lasso", "--width", 1.5)
        result = self.result("out")
        self.assertEqual(result["learner"], "ridge")
        self.assertEqual(result["splits"]["count"], 6)
        self.assertEqual(set(result["splits"]["ranking"]), set(result["criteria"]))
        self.assertEqual(set(result["learners"]["ranking"]), {"ridge", "kernel-ridge", "lasso", "mean"})
        errors = {name: entry["mean"] for name, entry in result["learners"]["test_error"].items()}
        self.assertEqual(min(errors, key=errors.get), "kernel-ridge")  # the truth is a sine
        self.assertGreater(errors["mean"], errors["ridge"])
        self.assertIn("test error", self.text("out", "table.md"))
        self.compare("only", "--splits", 6, "--learner", "ridge", trials=0)
        self.assertEqual(self.result("only")["splits"]["test_error"], result["splits"]["test_error"])

    def test_learner_that_is_not_linear(self):
        self.compare("out", "--learner", "lasso", trials=4)
        self.assertIn("cv", self.result("out")["criteria"])


class ResumeTest(CompareTest):
    def test_resumed_equals_one_go(self):
        self.compare("whole", trials=15)
        self.compare("parts", trials=4)
        self.compare("parts", "--resume", trials=15)
        self.same_answer("whole", "parts")
        torn = self.folder / "parts" / "trials.csv"
        torn.write_text(torn.read_text()[:-200])  # the last line was being written
        self.compare("parts", "--resume", trials=15)
        self.same_answer("whole", "parts")
        self.compare("parts", "--resume", trials=4)  # fewer drop nothing
        self.assertEqual(self.text("parts", "trials.csv"), self.text("whole", "trials.csv"))
        self.assertEqual(self.result("parts")["trials"], 4)

    def test_killed_and_resumed(self):
        trials = 3000
        flags = ["--threads", "2", "--criterion", "loo,gcv,evidence"]
        process = subprocess.Popen([COMMAND, "compare", "data.csv", "--target", "y", "-o", "parts", "--trials", str(trials),
                                    *flags], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        path, start = self.folder / "parts" / "trials.csv", time.monotonic()
        try:
            while not (path.exists() and path.read_bytes().count(b"\n") > 12) and time.monotonic() - start < 60:
                time.sleep(0.002)
        finally:
            process.send_signal(signal.SIGKILL)
            process.communicate(timeout=60)
        kept = path.read_bytes().count(b"\n") - 2
        self.assertGreater(kept, 10)
        self.compare("parts", "--resume", *flags, trials=trials)
        self.compare("whole", *flags, trials=trials)
        self.same_answer("whole", "parts")

    def test_threads_and_seed(self):
        self.compare("one", "--threads", 1)
        self.compare("two", "--threads", 2)
        self.same_answer("one", "two")
        self.compare("other", "--seed", 2)
        self.assertNotEqual(self.text("one", "table.csv"), self.text("other", "table.csv"))

    def test_other_settings_and_data_are_refused(self):
        self.compare("out", trials=4)
        before = self.text("out", "trials.csv")
        at = ("compare", "data.csv", "--target", "y", "-o", "out", "--resume", "--trials", 4)
        self.refuse(1, ["other settings", "--resume"], *at, "--seed", 6)
        self.refuse(1, ["other settings"], *at, "--width", 3)
        self.write("data.csv", smooth_sample(40, 2, noise=0.31))
        self.refuse(1, ["other settings"], *at)
        self.assertEqual(self.text("out", "trials.csv"), before)


class RefusalTest(CompareTest):
    def test_bad_input(self):
        self.refuse(2, ["--target is missing"], "compare", "data.csv", "-o", "out")
        self.refuse(1, ["no column 'z'"], "compare", "data.csv", "--target", "z", "-o", "out")
        self.refuse(1, ["nothing.csv"], "compare", "nothing.csv", "--target", "y", "-o", "out")
        self.refuse(1, ["--trials 1"], "compare", "data.csv", "--target", "y", "--trials", 1)
        self.refuse(1, ["--trials 0", "--splits"], "compare", "data.csv", "--target", "y", "--trials", 0)
        self.refuse(1, ["one target"], "compare", "data.csv", "--target", "y,x1")
        self.refuse(1, ["--metric", "--splits"], "compare", "data.csv", "--target", "y", "--metric", "data.csv", "--splits", 3)
        self.refuse(2, ["unknown flag '--weights'"], "compare", "data.csv", "--target", "y", "--weights", "x1")
        self.refuse(2, ["--hidden"], "compare", "data.csv", "--target", "y", "--learner", "ridge,lasso", "--hidden", 3)
        self.refuse(2, ["ridg", "did you mean 'ridge'"], "compare", "data.csv", "--target", "y", "--learner", "ridg,lasso")
        self.write("file", "x")
        self.refuse(1, ["'file' is not a folder"], "compare", "data.csv", "--target", "y", "-o", "file")

    def test_never_over_the_data(self):
        (self.folder / "out").mkdir()
        (self.folder / "data.csv").rename(self.folder / "out" / "table.csv")
        before = self.text("out", "table.csv")
        self.refuse(2, ["would write over the data"], "compare", "out/table.csv", "--target", "y", "-o", "out")
        self.assertEqual(self.text("out", "table.csv"), before)


if __name__ == "__main__":
    unittest.main()
