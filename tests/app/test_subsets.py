"""Subsets of the columns as models to choose from, as a user meets them: --subsets."""
import itertools
import json
import unittest

import numpy as np

from command import CommandTest, predictions_of


def sample(rows=50, seed=3):
    """y depends on a, c and the text site; b and d are of no use."""
    random = np.random.default_rng(seed)
    x = random.standard_normal((rows, 4))
    site = random.integers(0, 3, rows)
    y = 3 + 2 * x[:, 0] - 1.5 * x[:, 2] + np.array([0, 2, -2])[site] + 0.5 * random.standard_normal(rows)
    return {"a": x[:, 0], "b": x[:, 1], "c": x[:, 2], "d": x[:, 3], "site": np.array(["u", "v", "w"])[site], "y": y}


class SubsetsTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.sample = sample()
        self.write("data.csv", self.sample)

    def least_squares(self, columns):
        """Residual sum of squares and degrees of freedom."""
        parts = [np.ones((len(self.sample["y"]), 1))]
        for name in columns:
            column = self.sample[name]
            levels = sorted(set(column))[1:] if name == "site" else None
            parts.append(np.column_stack([column == v for v in levels]) if levels else column[:, None])
        design = np.column_stack(parts).astype(float)
        fit = design @ np.linalg.lstsq(design, self.sample["y"], rcond=None)[0]
        return np.sum((self.sample["y"] - fit) ** 2), design.shape[1]

    def test_mallows_of_every_subset_is_that_of_least_squares(self):
        result = self.select("data.csv", "--learner", "ridge", "--lambda", "0", "--criterion", "cp,gcv,loo", "--subsets", "every")
        names, n = ["a", "b", "c", "d", "site"], 50
        subsets = [s for k in range(1, 6) for s in itertools.combinations(names, k)]
        self.assertEqual(result["path"]["columns"], [", ".join(s) for s in subsets])
        rss, df = np.array([self.least_squares(s) for s in subsets]).T
        noise = rss[-1] / (n - df[-1])
        self.assert_close(result["path"]["df"], df)
        self.assert_close(result["path"]["criteria"]["cp"]["value"], (rss + 2 * noise * df) / n)
        self.assert_close(result["path"]["criteria"]["gcv"]["value"], n * rss / (n - df) ** 2)
        self.assertEqual(result["chosen"]["columns"], "a, c, site")
        self.assertEqual(result["selected"]["loo"]["columns"], "a, c, site")
        self.assertEqual(result["learner"]["basis"], "linear")
        self.assertEqual(result["settings"]["asked"]["subsets"], "every")
        self.assertEqual(result["settings"]["used"]["subsets"], "a, c, site")
        self.assertEqual(result["chosen"]["coefficients"]["b"], 0)
        self.assertIn("corrected for the choice", result["chosen"]["error"]["method"])

    def test_each_subset_is_what_features_makes_of_it(self):
        flags = ["--learner", "ridge", "--criterion", "sic,cp,loo,gcv", "--noise", "0.25"]
        together = self.select("data.csv", *flags, "--subsets", "a,site;b,c,d;c")
        path, start = together["path"], 0
        for subset in ["a,site", "b,c,d", "c"]:
            alone = self.select("data.csv", *flags, "--features", subset)["path"]
            there = [k for k, name in enumerate(path["columns"]) if name == subset.replace(",", ", ")]
            self.assertEqual(there, list(range(start, start + len(alone["lambda"]))))
            start += len(there)
            self.assert_close(np.take(path["lambda"], there), alone["lambda"])
            for criterion in alone["criteria"]:
                self.assert_close(np.take(path["criteria"][criterion]["value"], there), alone["criteria"][criterion]["value"])

    def test_the_model_needs_the_chosen_columns_alone(self):
        flags = ["--learner", "ridge", "--criterion", "loo", "--subsets", "every"]
        self.succeed("select", "data.csv", "--target", "y", *flags, "--model", "m.gnomon")
        whole = predictions_of(self.succeed("predict", "m.gnomon", "data.csv"))
        few = {name: self.sample[name] for name in ["site", "c", "a"]}
        self.assert_close(predictions_of(self.succeed("predict", "m.gnomon", self.write("few.csv", few))), whole)
        told = self.succeed("inspect", "m.gnomon")
        self.assertIn("a, c, site (u, v, w)", told)
        self.assertNotIn("× b", told)
        self.succeed("select", "data.csv", "--target", "y", "--learner", "ridge", "--criterion", "loo", "--features", "a,c,site",
                     "--model", "alone.gnomon")  # fmt: skip
        self.assert_close(predictions_of(self.succeed("predict", "alone.gnomon", "data.csv")), whole, 1e-5)

    def test_table_and_report_name_the_best(self):
        text = self.succeed("select", "data.csv", "--target", "y", "--learner", "ridge", "--lambda", "0", "--criterion", "cp,bic",
                            "--subsets", "every", "--report", "r.html")  # fmt: skip
        self.assertTrue(text.startswith("gnomon chose the columns a, c, site by "), text)
        self.assertIn("The 10 best of 31 that were tried, by cp.", text)
        page = (self.folder / "r.html").read_text()
        self.assertIn("The best of 31 by cp: 1 a, c, site; 2 ", page)
        self.assertIn("Models tried", page)
        self.assertIn("subsets of columns", page)

    def test_with_several_bases_both_are_named(self):
        result = self.select("data.csv", "--learner", "lasso", "--criterion", "cv", "--basis", "polynomial:1..2", "--subsets", "a,c;a,c,site")
        self.assertEqual(result["chosen"]["model"], "polynomial:1 of a, c, site")
        self.assertEqual(result["learner"]["basis"], "polynomial:1")
        self.assertEqual(len(set(result["path"]["model"])), 4)

    def test_the_order_of_a_series_is_chosen(self):
        random, y = np.random.default_rng(1), [0.0, 0.0]
        for _ in range(300):
            y.append(1.2 * y[-1] - 0.6 * y[-2] + random.standard_normal())
        self.write("series.csv", {"s": np.array(y)})
        flags = ["--target", "s", "--learner", "ridge", "--lags", "6", "--lambda", "0", "--criterion", "bic", "--subsets", "nested"]
        result = json.loads(self.succeed("select", "series.csv", *flags, "--model", "m.gnomon", "--json", "-"))
        self.assertEqual(len(result["chosen"]["columns"].split(",")), 2)
        self.assertEqual(len(self.succeed("predict", "m.gnomon", "series.csv").splitlines()), 303)

    def test_what_cannot_be_is_refused(self):
        ridge = ["select", "data.csv", "--target", "y", "--learner", "ridge"]
        self.refuse(1, ["--subsets: no input column 'aa' among a, b, c, d, site", "did you mean"], *ridge, "--subsets", "aa;b")
        self.refuse(1, ["--subsets: 'a, a' names a column twice"], *ridge, "--subsets", "a,a")
        self.refuse(1, ["--subsets: 'a, b' is named twice"], *ridge, "--subsets", "a,b;b,a")
        self.refuse(2, ["empty subset"], *ridge, "--subsets", "a;;b")
        self.refuse(2, ["--subsets", "not to a search over several parameters"], *ridge, "--subsets", "every", "--groups", "each")
        self.refuse(2, ["--subsets", "--search gradient gives every input"], "select", "data.csv", "--target", "y", "--subsets", "every")
        self.refuse(2, ["--subsets", "--basis"], "select", "data.csv", "--target", "y", "--learner", "svr", "--subsets", "every")
        self.refuse(2, ["--subsets", "--learner mlp"], "select", "data.csv", "--target", "y", "--learner", "mlp", "--subsets", "every")


if __name__ == "__main__":
    unittest.main()
