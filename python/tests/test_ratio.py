"""Density ratios are those of the command."""
import copy
import json
import pickle

import numpy as np
import pytest

import gnomon


@pytest.mark.parametrize("method", ["kde", "ulsif", "kliep", "logistic"])
def test_ratio_is_that_of_the_command(method, data, rng, csv, command):
    X, _ = data
    new = rng.normal(0.4, 0.8, size=(50, 3))
    paths = [csv(name, **dict(zip(["x0", "x1", "x2"], values.T))) for name, values in (("a.csv", X), ("b.csv", new))]
    theirs = json.loads(command("weights", paths[0], "--test", paths[1], "--method", method, "--json", "-", "--quiet"))["shift"]
    ratio = gnomon.density_ratio(X, new, method)
    np.testing.assert_array_equal(ratio.weights, theirs["weights"])
    assert ratio.p_value == theirs["p_value"] and ratio.verdict == theirs["verdict"]
    np.testing.assert_allclose(ratio.predict(X), ratio.weights, rtol=1e-9)


def test_ratio_as_weights(data, rng):
    X, y = data
    new = rng.normal(0.4, 0.8, size=(50, 3))
    ratio = gnomon.density_ratio(X, new)
    model = gnomon.ImportanceWeightedRidge().fit(X, y, sample_weight=ratio.weights)
    assert 0 <= model.result_.data["chosen"]["flattening"] <= 1
    with pytest.raises(ValueError, match="unknown density ratio method 'klip'|klip"):
        gnomon.density_ratio(X, new, "klip")


@pytest.mark.parametrize("method", ["ulsif", "kliep"])
def test_weights_of_rows_do_not_take_the_place_of_a_ratio(method, data):
    X, y = data
    given = {"sample_weight": np.ones(60), "X_test": X + 0.3}
    says = f"weights {method} and sample_weight cannot go together"
    for estimator in (gnomon.Ridge, gnomon.ImportanceWeightedRidge, gnomon.Lasso, gnomon.KernelRidge):
        with pytest.raises(ValueError, match=says):
            estimator(weights=method).fit(X, y, **given)
    for call in (gnomon.select, gnomon.compare):
        with pytest.raises(ValueError, match=says):
            call(X, y, "ridge", weights=method, **given)
    with pytest.raises(ValueError, match=f"weights {method} needs the test inputs"):
        gnomon.ImportanceWeightedRidge(weights=method).fit(X, y)
    counted = gnomon.select(X, y, "ridge", weights="none", sample_weight=given["sample_weight"])
    assert counted.alpha == pytest.approx(gnomon.Ridge().fit(X, y).alpha_, rel=1e-3)


def test_copies_of_a_ratio(data, rng):
    X, _ = data
    ratio = gnomon.density_ratio(X, rng.normal(0.4, 0.8, size=(50, 3)), "ulsif")
    for copied in (pickle.loads(pickle.dumps(ratio)), copy.deepcopy(ratio)):
        np.testing.assert_array_equal(copied.weights, ratio.weights)
        np.testing.assert_allclose(copied.predict(X[:9] + 0.1), ratio.predict(X[:9] + 0.1), rtol=1e-9)
        assert copied.verdict == ratio.verdict
    X += 1.0
    with pytest.raises(ValueError, match="written to since the density ratio was estimated"):
        copy.deepcopy(ratio).predict(X)


def test_a_ratio_shows_itself(data):
    ratio = gnomon.density_ratio(data[0], data[0] + 0.5)
    page = ratio._repr_html_()
    assert "<table>" in page and "kliep" in page and "effective sample size" in page and ratio.verdict.split(":")[0] in page


def test_samples_have_rows_and_columns(data):
    X, _ = data
    with pytest.raises(ValueError, match="Expected 2D array, got 1D array instead: X_train"):
        gnomon.density_ratio(X[:, 0], X)
    with pytest.raises(ValueError, match="Expected 2D array, got 1D array instead: X_test"):
        gnomon.density_ratio(X, X[:, 0])
