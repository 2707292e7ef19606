"""compare: which criterion to trust, on a few simulated data sets."""
import json
import signal
import subprocess
import time
import unittest

import numpy as np

from command import COMMAND, CommandTest, is_number, smooth_sample

SAME = ["table.csv", "table.md"]
# As in `gnomon select --help`; iwls needs density ratios.
LEARNERS = ["ridge", "kernel-ridge", "additive", "huber", "lasso", "elastic-net", "svr", "mlp", "spectral-cutoff",
            "landweber"]


class CompareTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("data.csv", smooth_sample(40, 2, noise=0.3))

    def compare(self, folder, *flags, trials=24, target="y"):
        return self.succeed("compare", "data.csv", "--target", target, "-o", folder, "--trials", trials, *flags)

    def text(self, folder, name):
        return (self.folder / folder / name).read_text("utf-8")

    def result(self, folder):
        return json.loads(self.text(folder, "result.json"))

    def without_seconds(self, folder):
        result = self.result(folder)
        for part in [result, *result.get("by_learner", {}).values()]:
            for criterion in part["criteria"].values():
                self.assertGreater(criterion.pop("seconds"), 0)
        return result

    def kept(self, folder):
        """The names of the files of trials."""
        return sorted(p.name for p in (self.folder / folder).glob("*.csv") if p.name != "table.csv")

    def same_answer(self, a, b):
        self.assertEqual(self.kept(a), self.kept(b))
        for name in SAME + self.kept(a):
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
        self.assertEqual(page.count("<canvas"), 4)
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

    def test_every_learner(self):
        for learner in LEARNERS:
            small = ["--hidden", 2, "--restarts", 1] if learner == "mlp" else []
            said = self.compare(learner, "--learner", learner, *small, trials=4)
            result = self.result(learner)
            self.assertEqual(result["learner"], learner)
            self.assertIn(result["recommendation"], said)
            for criterion in result["criteria"].values():
                self.assertGreaterEqual(criterion["regret"]["mean"] or 1, 1)
        self.refuse(1, ["iwls needs importance weights", "--weights"], "compare", "data.csv", "--target", "y",
                    "--learner", "iwls")

    def test_learners_are_simulated_each(self):
        self.compare("out", "--learner", "ridge,lasso", "--criterion", "cv,loo", trials=6)
        result = self.result("out")
        self.assertEqual(set(result["by_learner"]), {"ridge", "lasso"})
        for learner, file in (("ridge", "trials.csv"), ("lasso", "trials-2.csv")):
            part = result["by_learner"][learner]
            self.assertEqual((part["trials"], part["trials_file"]), (6, file))
            self.assertEqual(set(part["criteria"]), {"cv", "loo"})
            self.compare(learner, "--learner", learner, "--criterion", "cv,loo", trials=6)
            self.assertEqual(part["criteria"]["cv"]["regret"], self.result(learner)["criteria"]["cv"]["regret"])
        self.assertEqual(result["criteria"], result["by_learner"]["ridge"]["criteria"])
        self.assertEqual(result["learners"]["splits"], 20)
        best = result["learners"]["ranking"][0]
        self.assertTrue(result["recommendation"].startswith(f"{best} has the least held-out error"))
        self.assertIn(f"For {best}: choose by", result["recommendation"])
        self.assertEqual(len(self.text("out", "table.csv").splitlines()), 1 + 4)

    def test_equal_choices_share_a_place_and_numbers_end_with_their_errors(self):
        text = self.compare("out", "--criterion", "cp,sure,aic,loo", trials=12)
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]
        place = {row[1]: row[0] for row in rows[2:]}
        self.assertEqual(place["cp"], place["sure"])
        self.assertTrue(place["cp"].endswith("="), place)
        for row in rows[2:]:
            value, error = row[2].split(" ± ")
            self.assertEqual(len(value.partition(".")[2]), len(error.partition(".")[2]), row)
            self.assertNotIn("e", row[2])

    def test_targets_are_compared_each(self):
        self.compare("both", "--features", "x1", trials=6, target="y,x2")
        result = self.result("both")
        self.assertEqual(list(result["by_target"]), ["y", "x2"])
        self.compare("one", "--features", "x1", trials=6, target="x2")
        self.assertEqual(result["by_target"]["x2"]["ranking"], self.result("one")["ranking"])
        lines = [self.text(*at).splitlines()[1:] for at in (("both", "trials-2.csv"), ("one", "trials.csv"))]
        self.assertEqual(*lines)
        self.assertIn("x2: Choose by", result["recommendation"])

    def test_searches(self):
        for flags in (["--learner", "ridge", "--groups", "each"], ["--search", "gradient", "--criterion", "loo,evidence"]):
            self.compare("out", *flags, "--splits", 3, trials=4)
            result = self.result("out")
            self.assertEqual(result["regret_against"], "least among the choices of all criteria")
            self.assertEqual(set(result["splits"]["ranking"]), set(result["criteria"]))
            self.assertIn("among the choices of all criteria", self.text("out", "table.md"))
            self.assertEqual(self.text("out", "report.html").count("<canvas"), 3)  # no path, no curves

    def test_weights(self):
        sample = smooth_sample(40, 2, noise=0.3)
        self.write("counted.csv", {**sample, "k": [1 + i % 3 for i in range(40)]})
        at = ("compare", "counted.csv", "--target", "y", "--trials", 6, "--splits", 3)
        self.succeed(*at, "--weights", "k", "-o", "counts")
        self.succeed(*at, "--drop", "k", "-o", "plain")
        self.assertNotEqual(self.result("counts")["noise_variance"], self.result("plain")["noise_variance"])
        self.assertNotEqual(self.text("counts", "splits.csv"), self.text("plain", "splits.csv"))
        self.succeed(*at, "--weights", "k", "--learner", "iwls", "-o", "ratios")
        self.assertIn("weighted by the density ratio", self.result("ratios")["measured"])
        self.refuse(1, ["counts rows for ridge", "density ratios for iwls"], *at, "--weights", "k", "--learner",
                    "ridge,iwls", "-o", "no")
        self.refuse(1, ["row weights cannot be used"], *at, "--weights", "k", "--learner", "mlp", "-o", "no")

    def test_covariate_shift(self):
        self.write("test.csv", "x1,x2\n" + "".join(f"{1 + i / 20},{i / 15}\n" for i in range(20)))
        self.compare("out", "--test", "test.csv", "--weights", "kde", "--learner", "iwls", "--splits", 3, trials=4)
        result = self.result("out")
        self.assertIn("at the inputs of --test", result["measured"])
        self.assertTrue(is_number(result["criteria"]["iwcv"]["bias"]))
        self.assertIsNone(result["criteria"]["sic"]["bias"])
        self.compare("plain", "--test", "test.csv", "--learner", "ridge", trials=4)
        self.assertIn("at the inputs of --test", self.result("plain")["measured"])


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

    def kill_when(self, lines, command):
        """Ends the command once its files of trials hold so many lines; whether it was still running."""
        process = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        start = time.monotonic()
        try:
            while process.poll() is None and time.monotonic() - start < 60:
                paths = [self.folder / "parts" / name for name in self.kept("parts")]
                if sum(path.read_bytes().count(b"\n") for path in paths) >= lines:
                    break
                time.sleep(0.002)
            running = process.poll() is None
        finally:
            process.send_signal(signal.SIGKILL)
            process.communicate(timeout=60)
        return running

    def test_killed_at_several_instants(self):
        flags = ["--threads", "2", "--criterion", "cv:3,gcv,aic", "--splits", "300", "--learner", "ridge,lasso"]
        trials = 300
        command = [COMMAND, "compare", "data.csv", "--target", "y", "-o", "parts", "--trials", str(trials), "--resume", *flags]
        # In the data sets of ridge, its splits, those of lasso, and the held-out errors.
        running = [self.kill_when(lines, command) for lines in (12, 330, 640, 950, 1230, 1260)]
        self.assertTrue(all(running), running)
        self.compare("parts", "--resume", *flags, trials=trials)
        self.compare("whole", *flags, trials=trials)
        self.assertEqual(self.kept("whole"),
                         ["learners.csv", "splits-2.csv", "splits.csv", "trials-2.csv", "trials.csv"])
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
        self.refuse(2, ["--trials 1"], "compare", "data.csv", "--target", "y", "--trials", 1)
        self.refuse(2, ["--trials 0", "--splits"], "compare", "data.csv", "--target", "y", "--trials", 0)
        self.refuse(1, ["--weights 'w'", "columns: "], "compare", "data.csv", "--target", "y", "--weights", "w")
        self.refuse(2, ["ridge twice"], "compare", "data.csv", "--target", "y", "--learner", "ridge,lasso,ridge")
        self.refuse(1, ["mackay", "cannot serve loo"], "compare", "data.csv", "--target", "y", "--learner", "ridge",
                    "--search", "mackay", "--criterion", "loo,evidence")
        self.write("classes.csv", "x,c\n" + "".join(f"{i},{'ab'[i % 2]}\n" for i in range(20)))
        self.refuse(1, ["'c' names classes"], "compare", "classes.csv", "--target", "c", "--learner", "mlp")
        self.write("few.csv", "x,y\n1,2\n2,3\n3,5\n")
        self.refuse(1, ["at least 5 rows"], "compare", "few.csv", "--target", "y")
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
