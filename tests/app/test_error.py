"""The error of the delivered fit after choosing, and prediction intervals."""
import csv
import io
import json
import math
import unittest

import numpy as np

from command import CommandTest, smooth_sample

CANNOT_SERVE, WRONG_USAGE = 1, 2

MODES = {
    "kernel ridge": (),
    "several widths": ("--width", "0.5:4:5", "--criterion", "loo"),
    "by gcv": ("--criterion", "gcv"),
    "one lambda": ("--lambda", "0.1"),
    "1se": ("--criterion", "loo", "--rule", "1se"),
    "paired": ("--criterion", "loo", "--rule", "paired"),
    "ridge": ("--learner", "ridge"),
    "groups": ("--learner", "ridge", "--groups", "each"),
    "widths per input": ("--search", "gradient", "--criterion", "loo"),
    "lasso": ("--learner", "lasso"),
    "elastic net": ("--learner", "elastic-net"),
    "huber": ("--learner", "huber"),
    "svr": ("--learner", "svr"),
    "additive": ("--learner", "additive"),
    "cut-off": ("--learner", "spectral-cutoff"),
    "network": ("--learner", "mlp", "--hidden", "2", "--restarts", "1"),
    "shift": ("--learner", "iwls", "--test", "later.csv", "--weights", "ulsif"),
}


def columns_of(text):
    rows = list(csv.DictReader(io.StringIO(text)))
    return {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}


class ErrorTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("train.csv", smooth_sample(40, 2, seed=1))
        self.write("later.csv", smooth_sample(60, 2, seed=2))

    def test_every_mode_reports_it(self):
        for name, flags in MODES.items():
            with self.subTest(name):
                chosen = self.select("train.csv", *flags)["chosen"]
                error = chosen["error"]
                self.assertEqual(error["level"], 0.9)
                self.assertTrue(0 < error["low"] < error["value"] < error["high"], error)
                self.assertIn("mean squared error", error["estimates"])
                self.assertTrue(error["method"])
                self.assert_close(chosen["rmse"], math.sqrt(error["value"]))
                self.assert_close(chosen["r_squared"], 1 - error["value"] / chosen["baseline_error"])

    def test_head_line_and_card_show_it(self):
        for flags in ((), ("--learner", "ridge", "--groups", "each")):
            self.select("train.csv", *flags)
            text = " ".join(self.succeed("select", "train.csv", "--target", "y", *flags).split())
            self.assertIn("the expected squared error on new data is", text)
            self.assertIn("90 % interval", text)
            self.assertIn("RMSE", text)
            self.assertNotIn("no prediction error", text.split("squared error on new data", 1)[0])

    def test_same_seed_same_answer_whatever_the_threads(self):
        one, two = (self.select("train.csv", "--threads", n, "--seed", 5)["chosen"]["error"] for n in (1, 2))
        for end in ("value", "low", "high"):
            self.assert_close(one[end], two[end])

    def test_baseline_is_the_mean_with_each_row_left_out(self):
        sample = smooth_sample(40, 2, seed=1)
        y = np.array(sample["y"])
        chosen = self.select("train.csv")["chosen"]
        self.assert_close(chosen["baseline_error"], np.mean(((y - y.mean()) * 40 / 39) ** 2))

    def test_classes(self):
        sample = smooth_sample(60, 2, seed=3)
        sample["y"] = ["high" if y > np.median(sample["y"]) else "low" for y in sample["y"]]
        self.write("classes.csv", sample)
        chosen = self.select("classes.csv", "--learner", "mlp", "--hidden", "2", "--restarts", "1")["chosen"]
        self.assertIn("cross-entropy", chosen["error"]["estimates"])
        self.assertIsNone(chosen["rmse"])
        self.assertIsNone(chosen["r_squared"])
        self.assertTrue(0 <= chosen["error_rate"] < 0.5)
        self.assertTrue(chosen["error"]["value"] < chosen["baseline_error"])

    def test_series_holds_blocks_out(self):
        rng = np.random.default_rng(1)
        self.write("series.csv", {"y": np.cumsum(rng.normal(size=80)) * 0.2})
        error = self.select("series.csv", "--lags", 2)["chosen"]["error"]
        self.assertIn("10 folds", error["method"])

    def test_few_rows_have_none(self):
        self.write("few.csv", smooth_sample(6, 1, seed=4))
        chosen = self.select("few.csv")["chosen"]
        for name in ("error", "rmse", "r_squared", "baseline_error"):
            self.assertIsNone(chosen[name])

    def test_several_targets_have_one_each(self):
        sample = smooth_sample(40, 2, seed=1)
        sample["z"] = [100 * y for y in sample["y"]]
        self.write("two.csv", sample)
        result = json.loads(self.succeed("select", "two.csv", "--target", "y,z", "--json", "-"))
        y, z = (target["chosen"]["error"]["value"] for target in result["targets"])
        self.assert_close(z / y, 1e4, 1e-2)


class IntervalTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("train.csv", smooth_sample(80, 1, seed=1, noise=0.3))
        self.fresh = smooth_sample(2000, 1, seed=2, noise=0.3)
        self.write("new.csv", self.fresh)

    def fit(self, *flags, target="y", data="train.csv"):
        self.succeed("select", data, "--target", target, "--model", "fit.gnomon", *flags)

    def test_interval_holds_new_values(self):
        for flags in ((), ("--learner", "ridge", "--basis", "polynomial:5"), ("--learner", "lasso", "--basis", "polynomial:5"),
                      ("--learner", "mlp", "--hidden", "3", "--restarts", "1")):
            with self.subTest(flags):
                self.fit(*flags)
                for level in (0.5, 0.9):
                    got = columns_of(self.succeed("predict", "fit.gnomon", "new.csv", "--interval", level))
                    self.assertEqual(list(got), ["prediction", "lower", "upper"])
                    y = np.array(self.fresh["y"])
                    inside = np.mean((got["lower"] <= y) & (y <= got["upper"]))
                    # One training set: the level of an order statistic of 80 rows, three of its standard deviations.
                    self.assertAlmostEqual(inside, level, delta=3 * math.sqrt(level * (1 - level) / 80) + 0.03)

    def test_predictions_stay_what_they_are(self):
        self.fit()
        plain = columns_of(self.succeed("predict", "fit.gnomon", "new.csv"))
        self.assertEqual(list(plain), ["prediction"])
        with_ends = columns_of(self.succeed("predict", "fit.gnomon", "new.csv", "--interval", "0.9"))
        np.testing.assert_array_equal(plain["prediction"], with_ends["prediction"])
        middle = (with_ends["lower"] + with_ends["upper"]) / 2
        np.testing.assert_allclose(middle, plain["prediction"], atol=1e-12)

    def test_several_targets(self):
        sample = smooth_sample(40, 1, seed=1)
        sample["z"] = [100 * y for y in sample["y"]]
        self.write("two.csv", sample)
        self.fit(target="y,z", data="two.csv")
        got = columns_of(self.succeed("predict", "fit.gnomon", "new.csv", "--interval", "0.8"))
        self.assertEqual(list(got), ["y_prediction", "y_lower", "y_upper", "z_prediction", "z_lower", "z_upper"])
        ratio = (got["z_upper"] - got["z_lower"]) / (got["y_upper"] - got["y_lower"])
        np.testing.assert_allclose(ratio, 100, rtol=1e-2)

    def test_rows_outside_the_training_range(self):
        self.fit()
        self.write("edge.csv", "x1\n0\n1000\n0.1\n-1000\n")
        done = self.run_command("predict", "fit.gnomon", "edge.csv")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stderr.count("\n"), 1)
        self.assertIn("2 of 4 rows lie outside the range of the training inputs", done.stderr)
        self.assertEqual(done.stdout.splitlines()[0], "prediction")
        marked = columns_of(self.run_command("predict", "fit.gnomon", "edge.csv", "--mark-outside").stdout)
        self.assertEqual(list(marked["outside"]), [0, 1, 0, 1])
        self.write("inside.csv", "x1\n0\n0.1\n")
        self.assertEqual(self.run_command("predict", "fit.gnomon", "inside.csv").stderr, "")

    def test_series(self):
        rng = np.random.default_rng(1)
        self.write("series.csv", {"y": np.cumsum(rng.normal(size=80)) * 0.2})
        self.fit("--lags", 2, data="series.csv")
        lines = self.succeed("predict", "fit.gnomon", "series.csv", "--interval", "0.9").splitlines()
        self.assertEqual(lines[0], "prediction,lower,upper")
        self.assertEqual(lines[1], '"","",""')
        low, high = (float(cell) for cell in lines[-1].split(",")[1:])
        self.assertLess(low, high)

    def test_wrong_usage(self):
        self.fit()
        for level in ("0", "1", "-1", "90", "nine", "nan"):
            with self.subTest(level):
                done = self.run_command("predict", "fit.gnomon", "new.csv", "--interval", level)
                self.assertEqual(done.returncode, WRONG_USAGE, done.stderr)

    def test_more_rows_are_needed(self):
        self.refuse_after_fit(["--interval 0.999", "80"], "0.999")

    def refuse_after_fit(self, says, level):
        self.fit()
        self.refuse(CANNOT_SERVE, says, "predict", "fit.gnomon", "new.csv", "--interval", level)

    def test_classes_have_probabilities_instead(self):
        sample = smooth_sample(60, 1, seed=3)
        sample["y"] = ["high" if y > np.median(sample["y"]) else "low" for y in sample["y"]]
        self.write("classes.csv", sample)
        self.fit("--learner", "mlp", "--hidden", "2", "--restarts", "1", data="classes.csv")
        self.refuse(CANNOT_SERVE, ["--interval", "probabilities"], "predict", "fit.gnomon", "new.csv", "--interval", "0.9")


if __name__ == "__main__":
    unittest.main()
