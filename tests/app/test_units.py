"""Answers in the user's own units: equations, the spread of the test error, predictions of rows that a fit has not seen."""
import json
import unittest

import numpy as np

from command import CommandTest, predictions_of, smooth_sample, table_text

USAGE = 2


def mixed_sample(rows, seed):
    """A linear function of a large input, a small one and a category, with noise."""
    random = np.random.default_rng(seed)
    height, share = 170 + 10 * random.standard_normal(rows), 0.01 * random.random(rows)
    kind = random.choice(["red", "green", "blue"], rows)
    shift = {"red": 0.0, "green": 2.0, "blue": -1.0}
    y = 3 + 0.1 * height + 500 * share + np.array([shift[k] for k in kind]) + 0.3 * random.standard_normal(rows)
    return {"height": height, "share": share, "kind": kind, "y": y}


class EquationTest(CommandTest):
    LEARNERS = {
        "ridge": (), "groups": ("--learner", "ridge", "--groups", "each"), "lasso": ("--learner", "lasso"),
        "elastic net": ("--learner", "elastic-net", "--mix", "0.5"), "huber": ("--learner", "huber"),
        "svr": ("--learner", "svr", "--basis", "linear"), "linear kernel": ("--learner", "kernel-ridge", "--kernel", "linear"),
        "unit scale": ("--learner", "ridge", "--scale", "unit"), "no scale": ("--learner", "ridge", "--scale", "none"),
        "no constant": ("--learner", "ridge", "--no-intercept"), "network": ("--learner", "mlp", "--hidden", "0"),
    }

    def setUp(self):
        super().setUp()
        self.train, self.new = mixed_sample(80, 1), mixed_sample(30, 2)
        self.write("train.csv", self.train)
        self.write("new.csv", self.new)

    def value(self, equation):
        """The equation, written down, at the new rows."""
        total = np.full(30, equation["offset"])
        for name, a in equation["coefficients"].items():
            column, _, level = name.partition("=")
            total += a * ((self.new[column] == level) if level else self.new[column])
        return total

    def test_equations_are_what_predict_computes(self):
        for name, flags in self.LEARNERS.items():
            with self.subTest(name):
                flags = flags or ("--learner", "ridge")
                found = json.loads(self.succeed("select", "train.csv", "--target", "y", "--model", "m", "--json", "-", *flags))
                predicted = predictions_of(self.succeed("predict", "m", "new.csv"))[:, 0]
                np.testing.assert_allclose(self.value(found["chosen"]), predicted, rtol=1e-9)
                inspected = json.loads(self.succeed("inspect", "m", "--json", "-"))
                equation = inspected["equations"]["y"]
                self.assertEqual(list(equation["coefficients"]),
                                 ["height", "share", "kind=blue", "kind=green", "kind=red"])
                np.testing.assert_allclose(self.value(equation), predicted, rtol=1e-9)

    def test_importance_weights_have_an_equation_too(self):
        found = json.loads(self.succeed("select", "train.csv", "--target", "y", "--learner", "iwls", "--test", "new.csv",
                                        "--drop", "kind", "--model", "m", "--json", "-"))
        predicted = predictions_of(self.succeed("predict", "m", "new.csv"))[:, 0]
        np.testing.assert_allclose(self.value(found["chosen"]), predicted, rtol=1e-9)

    def test_the_table_shows_coefficients(self):
        text = self.succeed("select", "train.csv", "--target", "y", "--learner", "ridge")
        self.assertIn("Coefficients", text)
        self.assertRegex(text, r"height +0\.\d+")

    def test_curved_fits_have_no_equation(self):
        found = json.loads(self.succeed("select", "train.csv", "--target", "y", "--model", "m", "--json", "-"))
        self.assertNotIn("coefficients", found["chosen"])
        self.assertEqual(json.loads(self.succeed("inspect", "m", "--json", "-"))["equations"], {})

    def test_inspect_says_what_a_model_is(self):
        self.succeed("select", "train.csv", "--target", "y", "--learner", "ridge", "--model", "m")
        text = self.succeed("inspect", "m")
        for part in ("y = ", "× height", "kind (blue, green, red)", "train.csv: 80 rows", "ridge, λ = "):
            self.assertIn(part, " ".join(text.split()))

    def test_inspect_refuses_what_is_no_model(self):
        self.assertEqual(self.run_command("inspect", "train.csv").returncode, 1)
        self.assertEqual(self.run_command("inspect").returncode, USAGE)


class TestErrorTest(CommandTest):
    def test_it_comes_with_the_spread_over_the_rows(self):
        self.write("train.csv", smooth_sample(80, 2, seed=1))
        new = smooth_sample(50, 2, seed=2)
        new["y"] = np.where(np.arange(50) < 40, new["y"], np.nan)
        self.write("test.csv", table_text(new).replace("nan", ""))
        flags = ("select", "train.csv", "--target", "y", "--test", "test.csv", "--model", "m")
        found = json.loads(self.succeed(*flags, "--json", "-"))
        inputs = {name: new[name] for name in ("x1", "x2")}
        predicted = predictions_of(self.succeed("predict", "m", "-", stdin=table_text(inputs)))[:40, 0]
        squares = (predicted - new["y"][:40]) ** 2
        self.assertAlmostEqual(found["test_error"], squares.mean(), delta=1e-12)
        self.assertAlmostEqual(found["test_error_se"], squares.std(ddof=1) / np.sqrt(40), delta=1e-12)
        self.assertRegex(self.succeed(*flags), r"test error +\S+ ± ")

    def test_without_test_rows_there_is_none(self):
        self.write("train.csv", smooth_sample(40, 1, seed=1))
        found = json.loads(self.succeed("select", "train.csv", "--target", "y", "--json", "-"))
        self.assertIsNone(found["test_error_se"])


class HeldOutChartTest(CommandTest):
    """The chart of predicted against observed shows rows that the fit did not see."""

    def points(self, *flags):
        self.succeed("select", "train.csv", "--target", "y", "--report", "r.html", *flags)
        page = (self.folder / "r.html").read_text()
        for part in page.split('<script type="application/json" id="')[1:]:
            chart = json.loads(part[part.index(">") + 1:part.index("</script>")])
            if "predicted y" in json.dumps(chart):
                return page, chart
        self.fail("no chart of predicted against observed")

    def test_held_out_rows_lie_farther_from_the_line_than_fitted_ones(self):
        self.write("train.csv", smooth_sample(60, 3, seed=1, noise=0.5))
        for name, flags in {"closed form": (), "folds": ("--learner", "lasso"), "network": ("--learner", "mlp", "--hidden", "6"),
                            "groups": ("--learner", "ridge", "--groups", "each")}.items():
            with self.subTest(name):
                page, chart = self.points(*flags)
                self.assertIn("held-out rows", json.dumps(chart))
                self.assertIn("did not see it", page)

    def test_test_rows_are_drawn(self):
        self.write("train.csv", smooth_sample(60, 3, seed=1))
        self.write("test.csv", smooth_sample(30, 3, seed=2))
        self.assertIn("test rows", json.dumps(self.points("--test", "test.csv")[1]))


if __name__ == "__main__":
    unittest.main()
