"""Agreement with scikit-learn on the same problem; λ is its alpha."""
import unittest

import numpy as np
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import Ridge, RidgeCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from command import CommandTest, predictions_of

TOLERANCE = 1e-8
ALPHAS = np.logspace(-3, 3, 13)


def listed(values):
    return ",".join(repr(float(value)) for value in values)


class PeerTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.random = np.random.default_rng(5)

    def problem(self, rows, inputs, whole_numbers=False):
        """Inputs of different scales and means, away from 0, and a target with noise; new inputs too."""
        spread, centre = self.random.uniform(0.5, 3, inputs), self.random.uniform(-4, 4, inputs)
        x, new = (self.random.standard_normal((n, inputs)) * spread + centre for n in (rows, 15))
        if whole_numbers:
            x, new = np.round(3 * x), np.round(3 * new)
        y = 2 + x @ self.random.standard_normal(inputs) + np.cos(x[:, 0]) + 0.5 * self.random.standard_normal(rows)
        return x, y, new

    def columns(self, x, **more):
        return {**{f"x{j}": x[:, j] for j in range(x.shape[1])}, **more}

    def predictions(self, x, y, new, alpha, *flags, **more):
        """Of a model that select saves at this λ and predict applies to the new inputs."""
        self.write("train.csv", self.columns(x, y=y, **more))
        self.write("new.csv", self.columns(new))
        self.succeed("select", "train.csv", "--target", "y", "--lambda", repr(float(alpha)), "--model", "fit.gnomon",
                     *flags)
        return predictions_of(self.succeed("predict", "fit.gnomon", "new.csv"))[:, 0]


class RidgeTest(PeerTest):
    FLAGS = ("--learner", "ridge", "--scale", "none")

    def agree(self, x, y, new, *flags, fit_intercept=True):
        for alpha in (1e-3, 1.0, 50.0):
            peer = Ridge(alpha=alpha, fit_intercept=fit_intercept, solver="svd").fit(x, y)
            got = self.predictions(x, y, new, alpha, *self.FLAGS, *flags)
            self.assert_close(got, peer.predict(new), TOLERANCE, f"alpha {alpha}")

    def test_with_intercept(self):
        self.agree(*self.problem(40, 5))

    def test_without_intercept(self):
        self.agree(*self.problem(40, 5), "--no-intercept", fit_intercept=False)

    def test_whole_numbers(self):
        x, y, new = self.problem(40, 4, whole_numbers=True)
        self.agree(x, np.round(y), new)

    def test_whole_numbers_written_without_decimals(self):
        x, y, new = self.problem(30, 3, whole_numbers=True)
        got = self.predictions(x.astype(int), np.round(y).astype(int), new.astype(int), 0.5, *self.FLAGS)
        self.assert_close(got, Ridge(alpha=0.5).fit(x, np.round(y)).predict(new), TOLERANCE)

    def test_more_columns_than_rows(self):
        self.agree(*self.problem(20, 60))

    def test_repeated_column(self):
        x, y, new = self.problem(30, 4)
        self.agree(np.hstack([x, x[:, :1]]), y, np.hstack([new, new[:, :1]]))

    def test_coefficients_and_intercept(self):
        """At the origin and at unit vectors the model shows its intercept and its coefficients."""
        x, y, _ = self.problem(40, 4)
        probes = np.vstack([np.zeros(4), np.eye(4)])
        got = self.predictions(x, y, probes, 2.0, *self.FLAGS)
        peer = Ridge(alpha=2.0).fit(x, y)
        self.assert_close(got[0], peer.intercept_, TOLERANCE)
        self.assert_close(got[1:] - got[0], peer.coef_, TOLERANCE)

    def test_weights(self):
        x, y, new = self.problem(40, 5)
        weight = self.random.uniform(0.2, 4, 40)
        for flags, intercept in (((), True), (("--no-intercept",), False)):
            peer = Ridge(alpha=3.0, fit_intercept=intercept).fit(x, y, sample_weight=weight)
            got = self.predictions(x, y, new, 3.0, *self.FLAGS, *flags, "--weights", "w", w=weight)
            self.assert_close(got, peer.predict(new), TOLERANCE)

    def test_standard_scale_is_the_standard_scaler(self):
        x, y, new = self.problem(40, 5)
        peer = make_pipeline(StandardScaler(), Ridge(alpha=4.0)).fit(x, y)
        got = self.predictions(x, y, new, 4.0, "--learner", "ridge", "--scale", "standard")
        self.assert_close(got, peer.predict(new), TOLERANCE)

    def test_standard_scale_with_weights(self):
        x, y, new = self.problem(40, 5)
        weight = self.random.integers(1, 5, 40).astype(float)
        scaler = StandardScaler().fit(x, sample_weight=weight)
        peer = Ridge(alpha=4.0).fit(scaler.transform(x), y, sample_weight=weight)
        got = self.predictions(x, y, new, 4.0, "--learner", "ridge", "--weights", "w", w=weight)
        self.assert_close(got, peer.predict(scaler.transform(new)), TOLERANCE)


class RidgeCvTest(PeerTest):
    def agree(self, x, y, *flags, fit_intercept=True):
        self.write("train.csv", self.columns(x, y=y))
        result = self.select("train.csv", "--learner", "ridge", "--scale", "none", "--criterion", "loo", "--search",
                             "grid", "--lambda", listed(ALPHAS), *flags)
        peer = RidgeCV(alphas=ALPHAS, fit_intercept=fit_intercept, store_cv_values=True).fit(x, y)
        self.assert_close(result["path"]["lambda"], ALPHAS, 1e-15)
        self.assert_close(result["path"]["criteria"]["loo"]["value"], peer.cv_values_.mean(axis=0), TOLERANCE)
        self.assert_close(result["chosen"]["lambda"], peer.alpha_, 1e-15)

    def test_tall(self):
        self.agree(*self.problem(60, 6)[:2])

    def test_wide(self):
        self.agree(*self.problem(25, 50)[:2])

    def test_without_intercept(self):
        self.agree(*self.problem(60, 6)[:2], "--no-intercept", fit_intercept=False)

    def test_whole_numbers(self):
        self.agree(*self.problem(60, 6, whole_numbers=True)[:2])

    def test_standard_error_is_that_of_the_mean(self):
        x, y, _ = self.problem(60, 6)
        self.write("train.csv", self.columns(x, y=y))
        loo = self.select("train.csv", "--learner", "ridge", "--scale", "none", "--criterion", "loo", "--lambda",
                          listed(ALPHAS))["path"]["criteria"]["loo"]
        errors = RidgeCV(alphas=ALPHAS, store_cv_values=True).fit(x, y).cv_values_
        self.assert_close(loo["se"], errors.std(axis=0, ddof=1) / np.sqrt(60), TOLERANCE)

    def test_as_many_folds_as_rows_is_leave_one_out(self):
        x, y, _ = self.problem(30, 4)
        self.write("train.csv", self.columns(x, y=y))
        for learner in (("--learner", "ridge"), ("--width", "2"), ("--width", "2", "--no-intercept"),
                        ("--width", "2", "--penalty", "coefficients")):
            with self.subTest(learner):
                criteria = self.select("train.csv", *learner, "--criterion", "loo,cv:30", "--lambda", listed(ALPHAS),
                                       "--search", "grid")["path"]["criteria"]
                self.assert_close(criteria["cv:30"]["value"], criteria["loo"]["value"], TOLERANCE)


class KernelRidgeTest(PeerTest):
    FLAGS = ("--learner", "kernel-ridge", "--no-intercept", "--scale", "none")

    def agree(self, x, y, new, peer, *flags):
        for alpha in (1e-3, 0.1, 10.0):
            model = KernelRidge(alpha=alpha, **peer).fit(x, y)
            got = self.predictions(x, y, new, alpha, *self.FLAGS, *flags)
            self.assert_close(got, model.predict(new), TOLERANCE, f"alpha {alpha}")

    def test_gaussian(self):
        width = 2.5
        self.agree(*self.problem(50, 3), {"kernel": "rbf", "gamma": 1 / (2 * width**2)}, "--width", str(width))

    def test_gaussian_whole_numbers_and_repeated_rows(self):
        x, y, new = self.problem(40, 2, whole_numbers=True)
        x[20:25] = x[:5]
        self.agree(x, y, new, {"kernel": "rbf", "gamma": 1 / 32}, "--width", "4")

    def test_polynomial(self):
        self.agree(*self.problem(50, 3), {"kernel": "poly", "degree": 3, "gamma": 1 / 16, "coef0": 1}, "--kernel",
                   "polynomial:3", "--width", "4")

    def test_linear_wide(self):
        self.agree(*self.problem(20, 60), {"kernel": "linear"}, "--kernel", "linear")

    def test_weights(self):
        x, y, new = self.problem(50, 3)
        weight = self.random.uniform(0.2, 4, 50)
        model = KernelRidge(alpha=0.5, kernel="rbf", gamma=1 / 8).fit(x, y, sample_weight=weight)
        got = self.predictions(x, y, new, 0.5, *self.FLAGS, "--width", "2", "--weights", "w", w=weight)
        self.assert_close(got, model.predict(new), TOLERANCE)

    def test_leave_one_out_is_refitting(self):
        x, y, _ = self.problem(25, 2)
        self.write("train.csv", self.columns(x, y=y))
        alphas = [1e-2, 1.0, 30.0]
        got = self.select("train.csv", *self.FLAGS, "--width", "2", "--criterion", "loo", "--lambda",
                          listed(alphas))["path"]["criteria"]["loo"]["value"]
        wanted = []
        for alpha in alphas:
            errors = []
            for i in range(25):
                rest = np.arange(25) != i
                peer = KernelRidge(alpha=alpha, kernel="rbf", gamma=1 / 8).fit(x[rest], y[rest])
                errors.append((peer.predict(x[i:i + 1])[0] - y[i])**2)
            wanted.append(np.mean(errors))
        self.assert_close(got, wanted, TOLERANCE)

    def test_linear_kernel_is_ridge(self):
        x, y, new = self.problem(40, 5)
        got = self.predictions(x, y, new, 2.0, "--kernel", "linear", "--scale", "none")
        self.assert_close(got, Ridge(alpha=2.0).fit(x, y).predict(new), TOLERANCE)


if __name__ == "__main__":
    unittest.main()
