"""An average of fits through the command: numbers in the JSON, words in table and report, model, predictions and refusals."""
import json
import math
import unittest

import numpy as np

from command import SelectTest, predictions_of, smooth_sample

CANNOT_SERVE, WRONG_USAGE = 1, 2

AVERAGE = ("--combine", "average")
NAMED = ("--width", "0.7,1.4,2.8", "--lambda", "0.03,0.3,3")


class CombineTest(SelectTest):
    def setUp(self):
        super().setUp()
        self.write("new.csv", {k: v for k, v in smooth_sample(30, 2, seed=9).items() if k != "y"})

    def predict(self, model):
        return predictions_of(self.succeed("predict", model, "new.csv"))[:, 0]

    def test_prediction_is_the_weighted_sum_of_single_models(self):
        chosen = self.select("data.csv", *AVERAGE, *NAMED, "--model", "average.model")["chosen"]
        expected = np.zeros(30)
        for part in chosen["combined"]:
            for value, weight in zip(part["fits"]["lambda"], part["fits"]["weight"]):
                self.select("data.csv", "--width", part["width"], "--lambda", value, "--model", "one.model")
                expected += weight * self.predict("one.model")
        self.assert_close(self.predict("average.model"), expected, 1e-8)

    def test_weights_come_from_the_reported_blend(self):
        result = self.select("data.csv", *AVERAGE, *NAMED)
        chosen, path = result["chosen"], result["path"]
        blend = np.array(path["criteria"]["blend"]["value"])
        weight = np.exp(-(blend - blend.min()) / 4)
        weight /= weight.sum()
        by_width = {}
        for width, own in zip(path["width"], weight):
            by_width[width] = by_width.get(width, 0) + own
        for part in chosen["combined"]:
            self.assertAlmostEqual(part["weight"], by_width[part["width"]], delta=3e-6)
            logs = np.average(np.log(part["fits"]["lambda"]), weights=part["fits"]["weight"])
            self.assert_close(part["lambda"], math.exp(logs))
        self.assert_close(sum(part["weight"] for part in chosen["combined"]), 1)
        self.assert_close(chosen["effective_fits"], 1 / np.sum(weight ** 2), 1e-4)

    def test_the_best_fit_alone_stays_what_it_was(self):
        plain, average = self.select("data.csv"), self.select("data.csv", *AVERAGE)
        self.same(plain, average)
        for name in ("lambda", "width", "value"):
            self.assertEqual(plain["chosen"][name], average["chosen"][name])
        self.assertEqual(plain["selected"], average["selected"])
        self.assertNotEqual(plain["chosen"]["df"], average["chosen"]["df"])
        self.assertNotIn("combined", plain["chosen"])
        self.assertEqual(average["settings"]["used"]["combine"], "average")
        error = average["chosen"]["error"]
        self.assertIn("the weights made again on resampled rows", error["method"])
        self.assertTrue(0 < error["low"] < error["value"] < error["high"])

    def test_table_and_report_say_that_it_averaged(self):
        chosen = self.select("data.csv", *AVERAGE)["chosen"]
        fits = sum(len(part["fits"]["lambda"]) for part in chosen["combined"])
        said = f"gnomon averaged {fits} fits of {len(chosen['combined'])} widths"
        text = self.succeed("select", "data.csv", "--target", "y", *AVERAGE, "--report", "report.html")
        self.assertIn(said, " ".join(text.split()))
        self.assertIn("The fits that were averaged", text)
        self.assertIn("best alone", text)
        page = (self.folder / "report.html").read_text()
        self.assertIn(said, page)
        self.assertIn("The fits that were averaged", page)

    def test_intervals_and_inspection(self):
        chosen = self.select("data.csv", *AVERAGE, "--model", "m.model")["chosen"]
        numbers = predictions_of(self.succeed("predict", "m.model", "new.csv", "--interval", "0.8"))
        self.assertTrue(np.all(numbers[:, 1] < numbers[:, 0]) and np.all(numbers[:, 0] < numbers[:, 2]))
        seen = json.loads(self.succeed("inspect", "m.model", "--json", "-"))
        self.assertEqual(seen["function"].count("gaussian"), len(chosen["combined"]))
        self.assertIn("averaged by blend", seen["summary"])

    def test_ridge_keeps_its_equation(self):
        plain = self.select("data.csv", "--learner", "ridge", "--lambda", "0.5")["chosen"]
        average = self.select("data.csv", "--learner", "ridge", "--lambda", "0.5", *AVERAGE)["chosen"]
        self.assertEqual(plain["coefficients"], average["coefficients"])
        chosen = self.select("data.csv", "--learner", "ridge", *AVERAGE)["chosen"]
        expected = dict.fromkeys(plain["coefficients"], 0)
        (part,) = chosen["combined"]
        for value, weight in zip(part["fits"]["lambda"], part["fits"]["weight"]):
            one = self.select("data.csv", "--learner", "ridge", "--lambda", value)["chosen"]["coefficients"]
            for name in expected:
                expected[name] += weight * one[name]
        self.assert_close(list(chosen["coefficients"].values()), list(expected.values()))

    def test_refusals(self):
        select = ("select", "data.csv", "--target", "y", *AVERAGE)
        self.refuse(WRONG_USAGE, ["--combine", "lasso"], *select, "--learner", "lasso")
        self.refuse(WRONG_USAGE, ["--combine", "--criterion begin with auto or blend"], *select, "--criterion", "gcv")
        self.refuse(WRONG_USAGE, ["--combine", "--rule 1se"], *select, "--criterion", "blend", "--rule", "1se")
        self.refuse(CANNOT_SERVE, ["--combine", "positive --lambda"], *select, "--lambda", "0,1")
        self.refuse(WRONG_USAGE, ["--combine", "several parameters"], *select, "--search", "gradient")
        self.refuse(WRONG_USAGE, ["combine", "stack", "average"], "select", "data.csv", "--target", "y", "--combine", "stack")
        self.refuse(WRONG_USAGE, ["--combine", "--subsets"], *select, "--learner", "ridge", "--subsets", "nested")
        self.refuse(CANNOT_SERVE, ["--combine", "one target"], "select", "data.csv", "--target", "y,x2", *AVERAGE)
        self.refuse(CANNOT_SERVE, ["--combine", "time series"], "select", "data.csv", "--target", "y", "--lags", "2", *AVERAGE)
        self.refuse(WRONG_USAGE, ["--combine"], "compare", "data.csv", "--target", "y", *AVERAGE)


if __name__ == "__main__":
    unittest.main()
