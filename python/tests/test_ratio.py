"""Density ratios are those of the command."""
import json

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
