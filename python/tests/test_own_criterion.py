"""Criteria written in Python choose as those of the library do."""
import numpy as np
import pytest
from sklearn.linear_model import LinearRegression

import gnomon

GCV = gnomon.Criterion("own-gcv", lambda c: c.n * c.rss / c.left**2, estimates="mean squared prediction error", words="once more")
CP = gnomon.Criterion("own-cp", lambda c: (c.rss + 2 * c.sigma2 * c.df) / c.n, needs_noise=True)


@pytest.mark.parametrize("learner", ["ridge", "kernel-ridge", "lasso"])
def test_a_copy_has_the_same_numbers(learner, data):
    X, y = data
    found = gnomon.select(X, y, learner, criterion=["gcv", "cp", GCV, CP], search="grid")
    criteria = found.risk_path["criteria"]
    np.testing.assert_allclose(criteria["own-gcv"]["value"], criteria["gcv"]["value"], rtol=1e-9)
    np.testing.assert_allclose(criteria["own-cp"]["value"], criteria["cp"]["value"], rtol=1e-12)
    assert criteria["own-gcv"]["estimates"] == "mean squared prediction error"
    assert found.criterion == "gcv" and found.data["selected"]["own-gcv"]["lambda"] == found.alpha


def test_it_chooses(data):
    X, y = data
    found = gnomon.select(X, y, "ridge", criterion=GCV)
    theirs = gnomon.select(X, y, "ridge", criterion="gcv")
    assert found.criterion == "own-gcv" and found.alpha == pytest.approx(theirs.alpha, rel=1e-6)
    assert found.error["value"] == pytest.approx(theirs.error["value"], rel=1e-6)
    assert "own-gcv" in found.text()


def test_it_is_searched_over_several_parameters(data):
    X, y = data
    found = gnomon.select(X, y, "ridge", groups="each", criterion=GCV)
    theirs = gnomon.select(X, y, "ridge", groups="each", criterion="gcv")
    assert found.criterion_value == pytest.approx(theirs.criterion_value, rel=1e-4)


def test_undefined_and_wrong(data):
    X, y = data
    few = gnomon.Criterion("few", lambda c: None if c.df > 3 else c.rss)
    values = gnomon.select(X, y, "ridge", criterion=["loo", few]).risk_path["criteria"]["few"]["value"]
    assert np.isnan(values).any() and np.isfinite(values).any()
    with pytest.raises(ZeroDivisionError):
        gnomon.select(X, y, "ridge", criterion=gnomon.Criterion("broken", lambda c: 1 / 0))
    with pytest.raises(ValueError, match="come after those with a name"):
        gnomon.select(X, y, "ridge", criterion=[GCV, "loo"])
    with pytest.raises(ValueError, match="more than 8 criteria"):
        gnomon.select(X, y, "ridge", criterion=[gnomon.Criterion(f"c{k}", GCV.formula) for k in range(9)])
    for _ in range(3):  # places are given back
        gnomon.select(X, y, "ridge", criterion=[gnomon.Criterion(f"c{k}", GCV.formula) for k in range(8)])


def test_what_is_no_criterion(data):
    X, y = data
    with pytest.raises(TypeError, match="criterion 5 is not allowed; give a name, a gnomon.Criterion, or a list of these"):
        gnomon.select(X, y, criterion=5)
    for call in (
        lambda: gnomon.Ridge(criterion=GCV).fit(X, y),
        lambda: gnomon.Ridge(criterion=["loo", GCV]).fit(X, y),
        lambda: gnomon.compare(X, y, "ridge", criteria=[GCV], trials=2),
        lambda: gnomon.estimate(LinearRegression(), X, y, GCV),
    ):
        with pytest.raises(TypeError, match="criteria of your own, gnomon.Criterion, are for gnomon.select"):
            call()
    with pytest.raises(TypeError, match="criterion 'words' must give a number or None, not str"):
        gnomon.select(X, y, "ridge", criterion=gnomon.Criterion("words", lambda c: "0.5"))
    with pytest.raises(TypeError, match="criterion 'many' must give a number or None, not list"):
        gnomon.select(X, y, "ridge", criterion=gnomon.Criterion("many", lambda c: [c.rss]))
    for name in ("gcv", "press", "cv:7", "auto"):
        with pytest.raises(ValueError, match=f"there is a criterion called {name} already; give yours another name"):
            gnomon.select(X, y, "ridge", criterion=["loo", gnomon.Criterion(name, GCV.formula)])
    with pytest.raises(ValueError, match="two criteria of your own are called own-gcv"):
        gnomon.select(X, y, "ridge", criterion=[GCV, GCV])
    with pytest.raises(ValueError, match="needs a name"):
        gnomon.select(X, y, "ridge", criterion=gnomon.Criterion("", GCV.formula))
