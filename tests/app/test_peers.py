"""Learners that are not linear in y beside scikit-learn, LIBSVM (in scikit-learn) and glmnet: the same objective at the
same point, each computed here from the coefficients."""
import shutil
import subprocess
import unittest
import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import ElasticNet, HuberRegressor, Lasso
from sklearn.svm import SVR  # LIBSVM

from command import CommandTest

TOLERANCE = 1e-8


def net_objective(x, y, coefficients, offset, value, mix):
    residual = y - x @ coefficients - offset
    penalty = mix * np.abs(coefficients).sum() + (1 - mix) / 2 * coefficients @ coefficients
    return residual @ residual + value * penalty


def huber_objective(x, y, coefficients, offset, value, tau):
    size = np.abs(y - x @ coefficients - offset)
    loss = np.where(size <= tau, size**2 / 2, tau * size - tau**2 / 2).sum()
    return loss + value / 2 * coefficients @ coefficients


class SolvedPeerTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.random = np.random.default_rng(11)

    def problem(self, rows, inputs, outliers=False):
        """Correlated inputs away from 0, few of which matter."""
        common = self.random.standard_normal((rows, 1))
        x = self.random.standard_normal((rows, inputs)) + 0.7 * common + self.random.uniform(-1, 1, inputs)
        beta = np.where(np.arange(inputs) < 5, self.random.uniform(1, 2, inputs), 0)
        y = 3 + x @ beta + self.random.standard_normal(rows)
        if outliers:
            y[::9] += 15
        return x, y

    def solution(self, x, y, learner, value, *flags):
        """Coefficients, offset and the whole of what the command says of its fit at one λ."""
        self.write("data.csv", {**{f"x{j}": x[:, j] for j in range(x.shape[1])}, "y": y})
        result = self.select("data.csv", "--learner", learner, "--lambda", repr(float(value)), "--scale", "none",
                             "--criterion", "gcv", *flags)
        solution = result["chosen"]["solution"]
        self.assertTrue(solution["converged"], solution["gap"])
        return np.array(solution["coefficients"]), solution["offset"], solution


class NetTest(SolvedPeerTest):
    SHAPES = ((60, 8), (40, 100))
    SHARES = (0.9, 0.3, 0.05, 0.005)  # of the λ at which all coefficients vanish

    def largest(self, x, y, mix):
        return 2 * np.abs((x - x.mean(0)).T @ (y - y.mean())).max() / mix

    def agree(self, x, y, value, mix, peer, name, *flags):
        """`peer` is (coefficients, offset)."""
        learner = ("lasso",) if mix == 1 else ("elastic-net", "--mix", repr(mix))
        coefficients, offset, solution = self.solution(x, y, learner[0], value, *learner[1:], *flags)
        ours = net_objective(x, y, coefficients, offset, value, mix)
        theirs = net_objective(x, y, *peer, value, mix)
        self.assert_close(solution["objective"], ours, 1e-11, name)
        self.assertLessEqual(ours, theirs * (1 + 1e-12), f"{name}: the peer has the smaller objective")
        self.assertLessEqual(theirs, ours * (1 + TOLERANCE), f"{name}: the peer has not converged")
        return coefficients

    def test_scikit_learn(self):
        for rows, inputs in self.SHAPES:
            for mix in (1, 0.5):
                for intercept in (True, False):
                    x, y = self.problem(rows, inputs)
                    for share in self.SHARES:
                        value = share * self.largest(x, y, mix)
                        options = dict(alpha=value / (2 * rows), tol=1e-13, max_iter=2_000_000, fit_intercept=intercept)
                        model = Lasso(**options) if mix == 1 else ElasticNet(l1_ratio=mix, **options)
                        with warnings.catch_warnings():
                            warnings.simplefilter("ignore", ConvergenceWarning)
                            model.fit(x, y)
                        coefficients = self.agree(x, y, value, mix, (model.coef_, model.intercept_),
                                                  f"{rows}x{inputs} mix {mix} share {share} intercept {intercept}",
                                                  *(() if intercept else ("--no-intercept",)))
                        if mix == 1 and share > 0.01:
                            large = np.abs(model.coef_) > 1e-6
                            self.assertEqual(set(np.flatnonzero(coefficients)), set(np.flatnonzero(large)))

    def test_all_coefficients_vanish_at_the_largest_penalty_and_not_below(self):
        x, y = self.problem(50, 10)
        top = self.largest(x, y, 1)
        coefficients, offset, _ = self.solution(x, y, "lasso", top * (1 + 1e-9))
        self.assertFalse(coefficients.any())
        self.assert_close(offset, y.mean(), 1e-12)
        self.assertEqual(np.count_nonzero(self.solution(x, y, "lasso", top * (1 - 1e-6))[0]), 1)

    def test_glmnet(self):
        if not shutil.which("Rscript") or subprocess.run(["Rscript", "-e", "library(glmnet)"],
                                                         capture_output=True).returncode:
            self.skipTest("Rscript with the package glmnet (Debian: r-cran-glmnet) is not installed")
        for rows, inputs in self.SHAPES:
            for mix in (1, 0.5):
                x, y = self.problem(rows, inputs)
                y = (y - y.mean()) / y.std()  # glmnet's mix refers to a target of unit variance
                values = np.array([share * self.largest(x, y, mix) for share in self.SHARES])
                self.write("matrix.csv", {**{f"x{j}": x[:, j] for j in range(inputs)}, "y": y})
                program = f"""
                    library(glmnet)
                    data <- as.matrix(read.csv("matrix.csv"))
                    glmnet.control(fdev = 0, devmax = 1)
                    fit <- glmnet(data[, 1:{inputs}], data[, {inputs + 1}], alpha = {mix}, standardize = FALSE,
                                  lambda = c({",".join(repr(float(v)) for v in values / (2 * rows))}),
                                  thresh = 1e-22, maxit = 1e7)
                    write.table(format(as.matrix(coef(fit)), digits = 17), quote = FALSE, row.names = FALSE,
                                col.names = FALSE)"""
                done = subprocess.run(["Rscript", "-e", program], capture_output=True, text=True, cwd=self.folder,
                                      timeout=120)
                self.assertEqual(done.returncode, 0, done.stderr)
                fits = np.array([[float(cell) for cell in line.split()] for line in done.stdout.splitlines()])
                self.assertEqual(fits.shape, (inputs + 1, len(values)))
                for value, fit in zip(values, fits.T):
                    self.agree(x, y, value, mix, (fit[1:], fit[0]), f"glmnet {rows}x{inputs} mix {mix} λ {value}")


class HuberTest(SolvedPeerTest):
    def test_scikit_learn_at_its_own_scale(self):
        """HuberRegressor also fits a scale σ; at that σ it is ours with τ = ε σ and λ = alpha σ."""
        for rows, inputs in ((60, 5), (200, 12)):
            for alpha in (1e-4, 1.0, 30.0):
                for epsilon in (1.1, 1.35, 2.5):
                    for intercept in (True, False):
                        x, y = self.problem(rows, inputs, outliers=True)
                        model = HuberRegressor(alpha=alpha, epsilon=epsilon, fit_intercept=intercept, tol=1e-12,
                                               max_iter=100_000).fit(x, y)
                        tau, value = epsilon * model.scale_, alpha * model.scale_
                        flags = () if intercept else ("--no-intercept",)
                        coefficients, offset, solution = self.solution(x, y, "huber", value, "--tau", repr(float(tau)),
                                                                       *flags)
                        ours = huber_objective(x, y, coefficients, offset, value, tau)
                        theirs = huber_objective(x, y, model.coef_, model.intercept_, value, tau)
                        self.assert_close(solution["objective"], ours, 1e-11)
                        self.assertLessEqual(ours, theirs * (1 + 1e-12))
                        self.assertLessEqual(theirs, ours * (1 + TOLERANCE), f"{rows}x{inputs} {alpha} {epsilon}")
                        self.assert_close(coefficients, model.coef_, 1e-3)
                        # The rows that count squared are those that scikit-learn does not call outliers.
                        inside = np.flatnonzero(~model.outliers_)
                        self.assertLessEqual(len(set(inside) ^ set(solution["active"])), 1)


class SvrTest(SolvedPeerTest):
    def agree(self, y, gram, value, epsilon, function, offset, squared_norm, model, name):
        """LIBSVM's objective ½‖f‖² + C Σ |u|_ε, C = 1/λ. It keeps the kernel in single precision, which shows in
        its primal objective; the dual objective, flat at its maximum, has the digits to compare."""
        ours = squared_norm / 2 + np.maximum(np.abs(y - function - offset) - epsilon, 0).sum() / value
        beta = np.zeros(len(y))
        beta[model.support_] = model.dual_coef_[0]
        norm, fitted = beta @ gram @ beta, gram @ beta + model.intercept_[0]
        primal = norm / 2 + np.maximum(np.abs(y - fitted) - epsilon, 0).sum() / value
        dual = y @ beta - epsilon * np.abs(beta).sum() - norm / 2
        self.assertLessEqual(ours, primal * (1 + 1e-10), f"{name}: the peer has the smaller objective")
        self.assertLessEqual(primal, ours * (1 + 1e-4), f"{name}: the peer has not converged")
        self.assert_close(dual, ours, TOLERANCE, name)
        return ours

    def test_gaussian_kernel(self):
        for value in (0.05, 0.5, 5.0):
            for epsilon in (0.0, 0.1, 0.8):
                x, y = self.problem(60, 3)
                gram = np.exp(-((x[:, None] - x[None]) ** 2).sum(2) / (2 * 1.5**2))
                beta, offset, solution = self.solution(x, y, "svr", value, "--width", "1.5", "--epsilon", repr(epsilon))
                model = SVR(C=1 / value, epsilon=epsilon, gamma=1 / (2 * 1.5**2), tol=1e-10).fit(x, y)
                ours = self.agree(y, gram, value, epsilon, gram @ beta, offset, beta @ gram @ beta, model,
                                  f"λ {value} ε {epsilon}")
                self.assert_close(solution["objective"], ours, 1e-9)
                self.assert_close(gram @ beta, model.predict(x) - model.intercept_[0], 1e-5)
                large = set(np.flatnonzero(np.abs(beta) > 1e-7 / value))
                self.assertLessEqual(large, set(solution["active"]))

    def test_linear_basis(self):
        for value in (0.2, 4.0):
            for epsilon in (0.05, 0.5):
                x, y = self.problem(60, 4)
                coefficients, offset, solution = self.solution(x, y, "svr", value, "--basis", "linear", "--epsilon",
                                                               repr(epsilon))
                model = SVR(C=1 / value, epsilon=epsilon, kernel="linear", tol=1e-10).fit(x, y)
                ours = self.agree(y, x @ x.T, value, epsilon, x @ coefficients, offset, coefficients @ coefficients,
                                  model, f"λ {value} ε {epsilon}")
                self.assert_close(solution["objective"], ours, 1e-9)
                self.assert_close(coefficients, model.coef_[0], 1e-5)

    def test_weights_are_penalties_of_their_own(self):
        x, y = self.problem(50, 3)
        weights = self.random.integers(1, 5, 50).astype(float)
        gram = np.exp(-((x[:, None] - x[None]) ** 2).sum(2) / (2 * 1.5**2))
        self.write("data.csv", {**{f"x{j}": x[:, j] for j in range(3)}, "y": y, "w": weights})
        solution = self.select("data.csv", "--learner", "svr", "--lambda", "0.5", "--scale", "none", "--criterion",
                               "gcv", "--width", "1.5", "--epsilon", "0.2", "--weights", "w")["chosen"]["solution"]
        model = SVR(C=2, epsilon=0.2, gamma=1 / (2 * 1.5**2), tol=1e-10).fit(x, y, sample_weight=weights)
        self.assert_close(gram @ solution["coefficients"] + solution["offset"], model.predict(x), 1e-5)


if __name__ == "__main__":
    unittest.main()
