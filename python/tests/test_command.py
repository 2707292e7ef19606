"""The same numbers as the command, to the last bit, and the same models."""
import json
import pickle

import numpy as np
import pytest

import gnomon

COLUMNS = ["x0", "x1", "x2"]
CASES = {
    "KernelRidge": ({"penalty": "coefficients", "width": 1.5, "criterion": ["sic", "loo", "gcv"]},
                    ["--penalty", "coefficients", "--width", "1.5", "--criterion", "sic,loo,gcv"]),
    "Ridge": ({"alphas": [0.01, 0.1, 1.0, 1 / 3], "criterion": "cv:5", "random_state": 7},
              ["--lambda", f"0.01,0.1,1,{1 / 3!r}", "--criterion", "cv:5", "--seed", 7]),
    "Additive": ({}, []),
    "Huber": ({"basis": "polynomial:2", "fit_intercept": False}, ["--basis", "polynomial:2", "--no-intercept"]),
    "Lasso": ({"criterion": "basic", "n_bootstrap": 20}, ["--criterion", "basic", "--bootstrap", 20]),
    "ElasticNet": ({"l1_ratio": (0.2, 0.7)}, ["--mix", "0.2,0.7"]),
    "SupportVectorRegressor": ({"noise": 0.04}, ["--noise", "0.04"]),
    "MLPRegressor": ({"hidden_layer_sizes": (3, 2), "n_restarts": 2}, ["--hidden", "3,2", "--restarts", 2]),
    "SpectralCutoff": ({}, []),
    "Landweber": ({"rule": "1se", "criterion": "cv:5"}, ["--rule", "1se", "--criterion", "cv:5"]),
}  # fmt: skip
SAME = ("data", "learner", "noise_variance", "path", "selected", "chosen", "test_error", "warnings", "trace", "shift")


def compare(ours, theirs):
    for part in SAME:
        if part == "data":  # the source has another name
            ours, theirs = ({**result, part: {**result[part], "source": ""}} for result in (ours, theirs))
        if part == "warnings":  # in the words of either
            assert len(ours[part]) == len(theirs[part])
        else:
            assert ours.get(part) == theirs.get(part), part


@pytest.mark.parametrize("name", CASES)
def test_numbers_are_those_of_the_command(name, data, csv, selected):
    X, y = data
    keywords, flags = CASES[name]
    path = csv("data.csv", **dict(zip(COLUMNS, X.T)), y=y)
    model = getattr(gnomon, name)(**keywords).fit(X, y)
    compare(model.result_.data, selected(path, "--target", "y", "--learner", model._learner, *flags))


@pytest.mark.parametrize("order", ["C", "F"])
def test_numbers_of_a_table_read_in_place_are_those_of_the_command(order, rng, csv, selected):
    X = np.asarray(rng.normal(size=(6007, 70)), order=order)
    y = X[:, :3].sum(axis=1) + 2 * rng.normal(size=6007)
    path = csv("data.csv", **{f"x{j}": X[:, j] for j in range(70)}, y=y)
    compare(gnomon.Ridge().fit(X, y).result_.data, selected(path, "--target", "y", "--learner", "ridge"))


@pytest.mark.parametrize("method", ["kliep", "ulsif"])
def test_covariate_shift(method, data, rng, csv, selected):
    X, y = data
    new = rng.normal(0.5, 0.7, size=(40, 3))
    paths = [csv("data.csv", **dict(zip(COLUMNS, X.T)), y=y), csv("test.csv", **dict(zip(COLUMNS, new.T)))]
    model = gnomon.ImportanceWeightedRidge(weights=method).fit(X, y, X_test=new)
    theirs = selected(paths[0], "--target", "y", "--test", paths[1], "--learner", "iwls", "--weights", method)
    compare(model.result_.data, theirs)
    given = gnomon.ImportanceWeightedRidge().fit(X, y, sample_weight=theirs["shift"]["weights"])
    assert given.risk_path_["lambda"].shape == model.risk_path_["lambda"].shape


def test_texts_and_missing_cells(data, rng, csv, selected):
    pd = pytest.importorskip("pandas")
    X, y = data
    X[3, 1] = np.nan
    town = rng.choice(["Bonn", "Aachen", "Köln"], size=60)
    frame = pd.DataFrame({"a": X[:, 0], "town": town, "b": X[:, 1]})
    path = csv("data.csv", a=X[:, 0], town=town, b=X[:, 1], y=y)
    theirs = selected(path, "--target", "y", "--learner", "ridge", "--missing", "mean")
    for frame in (frame, frame.astype({"town": "category"})):
        model = gnomon.Ridge(missing="mean").fit(frame, y)
        compare(model.result_.data, theirs)
        assert list(model.feature_names_in_) == ["a", "town", "b"] and model.n_features_in_ == 3
        assert model.predict(frame).shape == (60,)


def test_models_go_both_ways(data, csv, command, tmp_path):
    X, y = data
    path = csv("data.csv", **dict(zip(COLUMNS, X.T)), y=y)
    model = gnomon.KernelRidge().fit(X, y)
    model.save(tmp_path / "ours.gnomon")
    theirs = np.loadtxt(command("predict", tmp_path / "ours.gnomon", path, "--interval", "0.9").splitlines()[1:], delimiter=",")
    np.testing.assert_array_equal(theirs, np.column_stack(model.predict(X, return_interval=0.9)))
    command("select", path, "--target", "y", "--model", tmp_path / "theirs.gnomon", "--quiet")
    loaded = gnomon.load(tmp_path / "theirs.gnomon")
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(loaded)).predict(X), model.predict(X))
    assert loaded.feature_names == COLUMNS and loaded.target_names == ["y"]
    command("inspect", tmp_path / "ours.gnomon")


def test_classes_are_those_of_the_command(data, csv, selected, command, tmp_path):
    X, y = data
    label = np.where(y > 0, "yes", "no")
    path = csv("data.csv", **dict(zip(COLUMNS, X.T)), label=label)
    flags = ["--target", "label", "--learner", "mlp", "--hidden", 2, "--restarts", 1, "--model", tmp_path / "m.gnomon"]
    model = gnomon.MLPClassifier(hidden_layer_sizes=2, n_restarts=1).fit(X, label)
    theirs, ours = selected(path, *flags), json.loads(model.result_.json)
    for result in (theirs, ours):
        result["data"]["target"] = ""
    compare(ours, theirs)
    loaded = gnomon.load(tmp_path / "m.gnomon")
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))


def test_a_column_of_truths_is_the_same_number_in_a_frame_and_a_file(rng, data, csv, command, selected, tmp_path):
    pandas = pytest.importorskip("pandas")
    X, y = data
    flag = X[:, 0] + rng.normal(size=60) > 0
    path = csv("data.csv", x0=X[:, 0], flag=flag, y=y)
    frame = pandas.DataFrame({"x0": X[:, 0], "flag": flag})
    model = gnomon.Ridge().fit(frame, y)
    theirs = selected(path, "--target", "y", "--learner", "ridge", "--model", tmp_path / "theirs.gnomon")
    assert model.result_.data["chosen"] == theirs["chosen"]
    model.save(tmp_path / "ours.gnomon")
    lines = command("predict", tmp_path / "ours.gnomon", path, "-o", "-").splitlines()[1:]
    np.testing.assert_array_equal([float(line) for line in lines], model.predict(frame))
    np.testing.assert_array_equal(gnomon.load(tmp_path / "theirs.gnomon").predict(frame), model.predict(frame))
