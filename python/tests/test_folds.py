"""Which rows are held out together: cv and groups, as scikit-learn has them."""
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import Ridge
from sklearn.model_selection import GroupKFold, KFold, ShuffleSplit, TimeSeriesSplit, cross_val_predict, cross_validate

import gnomon


@pytest.mark.parametrize("cv", [4, KFold(5, shuffle=True, random_state=3), "splits"])
def test_cross_validation_goes_by_the_folds_given(cv, data):
    X, y = data
    if cv == "splits":
        cv = list(KFold(6).split(X))
    model = gnomon.Ridge(alphas=[0.5, 5.0], scale="none", search="grid", cv=cv).fit(X, y)
    for value, alpha in zip(model.risk_path_["criteria"]["cv"]["value"], model.risk_path_["lambda"]):
        errors = (y - cross_val_predict(Ridge(alpha), X, y, cv=cv)) ** 2
        folds = KFold(cv) if isinstance(cv, int) else cv
        parts = folds.split(X) if hasattr(folds, "split") else folds
        assert value == pytest.approx(np.mean([errors[test].mean() for _, test in parts]), rel=1e-9)
    assert model.criterion_ == "cv"


@pytest.mark.parametrize("name", gnomon._estimators)
def test_every_estimator_takes_them(name, data):
    X, y = data
    network = {"hidden_layer_sizes": 2, "n_restarts": 1} if name.startswith("MLP") else {}
    target = (y > 0).astype(int) if name == "MLPClassifier" else y
    model = clone(getattr(gnomon, name)(cv=KFold(3), **network))
    assert "cv" in model.fit(X, target).criterion_
    groups = np.repeat(["a", "b", "c", "d", "e"], 12)
    assert "cv" in getattr(gnomon, name)(**network).fit(X, target, groups=groups).criterion_


def test_groups_are_those_of_the_command(data, csv, selected):
    X, y = data
    groups = np.arange(60) % 7
    path = csv("data.csv", x0=X[:, 0], x1=X[:, 1], x2=X[:, 2], y=y, site=groups)
    theirs = selected(path, "--target", "y", "--fold-groups", "site")
    ours = gnomon.KernelRidge().fit(X, y, groups=[f"site {g}" for g in groups])
    assert ours.result_.data["chosen"] == theirs["chosen"] and ours.result_.data["path"] == theirs["path"]
    split = gnomon.KernelRidge(cv=GroupKFold(7)).fit(X, y, groups=groups)
    assert split.alpha_ == pytest.approx(ours.alpha_, rel=1e-6)  # one group at a time, either way
    again = gnomon.select(X, y, fold_groups=groups)
    assert again.data["chosen"] == theirs["chosen"]
    assert gnomon.select(X, y, cv=GroupKFold(7), fold_groups=groups).alpha == split.alpha_


@pytest.mark.skipif(not hasattr(gnomon.Ridge, "set_fit_request"), reason="scikit-learn before 1.3 routes nothing")
def test_groups_are_routed(data):
    import sklearn

    X, y = data
    with sklearn.config_context(enable_metadata_routing=True):
        model = gnomon.Ridge().set_fit_request(groups=True)
        found = cross_validate(model, X, y, cv=KFold(3), params={"groups": np.arange(60) // 4}, return_estimator=True)
    assert [each.criterion_ for each in found["estimator"]] == ["cv"] * 3


def test_what_is_no_partition_is_refused(data):
    X, y = data
    with pytest.raises(ValueError, match="cv holds out row 0 0 times; give folds that hold out every row once"):
        gnomon.Ridge(cv=TimeSeriesSplit(3)).fit(X, y)
    with pytest.raises(ValueError, match="times; give folds that hold out every row once"):
        gnomon.Ridge(cv=ShuffleSplit(5, random_state=0)).fit(X, y)
    halves = [(np.arange(30), np.arange(30, 60)), (np.arange(31, 60), np.arange(30))]
    with pytest.raises(ValueError, match="cv does not train fold 1 on all the rows that it does not hold out"):
        gnomon.Ridge(cv=halves).fit(X, y)
    with pytest.raises(ValueError, match=r"groups has shape \(59,\); give one label for each of the 60 rows"):
        gnomon.Ridge().fit(X, y, groups=np.zeros(59))
    for nothing in (None, np.nan, float("nan")):
        with pytest.raises(ValueError, match="groups has no label in row 1; give one for each of the 60 rows"):
            gnomon.Ridge().fit(X, y, groups=np.array(["a", nothing] * 30, dtype=object))
    with pytest.raises(ValueError, match="groups has no label in row 1"):
        gnomon.Ridge(cv=GroupKFold(2)).fit(X, y, groups=[1, np.nan] * 30)
    with pytest.raises(ValueError, match="groups holds labels of different types"):
        gnomon.Ridge().fit(X, y, groups=np.array(["a", 1] * 30, dtype=object))
    for rows in (range(30, 65), [0.5], ["a"]):
        with pytest.raises(ValueError, match="cv names rows in fold 0 that are none; give whole numbers from 0 to 59"):
            gnomon.Ridge(cv=[(range(30), rows)]).fit(X, y)
    with pytest.raises(ValueError, match="cv has no folds"):
        gnomon.Ridge(cv=[]).fit(X, y)
    with pytest.raises(ValueError, match="fold_groups has shape"):
        gnomon.select(X, y, fold_groups="each")
    with pytest.raises(ValueError, match="two or more"):
        gnomon.Ridge().fit(X, y, groups=np.zeros(60))
    with pytest.raises(ValueError, match="criterion 'cv:5' asks for 5 folds, but 3 are given; write cv"):
        gnomon.Ridge(criterion="cv:5", cv=3).fit(X, y)
