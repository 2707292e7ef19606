"""Several regularization parameters at once, as a user meets them: --groups, --search gradient, kernel widths, networks."""
import json
import math
import unittest

import numpy as np

from command import CommandTest, is_number, predictions_of


def sample(rows=60, seed=5, noise=0.5):
    """Two inputs that matter, one weakly, three that do not; and a text column."""
    random = np.random.default_rng(seed)
    x = random.standard_normal((rows, 6)) * [1, 2, 0.5, 1, 3, 1] + [0, 1, 0, 5, 0, 0]
    y = 2 + 1.5 * x[:, 0] - 0.8 * x[:, 1] + 0.3 * x[:, 2] + noise * random.standard_normal(rows)
    return {**{f"x{j + 1}": x[:, j] for j in range(6)}, "y": y}


class AdaptiveTest(CommandTest):
    def select(self, *flags, data="data.csv", target="y"):
        self.succeed("select", data, "--target", target, *flags, "--json", "out.json")
        return json.loads((self.folder / "out.json").read_text())


class GroupedRidgeTest(AdaptiveTest):
    def setUp(self):
        super().setUp()
        self.sample = sample()
        self.write("data.csv", self.sample)

    def design(self):
        x = np.column_stack([self.sample[f"x{j + 1}"] for j in range(6)])
        return (x - x.mean(axis=0)) / x.std(axis=0), self.sample["y"]

    def leave_one_out(self, decays):
        x, y = self.design()
        n = len(y)
        x = np.column_stack([x, np.ones(n)])
        penalty = np.diag([*decays, 0.0])
        errors = []
        for k in range(n):
            kept = np.arange(n) != k
            w = np.linalg.solve(x[kept].T @ x[kept] + penalty, x[kept].T @ y[kept])
            errors.append(y[k] - x[k] @ w)
        return np.mean(np.square(errors))

    def test_the_value_is_that_of_refits_and_no_random_point_is_lower(self):
        result = self.select("--learner", "ridge", "--groups", "each", "--criterion", "loo")
        chosen = result["chosen"]
        decays = [chosen["parameters"][f"lambda[x{j + 1}]"] for j in range(6)]
        self.assertAlmostEqual(chosen["value"] / self.leave_one_out(decays), 1, places=8)
        random = np.random.default_rng(1)
        for _ in range(200):
            self.assertGreaterEqual(self.leave_one_out(10 ** random.uniform(-4, 6, 6)), chosen["value"] * (1 - 1e-9))

    def test_json_has_axes_trace_and_verdicts(self):
        result = self.select("--learner", "ridge", "--groups", "x1,x2;x3", "--search", "gradient", "--criterion",
                             "gcv,evidence,loo,cv:5,sic,cp,gen:1,nic,fper,gpe,fpe,cv-blocked:4")
        path, chosen = result["path"], result["chosen"]
        names = ["lambda[x1, x2]", "lambda[x3]", "lambda[others]"]
        self.assertEqual(list(path["parameters"]), names)
        self.assertEqual(list(path["lambda"]), ["x1, x2", "x3", "others"])
        steps = len(path["parameters"][names[0]])
        self.assertGreater(steps, 1)
        for values in [path["df"], path["train_error"], *path["lambda"].values(),
                       *(c["value"] for c in path["criteria"].values())]:
            self.assertEqual(len(values), steps)
            self.assertTrue(all(is_number(v) for v in values))
        self.assertEqual(list(chosen["lambda"].values()), list(chosen["parameters"].values()))
        self.assertEqual(set(chosen["verdicts"]), set(names))
        self.assertEqual(list(result["selected"]), list(path["criteria"]))
        trace = [t for t in result["trace"] if t["criterion"] == "gcv"]
        self.assertGreater(len(trace), 2)
        for point in trace:
            self.assertEqual(list(point["parameters"]), names)
            self.assertTrue(is_number(point["value"]) and is_number(point["gradient_norm"]))
        best = result["selected"]["gcv"]
        self.assertTrue(best["converged"])
        self.assertLessEqual(best["value"], min(p["value"] for p in trace) * (1 + 1e-6))
        self.assertAlmostEqual(best["value"], chosen["value"], places=14)
        gamma = sum(chosen["gamma"].values()) + 1
        self.assertAlmostEqual(gamma, chosen["df"], places=9)

    def test_one_group_is_the_path_of_one_lambda(self):
        for criterion in ("loo", "gcv", "evidence", "sic", "fper"):
            with self.subTest(criterion):
                one = self.select("--learner", "ridge", "--search", "gradient", "--criterion", criterion)["chosen"]
                path = self.select("--learner", "ridge", "--criterion", criterion)["chosen"]
                self.assertAlmostEqual(one["value"], path["value"], delta=1e-6 * abs(path["value"]))
                self.assertAlmostEqual(math.log(one["lambda"] / path["lambda"]), 0, delta=0.05)

    def test_irrelevant_columns_are_dropped_and_said_so(self):
        # Twelve rows of useless columns, orthogonal to everything: the evidence drops every one of them.
        random = np.random.default_rng(3)
        basis = np.linalg.qr(random.standard_normal((40, 5)) - 0)[0]
        basis -= basis.mean(axis=0)
        basis = np.linalg.qr(basis)[0] * math.sqrt(40)
        y = 2 * basis[:, 0] + 0.3 * basis[:, 4]
        self.write("few.csv", {**{f"x{j + 1}": basis[:, j] for j in range(4)}, "y": y})
        result = self.select("--learner", "ridge", "--groups", "each", "--criterion", "evidence", data="few.csv")
        self.assertEqual(sorted(result["chosen"]["dropped"]), ["x2", "x3", "x4"])
        self.assertEqual(result["chosen"]["verdicts"]["lambda[x1]"], "kept")
        text = self.succeed("select", "few.csv", "--target", "y", "--learner", "ridge", "--groups", "each", "--criterion",
                            "evidence")
        self.assertIn("∞ (dropped)", text)

    def test_mackay_reaches_the_evidence_of_the_gradient(self):
        gradient = self.select("--learner", "ridge", "--groups", "x1,x2;x3", "--criterion", "evidence")["chosen"]
        mackay = self.select("--learner", "ridge", "--groups", "x1,x2;x3", "--criterion", "evidence", "--search",
                             "mackay")["chosen"]
        self.assertAlmostEqual(gradient["value"], mackay["value"], delta=1e-4 * abs(gradient["value"]))

    def test_model_predicts_what_was_fitted(self):
        for groups in ("each", "x1;x2,x3"):
            self.succeed("select", "data.csv", "--target", "y", "--learner", "ridge", "--groups", groups, "--model", "m.gnomon",
                         "--report", "out.html")
            predicted = predictions_of(self.succeed("predict", "m.gnomon", "data.csv"))[:, 0]
            self.assertLess(np.mean((predicted - self.sample["y"]) ** 2), 0.5)
        page = (self.folder / "out.html").read_text()
        for title in ("Regularization parameters", "The search", "Size of the gradient"):
            self.assertIn(title, page)

    def test_text_columns_are_one_group_and_several_targets_work(self):
        columns = dict(self.sample)
        columns["sex"] = ["F" if i % 3 else "M" for i in range(60)]
        columns["z"] = -self.sample["y"]
        self.write("text.csv", columns)
        result = self.select("--learner", "ridge", "--groups", "each", "--drop", "z", data="text.csv")
        self.assertIn("lambda[sex]", result["chosen"]["parameters"])
        both = self.select("--learner", "ridge", "--groups", "x1,x2", data="text.csv", target="y,z")
        first, second = (t["chosen"] for t in both["targets"])
        for name, value in first["parameters"].items():
            self.assertAlmostEqual(value / second["parameters"][name], 1, places=6)

    def test_an_input_that_is_dropped_has_the_coefficient_zero(self):
        columns = {name: self.sample[name] for name in ("x1", "x2", "y")}
        known = np.column_stack([np.ones(60), *columns.values()])
        wave = np.cos(np.arange(60.0))
        columns["wave"] = wave - known @ np.linalg.lstsq(known, wave, rcond=None)[0]  # says nothing of y
        self.write("useless.csv", columns)
        for search in ("gradient", "mackay"):
            chosen = self.select("--learner", "ridge", "--groups", "each", "--criterion", "evidence", "--search", search,
                                 data="useless.csv")["chosen"]
            self.assertEqual(chosen["dropped"], ["wave"])
            self.assertEqual([name for name, value in chosen["coefficients"].items() if value == 0], ["wave"])

    def test_values_given_are_tried_and_nothing_else(self):
        result = self.select("--learner", "ridge", "--groups", "x1,x2", "--lambda", "2")
        self.assertEqual(list(result["chosen"]["lambda"].values()), [2, 2])
        grid = self.select("--learner", "ridge", "--groups", "x1,x2", "--lambda", "0.1:1000:5", "--search", "grid", "--criterion",
                           "loo")
        self.assertEqual(len(grid["trace"]), 5)
        self.assertEqual(grid["chosen"]["value"], min(t["value"] for t in grid["trace"]))

    def test_a_search_goes_on_from_another(self):
        flags = ("--learner", "ridge", "--groups", "x1,x2;x3", "--criterion", "loo")
        first = self.select(*flags)
        (self.folder / "out.json").rename(self.folder / "first.json")
        second = self.select(*flags, "--start", "first.json")
        self.assertLessEqual(second["chosen"]["value"], first["chosen"]["value"] * (1 + 1e-9))
        self.assertLess(second["selected"]["loo"]["evaluations"], first["selected"]["loo"]["evaluations"])
        self.refuse(1, ["no parameter 'lambda[x1]'"], "select", "data.csv", "--target", "y", "--learner", "ridge", "--groups",
                    "each", "--start", "first.json")
        self.refuse(1, ["cannot open"], "select", "data.csv", "--target", "y", *flags, "--start", "nowhere.json")
        self.refuse(1, ["not the JSON"], "select", "data.csv", "--target", "y", *flags, "--start", "data.csv")

    def test_bad_requests_get_one_clear_line(self):
        cases = [
            (["--groups", "x1;nope"], 1, "no input column 'nope'"),
            (["--groups", "x1;x1"], 1, "two groups"),
            (["--groups", "each", "--criterion", "basic"], 1, "no bootstrap"),
            (["--groups", "each", "--rule", "1se"], 2, "--rule"),
            (["--groups", "each", "--basis", "polynomial:2", "--criterion", "loo,rsic"], 1, "regularized reference"),
            (["--groups", "x1", "--basis", "polynomial:2"], 1, "--basis linear"),
            (["--search", "gradients"], 2, "did you mean 'gradient'"),
            (["--hidden", "4"], 2, "--learner mlp"),
            (["--groups", "each", "--search", "mackay", "--criterion", "loo"], 1, "mackay"),
            (["--groups", "each", "--lambda", "0,1"], 2, "lambda 0"),
        ]
        for flags, code, words in cases:
            with self.subTest(flags):
                self.refuse(code, [words], "select", "data.csv", "--target", "y", "--learner", "ridge", *flags)
        self.refuse(2, ["ridge, kernel-ridge and mlp"], "select", "data.csv", "--target", "y", "--learner", "lasso", "--search",
                    "gradient")


class KernelWidthsTest(AdaptiveTest):
    def test_an_input_that_does_not_matter_gets_a_wide_kernel(self):
        random = np.random.default_rng(2)
        x = random.uniform(-2, 2, (80, 3))
        y = np.sin(2 * x[:, 0]) + 0.5 * x[:, 1] + 0.1 * random.standard_normal(80)
        self.write("data.csv", {"a": x[:, 0], "b": x[:, 1], "c": x[:, 2], "y": y})
        common = self.select("--criterion", "loo")["chosen"]
        for criterion in ("loo", "evidence", "cv:5", "gcv"):
            with self.subTest(criterion):
                result = self.select("--search", "gradient", "--criterion", f"{criterion},loo", "--model", "m.gnomon")
                widths = result["chosen"]["width"]
                self.assertGreater(widths["c"], 5 * widths["a"])
                self.assertLess(widths["a"], widths["b"])
                self.assertTrue(is_number(result["chosen"]["lambda"]))
                self.assertLess(result["selected"]["loo"]["value"], 0.8 * common["value"])
                predicted = predictions_of(self.succeed("predict", "m.gnomon", "data.csv"))[:, 0]
                self.assertLess(np.mean((predicted - y) ** 2), 0.05)

    def test_one_width_for_all(self):
        random = np.random.default_rng(2)
        x = random.uniform(-2, 2, (40, 2))
        self.write("data.csv", {"a": x[:, 0], "b": x[:, 1], "y": np.sin(x[:, 0] + x[:, 1]) + 0.1 * random.standard_normal(40)})
        result = self.select("--groups", "all", "--criterion", "evidence")
        self.assertEqual(list(result["chosen"]["parameters"]), ["lambda", "width"])
        grid = self.select("--width", "0.2:20:30", "--criterion", "evidence")["chosen"]
        self.assertLessEqual(result["chosen"]["value"], grid["value"] + 1e-6)


class NetworkTest(AdaptiveTest):
    def setUp(self):
        super().setUp()
        random = np.random.default_rng(4)
        x = random.uniform(-2, 2, (50, 2))
        self.y = 10 + 3 * np.tanh(2 * x[:, 0]) + 0.3 * random.standard_normal(50)
        self.x = x
        self.write("data.csv", {"a": x[:, 0], "b": x[:, 1], "y": self.y, "z": -2 * self.y})

    def test_regression_by_each_criterion(self):
        for criterion in ("cv:4", "evidence", "gen", "fper"):
            with self.subTest(criterion):
                result = self.select("--learner", "mlp", "--hidden", "3", "--criterion", criterion, "--drop", "z", "--model",
                                     "m.gnomon", "--report", "out.html")
                self.assertEqual(list(result["chosen"]["parameters"]), ["lambda[layer 1]", "lambda[layer 2]"])
                self.assertLess(result["chosen"]["training"]["gradient_norm"], 1e-8)
                predicted = predictions_of(self.succeed("predict", "m.gnomon", "data.csv"))[:, 0]
                self.assertAlmostEqual(np.mean((predicted - self.y) ** 2), result["chosen"]["train_error"], places=8)
                self.assertLess(result["chosen"]["train_error"], 0.2)

    def test_input_decays_and_several_outputs(self):
        result = self.select("--learner", "mlp", "--hidden", "3", "--decay-groups", "input", "--criterion", "evidence",
                             "--drop", "z")
        decays = result["chosen"]["lambda"]
        self.assertEqual(list(decays), ["a", "b", "rest"])
        self.assertGreater(decays["b"], 10 * decays["a"])
        both = self.select("--learner", "mlp", "--hidden", "3", "--criterion", "cv:4", "--model", "m.gnomon", target="y,z")
        self.assertEqual(len(both["targets"]), 2)
        predicted = predictions_of(self.succeed("predict", "m.gnomon", "data.csv"))
        self.assertLess(np.abs(predicted[:, 1] + 2 * predicted[:, 0]).max(), 1)

    def test_a_class_that_falls_into_one_fold_is_named(self):
        kinds = np.where(self.x[:, 0] > 0, "high", "low")
        kinds[3] = "rare"
        self.write("classes.csv", {"a": self.x[:, 0], "b": self.x[:, 1], "kind": kinds})
        self.refuse(1, ["class 'rare' has 1 row", "evidence", "merge"], "select", "classes.csv", "--target", "kind",
                    "--learner", "mlp", "--hidden", "2", "--restarts", "1")

    def test_classes(self):
        names = ["low" if value < 9 else "mid" if value < 11 else "high" for value in self.y]
        self.write("classes.csv", {"a": self.x[:, 0], "b": self.x[:, 1], "kind": names})
        result = self.select("--learner", "mlp", "--hidden", "3", "--criterion", "cv:4", "--model", "m.gnomon", "--report",
                             "out.html", "--test", "classes.csv", data="classes.csv", target="kind")
        self.assertEqual(result["data"]["classes"], ["high", "low", "mid"])
        self.assertEqual(result["path"]["criteria"]["cv:4"]["scale"], "cross-entropy")
        lines = self.succeed("predict", "m.gnomon", "classes.csv").splitlines()
        self.assertEqual(lines[0], "prediction,probability_high,probability_low,probability_mid")
        rows = [line.split(",") for line in lines[1:]]
        self.assertGreater(np.mean([row[0] == name for row, name in zip(rows, names)]), 0.7)
        for row in rows:
            self.assertAlmostEqual(sum(map(float, row[1:])), 1, places=12)
        expected = -np.mean([math.log(float(row[1 + ["high", "low", "mid"].index(name)])) for row, name in zip(rows, names)])
        self.assertAlmostEqual(result["test_error"], expected, places=10)
        numbers = {"low": 1, "mid": 2, "high": 10}
        self.write("numbers.csv", {"a": self.x[:, 0], "b": self.x[:, 1], "kind": [numbers[n] for n in names]})
        result = self.select("--learner", "mlp", "--hidden", "2", "--criterion", "evidence", "--classify", data="numbers.csv",
                             target="kind")
        self.assertEqual(result["data"]["classes"], ["1", "2", "10"])

    def test_the_same_seed_gives_the_same_answer(self):
        flags = ("--learner", "mlp", "--hidden", "3", "--criterion", "cv:3", "--drop", "z", "--seed", "9")
        one, two = (self.select(*flags, "--threads", threads)["chosen"] for threads in ("1", "2"))
        self.assertEqual(one["parameters"], two["parameters"])

    def test_bad_requests(self):
        cases = [(["--hidden", "x"], 2, "--hidden"), (["--hidden", "0,3"], 2, "without units"),
                 (["--classify"], 1, "no list of classes"), (["--noise", "residual"], 2, "--noise residual"), (["--decay-groups", "each"], 2, "--decay-groups"),
                 (["--criterion", "loo"], 1, "cv"), (["--criterion", "sic"], 1, "sic"), (["--basis", "linear"], 2, "--basis"),
                 (["--kernel", "gaussian"], 2, "--kernel"), (["--restarts", "0"], 2, "--restarts")]
        for flags, code, words in cases:
            with self.subTest(flags):
                self.refuse(code, [words], "select", "data.csv", "--target", "y", "--learner", "mlp", *flags)


if __name__ == "__main__":
    unittest.main()
