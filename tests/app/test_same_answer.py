"""The answer depends on the data alone: not on layout, order, threads, strategy, or on how repeats are written."""
import gzip
import unittest

import numpy as np

from command import SelectTest, smooth_sample, table_text


class TargetsAndWeightsTest(SelectTest):
    def test_several_targets_equal_one_at_a_time(self):
        random = np.random.default_rng(8)
        data = {**self.sample, "z": self.sample["x2"]**2 + 0.2 * random.standard_normal(40)}
        self.write("two.csv", data)
        for flags in ((), ("--learner", "ridge"), ("--learner", "landweber"), ("--penalty", "coefficients")):
            with self.subTest(flags):
                # A width left to gnomon is one for all targets.
                width = () if "ridge" in flags else ("--width", "median")
                flags = (*flags, *width, "--lambda", "1e-4:100:30", "--criterion", "all", "--noise", "0.02")
                both = self.select("two.csv", *flags, target="y,z")
                self.assertEqual(both["data"]["target"], ["y", "z"])
                self.assertEqual([part["target"] for part in both["targets"]], ["y", "z"])
                self.assertNotIn("path", both)
                for part, other in zip(both["targets"], ("z", "y")):
                    alone = self.select("two.csv", *flags, "--drop", other, target=part["target"])
                    self.same(part, alone)
                    for name, pick in part["selected"].items():
                        self.assert_close(pick["value"], alone["selected"][name]["value"], 1e-7, name)

    def test_a_weight_is_a_number_of_repeats(self):
        """Every criterion but cv, whose folds are made of rows."""
        weight = np.random.default_rng(3).integers(1, 4, 40)
        repeated = {name: np.repeat(values, weight) for name, values in self.sample.items()}
        self.write("weighted.csv", {**self.sample, "w": weight})
        self.write("repeated.csv", repeated)
        names = "sic,rsic,sure,cp,gcv,loo,fpe,aic,aicc,bic,evidence"
        for flags in ((), ("--penalty", "coefficients"), ("--metric", "function-space", "--kernel", "laplace"),
                      ("--learner", "ridge"),
                      ("--learner", "ridge", "--basis", "polynomial:3"), ("--no-intercept", "--kernel", "matern32"),
                      ("--scale", "unit", "--kernel", "polynomial:2")):
            with self.subTest(flags):
                flags = (*flags, "--criterion", names, "--noise", "0.02", "--lambda", "1e-3:100:20")
                weighted = self.select("weighted.csv", "--weights", "w", *flags)
                plain = self.select("repeated.csv", *flags)
                self.assertEqual(weighted["data"]["weight_sum"], weight.sum())
                self.assertEqual(weighted["data"]["features"], 2)
                if "width" in plain["learner"]:
                    self.assert_close(weighted["learner"]["width"] or 1, plain["learner"]["width"] or 1, 1e-12)
                self.same(weighted, plain)
                for name, pick in weighted["selected"].items():
                    self.assert_close(pick["value"], plain["selected"][name]["value"], 1e-7, name)

    def test_noise_estimates_count_repeats(self):
        weight = np.random.default_rng(3).integers(1, 4, 40)
        self.write("weighted.csv", {**self.sample, "w": weight})
        self.write("repeated.csv", {name: np.repeat(values, weight) for name, values in self.sample.items()})
        for noise in ("auto", "gcv", "ml", "reml", "residual"):
            with self.subTest(noise):
                flags = ("--noise", noise, "--criterion", "cp", "--lambda", "1e-3:100:20")
                weighted = self.select("weighted.csv", "--weights", "w", *flags)["noise_variance"]
                plain = self.select("repeated.csv", *flags)["noise_variance"]
                self.assertEqual(weighted["method"], plain["method"])
                self.assert_close(weighted["value"], plain["value"], 1e-7)

    def test_rows_of_weight_zero_count_nowhere(self):
        weight = [0 if i % 5 == 0 else 1 for i in range(40)]
        self.write("weighted.csv", {**self.sample, "w": weight})
        self.write("kept.csv", {name: [v for v, w in zip(values, weight) if w] for name, values in self.sample.items()})
        weighted = self.select("weighted.csv", "--weights", "w", "--criterion", "all")
        self.assertEqual(weighted["data"]["rows"], 32)
        self.same(weighted, self.select("kept.csv", "--criterion", "all"))


class ColumnsTest(SelectTest):
    def test_text_column_is_encoded_and_named(self):
        kinds = ["red", "blue"] * 20
        self.write("text.csv", {"kind": kinds, **self.sample})
        self.write("coded.csv", {"blue": [int(k == "blue") for k in kinds], "red": [int(k == "red") for k in kinds],
                                 **self.sample})
        result = self.select("text.csv")
        self.assertEqual(result["data"]["feature_names"], ["kind=blue", "kind=red", "x1", "x2"])
        self.assertEqual(result["data"]["features"], 4)
        self.assertTrue(any("'kind'" in note and "kind=blue" in note for note in result["data"]["notes"]))
        self.same(result, self.select("coded.csv"), 1e-12)

    def test_features_and_drop(self):
        one = self.select("data.csv", "--features", "x2")
        self.assertEqual(one["data"]["feature_names"], ["x2"])
        self.same(one, self.select("data.csv", "--drop", "x1"), 1e-12)
        self.write("alone.csv", {"x2": self.sample["x2"], "y": self.sample["y"]})
        self.same(one, self.select("alone.csv"), 1e-12)

    def test_a_name_with_a_comma(self):
        """Text that is the name of a column is that column, before it is taken for a list."""
        rows = list(zip(*self.sample.values()))
        self.write("comma.csv", '"size, m",x2,"price, EUR"\n' + "".join(f"{a!r},{b!r},{y!r}\n" for a, b, y in rows))
        result = self.select("comma.csv", "--features", "size, m", target="price, EUR")
        self.assertEqual(result["data"]["target"], "price, EUR")
        self.same(result, self.select("data.csv", "--features", "x1"), 1e-12)

    def holes(self):
        cells = [repr(float(v)) for v in self.sample["x1"]]
        for i, mark in zip((2, 9, 11, 20, 21, 33), ("", "NA", "N/A", "NaN", "null", "?")):
            cells[i] = mark
        self.write("holes.csv", {"x1": cells, "x2": self.sample["x2"], "y": self.sample["y"]})
        return np.array([i not in (2, 9, 11, 20, 21, 33) for i in range(40)])

    def test_missing_drop(self):
        there = self.holes()
        self.write("kept.csv", {name: values[there] for name, values in self.sample.items()})
        result = self.select("holes.csv", "--missing", "drop")
        self.assertEqual(result["data"]["rows"], 34)
        self.assertTrue(any("6 rows" in note for note in result["data"]["notes"]), result["data"]["notes"])
        self.same(result, self.select("kept.csv"), 1e-12)

    def test_missing_mean(self):
        there = self.holes()
        filled = np.where(there, self.sample["x1"], self.sample["x1"][there].mean())
        self.write("filled.csv", {"x1": filled, "x2": self.sample["x2"], "y": self.sample["y"]})
        flags = ("--criterion", "loo,gcv", "--lambda", "1e-4:100:20")
        result = self.select("holes.csv", "--missing", "mean", *flags)
        self.assertTrue(any("6 missing cells" in note and "'x1'" in note for note in result["data"]["notes"]))
        self.same(result, self.select("filled.csv", *flags), 1e-9)

    def test_constant_column_is_noted_and_changes_nothing(self):
        self.write("constant.csv", {"one": [3.5] * 40, **self.sample})
        result = self.select("constant.csv")
        self.assertTrue(any("constant" in note and "one" in note for note in result["data"]["notes"]))
        self.same(result, self.select("data.csv"), 1e-9)


class LayoutTest(SelectTest):
    def test_every_layout_gives_the_same_answer(self):
        plain = self.select("data.csv")
        text = table_text(self.sample)
        variants = {
            "data.tsv": table_text(self.sample, "\t"),
            "semicolons.csv": table_text(self.sample, ";"),
            "bars.csv": table_text(self.sample, "|"),
            "crlf.csv": table_text(self.sample, newline="\r\n"),
            "bom.csv": "\ufeff" + text,
            "quoted.csv": "\n".join(",".join(f'"{cell}"' for cell in line.split(",")) for line in text.splitlines()),
            "spaces.csv": text.replace(",", " , "),
            "blank-lines.csv": text + "\n\n",
            "data.csv.gz": gzip.compress(text.encode()),
        }
        for name, content in variants.items():
            with self.subTest(name):
                result = self.select(self.write(name, content))
                for part in ("learner", "noise_variance", "path", "selected", "chosen", "warnings"):
                    self.assertEqual(result[part], plain[part], part)
        for name, content in {"stdin": text, "gzip on stdin": gzip.compress(text.encode())}.items():
            with self.subTest(name):
                self.assertEqual(self.select("-", stdin=content)["path"], plain["path"])

    def test_order_of_rows_and_columns_does_not_matter(self):
        order = np.random.default_rng(1).permutation(40)
        self.write("mixed.csv", {name: self.sample[name][order] for name in ("y", "x2", "x1")})
        names = "sic,rsic,sure,cp,gcv,loo,fpe,aic,bic,evidence"
        for flags in ((), ("--learner", "ridge"), ("--penalty", "coefficients")):
            flags = (*flags, "--criterion", names, "--lambda", "1e-3:100:20")
            self.same(self.select("mixed.csv", *flags), self.select("data.csv", *flags))

    def test_threads_never_change_an_answer(self):
        self.write("larger.csv", smooth_sample(400, 3))
        for case in ((), ("--kernel", "laplace"), ("--penalty", "coefficients"), ("--learner", "landweber"),
                     ("--learner", "ridge", "--basis", "polynomial:3")):
            names = "gcv,cp,cv:5" if "landweber" in case else "gcv,cp,loo,evidence,cv:5"
            for grid in ("auto", "1e-4:100:30"):
                with self.subTest((case, grid)):
                    flags = (*case, "--criterion", names, "--seed", "7", "--lambda", grid)
                    one, two, again = (self.select("larger.csv", *flags, "--threads", n) for n in (1, 2, 2))
                    self.assertEqual(two, again)
                    np.testing.assert_allclose(one["path"]["lambda"], two["path"]["lambda"], rtol=1e-9)
                    if grid != "auto":  # whose lower end is at rounding level, where curves have no digits
                        self.same(one, two, 1e-9)
                    for name, pick in one["selected"].items():
                        self.assert_close(pick["value"], two["selected"][name]["value"], 1e-9, name)

    def test_seed_makes_the_folds(self):
        runs = [self.values(self.select("data.csv", "--criterion", "cv:5", "--seed", s), "cv:5") for s in (1, 1, 2)]
        self.assertEqual(runs[0], runs[1])
        self.assertNotEqual(runs[0], runs[2])


class StrategyTest(SelectTest):
    def test_strategies_agree(self):
        self.write("larger.csv", smooth_sample(300, 3, seed=6))
        flags = ("--criterion", "gcv,sic,cp,loo,evidence", "--noise", "0.01", "--lambda", "1e-3:100:20")
        for case in (("--kernel", "gaussian"), ("--kernel", "laplace"), ("--penalty", "coefficients"),
                     ("--kernel", "matern52", "--no-intercept")):
            with self.subTest(case):
                full = self.select("larger.csv", *case, *flags, "--strategy", "full")
                self.assertEqual(full["learner"]["strategy"], "full")
                for strategy in ("auto", "tridiagonal", "pivoted-cholesky"):
                    other = self.select("larger.csv", *case, *flags, "--strategy", strategy)
                    self.same(full, other, 1e-7)

    def test_forced_strategy_is_the_one_named(self):
        self.write("larger.csv", smooth_sample(300, 3, seed=6))
        for strategy in ("full", "tridiagonal", "pivoted-cholesky"):
            result = self.select("larger.csv", "--kernel", "laplace", "--criterion", "gcv", "--strategy", strategy)
            self.assertEqual(result["learner"]["strategy"], strategy)
        result = self.select("larger.csv", "--learner", "ridge", "--strategy", "gram")
        self.assertEqual(result["learner"]["strategy"], "gram")

    def test_gram_equals_full_for_a_basis(self):
        self.write("larger.csv", smooth_sample(300, 3, seed=6))
        flags = ("--learner", "ridge", "--basis", "polynomial:3", "--criterion", "gcv,sic,cp,loo,evidence,cv:5",
                 "--lambda", "1e-3:100:20")
        self.same(self.select("larger.csv", *flags, "--strategy", "full"),
                  self.select("larger.csv", *flags, "--strategy", "gram"), 1e-8)


if __name__ == "__main__":
    unittest.main()
