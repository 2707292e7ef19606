"""Learners written in Python are judged, chosen and reported as those of the library are."""
import pickle
import threading
import time

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

import gnomon

pytestmark = pytest.mark.filterwarnings("ignore:The minimum of")
ALPHAS = [0.1, 1.0, 10.0, 100.0]


def ridge(p):
    """Σ w (y − f)² + λ‖a‖², the constant free."""
    weight = np.ones(len(p.y)) if p.weight is None else p.weight
    mean, level = np.zeros(p.features.shape[1]), 0.0
    if p.intercept:
        mean, level = weight @ p.features / weight.sum(), weight @ p.y / weight.sum()
    centred = p.features - mean
    a = np.linalg.solve(centred.T * weight @ centred + p.alpha * np.eye(len(mean)), centred.T @ (weight * (p.y - level)))
    return a, level - mean @ a


def kernel_ridge(p):
    """Σ (y − f)² + λ aᵀKa with a free constant: (K + λI)a + b = y, Σa = 0."""
    n = len(p.y)
    system = np.block([[p.features + p.alpha * np.eye(n), np.ones((n, 1))], [np.ones((1, n)), np.zeros((1, 1))]])
    found = np.linalg.solve(system, np.append(p.y, 0.0))
    return found[:-1], found[-1]


RIDGE = gnomon.Learner("own-ridge", ridge, alphas=ALPHAS, takes_weight=True)
KERNEL_RIDGE = gnomon.Learner("own-kernel-ridge", kernel_ridge, inputs="kernel", alphas=ALPHAS)


@pytest.mark.parametrize("keywords", [{}, {"fit_intercept": False}, {"basis": "polynomial:3"}, {"sample_weight": np.tile([1.0, 2.0, 3.0], 20)}])
def test_a_copy_of_ridge_has_the_same_numbers(keywords, data):
    X, y = data
    found = gnomon.select(X, y, RIDGE, criterion="cv:5", search="grid", **keywords)
    theirs = gnomon.select(X, y, "ridge", alphas=ALPHAS, criterion="cv:5", search="grid", **keywords)
    np.testing.assert_allclose(found.risk_path["criteria"]["cv:5"]["value"], theirs.risk_path["criteria"]["cv:5"]["value"], rtol=1e-8)
    np.testing.assert_allclose(found.risk_path["train_error"], theirs.risk_path["train_error"], rtol=1e-8)
    assert found.alpha == theirs.alpha
    if "basis" not in keywords:
        np.testing.assert_allclose(found.coef, theirs.coef, rtol=1e-8)


def test_a_copy_of_kernel_ridge_has_the_same_numbers(data):
    X, y = data
    found = gnomon.select(X, y, KERNEL_RIDGE, kernel="matern52", width=1.5, criterion="cv:5", search="grid")
    theirs = gnomon.select(X, y, "kernel-ridge", alphas=ALPHAS, kernel="matern52", width=1.5, criterion="cv:5", search="grid")
    np.testing.assert_allclose(found.risk_path["criteria"]["cv:5"]["value"], theirs.risk_path["criteria"]["cv:5"]["value"], rtol=1e-7)


def test_it_is_chosen_reported_and_saved(data, tmp_path):
    X, y = data
    found = gnomon.select(X, y, gnomon.Learner("ridge-of-mine", ridge), report=tmp_path / "report.html")
    assert found.criterion == "cv" and found.error["low"] <= found.error["value"] <= found.error["high"]
    assert found.data["learner"]["name"] == "ridge-of-mine" and "ridge-of-mine" in found.text()
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "ridge-of-mine" in page and "held-out rows" in page
    found.save(tmp_path / "model.gnomon")
    loaded = gnomon.load(tmp_path / "model.gnomon")
    np.testing.assert_allclose(loaded.predict(X), X @ found.coef[0] + found.intercept[0], rtol=1e-9)


def test_refits_to_other_targets(data):
    """Differences and draws agree on average with ridge, which has closed forms of both."""
    X, y = data
    asked = {"criterion": ["sure", "basic"], "noise": 0.04, "alphas": [5.0]}
    theirs = gnomon.select(X, y, "ridge", **asked).data["selected"]
    found = [gnomon.select(X, y, RIDGE, random_state=seed, n_bootstrap=30, **asked).data["selected"] for seed in range(40)]
    for name in asked["criterion"]:
        values = np.array([one[name]["value"] for one in found])
        assert abs(values.mean() - theirs[name]["value"]) < 4 * values.std() / np.sqrt(40), name
    jumping = gnomon.Learner("jumping", ridge, continuous=False)
    with pytest.raises(ValueError, match="jumping"):
        gnomon.select(X, y, jumping, criterion="sure")


def test_a_parameter_beside_lambda(data):
    X, y = data
    seen = set()

    def shrunk(p):
        seen.add(p.tuning)
        a, _ = ridge(p)
        return p.tuning * a, p.y.mean() - p.features.mean(axis=0) @ (p.tuning * a)

    with pytest.warns(UserWarning, match="share 1 lies at an end of the values tried: widen the values of share"):
        found = gnomon.select(X, y, gnomon.Learner("shrunk", shrunk, tuning=("share", [0.25, 0.5, 1.0])), criterion="cv:5")
    assert seen == {0.25, 0.5, 1.0} and found.data["chosen"]["share"] == 1.0


def test_starts_and_features(data):
    X, y = data
    starts, kept = [], []

    def looked_at(p):
        starts.append(p.start is not None)
        kept.append((p.features, p.features.sum()))
        assert not p.features.flags.writeable and p.features.flags.f_contiguous and p.weight is None and p.tuning is None
        a, b = ridge(p)
        return list(a), float(b)

    found = gnomon.select(X, y, gnomon.Learner("looked-at", looked_at, alphas=ALPHAS), criterion="cv:5")
    theirs = gnomon.select(X, y, RIDGE, criterion="cv:5")
    assert found.alpha == theirs.alpha and True in starts and False in starts
    assert all(features.sum() == before for features, before in kept)  # they may be kept


def test_what_is_wrong_is_said(data):
    X, y = data
    learner = lambda fit, **more: gnomon.Learner("wrong", fit, alphas=ALPHAS, **more)  # noqa: E731
    with pytest.raises(ZeroDivisionError):
        gnomon.select(X, y, learner(lambda p: 1 / 0))
    with pytest.raises(ValueError, match="the learner wrong returned 2 coefficients for 3 features"):
        gnomon.select(X, y, learner(lambda p: [1.0, 2.0]))
    with pytest.raises(ValueError, match="not finite at alpha"):
        gnomon.select(X, y, learner(lambda p: np.full(3, np.nan)))
    with pytest.raises(ValueError, match="returned 4 things"):
        gnomon.select(X, y, learner(lambda p: (1, 2, 3, 4)))
    with pytest.raises(ValueError, match="an offset where the fit has no intercept"):
        gnomon.select(X, y, learner(lambda p: (np.zeros(3), 1.0)), fit_intercept=False)
    with pytest.raises(ValueError, match="takes no weights of rows"):
        gnomon.select(X, y, learner(ridge), sample_weight=np.full(60, 2.0))
    with pytest.raises(ValueError, match="there is a learner called ridge already"):
        gnomon.select(X, y, gnomon.Learner("ridge", ridge))
    with pytest.raises(ValueError, match="inputs 'rows' of a learner are not allowed"):
        gnomon.select(X, y, learner(ridge, inputs="rows"))
    with pytest.raises(ValueError, match="width"):
        gnomon.select(X, y, learner(ridge), width=2.0)
    for kernel in ("gaussian", "precomputed", lambda a, b: a @ b):
        with pytest.raises(ValueError, match='takes a basis, not a kernel; say inputs="kernel"'):
            gnomon.select(X @ X.T, y, learner(ridge), kernel=kernel)
    with pytest.raises(ValueError, match="returned no numbers for its coefficients"):
        gnomon.select(X, y, learner(lambda p: "coefficients"))


def test_fits_that_stop_early_are_warned_of(data):
    X, y = data
    with pytest.warns(ConvergenceWarning, match="1 of 4 fits of the path stopped before"):
        found = gnomon.select(X, y, gnomon.Learner("hasty", lambda p: (*ridge(p), p.alpha > 0.5), alphas=ALPHAS))
    assert found.alpha > 0.5
    with pytest.raises(ValueError, match="no fit of hasty reached"):
        gnomon.select(X, y, gnomon.Learner("hasty", lambda p: (*ridge(p), False), alphas=ALPHAS))


def test_other_threads_run_and_a_stop_is_heeded(data):
    X, y = data
    calls, ticks = [], []

    def slow(p):
        calls.append(time.monotonic())
        time.sleep(0.02)
        return ridge(p)

    def stop(what, fraction):
        if len(calls) > 10:
            raise RuntimeError("enough")

    done = threading.Event()
    other = threading.Thread(target=lambda: [ticks.append(1) for _ in iter(lambda: done.wait(0.01), True)])
    other.start()
    with pytest.raises(RuntimeError, match="enough"):
        gnomon.select(X, y, gnomon.Learner("slow", slow), criterion="loo", progress=stop, n_jobs=2)
    done.set()
    other.join()
    made = len(calls)
    time.sleep(0.3)
    assert ticks and len(calls) <= made + 2  # those that were being made


def test_it_predicts(data):
    X, y = data
    found = gnomon.select(X, y, RIDGE, criterion="cv:5")
    expected = X @ found.coef[0] + found.intercept[0]
    np.testing.assert_allclose(found.predict(X), expected, rtol=1e-9)
    middle, lower, upper = found.predict(X, return_interval=0.9)
    assert (lower < middle).all() and (middle < upper).all()
    smooth = gnomon.select(X, y, KERNEL_RIDGE, kernel="matern52", width=1.5, criterion="cv:5")
    copied = pickle.loads(pickle.dumps(smooth))
    np.testing.assert_array_equal(copied.predict(X), smooth.predict(X))
    assert np.corrcoef(smooth.predict(X), y)[0, 1] > 0.9
