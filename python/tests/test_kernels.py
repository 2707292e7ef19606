"""Kernels that the user brings: functions of two rows, and matrices."""
import pickle

import numpy as np
import pytest
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV

import gnomon

WIDTH = 1.5
BUILT_IN = {"kernel": "gaussian", "width": WIDTH, "scale": "none", "alphas": [0.01, 0.1, 1.0], "criterion": ["loo", "sic"]}


def gaussian(a, b):
    return np.exp(-np.sum((a - b) ** 2) / (2 * WIDTH**2))


def own(**changes):
    return {key: value for key, value in {**BUILT_IN, **changes}.items() if key not in ("width", "scale")}


def test_a_function_of_two_rows(data):
    X, y = data
    expected = gnomon.KernelRidge(**BUILT_IN).fit(X, y)
    model = gnomon.KernelRidge(**own(kernel=gaussian)).fit(X, y)
    assert model.alpha_ == pytest.approx(expected.alpha_, rel=1e-6)
    np.testing.assert_allclose(model.predict(X), expected.predict(X), atol=1e-8)
    assert model.result_.data["learner"]["kernel"] == "gaussian"  # the name of the function
    with pytest.raises(ValueError, match="cannot be saved"):
        model.save("nowhere.gnomon")


@pytest.mark.parametrize("order", ["C", "F"])
def test_a_matrix(order, data, rng):
    X, y = data
    new = rng.normal(size=(7, 3))
    matrix = np.asarray(rbf_kernel(X, gamma=1 / (2 * WIDTH**2)), order=order)
    expected = gnomon.KernelRidge(**BUILT_IN).fit(X, y)
    model = gnomon.KernelRidge(**own(kernel="precomputed")).fit(matrix, y)
    assert model.alpha_ == pytest.approx(expected.alpha_, rel=1e-6)
    cross = rbf_kernel(new, X, gamma=1 / (2 * WIDTH**2))
    np.testing.assert_allclose(model.predict(cross), expected.predict(new), atol=1e-8)
    middle, lower, upper = model.predict(cross, return_interval=0.9)
    assert (lower < middle).all() and (middle < upper).all()
    restored = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(restored.predict(cross), model.predict(cross))
    for one in (model, restored):
        with pytest.raises(ValueError, match="precomputed kernel cannot be saved to a file"):
            one.save("nowhere")
    search = GridSearchCV(gnomon.KernelRidge(kernel="precomputed"), {"criterion": ["loo", "gcv"]}, cv=3).fit(matrix, y)
    assert np.isfinite(search.best_score_)  # rows and columns are split alike


def test_what_is_no_kernel(data):
    X, y = data
    with pytest.raises(ValueError, match="square matrix"):
        gnomon.KernelRidge(kernel="precomputed").fit(X, y)
    with pytest.raises(ValueError, match="not symmetric"):
        gnomon.KernelRidge(kernel=lambda a, b: a[0]).fit(X, y)
    with pytest.raises(ValueError, match="not positive semidefinite"):
        gnomon.KernelRidge(kernel=lambda a, b: -gaussian(a, b)).fit(X, y)

    def broken(a, b):
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        gnomon.KernelRidge(kernel=broken).fit(X, y)
    with pytest.raises(TypeError, match="must give a number, not str"):
        gnomon.KernelRidge(kernel=lambda a, b: "near").fit(X, y)
    with pytest.raises(ValueError, match="X_test"):
        gnomon.KernelRidge(kernel="precomputed").fit(X @ X.T, y, X_test=X @ X.T)
