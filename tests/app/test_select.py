"""What `gnomon select` answers: the shape of its JSON, its choice, and that the answer depends on the data alone."""
import gzip
import math
import unittest

import numpy as np

from command import CommandTest, smooth_sample, table_text

CRITERIA = {"sic", "rsic", "sure", "cp", "gcv", "loo", "cv", "fpe", "aic", "aicc", "bic", "evidence"}
NOT_FOR_ITERATIONS = {"loo", "evidence"}  # no closed form, no Gaussian prior
SCALES = {"function-space", "prediction", "log-evidence", "log-likelihood"}


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


class SelectTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.sample = smooth_sample(40, 2)
        self.write("data.csv", self.sample)

    def values(self, result, name):
        return [math.nan if v is None else v for v in result["path"]["criteria"][name]["value"]]

    def same(self, a, b, tolerance=1e-8):
        """Two results tell the same story: paths, curves, choices."""
        self.assertEqual(list(a["path"]["criteria"]), list(b["path"]["criteria"]))
        self.assert_close(a["path"]["lambda"], b["path"]["lambda"], tolerance, "lambda")
        self.assert_close(a["path"]["df"], b["path"]["df"], tolerance, "df")
        self.assert_close(a["path"]["train_error"], b["path"]["train_error"], tolerance, "train_error")
        for name in a["path"]["criteria"]:
            self.assert_close(self.values(a, name), self.values(b, name), tolerance, name)
        self.assertEqual(a["chosen"]["criterion"], b["chosen"]["criterion"])


class SchemaTest(SelectTest):
    def check_target(self, result, count):
        """The fields of one target, as the interface promises them."""
        noise, path, chosen = result["noise_variance"], result["path"], result["chosen"]
        self.assertIsInstance(noise["method"], str)
        self.assertTrue(is_number(noise["value"]) or len(noise["value"]) == count)
        for axis in ("lambda", "df", "train_error"):
            self.assertEqual(len(path[axis]), count)
            self.assertTrue(all(is_number(v) for v in path[axis]), axis)
        self.assertTrue(path["criteria"])
        for name, curve in path["criteria"].items():
            self.assertEqual(len(curve["value"]), count, name)
            self.assertTrue(all(v is None or is_number(v) for v in curve["value"]), name)
            self.assertTrue(curve["se"] is None or len(curve["se"]) == count, name)
            self.assertIn(curve["scale"], SCALES, name)
        self.assertEqual(set(result["selected"]), set(path["criteria"]))
        for name, pick in result["selected"].items():
            self.assertTrue(is_number(pick["lambda"]) and is_number(pick["value"]), name)
            self.assertIsInstance(pick["at_edge"], bool, name)
        self.assertEqual(chosen["criterion"], next(iter(path["criteria"])))
        self.assertEqual(chosen["lambda"], result["selected"][chosen["criterion"]]["lambda"])
        self.assertTrue(result["test_error"] is None or is_number(result["test_error"]))
        self.assertTrue(all(isinstance(w, str) for w in result["warnings"]))

    def test_keys_types_and_lengths(self):
        result = self.select("data.csv", "--penalty", "coefficients", "--width", "1", "--noise", "0.01", "--criterion",
                             "sic,loo,evidence", "--lambda", "1e-4:10:7")
        self.assertEqual(list(result), ["gnomon", "data", "learner", "noise_variance", "path", "selected", "chosen",
                                        "test_error", "warnings"])
        self.assertRegex(result["gnomon"], r"^\d+\.\d+\.\d+$")
        for key, value in {"rows": 40, "features": 2, "target": "y", "test_rows": 0}.items():
            self.assertEqual(result["data"][key], value)
        for key, value in {"name": "kernel-ridge", "kernel": "gaussian", "width": 1.0, "penalty": "coefficients"}.items():
            self.assertEqual(result["learner"][key], value)
        self.assertEqual((result["noise_variance"]["method"], result["noise_variance"]["value"]), ("given", 0.01))
        self.assertEqual(list(result["path"]["criteria"]), ["sic", "loo", "evidence"])
        scales = [curve["scale"] for curve in result["path"]["criteria"].values()]
        self.assertEqual(scales, ["function-space", "prediction", "log-evidence"])
        self.assertIsNone(result["test_error"])
        self.check_target(result, 7)

    def test_every_learner(self):
        for learner in ("ridge", "kernel-ridge", "spectral-cutoff", "landweber"):
            self.check_target(self.select("data.csv", "--learner", learner, "--lambda", "0.01:10:9"), 9)

    def test_defaults(self):
        result = self.select("data.csv")
        self.assertEqual(result["learner"]["name"], "kernel-ridge")
        self.assertEqual(result["learner"]["kernel"], "gaussian")
        self.assertEqual(result["learner"]["penalty"], "function")
        self.assertEqual(result["learner"]["scale"], "standard")
        self.assertIs(result["learner"]["intercept"], True)
        self.assertLessEqual({"sic", "loo"}, set(result["path"]["criteria"]))
        self.check_target(result, len(result["path"]["lambda"]))

    def test_median_width_is_the_median_distance(self):
        x = np.column_stack([self.sample["x1"], self.sample["x2"]])
        distances = [np.linalg.norm(x[i] - x[j]) for i in range(40) for j in range(i)]
        self.assert_close(self.select("data.csv", "--scale", "none")["learner"]["width"], np.median(distances), 1e-12)

    def test_residual_noise_has_one_value_per_lambda(self):
        result = self.select("data.csv", "--noise", "residual", "--lambda", "0.01:10:5")
        self.assertEqual(len(result["noise_variance"]["value"]), 5)
        self.check_target(result, 5)

    def test_automatic_grid_holds_the_null_model_and_the_interpolant(self):
        for flags in ((), ("--penalty", "coefficients"), ("--learner", "ridge"), ("--learner", "landweber")):
            path = self.select("data.csv", *flags)["path"]
            self.assertLess(path["df"][-1] - 1, 0.01)
            self.assertGreater(path["df"][0], 2.99 if "ridge" in flags else 39)

    def test_file_equals_standard_output(self):
        printed = self.succeed("select", "data.csv", "--target", "y", "--json", "-")
        table = self.succeed("select", "data.csv", "--target", "y", "--json", "out.json")
        self.assertEqual((self.folder / "out.json").read_text(), printed)
        self.assertTrue(table)
        self.assertLessEqual(max(len(line) for line in table.splitlines()), 80)

    def test_table_names_the_choice(self):
        result = self.select("data.csv")
        table = self.succeed("select", "data.csv", "--target", "y")
        self.assertIn(result["chosen"]["criterion"], table)
        self.assertIn(f"{result['chosen']['lambda']:.4g}"[:4], table)
        self.assertNotIn("\033", table)

    def test_quiet_is_silent_on_stderr_and_changes_nothing(self):
        self.assertEqual(self.select("data.csv", "--quiet"), self.select("data.csv"))

    def test_help_and_version(self):
        self.assertRegex(self.succeed("--version"), r"^gnomon \d+\.\d+\.\d+\n$")
        self.assertIn("select", self.succeed("--help"))
        for command, flag in {"select": "--criterion", "predict": "--output", "demo": "--problem"}.items():
            self.assertIn(flag, self.succeed(command, "--help"))


class ChoiceTest(SelectTest):
    def test_grid_search_takes_the_least_value(self):
        result = self.select("data.csv", "--criterion", "all", "--search", "grid", "--lambda", "1e-6:1e3:60")
        for name, pick in result["selected"].items():
            values = np.array(self.values(result, name))
            best = np.nanargmin(values)
            self.assertEqual(pick["value"], values[best], name)
            self.assertEqual(pick["lambda"], result["path"]["lambda"][best], name)

    def test_refined_minimum_is_no_worse_than_the_grid(self):
        """And lies between the neighbours of the best grid point; its value is what a run at that λ gives."""
        flags = ("--lambda", "1e-6:1e3:25", "--noise", "0.01")
        names = "sic,rsic,sure,cp,gcv,loo,fpe,aic,aicc,bic,evidence"
        grid = self.select("data.csv", "--criterion", names, "--search", "grid", *flags)
        refined = self.select("data.csv", "--criterion", names, "--search", "refine", *flags)
        self.same(grid, refined, 1e-12)
        lambdas = grid["path"]["lambda"]
        for name in grid["selected"]:
            with self.subTest(name):
                coarse, fine = grid["selected"][name], refined["selected"][name]
                self.assertLessEqual(fine["value"], coarse["value"])
                k = lambdas.index(coarse["lambda"])
                self.assertLessEqual(lambdas[max(k - 1, 0)], fine["lambda"])
                self.assertLessEqual(fine["lambda"], lambdas[min(k + 1, len(lambdas) - 1)])
                if name != "rsic":  # its pilot belongs to the grid
                    there = self.select("data.csv", "--criterion", name, "--lambda", repr(fine["lambda"]), "--noise", "0.01")
                    self.assert_close(self.values(there, name), [fine["value"]], 1e-7)

    def test_minimum_at_the_edge_is_flagged(self):
        low = self.select("data.csv", "--criterion", "gcv", "--lambda", "100:1000:10")
        self.assertIs(low["selected"]["gcv"]["at_edge"], True)
        self.assertEqual(low["chosen"]["lambda"], 100)
        self.assertTrue(any("lower end" in w and "--lambda" in w for w in low["warnings"]), low["warnings"])
        high = self.select("data.csv", "--criterion", "gcv", "--lambda", "1e-9:1e-7:10")
        self.assertIs(high["selected"]["gcv"]["at_edge"], True)
        self.assertTrue(any("upper end" in w for w in high["warnings"]), high["warnings"])
        self.assertIn("upper end", self.succeed("select", "data.csv", "--target", "y", "--criterion", "gcv", "--lambda",
                                                "1e-9:1e-7:10").replace("\n", " "))

    def test_minimum_inside_is_not_flagged(self):
        result = self.select("data.csv", "--criterion", "gcv", "--lambda", "1e-8:1e4:50")
        self.assertIs(result["selected"]["gcv"]["at_edge"], False)
        self.assertFalse(any("end of the grid" in w for w in result["warnings"]))

    def test_one_lambda_is_just_evaluated(self):
        result = self.select("data.csv", "--lambda", "0.25")
        self.assertEqual(result["path"]["lambda"], [0.25])
        self.assertEqual(result["chosen"]["lambda"], 0.25)
        self.assertIs(result["selected"][result["chosen"]["criterion"]]["at_edge"], False)

    def test_first_criterion_chooses(self):
        names = "cv:5,gcv,evidence,bic"
        result = self.select("data.csv", "--criterion", names)
        self.assertEqual(",".join(result["path"]["criteria"]), names)
        self.assertEqual(result["chosen"]["criterion"], "cv:5")
        self.assertEqual(result["chosen"]["lambda"], result["selected"]["cv:5"]["lambda"])

    def test_one_standard_error_rule(self):
        """The largest λ of the grid whose value is within one standard error of the least."""
        flags = ("--criterion", "loo,cv:5,cp", "--lambda", "1e-6:1e3:60")
        result = self.select("data.csv", "--rule", "1se", *flags)
        lambdas = np.array(result["path"]["lambda"])
        for name, pick in result["selected"].items():
            values = np.array(self.values(result, name))
            best = np.argmin(values)
            limit = values[best] + result["path"]["criteria"][name]["se"][best]
            self.assertEqual(pick["lambda"], lambdas[values <= limit].max(), name)

    def test_several_widths(self):
        """All arrays run over the widths in turn, and each part equals a run at that width."""
        flags = ("--criterion", "gcv,loo", "--lambda", "1e-4:10:12", "--search", "grid", "--noise", "0.01")
        result = self.select("data.csv", "--width", "0.3,1,3", *flags)
        self.assertEqual(result["path"]["width"], [0.3] * 12 + [1.0] * 12 + [3.0] * 12)
        self.assertEqual(result["path"]["parameters"]["width"], result["path"]["width"])
        self.assertEqual(result["path"]["parameters"]["lambda"], result["path"]["lambda"])
        parts = [self.select("data.csv", "--width", width, *flags) for width in ("0.3", "1", "3")]
        for name in ("gcv", "loo"):
            self.assert_close(self.values(result, name), sum((self.values(part, name) for part in parts), []), 1e-9)
            best = min((part["selected"][name] for part in parts), key=lambda pick: pick["value"])
            self.assert_close(result["selected"][name]["value"], best["value"], 1e-9)
            self.assertEqual(result["selected"][name]["width"], best["width"])
        self.assertEqual(result["chosen"]["width"], result["selected"]["gcv"]["width"])
        self.assertEqual(result["learner"]["width"], result["chosen"]["width"])

    def test_width_range(self):
        result = self.select("data.csv", "--width", "0.5:2:3", "--criterion", "gcv", "--lambda", "0.1,1")
        self.assert_close(sorted(set(result["path"]["width"])), [0.5, 1, 2], 1e-12)

    def test_default_criterion_with_several_widths(self):
        result = self.select("data.csv", "--width", "0.5,1,2")
        self.assertIn(result["chosen"]["width"], (0.5, 1.0, 2.0))


class TargetsAndWeightsTest(SelectTest):
    def test_several_targets_equal_one_at_a_time(self):
        random = np.random.default_rng(8)
        data = {**self.sample, "z": self.sample["x2"]**2 + 0.2 * random.standard_normal(40)}
        self.write("two.csv", data)
        for flags in ((), ("--learner", "ridge"), ("--learner", "landweber"), ("--penalty", "coefficients")):
            with self.subTest(flags):
                flags = (*flags, "--lambda", "1e-4:100:30", "--criterion", "all", "--noise", "0.02")
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


class RangeTest(SelectTest):
    def test_every_learner_kernel_and_criterion_runs(self):
        cases = [("--learner", learner, "--kernel", kernel)
                 for learner in ("kernel-ridge", "spectral-cutoff", "landweber")
                 for kernel in ("gaussian", "laplace", "matern32", "matern52", "polynomial:3", "linear")]
        cases += [("--penalty", "coefficients", "--kernel", kernel) for kernel in ("gaussian", "laplace", "linear")]
        cases += [("--learner", "ridge", "--basis", basis)
                  for basis in ("linear", "polynomial:3", "fourier:2", "gaussian:10")]
        for case in cases:
            with self.subTest(case):
                result = self.select("data.csv", "--criterion", "all", *case)
                wanted = CRITERIA - NOT_FOR_ITERATIONS if case[1] in ("spectral-cutoff", "landweber") else CRITERIA
                self.assertEqual(set(result["path"]["criteria"]), wanted)
                for name in wanted:
                    self.assertTrue(np.isfinite(self.values(result, name)).any(), name)

    def test_lambda_from_nearly_nothing_to_nearly_infinite(self):
        """Every value is finite or null, df falls, and the null model waits at the end."""
        mean_error = np.var(self.sample["y"])
        for case in ((), ("--penalty", "coefficients"), ("--learner", "ridge"), ("--learner", "landweber"),
                     ("--learner", "spectral-cutoff"), ("--no-intercept",), ("--kernel", "linear"),
                     ("--learner", "ridge", "--basis", "polynomial:5")):
            for count, search in ((61, "grid"), (13, "refine")):
                with self.subTest((case, search)):
                    result = self.select("data.csv", *case, "--criterion", "all", "--lambda", f"1e-300:1e300:{count}",
                                         "--search", search)
                    path = result["path"]
                    self.assertTrue(np.isfinite(path["df"]).all() and np.isfinite(path["train_error"]).all())
                    self.assertTrue((np.diff(path["df"]) <= 1e-9).all())
                    for name in path["criteria"]:
                        self.assertEqual(len(path["criteria"][name]["value"]), count)
                        self.assertFalse(np.isinf(self.values(result, name)).any(), name)
                    if "--no-intercept" not in case:
                        self.assert_close(path["train_error"][-1], mean_error, 1e-9)
                        self.assert_close(path["df"][-1], 1, 1e-9)

    def test_lambda_zero(self):
        result = self.select("data.csv", "--learner", "ridge", "--lambda", "0,1", "--criterion", "loo,gcv")
        x = np.column_stack([np.ones(40), self.sample["x1"], self.sample["x2"]])
        q, _ = np.linalg.qr(x)
        residual = self.sample["y"] - q @ (q.T @ self.sample["y"])
        leverage = (q * q).sum(axis=1)
        self.assert_close(self.values(result, "loo")[0], np.mean((residual / (1 - leverage))**2), 1e-9)
        self.assert_close(result["path"]["df"][0], 3, 1e-12)

    def test_tiny_data(self):
        self.write("two.csv", "x,y\n1,2\n3,5\n")
        self.write("three.csv", "x,z,y\n1,2,2\n3,1,5\n4,4,3\n")
        self.write("wide.csv", {**{f"x{j}": [float((i * j * 7) % 5) for i in range(4)] for j in range(9)},
                                "y": [1.0, 3.0, 2.0, 5.0]})
        self.write("same-x.csv", "x,y\n1,2\n1,3\n1,5\n1,4\n")
        for name in ("two.csv", "three.csv", "wide.csv", "same-x.csv"):
            for case in ((), ("--learner", "ridge"), ("--penalty", "coefficients"), ("--learner", "landweber")):
                with self.subTest((name, case)):
                    result = self.select(name, *case)
                    self.assertTrue(is_number(result["chosen"]["lambda"]))

    def test_huge_and_tiny_targets(self):
        """y → cy scales prediction errors by c² and leaves the choice alone."""
        plain = self.select("data.csv", "--criterion", "loo,gcv")
        for factor in (1e-100, 1e100):
            self.write("scaled.csv", {**self.sample, "y": self.sample["y"] * factor})
            scaled = self.select("scaled.csv", "--criterion", "loo,gcv")
            self.assert_close(np.array(self.values(scaled, "loo")) / factor**2, self.values(plain, "loo"), 1e-8)
            self.assert_close(scaled["chosen"]["lambda"], plain["chosen"]["lambda"], 1e-3)


class MetricTest(SelectTest):
    def setUp(self):
        super().setUp()
        self.line = smooth_sample(40, 1, seed=4)
        self.write("line.csv", self.line)
        self.write("points.csv", {"x1": np.linspace(-1, 2, 30)})
        self.write("labelled.csv", smooth_sample(25, 1, seed=5))

    def sic(self, *flags):
        return self.select("line.csv", "--criterion", "sic", "--noise", "0.01", "--lambda", "1e-3:10:15", *flags)

    def test_variants_run_and_name_their_scale(self):
        cases = {
            ("--metric", "train"): "prediction",
            ("--metric", "function-space"): "function-space",
            ("--metric", "test", "--test", "points.csv"): "prediction",
            ("--metric", "uniform:-2:2"): "prediction",
            ("--metric", "normal:0:1"): "prediction",
            ("--metric", "points.csv"): "prediction",
        }
        for flags, scale in cases.items():
            for penalty in ("function", "coefficients"):
                with self.subTest((flags, penalty)):
                    result = self.sic(*flags, "--penalty", penalty)
                    curve = result["path"]["criteria"]["sic"]
                    self.assertEqual(curve["scale"], scale)
                    self.assertTrue(all(is_number(v) for v in curve["value"]))

    def test_points_of_a_file_equal_the_test_file(self):
        self.assertEqual(self.values(self.sic("--metric", "points.csv"), "sic"),
                         self.values(self.sic("--metric", "test", "--test", "points.csv"), "sic"))

    def test_training_inputs_as_a_file_equal_the_train_metric(self):
        """Up to the constant that both leave out."""
        self.write("inputs.csv", {"x1": self.line["x1"]})
        for flags in (("--learner", "ridge", "--basis", "polynomial:3"), ("--kernel", "laplace")):
            a, b = (np.array(self.values(self.sic("--metric", m, *flags), "sic")) for m in ("inputs.csv", "train"))
            self.assert_close(a - a[-1], b - b[-1], 1e-7)

    def test_uniform_density_is_the_limit_of_a_dense_sample(self):
        edges = np.linspace(-2, 2, 4001)
        self.write("dense.csv", {"x1": (edges[1:] + edges[:-1]) / 2})
        flags = ("--learner", "ridge", "--basis", "polynomial:3")
        a, b = (np.array(self.values(self.sic("--metric", m, *flags), "sic")) for m in ("dense.csv", "uniform:-2:2"))
        self.assert_close(a, b, 1e-5)

    def test_labelled_test_rows_give_the_true_error(self):
        result = self.select("line.csv", "--test", "labelled.csv", "--model", "fit.gnomon")
        self.assertEqual(result["data"]["test_rows"], 25)
        got = np.array([float(v) for v in self.succeed("predict", "fit.gnomon", "labelled.csv").split()[1:]])
        self.assert_close(result["test_error"], np.mean((got - smooth_sample(25, 1, seed=5)["y"])**2), 1e-10)
        self.assertIsNone(self.select("line.csv", "--test", "points.csv")["test_error"])

    def test_test_labels_have_no_influence(self):
        a = self.select("line.csv", "--test", "labelled.csv", "--metric", "test", "--criterion", "sic")
        changed = smooth_sample(25, 1, seed=5)
        changed["y"] = -3 * changed["y"]
        self.write("changed.csv", changed)
        b = self.select("line.csv", "--test", "changed.csv", "--metric", "test", "--criterion", "sic")
        self.assertEqual(a["path"], b["path"])


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


class GoldenTest(SelectTest):
    """Against the formulas in the eigenbasis of the kernel matrix, written down independently: n eigenvalues d, z = Qᵀy."""

    def reference(self, penalty, lambdas, sigma2):
        x, y = self.line["x1"], self.line["y"]
        n = len(y)
        d, q = np.linalg.eigh(np.exp(-(x[:, None] - x[None, :])**2 / 2))
        d = np.maximum(d, 0)
        z = q.T @ y
        out = {name: [] for name in ("sic", "gcv", "loo", "evidence")}
        for l in lambdas:
            prior = d * d if penalty == "coefficients" else d
            gain = d / (d * d + l) if penalty == "coefficients" else 1 / (d + l)
            g = l / (prior + l)
            out["sic"].append(np.sum(d * gain**2 * z**2 - 2 * gain * (z**2 - sigma2)))
            out["gcv"].append(n * np.sum((g * z)**2) / np.sum(g)**2)
            out["loo"].append(np.mean((q @ (g * z) / (q**2 @ g))**2))
            s2 = np.mean(z**2 * g)
            out["evidence"].append(n * (np.log(2 * np.pi * s2) + 1) + np.sum(np.log1p(prior / l)))
        return out

    def check(self, penalty, line):
        lambdas = [1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0, 1000.0]
        self.line = line
        self.write("line.csv", self.line)
        result = self.select("line.csv", "--penalty", penalty, "--no-intercept", "--scale", "none", "--noise", "0.01",
                             "--kernel", "gaussian", "--width", "1", "--metric", "function-space", "--criterion",
                             "sic,gcv,loo,evidence", "--lambda", ",".join(map(repr, lambdas)))
        for name, wanted in self.reference(penalty, lambdas, 0.01).items():
            np.testing.assert_allclose(self.values(result, name), wanted, rtol=1e-8, err_msg=name)

    def test_coefficient_penalty(self):
        self.check("coefficients", smooth_sample(30, 1, seed=9))

    def test_function_penalty(self):
        """Inputs so far apart that no eigenvalue is at rounding level, where sic has no digits."""
        random = np.random.default_rng(9)
        x = np.arange(30) + random.uniform(-0.2, 0.2, 30)
        self.check("function", {"x1": x, "y": np.sin(x / 2) + 0.1 * random.standard_normal(30)})


if __name__ == "__main__":
    unittest.main()
