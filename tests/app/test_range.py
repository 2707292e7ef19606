"""Every learner, kernel and criterion runs, on tiny data and at extreme values too."""
import unittest

import numpy as np

from command import SelectTest, is_number

CRITERIA = {"sic", "rsic", "sic-pilot", "basic", "sure", "cp", "gcv", "loo", "cv", "fpe", "aic", "aicc", "bic", "evidence",
            "gen", "nic", "fper", "gpe", "blend"}
NOT_FOR_ITERATIONS = {"loo", "evidence", "blend", "gen", "nic", "fper", "gpe"}  # no closed form, no penalized cost


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


if __name__ == "__main__":
    unittest.main()
