"""What is known after a fit, what is said when something is wrong, and what survives a pickle."""
import copy
import os
import pickle
import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

import gnomon


def test_attributes(data):
    X, y = data
    model = gnomon.KernelRidge(criterion=["sic", "loo"]).fit(X, y)
    path, chosen = model.risk_path_, model.result_.data["chosen"]
    assert model.criterion_ == "sic" and model.alpha_ == chosen["lambda"]
    assert path["lambda"].shape == path["df"].shape == path["criteria"]["loo"]["value"].shape
    assert model.criterion_value_ == model.result_.data["selected"]["sic"]["value"]
    assert model.error_["low"] < model.error_["value"] < model.error_["high"]
    assert model.n_features_in_ == 3


def test_several_parameters(data):
    X, y = data
    model = gnomon.Ridge(groups="each").fit(X, y)
    assert set(model.alpha_) == {"x0", "x1", "x2"}
    assert gnomon.Ridge(groups=[["x0", "x1"], ["x2"]]).fit(X, y).result_.data["path"]["parameters"]


def test_subsets_of_columns(data):
    X, y = data
    model = gnomon.Ridge(subsets=[["x1"], ["x0", "x2"]], criterion="loo").fit(X, y)
    alone = [gnomon.Ridge(criterion="loo").fit(X[:, columns], y) for columns in ([1], [0, 2])]
    best = min(alone, key=lambda one: one.criterion_value_)
    assert model.criterion_value_ == pytest.approx(best.criterion_value_, rel=1e-9)
    columns = [1] if best is alone[0] else [0, 2]
    assert model.result_.data["chosen"]["columns"] == ", ".join(f"x{j}" for j in columns)
    assert set(model.risk_path_["columns"]) == {"x1", "x0, x2"}
    np.testing.assert_allclose(model.predict(X), best.predict(X[:, columns]), rtol=1e-6)
    assert [j for j in range(3) if model.coef_[j] != 0] == columns
    assert len(set(gnomon.Ridge(subsets="every").fit(X, y).risk_path_["columns"])) == 7


@pytest.mark.parametrize("copied", [lambda m: pickle.loads(pickle.dumps(m)), copy.deepcopy])
def test_copies_know_the_same(copied, data, tmp_path):
    X, y = data
    model = gnomon.KernelRidge().fit(X, y)
    other = copied(model)
    np.testing.assert_array_equal(other.predict(X), model.predict(X))
    np.testing.assert_array_equal(other.predict(X, return_interval=0.5), model.predict(X, return_interval=0.5))
    assert other.alpha_ == model.alpha_ and other.result_.data == model.result_.data
    with pytest.raises(AttributeError, match="fit again"):
        other.report(tmp_path / "report.html")


@pytest.mark.parametrize("learner", ["ridge", "kernel-ridge", "lasso"])
def test_report_is_that_of_select(learner, data, tmp_path):
    X, y = data
    estimator = {"ridge": gnomon.Ridge, "kernel-ridge": gnomon.KernelRidge, "lasso": gnomon.Lasso}[learner]
    model = estimator(random_state=np.random.default_rng(3)).fit(X, y)
    found = gnomon.select(X, y, learner, random_state=np.random.default_rng(3), report=tmp_path / "selected.html")
    later = gnomon.select(X, y, learner, random_state=np.random.default_rng(3))
    model.report(tmp_path / "fitted.html")
    later.report(tmp_path / "later.html")
    pages = [(tmp_path / f"{name}.html").read_bytes() for name in ("selected", "fitted", "later")]
    assert pages[0] == pages[1] == pages[2]
    page = pages[0].decode()
    assert "held-out rows" in page and ("Spectrum" in page or learner == "lasso")
    assert model.result_.text() == later.text() and "λ" in later.text()
    assert model.alpha_ == pytest.approx(found.alpha, rel=1e-3)  # another decomposition: other rounding, and the search ends elsewhere
    assert len(list(tmp_path.iterdir())) == 3


def test_one_input_is_drawn_whether_or_not_the_inputs_were_kept(data, tmp_path):
    X, y = data
    gnomon.KernelRidge().fit(X[:, :1], y).report(tmp_path / "report.html")
    gnomon.select(X[:, :1], y, report=tmp_path / "selected.html")
    assert (tmp_path / "report.html").read_bytes() == (tmp_path / "selected.html").read_bytes()


@pytest.mark.parametrize("order", ["C", "F"])
def test_report_of_data_that_were_written_to_is_refused(order, data, tmp_path):
    X, y = np.array(data[0], order=order), data[1]
    model = gnomon.Ridge().fit(X, y)
    X[7, 1] += 1e-12
    with pytest.raises(ValueError, match="written to since the fit"):
        model.report(tmp_path / "report.html")
    assert not list(tmp_path.iterdir())
    kernel = X @ X.T
    model = gnomon.KernelRidge(kernel="precomputed").fit(kernel, y)
    model.report(tmp_path / "report.html")
    kernel[3, 4] = 0
    with pytest.raises(ValueError, match="written to since the fit"):
        model.report(tmp_path / "report.html")


def test_select_is_the_functional_form(data, tmp_path):
    X, y = data
    result = gnomon.select(X, y, "lasso", alphas=[0.1, 1.0], criterion="cv:5")
    model = gnomon.Lasso(alphas=[0.1, 1.0], criterion="cv:5").fit(X, y)
    assert result.data == model.result_.data
    gnomon.select(X, y, "ridge", report=tmp_path / "full.html")
    assert "held-out rows" in (tmp_path / "full.html").read_text(encoding="utf-8")
    with pytest.raises(TypeError, match="alphaz"):
        gnomon.select(X, y, alphaz=1)


@pytest.mark.parametrize(
    ("estimator", "says"),
    [
        (gnomon.Ridge(alphas=-1.0), "alphas -1.0 is not allowed"),
        (gnomon.KernelRidge(kernel="gausian"), "did you mean 'gaussian'"),
        (gnomon.Ridge(criterion="looo"), "loo"),
        (gnomon.KernelRidge(kernel="linear", width=2), "width belongs to kernels with a width, not to linear"),
        (gnomon.Ridge(weights="kliep"), "weights kliep needs the test inputs: give X_test"),
        (gnomon.Ridge(n_jobs=0), "n_jobs 0 is not allowed"),
        (gnomon.Ridge(noise="loud"), "unknown noise method 'loud'"),
        (gnomon.ElasticNet(l1_ratio=1.5), "l1_ratio 1.5 is not allowed"),
        (gnomon.KernelRidge(width="wide"), "width 'wide' is not understood"),
        (gnomon.Ridge(scale="big"), "big"),
    ],
)
def test_messages_speak_of_keywords(estimator, says, data):
    with pytest.raises(ValueError) as raised:
        estimator.fit(*data)
    assert says in str(raised.value) and "--" not in str(raised.value) and "`" not in str(raised.value)


def test_rows_count_from_zero(data):
    X, y = data
    X[7, 2] = np.nan
    with pytest.raises(ValueError, match="X: row 7, column 'x2'.*missing mean"):
        gnomon.select(X, y, "ridge")


def test_warnings_are_pythons(data):
    X, y = data
    with pytest.warns(UserWarning, match="widen alphas"):
        gnomon.Ridge(alphas=[1e3, 1e4]).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        gnomon.Ridge().fit(X, y)


@pytest.mark.parametrize("seed", range(4))
def test_searches_that_end_early_are_warned_of(seed):
    X = np.random.default_rng(seed).normal(size=(40, 3))  # which of them do is a matter of rounding
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        found = gnomon.select(X, X[:, 0], "kernel-ridge", search="gradient", criterion="evidence")
    warned = any(issubclass(one.category, ConvergenceWarning) for one in told)
    assert warned != found.data["selected"]["evidence"]["converged"]


@pytest.mark.parametrize(
    "message",
    [
        "The search by evidence ended early: stopped after 34 evaluations, gradient still 0.1.",
        "Training of the chosen network: the weights grow without limit: the cost has no minimum; use more weight decay.",
        "1 of 4 fits of the path stopped before their optimality certificate was reached; they are not considered.",
    ],
)
def test_what_stopped_short_is_warned_of(message):
    with pytest.warns(ConvergenceWarning):
        gnomon._select.warn([message], above=0)


def test_names_of_files_may_be_long(data, tmp_path, monkeypatch):
    model = gnomon.Ridge().fit(*data)
    longest = "d" * os.pathconf(tmp_path, "PC_NAME_MAX")
    model.save(tmp_path / longest)
    monkeypatch.chdir(tmp_path)
    model.save("here.gnomon")
    assert sorted(path.name for path in tmp_path.iterdir()) == [longest, "here.gnomon"]
    for path in (longest + "d", "no/folder", tmp_path):
        with pytest.raises(OSError) as raised:
            model.save(path)
        assert raised.value.filename == str(path)
    assert len(list(tmp_path.iterdir())) == 2


def test_columns_are_counted(data):
    X, y = data
    result = gnomon.select(X, y, "ridge")
    fewer = gnomon.select(X, y, "ridge", drop=["x1"])
    ratio = gnomon.density_ratio(X, X)
    for call, says in (
        (lambda: result.predict(X[:, :2]), "X has 2 features, but the model expects 3"),
        (lambda: result.model.predict(X[:, [0, 1, 2, 0]]), "X has 4 features, but the model expects 3"),
        (lambda: fewer.predict(X[:, :1]), "X has 1 features, but the model expects 3"),
        (lambda: ratio.predict(X[:, :2]), "X has 2 features, but the density ratio expects 3"),
        (lambda: gnomon.density_ratio(X, X[:, :2]), "X_test has 2 features, but X_train has 3"),
        (lambda: gnomon.select(X, y, "ridge", X_test=X[:, :2]), "X_test has 2 features, but X has 3"),
        (lambda: gnomon.compare(X, y, "ridge", X_test=X[:, :2], trials=2), "X_test has 2 features, but X has 3"),
    ):
        with pytest.raises(ValueError) as raised:
            call()
        assert str(raised.value) == says


def test_a_name_is_no_sign_of_trouble(data):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(data[0], columns=["convergence", "b", "c"])
    with pytest.warns(UserWarning, match="'convergence'") as told:
        gnomon.density_ratio(frame, frame + 0.5)
    assert not any(issubclass(one.category, ConvergenceWarning) for one in told)


def test_random_state(data):
    X, y = data
    path = lambda state: gnomon.Ridge(criterion="cv:5", random_state=state).fit(X, y).risk_path_["criteria"]["cv:5"]["value"]  # noqa: E731, E501
    np.testing.assert_array_equal(path(3), path(3))
    assert (path(3) != path(4)).any()
    np.testing.assert_array_equal(path(np.random.RandomState(1)), path(np.random.RandomState(1)))
    np.testing.assert_array_equal(path(np.random.default_rng(1)), path(np.random.default_rng(1)))
    assert (path(None) != path(None)).any()


@pytest.mark.parametrize("state", [0, 2**64 - 1])
def test_seed_is_random_state(state, data):
    X, y = data
    found, same = (gnomon.select(X, y, "ridge", criterion="cv:5", **{name: state}) for name in ("seed", "random_state"))
    assert found.data == same.data and found.data["settings"]["seed"] == state
    assert gnomon.select(X, y, "ridge", criterion="cv:5", threads=1).alpha == gnomon.select(X, y, "ridge", criterion="cv:5").alpha
    with pytest.raises(ValueError, match="random_state 18446744073709551616 is not allowed; give less than 2.64"):
        gnomon.Ridge(random_state=2**64).fit(X, y)


@pytest.mark.parametrize(
    ("keywords", "says"),
    [
        ({"seed": 3, "random_state": 0}, "'seed' and 'random_state', which are the same"),
        ({"threads": 1, "n_jobs": 1}, "'threads' and 'n_jobs', which are the same"),
        ({"alphas": [1.0], "lambda": [2.0]}, "'lambda' and 'alphas', which are the same"),
        ({"json": "out.json"}, "result.json"),
        ({"model": "out.gnomon"}, "result.save"),
        ({"target": "y"}, "give the target as y"),
        ({"test": "new.csv"}, "X_test"),
        ({"quiet": True}, "nothing is printed"),
        ({"criteria": "loo"}, "say criterion"),
        ({"y_test": np.ones(60)}, "y_test has no effect without X_test"),
        ({"n_jobs": 1.0}, "n_jobs 1.0 is not allowed; give a whole number"),
        ({"learner": gnomon.Ridge()}, "Ridge is the learner 'ridge'"),
        ({"learner": 3}, "learner must be a name such as 'ridge'"),
    ],
)
def test_nothing_is_silently_ignored(keywords, says, data):
    with pytest.raises(TypeError) as raised:
        gnomon.select(*data, **keywords)
    assert says in str(raised.value)


def test_a_result_predicts(data, tmp_path):
    X, y = data
    result, model = gnomon.select(X, y, "ridge"), gnomon.Ridge().fit(X, y)
    np.testing.assert_allclose(result.predict(X), model.predict(X), rtol=1e-9)
    np.testing.assert_allclose(result.predict(X, return_interval=0.9), model.predict(X, return_interval=0.9), rtol=1e-6)
    assert isinstance(result.model, gnomon.Model) and result.model.feature_names == ["x0", "x1", "x2"]
    result.save(tmp_path / "model.gnomon")
    np.testing.assert_array_equal(gnomon.load(tmp_path / "model.gnomon").predict(X), result.predict(X))
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(result)).predict(X), result.predict(X))
    with pytest.raises(TypeError, match="return_interval '0.9' is not allowed; give a number"):
        result.predict(X, return_interval="0.9")
    fewer = gnomon.select(X, y, "ridge", drop=["x1"])
    np.testing.assert_array_equal(fewer.predict(X), fewer.predict(X[:, [0, 2]]))
    labels = gnomon.select(X, np.where(y > 0, "up", "down"), "mlp", classify=True, hidden=2, n_restarts=1)
    assert np.mean(labels.predict(X) == np.where(y > 0, "up", "down")) > 0.8 and labels.predict_proba(X).shape == (60, 2)


def test_shapes(data):
    X, y = data
    for call in (lambda: gnomon.select(X[:, 0], y), lambda: gnomon.select(X, y, "ridge").predict(X[:, 0])):
        with pytest.raises(ValueError, match="Expected 2D array, got 1D array instead"):
            call()
    for no_target in (3.0, None):
        with pytest.raises(ValueError, match="y must be one number per row"):
            gnomon.select(X, no_target)


def test_a_number_in_an_array_is_a_number(data):
    assert gnomon.Ridge(alphas=np.array(2.0)).fit(*data).alpha_ == 2.0 == gnomon.select(*data, "ridge", alphas=np.array(2.0)).alpha


def test_names_with_commas(data):
    pd = pytest.importorskip("pandas")
    X, y = data
    frame = pd.DataFrame(X, columns=["a,b", "c", "d"])
    with pytest.raises(ValueError, match="groups: the column 'a,b' cannot be named here"):
        gnomon.Ridge(groups=[["a,b"], ["c"]]).fit(frame, y)
    with pytest.raises(ValueError, match="drop: the column 'a,b' cannot be named here"):
        gnomon.select(frame, y, "ridge", drop=["a,b"])
    assert set(gnomon.Ridge(groups="each").fit(frame, y).alpha_) == {"a,b", "c", "d"}
    assert gnomon.select(frame, pd.Series(y, name="p,q"), "ridge").model.target_names == ["y"]
