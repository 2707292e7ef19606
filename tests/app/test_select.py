"""What `gnomon select` answers: the shape of its JSON and its choice."""
import unittest

import numpy as np

from command import SelectTest, is_number

SCALES = {"function-space", "prediction", "log-evidence", "log-likelihood"}


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
        self.assertEqual(list(result), ["gnomon", "data", "learner", "settings", "noise_variance", "path", "selected", "chosen",
                                        "test_error", "test_error_se", "warnings"])
        self.assertRegex(result["gnomon"], r"^\d+\.\d+\.\d+$")
        data = {"rows": 40, "features": 2, "target": "y", "test_rows": 0}
        self.assertEqual({key: result["data"][key] for key in data}, data)
        learner = {"name": "kernel-ridge", "kernel": "gaussian", "width": 1.0, "penalty": "coefficients"}
        self.assertEqual({key: result["learner"][key] for key in learner}, learner)
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

    def test_the_last_of_contrary_flags_counts(self):
        for flags, intercept in ((("--no-intercept", "--intercept"), True), (("--intercept", "--no-intercept"), False)):
            self.assertIs(self.select("data.csv", *flags)["learner"]["intercept"], intercept)

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
        names = "sic,rsic,sic-pilot,sure,cp,gcv,loo,fpe,aic,aicc,bic,evidence"
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
                if name not in ("rsic", "sic-pilot"):  # their pilot belongs to the grid
                    there = self.select("data.csv", "--criterion", name, "--lambda", repr(fine["lambda"]), "--noise",
                                        "0.01")
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

    def test_paired_rule(self):
        """The largest λ of the grid whose value is above the least by no more than the standard error of the difference."""
        flags = ("--criterion", "loo,cv:5", "--lambda", "1e-6:1e3:60")
        result = self.select("data.csv", "--rule", "paired", *flags)
        single = self.select("data.csv", "--rule", "1se", *flags)
        lambdas = np.array(result["path"]["lambda"])
        for name, pick in result["selected"].items():
            values = np.array(self.values(result, name))
            best = np.argmin(values)
            reach = np.array(result["path"]["criteria"][name]["difference_se"])
            self.assertEqual(reach[best], 0)
            self.assertEqual(pick["lambda"], lambdas[values - values[best] <= reach].max(), name)
            self.assertLessEqual(pick["lambda"], single["selected"][name]["lambda"])

    def test_one_standard_error_rule_without_a_named_criterion(self):
        """The default is one that has a standard error then."""
        for learner in ("ridge", "kernel-ridge", "lasso"):
            result = self.select("data.csv", "--rule", "1se", "--learner", learner)
            self.assertIn(result["chosen"]["criterion"].split(":")[0], ("loo", "cv"), learner)
            self.assertIn("se", result["path"]["criteria"][result["chosen"]["criterion"]])

    def test_one_standard_error_rule_beside_criteria_without_one(self):
        """The rule is for the criterion that chooses; the others report their minimum."""
        result = self.select("data.csv", "--rule", "1se", "--criterion", "loo,gcv", "--lambda", "1e-6:1e3:60")
        values = self.values(result, "gcv")
        self.assertLessEqual(result["selected"]["gcv"]["value"], min(values))
        self.assertGreater(result["selected"]["loo"]["value"], min(self.values(result, "loo")))

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

    def test_criteria_not_asked_for_by_name_do_not_stop_a_choice_of_width(self):
        """Function-space sic cannot compare widths: named it is refused, under auto and all it is left out."""
        for penalty in ("function", "coefficients"):
            for names in ("auto", "all"):
                with self.subTest((penalty, names)):
                    result = self.select("data.csv", "--penalty", penalty, "--criterion", names, "--width", "0.5,1,2")
                    self.assertIn(result["chosen"]["width"], (0.5, 1.0, 2.0))
                    self.assertNotIn("function-space", [c["scale"] for c in result["path"]["criteria"].values()])


if __name__ == "__main__":
    unittest.main()
