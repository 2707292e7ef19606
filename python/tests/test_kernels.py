"""Kernels that the user brings: functions of two rows, and matrices."""
import copy
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


def test_rows_without_weight_stay_in_the_kernel_of_new_rows(data):
    X, y = data
    matrix = rbf_kernel(X)
    weight = np.ones(len(y))
    weight[:5] = 0
    model = gnomon.KernelRidge(kernel="precomputed", alphas=0.1).fit(matrix, y, sample_weight=weight)
    alone = gnomon.KernelRidge(kernel="precomputed", alphas=0.1).fit(matrix[5:, 5:], y[5:])
    np.testing.assert_allclose(model.predict(matrix), alone.predict(matrix[:, 5:]), rtol=1e-10)


def test_kernels_of_single_precision_are_kernels(data):
    X, y = data
    matrix = (X.astype(np.float32) @ X.astype(np.float32).T).round(5)
    assert gnomon.KernelRidge(kernel="precomputed").fit(matrix, y).error_["value"] > 0
    with pytest.raises(ValueError, match="positive semidefinite"):
        gnomon.KernelRidge(kernel="precomputed").fit(matrix - 0.01 * np.abs(matrix).max() * np.eye(len(y)), y)


def test_a_matrix_of_single_precision_is_as_symmetric_as_its_digits(data):
    X, y = data
    matrix = np.float32(rbf_kernel(X))
    off = matrix.copy()
    off[3, 7] = np.nextafter(off[3, 7], np.float32(2))
    model, other = (gnomon.KernelRidge(kernel="precomputed", alphas=0.1).fit(one, y) for one in (matrix, off))
    np.testing.assert_allclose(other.predict(matrix), model.predict(matrix), atol=1e-5)
    off[3, 7] += np.float32(0.1)
    with pytest.raises(ValueError, match="not symmetric"):
        gnomon.KernelRidge(kernel="precomputed").fit(off, y)


@pytest.mark.parametrize("kernel", ["precomputed", gaussian])
def test_what_has_no_effect_beside_a_kernel_of_ones_own(kernel, data):
    X, y = data
    rows = X @ X.T if kernel == "precomputed" else X
    for name, estimator in {
        "width": gnomon.KernelRidge(kernel=kernel, width=2),
        "scale": gnomon.KernelRidge(kernel=kernel, scale="unit"),
        "basis": gnomon.SupportVectorRegressor(kernel=kernel, basis="linear"),
    }.items():
        with pytest.raises(TypeError, match=f"{name} has no effect beside a kernel of your own"):
            estimator.fit(rows, y)
    with pytest.raises(TypeError, match="kernel belongs to learners with a kernel, not to learner ridge"):
        gnomon.select(rows, y, "ridge", kernel=kernel)
    gnomon.select(rows, y, kernel=kernel, scale="none", width="auto", alphas=1.0)


def test_copies_of_a_function(data):
    X, y = data
    model = gnomon.KernelRidge(**own(kernel=gaussian)).fit(X, y)
    for copied in (copy.deepcopy(model), copy.copy(model)):
        np.testing.assert_array_equal(copied.predict(X, return_interval=0.5), model.predict(X, return_interval=0.5))
        assert copied.alpha_ == model.alpha_
    assert pickle.loads(pickle.dumps(gnomon.KernelRidge(kernel=gaussian))).kernel is gaussian  # not fitted yet
    with pytest.raises(ValueError, match="kernel gaussian, which is a function, cannot be pickled; fit to the matrix"):
        pickle.dumps(model)


def test_a_restored_matrix_has_no_coefficients(data):
    X, y = data
    model = gnomon.KernelRidge(kernel="precomputed").fit(X @ X.T, y)
    for one in (model, pickle.loads(pickle.dumps(model))):
        with pytest.raises(AttributeError, match="not linear in the columns"):
            one.coef_
        np.testing.assert_array_equal(one.result_.predict(X[:5] @ X.T), model.predict(X[:5] @ X.T))
