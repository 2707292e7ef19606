"""Learners that are not linear in y, as a user meets them: lasso, elastic-net, huber, svr, additive."""
import json
import unittest

import numpy as np

from command import CommandTest, is_number, predictions_of

#: learner, its tuning parameter, two values of it, further flags
LEARNERS = [
    ("lasso", None, None, ()),
    ("elastic-net", "mix", "0.3,0.9", ()),
    ("huber", "tau", "0.2,0.8", ()),
    ("svr", "epsilon", "0.05,0.3", ()),
    ("svr", "epsilon", "0.05,0.3", ("--basis", "linear")),
    ("additive", "amplitude", "-0.5,0,0.5", ("--shift", "x:1")),
]


def sample(rows=50, inputs=4, seed=3, heavy=False):
    random = np.random.default_rng(seed)
    x = random.standard_normal((rows, inputs)) * 2 + 1
    noise = random.standard_t(2, rows) if heavy else random.standard_normal(rows)
    y = 3 + 1.5 * x[:, 0] - x[:, 1] + 0.5 * noise
    return {**{f"x{j + 1}": x[:, j] for j in range(inputs)}, "y": y}


class LearnersTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.sample = sample()
        self.write("data.csv", self.sample)

    def flags(self, learner, name, values, more, several=True):
        tuning = () if name is None else (f"--{name}={values if several else values.split(',')[-1]}",)
        return ("--learner", learner, *tuning, *more)


class WeightsTest(LearnersTest):
    def test_weight_k_is_the_row_repeated_k_times(self):
        weight = 1 + np.arange(len(self.sample["y"])) % 3
        self.write("weighted.csv", {**self.sample, "w": weight})
        self.write("repeated.csv", {name: np.repeat(values, weight) for name, values in self.sample.items()})
        for shift in ("x:1", "x:3"):
            flags = ("--learner", "additive", "--shift", shift, "--lambda", "0.1,2", "--amplitude", "0.5",
                     "--criterion", "loo", "--noise", "1")
            weighted = self.select("weighted.csv", "--weights", "w", *flags)
            repeated = self.select("repeated.csv", *flags)
            for name in ("df", "train_error"):
                self.assert_close(weighted["path"][name], repeated["path"][name], 1e-9)
            self.assert_close(weighted["path"]["criteria"]["loo"]["value"],
                              repeated["path"]["criteria"]["loo"]["value"], 1e-9)


class EndToEndTest(LearnersTest):
    def test_json_report_and_model(self):
        for case in LEARNERS:
            with self.subTest(case):
                learner, name, values, _ = case
                self.succeed("select", "data.csv", "--target", "y", *self.flags(*case), "--lambda", "0.1:100:5",
                             "--criterion", "cv:5,sic,basic", "--bootstrap", "10", "--json", "out.json", "--report",
                             "out.html", "--model", "fit.gnomon")
                result = json.loads((self.folder / "out.json").read_text())
                self.assertEqual(result["learner"]["name"], learner)
                count = 5 if values is None else 5 * len(values.split(","))
                path = result["path"]
                for axis in ("lambda", "df", "train_error"):
                    self.assertEqual(len(path[axis]), count, axis)
                self.assertEqual(list(path["criteria"]), ["cv:5", "sic", "basic"])
                for curve in path["criteria"].values():
                    self.assertEqual(len(curve["value"]), count)
                    self.assertTrue(all(is_number(v) for v in curve["value"]))
                self.assertNotIn("covariance", path["criteria"]["cv:5"])
                term = "trace" if learner == "additive" else "exact Stein divergence"
                self.assertEqual(path["criteria"]["sic"]["covariance"], term)
                self.assertEqual(path["criteria"]["basic"]["covariance"], "residual bootstrap, 10 replications")
                if name:
                    self.assertEqual(set(path["parameters"]) - {"width"}, {"lambda", name})
                    self.assertEqual(path["parameters"][name], path[name])
                    tried = sorted(float(v) for v in values.split(","))
                    self.assert_close(path[name], np.repeat(tried, 5))
                    self.assertEqual(path["lambda"][:5], path["lambda"][5:10])
                    self.assertIn(result["chosen"][name], tried)
                    self.assertEqual(result["learner"][name], result["chosen"][name])
                    for pick in result["selected"].values():
                        self.assertIn(pick[name], tried)
                else:
                    self.assertNotIn("parameters", path)
                # What is chosen is the least of the curve, at the place that the axes name.
                least = int(np.argmin(path["criteria"]["cv:5"]["value"]))
                self.assertEqual(result["chosen"]["lambda"], path["lambda"][least])
                solution = result["chosen"]["solution"]
                self.assertTrue(solution["converged"])
                self.assertLess(solution["gap"], 1e-6)
                self.assertTrue(is_number(solution["objective"]))
                html = (self.folder / "out.html").read_text()
                self.assertIn("The solution", html)
                self.assertIn("</html>", html)

    def test_predict_reproduces_fitted_values(self):
        for case in LEARNERS:
            with self.subTest(case):
                self.succeed("select", "data.csv", "--target", "y", *self.flags(*case), "--lambda", "1,10", "--model",
                             "fit.gnomon", "--json", "out.json", "--scale", "none", "--criterion", "cv:5")
                result = json.loads((self.folder / "out.json").read_text())
                got = predictions_of(self.succeed("predict", "fit.gnomon", "data.csv"))[:, 0]
                error = np.mean((got - self.sample["y"]) ** 2)
                self.assert_close(error, result["chosen"]["train_error"], 1e-9)
                solution = result["chosen"]["solution"]
                if "kernel" not in result["learner"]:
                    x = np.column_stack([self.sample[f"x{j + 1}"] for j in range(4)])
                    self.assert_close(got, x @ solution["coefficients"] + solution["offset"], 1e-10)

    def test_scaled_inputs_predict_the_same_rows(self):
        for scale in ("standard", "unit"):
            for case in LEARNERS:
                with self.subTest((scale, case)):
                    self.succeed("select", "data.csv", "--target", "y", *self.flags(*case), "--lambda", "0.5,5",
                                 "--model", "fit.gnomon", "--json", "out.json", "--scale", scale, "--criterion", "sic")
                    result = json.loads((self.folder / "out.json").read_text())
                    got = predictions_of(self.succeed("predict", "fit.gnomon", "data.csv"))[:, 0]
                    self.assert_close(np.mean((got - self.sample["y"]) ** 2), result["chosen"]["train_error"], 1e-9)

    def test_every_criterion_that_applies(self):
        for case in LEARNERS:
            with self.subTest(case):
                result = self.select("data.csv", *self.flags(*case, several=False), "--lambda", "0.5,5", "--criterion",
                                     "all", "--bootstrap", "5")
                names = set(result["path"]["criteria"])
                self.assertLessEqual({"cv", "sic", "basic", "sure", "cp", "gcv", "fpe", "aic", "aicc", "bic"}, names)
                self.assertFalse(names & {"rsic", "sic-pilot", "loo"})
                smooth = {"gen", "nic", "fper", "gpe", "evidence"}  # of learners with a Hessian
                self.assertEqual(names & smooth, smooth if case[0] == "huber" else set())

    def test_defaults(self):
        for case in LEARNERS:
            with self.subTest(case):
                result = self.select("data.csv", "--learner", case[0], *case[3])
                self.assertEqual(result["chosen"]["criterion"], "cv")
                self.assertIn("sic", result["path"]["criteria"])
                self.assertLess(result["chosen"]["train_error"], 0.6)

    def test_same_seed_same_bytes_whatever_the_threads(self):
        for case in LEARNERS:
            with self.subTest(case):
                def text(*more):
                    return self.succeed("select", "data.csv", "--target", "y", *self.flags(*case), "--lambda", "1,10",
                                        "--criterion", "basic,cv:5,sic", "--bootstrap", "20", "--divergence", "mc",
                                        "--json", "-", *more)
                first = json.loads(text("--seed", "3", "--threads", "1"))
                self.assertEqual(first, json.loads(text("--seed", "3", "--threads", "2")))
                other = json.loads(text("--seed", "4", "--threads", "2"))
                for name in ("basic", "cv:5", "sic"):
                    self.assertNotEqual(first["path"]["criteria"][name]["value"],
                                        other["path"]["criteria"][name]["value"], name)

    def test_leave_one_out_on_demand(self):
        flags = ("--learner", "lasso", "--scale", "none")
        result = self.select("data.csv", *flags, "--lambda", "1,10", "--criterion", "loo")
        x = np.column_stack([self.sample[f"x{j + 1}"] for j in range(4)])
        errors = []
        for i in range(50):
            self.write("part.csv", {name: np.delete(column, i) for name, column in self.sample.items()})
            solution = self.select("part.csv", *flags, "--lambda", "10", "--criterion", "gcv")["chosen"]["solution"]
            errors.append((self.sample["y"][i] - x[i] @ solution["coefficients"] - solution["offset"]) ** 2)
        self.assert_close(result["path"]["criteria"]["loo"]["value"][1], np.mean(errors), 1e-8)


class CovarianceTermTest(LearnersTest):
    BASE = ("data.csv", "--learner", "lasso", "--lambda", "5,30", "--criterion", "sic", "--noise", "0.25")

    def test_divergence_by_name(self):
        exact, best = self.select(*self.BASE, "--divergence", "exact"), self.select(*self.BASE)
        asked = [result.pop("settings")["asked"]["divergence"] for result in (exact, best)]
        self.assertEqual(asked, ["exact", "best"])
        self.assertEqual(best, exact)
        self.assertEqual(exact["path"]["criteria"]["sic"]["covariance"], "exact Stein divergence")
        for form in ("mc", "mc:5", "mc:400"):
            probed = self.select(*self.BASE, "--divergence", form)
            self.assertEqual(probed["path"]["criteria"]["sic"]["covariance"], "Monte-Carlo divergence")
            self.assertNotEqual(probed["path"]["df"], exact["path"]["df"])
        self.assert_close(probed["path"]["df"], exact["path"]["df"], 0.1)
        self.assert_close(probed["path"]["criteria"]["sic"]["value"], exact["path"]["criteria"]["sic"]["value"], 0.01)

    def test_divergence_that_is_none(self):
        for bad in ("bad", "mc:0", "mc:2.5", "mc:x", "mc:-1", "exact:3", "mc:2:3", ""):
            self.refuse(2, ["--divergence"], "select", *self.BASE[:1], "--target", "y", *self.BASE[1:],
                        f"--divergence={bad}")

    def test_bootstrap_counts(self):
        for bad in ("0", "-3"):
            self.refuse(2, ["bootstrap", "at least 1"], "select", "data.csv", "--target", "y", "--learner", "lasso",
                        f"--bootstrap={bad}")
        self.refuse(2, ["--bootstrap"], "select", "data.csv", "--target", "y", "--learner", "lasso", "--bootstrap",
                    "many")

    def test_bootstrap_residuals(self):
        def values(*more):
            result = self.select("data.csv", "--learner", "lasso", "--lambda", "5,30", "--criterion", "basic", *more)
            return result["path"]["criteria"]["basic"]["value"]
        raw = values()
        self.assertEqual(raw, values("--bootstrap-residuals", "raw"))
        # With an intercept residuals have mean 0 already; rescaling makes them, and the term, larger.
        self.assert_close(values("--bootstrap-residuals", "centred"), raw, 1e-8)
        self.assertTrue(all(np.greater(values("--bootstrap-residuals", "scaled"), raw)))
        self.refuse(2, ["--bootstrap-residuals", "raw"], "select", "data.csv", "--target", "y", "--learner", "lasso",
                    "--bootstrap-residuals", "big")

    def test_plain_huber_chooses_tau_by_the_bootstrap(self):
        flags = ("--learner", "huber", "--tau", "0.2,1,20", "--criterion", "sic")
        result = self.select("data.csv", *flags, "--lambda", "0")
        self.assertIn("bootstrap", result["path"]["criteria"]["sic"]["covariance"])
        self.assertTrue(any("Stein term is the same for every tau" in w for w in result["warnings"]))
        result = self.select("data.csv", *flags, "--lambda", "1")
        self.assertEqual(result["path"]["criteria"]["sic"]["covariance"], "exact Stein divergence")

    def test_heavy_tails_are_said(self):
        self.write("heavy.csv", sample(200, heavy=True))
        self.write("gaussian.csv", sample(200))
        for learner in ("lasso", "huber"):
            flags = ("--learner", learner, "--lambda", "1,10", "--criterion", "sic")
            self.assertTrue(any("heavier tails" in w for w in self.select("heavy.csv", *flags)["warnings"]))
            self.assertFalse(any("heavier tails" in w for w in self.select("gaussian.csv", *flags)["warnings"]))

    def test_metric_on_other_points(self):
        self.write("points.csv", {name: column[:20] + 1 for name, column in sample(30, seed=8).items() if name != "y"})
        for learner in ("lasso", "elastic-net", "huber", "additive"):
            result = self.select("data.csv", "--learner", learner, "--lambda", "1,10", "--criterion", "sic,basic",
                                 "--bootstrap", "5", "--metric", "points.csv")
            self.assertTrue(all(is_number(v) for v in result["path"]["criteria"]["sic"]["value"]), learner)
        self.refuse(1, ["sic", "svr", "--metric train"], "select", "data.csv", "--target", "y", "--learner", "svr",
                    "--criterion", "sic", "--metric", "points.csv")


class RefusalTest(LearnersTest):
    def no(self, code, says, *flags, data="data.csv", target="y"):
        self.refuse(code, says, "select", data, "--target", target, *flags, "--json", "out.json", "--report",
                    "out.html", "--model", "fit.gnomon")

    def test_flags_of_other_learners(self):
        for flag, value, owner in (("--mix", "0.5", "elastic-net"), ("--tau", "1", "huber"),
                                   ("--epsilon", "0.1", "svr"), ("--amplitude", "1", "additive"),
                                   ("--shift", "x:1", "additive")):
            for learner in ("ridge", "kernel-ridge", "lasso", "elastic-net", "huber", "svr", "additive"):
                if learner != owner:
                    self.no(2, [flag, f"--learner {owner}", f"--learner {learner}"], "--learner", learner, flag, value)
        for learner in ("ridge", "kernel-ridge"):
            self.no(2, ["--divergence", "not linear"], "--learner", learner, "--divergence", "mc")
            self.no(2, ["--bootstrap", "not linear"], "--learner", learner, "--bootstrap", "20")
        self.no(2, ["--strategy", "linear in y"], "--learner", "lasso", "--strategy", "full")
        self.no(2, ["--kernel"], "--learner", "lasso", "--kernel", "gaussian")
        self.no(2, ["--width"], "--learner", "huber", "--width", "1")
        self.no(2, ["--kernel", "--basis"], "--learner", "svr", "--basis", "linear", "--kernel", "laplace")
        self.no(2, ["--penalty", "kernel-ridge"], "--learner", "lasso", "--penalty", "function")

    def test_values_that_make_no_sense(self):
        self.no(2, ["free", "least squares"], "--learner", "additive", "--shift", "free")
        self.no(2, ["shift"], "--learner", "additive", "--shift", "sideways")
        self.no(2, ["amplitude"], "--learner", "additive", "--amplitude", "big")
        self.no(2, ["lambda 0", "svr"], "--learner", "svr", "--lambda", "0")
        self.no(2, ["lambda 0", "svr"], "--learner", "svr", "--lambda", "0,1,2")
        self.no(2, ["mix 1.5"], "--learner", "elastic-net", "--mix", "1.5")
        self.no(2, ["tau 0"], "--learner", "huber", "--tau", "0")
        for learner, flag in (("elastic-net", "--mix"), ("huber", "--tau"), ("svr", "--epsilon")):
            for bad in ("-1", "x", "1:2", "nan", ","):
                self.refuse_one_line(learner, f"{flag}={bad}")

    def refuse_one_line(self, learner, flag):
        done = self.run_command("select", "data.csv", "--target", "y", "--learner", learner, flag, "--json", "out.json")
        self.assertIn(done.returncode, (1, 2), flag)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn(flag[2:].split("=")[0], done.stderr)
        self.assertEqual(self.files(), ["data.csv"])

    def test_criteria_that_are_not_defined(self):
        for learner in ("lasso", "elastic-net", "huber", "svr", "additive"):
            for criterion in ("rsic",) if learner == "huber" else ("evidence", "gen", "rsic"):
                self.no(1, [criterion, learner], "--learner", learner, "--criterion", criterion)
        self.no(1, ["sic", "svr"], "--learner", "svr", "--criterion", "sic", "--metric", "function-space")
        self.no(1, ["sic", "lasso"], "--learner", "lasso", "--criterion", "sic", "--metric", "function-space")

    def test_several_targets_with_a_tuning_parameter(self):
        self.write("two.csv", {**self.sample, "z": -2 * self.sample["y"]})
        for learner in ("elastic-net", "huber", "svr", "additive"):
            self.no(1, ["one target at a time"], "--learner", learner, data="two.csv", target="y,z")
        result = self.select("two.csv", "--learner", "lasso", "--lambda", "1,10", target="y,z")
        self.assertEqual([t["target"] for t in result["targets"]], ["y", "z"])


class DegenerateTest(LearnersTest):
    """Each gives an answer, or one line and no file."""

    def answers(self, data, *flags, target="y"):
        result = self.select(data, *flags, target=target)
        self.assertTrue(is_number(result["chosen"]["value"]), flags)
        self.assertTrue(result["chosen"]["solution"]["converged"], flags)
        self.assertTrue(all(is_number(v) for v in result["chosen"]["solution"]["coefficients"]), flags)
        return result

    def test_more_columns_than_rows_all_twice(self):
        wide = sample(12, 30)
        wide.update({f"copy{j}": wide[f"x{j + 1}"] for j in range(30)})
        self.write("wide.csv", wide)
        for case in LEARNERS:
            with self.subTest(case):
                flags = (*self.flags(*case), "--criterion", "cv:3,sic,basic,gcv", "--bootstrap", "5", "--noise", "0.25")
                result = self.answers("wide.csv", *flags)
                if "kernel" not in result["learner"]:
                    self.assertTrue(any("12 rows for 60 columns" in w for w in result["warnings"]), result["warnings"])
                self.answers("wide.csv", *flags, "--lambda", "1e-6,1e6")

    def test_noise_that_cannot_be_estimated(self):
        wide = sample(12, 30)
        self.write("wide.csv", wide)
        result = self.answers("wide.csv", "--learner", "lasso", "--criterion", "cv:3,sic")
        noise = result["noise_variance"]["value"]
        self.assertTrue(noise is None or noise > 0)

    def test_penalties_beyond_both_ends(self):
        for learner in ("lasso", "elastic-net", "huber", "additive"):
            for value in ("0", "1e-12", "1e12"):
                result = self.answers("data.csv", "--learner", learner, "--lambda", value, "--criterion", "cv:5,gcv")
                if value == "1e12":
                    self.assert_close(result["chosen"]["df"], 1, 1e-3, learner)
                    if learner != "huber":  # whose constant is no mean
                        self.assert_close(result["chosen"]["train_error"], np.var(self.sample["y"]), 1e-3, learner)
        for value in ("1e-9", "1e12"):
            self.answers("data.csv", "--learner", "svr", "--lambda", value, "--criterion", "cv:5")

    def test_tiny_penalties_are_certified(self):
        """Where the penalty is below the rounding of the gradient the answer is least squares, and not a failure."""
        x = np.column_stack([np.ones(50)] + [self.sample[f"x{j + 1}"] for j in range(4)])
        wanted = np.linalg.lstsq(x, self.sample["y"], rcond=None)[0]
        for value in ("1e-15", "1e-12", "1e-10", "1e-8"):
            for mix in ("0.1", "0.5", "1"):
                with self.subTest((value, mix)):
                    solution = self.answers("data.csv", "--learner", "elastic-net", "--mix", mix, "--lambda", value,
                                            "--criterion", "gcv", "--scale", "none")["chosen"]["solution"]
                    self.assert_close([solution["offset"], *solution["coefficients"]], wanted, 1e-8)

    def test_least_squares_at_zero(self):
        x = np.column_stack([np.ones(50)] + [self.sample[f"x{j + 1}"] for j in range(4)])
        wanted = np.linalg.lstsq(x, self.sample["y"], rcond=None)[0]
        for learner, *more in (("lasso",), ("elastic-net", "--mix", "0.5"), ("additive", "--amplitude", "0")):
            solution = self.answers("data.csv", "--learner", learner, *more, "--lambda", "0", "--criterion", "gcv",
                                    "--scale", "none")["chosen"]["solution"]
            self.assert_close([solution["offset"], *solution["coefficients"]], wanted, 1e-8, learner)

    def test_tau_tiny_and_huge(self):
        for tau in ("1e-12", "1e-6", "1e6", "1e300"):
            for value in ("0", "1", "auto"):
                self.answers("data.csv", "--learner", "huber", "--tau", tau, "--lambda", value, "--criterion",
                             "cv:5,sic")

    def test_tubes_tiny_and_wide(self):
        for epsilon in ("0", "1e-9", "1e6"):
            for more in ((), ("--basis", "linear")):
                self.answers("data.csv", "--learner", "svr", "--epsilon", epsilon, *more, "--criterion", "cv:5,sic")

    def test_all_targets_equal(self):
        self.write("flat.csv", {**self.sample, "y": np.full(50, 7.0)})
        for case in LEARNERS:
            self.refuse(1, ["'y' is constant"], "select", "flat.csv", "--target", "y", *self.flags(*case), "--json",
                        "out.json")

    def test_weights_with_zeros(self):
        """A row of weight 0 is no row."""
        weights = np.array([float(i % 3) for i in range(50)])
        kept = weights > 0
        self.write("zeros.csv", {**self.sample, "w": weights})
        self.write("kept.csv", {name: column[kept] for name, column in {**self.sample, "w": weights}.items()})
        for case in LEARNERS:
            with self.subTest(case):
                flags = (*self.flags(*case), "--lambda", "1,10", "--weights", "w", "--criterion", "cv:5,sic,basic",
                         "--bootstrap", "5", "--noise", "0.25")
                a, b = self.answers("zeros.csv", *flags), self.answers("kept.csv", *flags)
                for name in a["path"]["criteria"]:
                    self.assert_close(a["path"]["criteria"][name]["value"], b["path"]["criteria"][name]["value"], 1e-9)
                self.assertEqual(a["chosen"]["lambda"], b["chosen"]["lambda"])
        self.write("none.csv", {**self.sample, "w": np.zeros(50)})
        self.refuse(1, ["w"], "select", "none.csv", "--target", "y", "--learner", "lasso", "--weights", "w")

    def test_weights_are_repeated_rows(self):
        weights = np.array([1 + i % 3 for i in range(50)])
        self.write("weighted.csv", {**self.sample, "w": weights.astype(float)})
        self.write("repeated.csv", {name: np.repeat(column, weights) for name, column in self.sample.items()})
        for case in LEARNERS[:-1] + [("additive", "amplitude", "-0.5,0,0.5", ())]:
            with self.subTest(case):
                flags = (*self.flags(*case), "--lambda", "1,10", "--criterion", "sic,gcv,bic", "--noise", "0.25",
                         *(("--width", "2") if case[0] == "svr" and not case[3] else ()),
                         *(("--shift", "constant", "--no-intercept") if case[0] == "additive" else ()))
                a, b = self.select("weighted.csv", *flags, "--weights", "w"), self.select("repeated.csv", *flags)
                for name in ("sic", "gcv", "bic"):
                    self.assert_close(a["path"]["criteria"][name]["value"], b["path"]["criteria"][name]["value"], 1e-6,
                                      name)

    def test_few_rows(self):
        for rows in (1, 2, 3):
            self.write("few.csv", sample(rows, 2))
            for case in LEARNERS:
                with self.subTest((rows, case)):
                    done = self.run_command("select", "few.csv", "--target", "y", *self.flags(*case), "--json", "-")
                    self.assertIn(done.returncode, (0, 1), done.stderr)
                    if done.returncode:
                        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)

    def test_a_constant_column(self):
        self.write("data.csv", {**self.sample, "one": np.ones(50)})
        for case in LEARNERS:
            with self.subTest(case):
                self.answers("data.csv", *self.flags(*case), "--lambda", "0.1,10", "--criterion", "cv:5,sic")


if __name__ == "__main__":
    unittest.main()
