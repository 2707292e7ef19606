"""The error of any regressor: against closed forms, against the library's own learners, and against the truth."""
import warnings

import numpy as np
import pytest
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.ensemble import BaggingRegressor, GradientBoostingRegressor, RandomForestRegressor
from sklearn.linear_model import Lasso, LinearRegression, Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeRegressor

import gnomon
from gnomon._estimate import _jumps

SIGMA2 = 0.04


def hat_matrix(X, alpha):
    centred = X - X.mean(axis=0)
    return centred @ np.linalg.solve(centred.T @ centred + alpha * np.eye(X.shape[1]), centred.T) + 1 / len(X)


def test_sure_of_a_linear_smoother_is_the_closed_form(data):
    X, y = data
    H = hat_matrix(X, 3.0)
    rss = np.sum((y - H @ y) ** 2)
    df, n = np.trace(H), len(y)
    found = gnomon.estimate(Ridge(alpha=3.0), X, y, ["sure", "cp", "gcv", "aic"], noise=SIGMA2, n_probes=400)
    # A probe bᵀHb of entries ±1 has variance 2(‖H‖² − Σh_ii²).
    error = np.sqrt(2 * (np.sum(H**2) - np.sum(np.diag(H) ** 2)) / 400)
    sure = found["sure"]
    assert abs(sure.parts["degrees_of_freedom"] - df) < 4 * error
    assert abs(sure.value - (rss / n - SIGMA2 + 2 * SIGMA2 * df / n)) < 4 * 2 * SIGMA2 * error / n
    assert sure.parts["simulation_error"] == pytest.approx(2 * SIGMA2 * error / n, rel=0.2)
    assert found["cp"].value == pytest.approx(sure.value + SIGMA2, rel=1e-12) == found["cp"].prediction_error
    left = n - sure.parts["degrees_of_freedom"]
    assert found["gcv"].value == pytest.approx(n * rss / left**2, rel=1e-12)
    assert sure.error == pytest.approx(sure.value, rel=1e-12) and sure.noise_variance == SIGMA2


def test_basic_is_that_of_the_librarys_lasso(data):
    """The same objective, Σ r² + λ‖a‖₁ = 2n (Σ r²/(2n) + α‖a‖₁), and the same draws."""
    X, y = data
    theirs = gnomon.select(X, y, "lasso", alphas=[4.0], criterion="basic", n_bootstrap=50, random_state=5, scale="none")
    boxed = Lasso(alpha=4.0 / (2 * len(y)), tol=1e-12, max_iter=100000)
    ours = gnomon.estimate(boxed, X, y, "basic", n_bootstrap=50, random_state=5)
    assert ours.value == pytest.approx(theirs.criterion_value, rel=1e-9)
    assert ours.n_refits == 50 and "50 replications" in ours.method


def test_at_test_inputs_basic_and_sic_are_those_of_the_library(data, rng):
    X, y = data
    X_test = rng.normal(0.5, 1, size=(30, 3))
    boxed = Lasso(alpha=4.0 / (2 * len(y)), tol=1e-12, max_iter=100000)
    ours = gnomon.estimate(boxed, X, y, ["basic", "sic"], X_test=X_test, noise=SIGMA2, reference="linear", n_bootstrap=50,
                           n_probes=2000, random_state=5)  # fmt: skip
    theirs = gnomon.select(X, y, "lasso", alphas=[4.0], criterion=["basic", "sic"], n_bootstrap=50, random_state=5, scale="none",
                           X_test=X_test, metric="test", noise=SIGMA2)  # fmt: skip
    selected = theirs.data["selected"]
    assert ours["basic"].value == pytest.approx(selected["basic"]["value"], rel=1e-9)
    assert abs(ours["sic"].value - selected["sic"]["value"]) < 4 * ours["sic"].parts["simulation_error"]


def test_estimates_are_right_on_average(rng):
    """Mean over data sets of estimate and true error, of a fit that is not linear in y."""
    X = rng.normal(size=(30, 4))
    truth = 2 * X[:, 0] - X[:, 1]
    learner = Lasso(alpha=0.2, tol=1e-10)
    gaps = {"sure": [], "basic": []}
    for seed in range(40):
        y = truth + 0.8 * rng.normal(size=30)
        error = np.mean((learner.fit(X, y).predict(X) - truth) ** 2)
        found = gnomon.estimate(learner, X, y, list(gaps), noise=0.64, n_probes=20, n_bootstrap=50, random_state=seed,
                                bootstrap_residuals="scaled")  # fmt: skip
        for name, gap in gaps.items():
            gap.append(found[name].error - error)
    for name, gap in gaps.items():
        assert abs(np.mean(gap)) < 3 * np.std(gap) / np.sqrt(len(gap)), name


def test_small_residuals_are_spoken_of(data):
    X, y = data
    forest = RandomForestRegressor(10, max_features=1)
    with pytest.warns(UserWarning, match="far smaller than the noise"):
        raw = gnomon.estimate(forest, X, y, n_bootstrap=20, noise=0.2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scaled = gnomon.estimate(forest, X, y, n_bootstrap=20, noise=0.2, bootstrap_residuals="scaled")
    assert scaled.prediction_error > raw.prediction_error


@pytest.mark.parametrize("n_jobs", [2, -1])
def test_same_seed_same_answer(n_jobs, data):
    X, y = data
    forest = make_pipeline(StandardScaler(), RandomForestRegressor(5))
    once = gnomon.estimate(forest, X, y, noise=SIGMA2, n_bootstrap=6, bootstrap_residuals="scaled", random_state=3)
    again = gnomon.estimate(forest, X, y, noise=SIGMA2, n_bootstrap=6, bootstrap_residuals="scaled", random_state=3, n_jobs=n_jobs)
    assert once == again
    other = gnomon.estimate(forest, X, y, noise=SIGMA2, n_bootstrap=6, bootstrap_residuals="scaled", random_state=4)
    assert other.value != once.value
    assert forest.named_steps["randomforestregressor"].random_state is None and not hasattr(forest[0], "mean_")


def test_jumps_are_known_and_spoken_of(data):
    X, y = data
    for smooth in (Ridge(), make_pipeline(StandardScaler(), Ridge()), BaggingRegressor(Ridge())):
        assert not _jumps(smooth)
    for jumpy in (DecisionTreeRegressor(), make_pipeline(StandardScaler(), GradientBoostingRegressor()), BaggingRegressor(),
                  GridSearchCV(Ridge(), {"alpha": [1, 2]})):  # fmt: skip
        assert _jumps(jumpy)
    tree = DecisionTreeRegressor(max_depth=2)
    with pytest.warns(UserWarning, match="jumps as y changes.*sure"):
        over_jumps = gnomon.estimate(tree, X, y, "sure", noise=SIGMA2, n_probes=30)
    assert over_jumps.n_refits == 60
    within = gnomon.estimate(tree, X, y, "sure", noise=SIGMA2, n_probes=30, continuous=True)
    # Four leaves have four means; that their borders move with y costs more.
    assert over_jumps.parts["degrees_of_freedom"] > within.parts["degrees_of_freedom"] + 1


def test_frames_and_noise(data):
    pd = pytest.importorskip("pandas")
    X, y = data
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    found = gnomon.estimate(LinearRegression(), frame, y, n_bootstrap=10)
    same = gnomon.estimate(LinearRegression(), X, y, n_bootstrap=10)
    for name in ("value", "standard_error", "error", "prediction_error", "noise_variance", "parts"):  # its own last digits differ
        assert getattr(found, name) == pytest.approx(getattr(same, name), rel=1e-10, abs=1e-13), name
    assert 0.01 < found.noise_variance < 0.4 and found.error < found.prediction_error


class Odd(RegressorMixin, BaseEstimator):
    """Looks at the first texts of its rows."""

    def fit(self, X, y):
        self.mean_ = np.mean(y)
        return self

    def predict(self, X):
        return np.array([self.mean_ + len(row) for row in X])


def test_without_a_noise_variance(data):
    X, y = ["a" * (i % 4) for i in range(60)], data[1]
    with pytest.warns(UserWarning, match="noise variance cannot be estimated.*error and noise_variance are None; give noise="):
        found = gnomon.estimate(Odd(), X, y, n_bootstrap=10)
    assert found.error is None and found.noise_variance is None and found.prediction_error > 0
    with pytest.raises(ValueError, match="give noise= a number"):
        gnomon.estimate(Odd(), X, y, "sure")


@pytest.mark.parametrize(
    ("keywords", "says"),
    [
        ({"criterion": "cv"}, "criterion 'cv' needs more than refits"),
        ({"criterion": "bsic"}, "did you mean"),
        ({"criterion": "sure", "X_test": np.ones((2, 3))}, "at the training inputs, not at X_test; use basic or sic"),
        ({"noise": -1.0}, "noise -1.0 is not allowed"),
        ({"n_bootstrap": 1}, "1 replications are too few"),
        ({"n_probes": 0, "criterion": "sure"}, "0 probes are too few"),
        ({"bootstrap_residuals": "bent"}, "bootstrap_residuals 'bent' is not allowed"),
        ({"X_test": np.ones((2, 3)), "reference": "cubic"}, "cubic"),
        ({"random_state": -3}, "random_state -3 is not allowed"),
    ],
)
def test_messages(keywords, says, data):
    with pytest.raises(ValueError) as raised:
        gnomon.estimate(Ridge(), *data, **{"noise": SIGMA2, **keywords})
    assert says in str(raised.value)


def test_progress_and_stopping(data):
    X, y = data
    heard = []

    def stop(what, fraction):
        heard.append((what, fraction))
        if fraction > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        gnomon.estimate(Ridge(), X, y, n_bootstrap=10, noise=SIGMA2, progress=stop)
    assert heard[0] == ("bootstrapping", 0.0) and len(heard) == 7
    gnomon.estimate(Ridge(), X, y, n_bootstrap=10, noise=SIGMA2)  # all is well afterwards


def test_in_words(data):
    X, y = data
    found = gnomon.estimate(Ridge(), X, y, "sure", noise=SIGMA2)
    assert "Estimated error of Ridge" in str(found) and "noise excluded" in found.estimates
    assert "<table>" in found._repr_html_() and float(found) == found.value


WEIGHTS = np.tile([1.0, 2.0, 3.0, 0.5, 1.5], 12)


def test_weights_are_those_of_the_library(data, rng):
    X, y = data
    boxed = Lasso(alpha=4.0 / (2 * WEIGHTS.sum()), tol=1e-12, max_iter=100000)  # Σ w r² + λ‖a‖₁
    for more in ({}, {"X_test": rng.normal(0.5, 1, size=(30, 3))}):
        ours = gnomon.estimate(boxed, X, y, ["basic", "sic"], sample_weight=WEIGHTS, noise=SIGMA2, n_bootstrap=50, n_probes=500,
                               random_state=5, **more, **({"reference": "linear"} if more else {}))  # fmt: skip
        theirs = gnomon.select(X, y, "lasso", alphas=[4.0], criterion=["basic", "sic"], sample_weight=WEIGHTS, n_bootstrap=50,
                               random_state=5, scale="none", noise=SIGMA2, metric="test" if more else "train", **more)  # fmt: skip
        selected = theirs.data["selected"]
        assert ours["basic"].value == pytest.approx(selected["basic"]["value"], rel=1e-9)
        assert abs(ours["sic"].value - selected["sic"]["value"]) < 4 * ours["sic"].parts["simulation_error"]


def test_a_weight_is_a_repeated_row(data):
    X, y = data
    counts = np.tile([1, 2, 3], 20)
    found = gnomon.estimate(Ridge(alpha=3.0), X, y, ["sure", "gcv"], sample_weight=counts, noise=SIGMA2, n_probes=400)
    rows = np.repeat(np.arange(60), counts)
    H = hat_matrix(X[rows], 3.0)
    rss, df, n = np.sum((y[rows] - H @ y[rows]) ** 2), np.trace(H), len(rows)
    sure = found["sure"]
    assert sure.parts["training_error"] == pytest.approx(rss / n, rel=1e-10)
    assert abs(sure.value - (rss / n - SIGMA2 + 2 * SIGMA2 * df / n)) < 4 * sure.parts["simulation_error"]
    assert found["gcv"].value == pytest.approx(n * rss / (n - sure.parts["degrees_of_freedom"]) ** 2, rel=1e-10)
    spread = np.std((y[rows] - H @ y[rows]) ** 2, ddof=1) / np.sqrt(n)
    assert sure.standard_error == pytest.approx(np.hypot(spread, sure.parts["simulation_error"]), rel=1e-9)


def test_who_takes_weights(data):
    X, y = data
    plain = gnomon.estimate(Ridge(alpha=3.0), X, y, "sure", sample_weight=WEIGHTS, noise=SIGMA2)
    piped = gnomon.estimate(make_pipeline(StandardScaler(with_mean=False, with_std=False), Ridge(alpha=3.0)), X, y, "sure",
                            sample_weight=WEIGHTS, noise=SIGMA2)  # fmt: skip
    searched = gnomon.estimate(GridSearchCV(Ridge(), {"alpha": [3.0]}), X, y, "sure", sample_weight=WEIGHTS, noise=SIGMA2, continuous=True)
    assert piped.value == pytest.approx(plain.value, rel=1e-10) and searched.value == pytest.approx(plain.value, rel=1e-10)
    ones = gnomon.estimate(Ridge(alpha=3.0), X, y, "basic", sample_weight=np.ones(60), n_bootstrap=20)
    assert ones.value == pytest.approx(gnomon.estimate(Ridge(alpha=3.0), X, y, "basic", n_bootstrap=20).value, rel=1e-12)
    with pytest.raises(ValueError, match="KNeighborsRegressor takes no sample_weight"):
        gnomon.estimate(KNeighborsRegressor(), X, y, sample_weight=WEIGHTS)
    with pytest.raises(ValueError, match="must be positive"):
        gnomon.estimate(Ridge(), X, y, sample_weight=np.arange(60.0))


def test_a_classifier_is_refused(data):
    from sklearn.linear_model import LogisticRegression

    X, y = data
    with pytest.raises(ValueError, match="LogisticRegression tells classes apart"):
        gnomon.estimate(LogisticRegression(), X, y > 0)
    with pytest.raises(TypeError, match="scikit-learn estimator"):
        gnomon.estimate(3, X, y)


@pytest.mark.parametrize("names", [["basic", "sure"], ["sic", "gcv"]])
def test_copies_of_rows_tell_nothing_of_the_noise(names, data):
    pd = pytest.importorskip("pandas")
    X, y = data
    counts = np.tile([1, 2, 3], 20)
    rows = np.repeat(np.arange(60), counts)
    asked = {"criterion": names, **({"n_bootstrap": 20} if "basic" in names else {})}
    once = gnomon.estimate(Ridge(), X, y, **asked)
    one_copy = gnomon.estimate(Ridge(), np.vstack([X, X[:1]]), np.append(y, y[0]), **asked)
    weighted = gnomon.estimate(Ridge(), X, y, sample_weight=counts, **asked)
    repeated = gnomon.estimate(Ridge(), pd.DataFrame(X[rows]), y[rows], **asked)
    for name in names:
        for found in (one_copy, weighted, repeated):
            assert found[name].noise_variance == pytest.approx(once[name].noise_variance, rel=1e-6)
            assert found[name].error is not None or once[name].error is None


@pytest.mark.parametrize(
    ("keywords", "says"),
    [
        ({"n_bootstrap": "5"}, "n_bootstrap '5' is not allowed; give a whole number"),
        ({"n_probes": 2.5, "criterion": "sure"}, "n_probes 2.5 is not allowed; give a whole number"),
        ({"n_jobs": 1.0}, "n_jobs 1.0 is not allowed; give a whole number"),
        ({"estimator": StandardScaler()}, "StandardScaler is no regressor: it has no predict"),
        ({"step": "small", "criterion": "sure"}, "step 'small' is not allowed; give a number"),
        ({"n_probes": 20}, "n_probes has no effect on basic; it belongs to sure and its relatives"),
        ({"continuous": False}, "continuous has no effect on basic; it belongs to sure and its relatives"),
        ({"n_bootstrap": 9, "criterion": ["sic", "gcv"]}, "n_bootstrap has no effect on sic, gcv; it belongs to basic"),
        ({"bootstrap_residuals": "raw", "criterion": "sure"}, "bootstrap_residuals has no effect on sure; it belongs to basic"),
        ({"reference": "linear"}, "reference has no effect without X_test"),
    ],
)
def test_arguments_of_the_wrong_kind(keywords, says, data):
    with pytest.raises(TypeError) as raised:
        gnomon.estimate(**{"estimator": Ridge(), "X": data[0], "y": data[1], **keywords})
    assert str(raised.value) == says
