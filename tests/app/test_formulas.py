"""Values of criteria against formulas written down independently, and where sic measures the error."""
import math
import unittest

import numpy as np

from command import SelectTest, is_number, smooth_sample


class GoldenTest(SelectTest):
    """Against the formulas in the eigenbasis of the kernel matrix: n eigenvalues d, z = Qᵀy."""

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


class SmootherTest(SelectTest):
    """Criteria from the hat matrix, which comes from the normal equations with the constant in them."""

    def hat(self, x, weight, penalty, l):
        """H of Σ w (Kα + b − y)² + λ·penalty over α and b.

        The penalty on coefficients is Σ α²/w, since copies of a row share its coefficient, and K is centred there.
        """
        n = len(weight)
        k = np.exp(-np.linalg.norm(x[:, None] - x[None, :], axis=2) / 1.5)  # the Laplace kernel: well conditioned
        if penalty == "coefficients":
            centring = np.eye(n) - np.outer(np.ones(n), weight / weight.sum())
            k = centring @ k @ centring.T
        design = np.hstack([k, np.ones((n, 1))])
        normal = design.T @ (weight[:, None] * design)
        normal[:n, :n] += l * (k if penalty == "function" else np.diag(1 / weight))
        return design @ np.linalg.solve(normal, design.T * weight)

    def check(self, penalty, weight):
        names = "gcv,cp,sure,fpe,aic,aicc,bic,loo"
        lambdas, sigma2 = [1e-2, 0.1, 1.0, 10.0], 0.02
        data = smooth_sample(25, 2, seed=12)
        self.write("data.csv", {**data, "w": weight})
        result = self.select("data.csv", "--weights", "w", "--penalty", penalty, "--kernel", "laplace", "--width",
                             "1.5", "--scale", "none", "--noise", str(sigma2), "--criterion", names, "--lambda",
                             ",".join(map(repr, lambdas)))
        x, y, n = np.column_stack([data["x1"], data["x2"]]), data["y"], weight.sum()
        for place, l in enumerate(lambdas):
            h = self.hat(x, weight, penalty, l)
            df, residual = np.trace(h), y - h @ y
            rss = weight @ residual**2
            left_out = residual / (1 - np.diag(h) * np.minimum(1, weight) / weight)
            likelihood, k = n * np.log(2 * np.pi * rss / n) + n, df + 1
            wanted = {
                "gcv": n * rss / (n - df)**2,
                "cp": (rss + 2 * sigma2 * df) / n,
                "sure": (rss + 2 * sigma2 * df) / n - sigma2,
                "fpe": rss / n * (n + df) / (n - df),
                "aic": likelihood + 2 * k,
                "aicc": likelihood + 2 * k * n / (n - k - 1) if n > k + 1 else math.nan,
                "bic": likelihood + k * np.log(n),
                "loo": weight @ left_out**2 / n,
            }
            self.assert_close(result["path"]["df"][place], df, 1e-8, "df")
            self.assert_close(result["path"]["train_error"][place], rss / n, 1e-8, "train_error")
            for name, value in wanted.items():
                self.assert_close(self.values(result, name)[place], value, 1e-8, f"{name} at {l}")

    def test_every_row_once(self):
        for penalty in ("function", "coefficients"):
            self.check(penalty, np.ones(25))

    def test_weights_above_and_below_one(self):
        for penalty in ("function", "coefficients"):
            self.check(penalty, np.random.default_rng(2).uniform(0.5, 4, 25))


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

    def test_density_sees_kernels_much_narrower_than_itself(self):
        edges = np.linspace(-6, 6, 4001)
        self.write("dense.csv", {"x1": (edges[1:] + edges[:-1]) / 2})
        flags = ("--kernel", "gaussian", "--width", "0.03", "--scale", "none", "--no-intercept")
        self.assert_close(self.values(self.sic("--metric", "uniform:-6:6", *flags), "sic"),
                          self.values(self.sic("--metric", "dense.csv", *flags), "sic"), 1e-6)

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


if __name__ == "__main__":
    unittest.main()
