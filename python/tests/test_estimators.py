"""What scikit-learn expects of an estimator."""
import importlib.util
import inspect
import pathlib
from importlib.machinery import SourceFileLoader

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.compose import ColumnTransformer, TransformedTargetRegressor
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import gnomon

NETWORK = {"hidden_layer_sizes": 2, "n_restarts": 1}  # the checks fit it hundreds of times
ESTIMATORS = [getattr(gnomon, name) for name in gnomon._estimators]


def small(cls):
    return cls(**(NETWORK if cls.__name__.startswith("MLP") else {}))


@parametrize_with_checks([small(cls) for cls in ESTIMATORS])
@pytest.mark.filterwarnings("ignore")
def test_scikit_learn_check(estimator, check):
    check(estimator)


def test_estimators_are_as_the_table_of_options_says():
    script = pathlib.Path(__file__).parents[2] / "scripts" / "python-estimators"
    loader = SourceFileLoader("python_estimators", str(script))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("python_estimators", loader))
    loader.exec_module(module)
    assert module.source() == pathlib.Path(inspect.getsourcefile(gnomon.Ridge)).read_text(encoding="utf-8")


@pytest.mark.parametrize("cls", ESTIMATORS)
def test_not_fitted(cls, data):
    with pytest.raises(NotFittedError):
        cls().predict(data[0])
    with pytest.raises(NotFittedError):
        cls().result_
    assert not hasattr(cls(), "alpha_")


def test_a_fit_that_failed_is_none(data):
    X, y = data
    model = gnomon.Ridge().fit(X, y)
    with pytest.raises(ValueError, match="unknown criterion"):
        model.set_params(criterion="nonsense").fit(X, y)
    with pytest.raises(NotFittedError):
        model.predict(X)


def test_inside_other_estimators(data):
    X, y = data
    model = gnomon.Ridge(basis="polynomial:2")
    steps = make_pipeline(ColumnTransformer([("scaled", StandardScaler(), [0, 1])], remainder="passthrough"), model)
    assert steps.fit(X, y).score(X, y) > 0.8
    assert cross_val_score(model, X, y, cv=3).shape == (3,)
    search = GridSearchCV(gnomon.KernelRidge(alphas=[0.1, 1.0]), {"kernel": ["gaussian", "laplace"]}, cv=3).fit(X, y)
    assert search.best_estimator_.alpha_ > 0
    assert TransformedTargetRegressor(model, func=np.sinh, inverse_func=np.arcsinh).fit(X, y).score(X, y) > 0.5
    assert clone(model).get_params() == model.get_params()
    assert "basis='polynomial:2'" in repr(model)


@pytest.mark.filterwarnings("ignore:.*copies of others")
@pytest.mark.parametrize(
    "model",
    [
        gnomon.KernelRidge(alphas=2.0, width=1.0),
        gnomon.Ridge(alphas=2.0),
        gnomon.Additive(alphas=2.0, amplitude=0.1, shift="constant"),
        gnomon.Huber(alphas=2.0, tau=0.3),
        gnomon.Lasso(alphas=2.0),
        gnomon.ElasticNet(alphas=2.0, l1_ratio=0.5),
        gnomon.SupportVectorRegressor(alphas=2.0, epsilon=0.1, width=1.0),
        gnomon.SpectralCutoff(alphas=2.0, width=1.0),
        gnomon.Landweber(alphas=2.0, width=1.0),
    ],
)
def test_sample_weights_are_counts(model, data, rng):
    X, y = data
    count = rng.integers(0, 4, size=60)
    weighed = clone(model).fit(X, y, sample_weight=count)
    repeated = clone(model).fit(np.repeat(X, count, axis=0), np.repeat(y, count))
    np.testing.assert_allclose(weighed.predict(X), repeated.predict(X), rtol=1e-6, atol=1e-7)


@pytest.mark.skipif(not hasattr(gnomon.Ridge, "set_fit_request"), reason="scikit-learn before 1.3 routes nothing")
def test_weights_are_routed(data, rng):
    import sklearn
    from sklearn.model_selection import cross_validate

    X, y = data
    with sklearn.config_context(enable_metadata_routing=True):
        weighed = gnomon.Ridge(alphas=1.0).set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        plain = cross_validate(gnomon.Ridge(alphas=1.0), X, y, cv=3)["test_score"]
        routed = cross_validate(weighed, X, y, cv=3, params={"sample_weight": rng.integers(1, 9, size=60)})["test_score"]
    assert np.isfinite(routed).all() and (routed != plain).any()


def test_fits_can_be_averaged(data):
    X, y = data
    plain = gnomon.KernelRidge().fit(X, y)
    average = gnomon.KernelRidge(combine="average").fit(X, y)
    assert average.alpha_ == plain.alpha_  # that of the best fit alone
    expected = np.zeros(60)
    for part in average.result_.data["chosen"]["combined"]:
        for alpha, weight in zip(part["fits"]["lambda"], part["fits"]["weight"]):
            expected += weight * gnomon.KernelRidge(width=part["width"], alphas=alpha).fit(X, y).predict(X)
    np.testing.assert_allclose(average.predict(X), expected, rtol=0, atol=1e-8 * np.abs(y).max())
    assert not np.allclose(average.predict(X), plain.predict(X), rtol=0, atol=1e-8)


def test_several_targets(data):
    X, y = data
    both = gnomon.Ridge().fit(X, np.column_stack([y, -2 * y]))
    one = gnomon.Ridge().fit(X, y)
    assert both.predict(X).shape == (60, 2) and both.coef_.shape == (2, 3) and both.intercept_.shape == (2,)
    np.testing.assert_allclose(both.predict(X)[:, 0], one.predict(X), rtol=1e-10)
    assert both.alpha_.shape == (2,) and both.alpha_[0] == pytest.approx(one.alpha_)
    assert one.coef_.shape == (3,) and isinstance(one.intercept_, float)


def test_layouts_and_single_precision_give_one_answer(data):
    X, y = data
    expected = gnomon.KernelRidge().fit(X, y).predict(X)
    wide = np.zeros((60, 6))
    wide[:, ::2] = X
    for layout in (np.asfortranarray(X), wide[:, ::2]):
        np.testing.assert_array_equal(gnomon.KernelRidge().fit(layout, y).predict(layout), expected)
    narrow = X.astype(np.float32)
    fitted = gnomon.KernelRidge().fit(narrow, y)
    np.testing.assert_array_equal(fitted.predict(narrow), gnomon.KernelRidge().fit(narrow.astype(float), y).predict(narrow))


def test_coefficients_are_in_the_units_of_the_columns(data):
    X, y = data
    model = gnomon.Lasso().fit(X, y)
    np.testing.assert_allclose(X @ model.coef_ + model.intercept_, model.predict(X), atol=1e-12)
    assert not hasattr(gnomon.KernelRidge().fit(X, y), "coef_")


def test_intervals(data):
    X, y = data
    model = gnomon.KernelRidge().fit(X, y)
    middle, lower, upper = model.predict(X, return_interval=0.8)
    np.testing.assert_array_equal(middle, model.predict(X))
    assert (lower < middle).all() and (middle < upper).all()
    assert 0.6 < np.mean((lower < y) & (y < upper)) <= 1
    with pytest.raises(ValueError, match="between 0 and 1"):
        model.predict(X, return_interval=90)


def test_classes(rng):
    X = rng.normal(size=(90, 2))
    y = np.array(["south", "north", "east"])[np.where(X[:, 0] > 0.5, 0, np.where(X[:, 1] > 0, 1, 2))]
    model = gnomon.MLPClassifier(**NETWORK).fit(X, y)
    assert list(model.classes_) == ["east", "north", "south"]
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)
    assert model.score(X, y) > 0.8
    renamed = gnomon.MLPClassifier(**NETWORK).fit(X, np.searchsorted(model.classes_, y) * 5 + 2)
    np.testing.assert_array_equal(renamed.predict_proba(X), model.predict_proba(X))
    assert list(renamed.classes_) == [2, 7, 12]


def test_flags_are_true_or_false(data):
    X, y = data
    assert gnomon.Ridge(fit_intercept=1).fit(X, y + 100).intercept_ > 50
    assert gnomon.Ridge(fit_intercept=0).fit(X, y + 100).intercept_ == 0
    with pytest.raises(ValueError, match="intercept 'yes'"):
        gnomon.Ridge(fit_intercept="yes").fit(X, y)


def test_without_an_intercept_there_is_no_constant(data):
    X, _ = data
    X = X + 5
    y = X @ np.arange(1.0, 1 + X.shape[1])
    model = gnomon.Ridge(fit_intercept=False).fit(X, y)
    assert model.intercept_ == 0 and model.score(X, y) > 0.9999


def test_a_column_may_have_an_empty_name(data):
    pandas = pytest.importorskip("pandas")
    X, y = data
    named = gnomon.Ridge().fit(pandas.DataFrame(X, columns=["", "b", "c"]), y)
    np.testing.assert_array_equal(named.coef_, gnomon.Ridge().fit(X, y).coef_)


def test_the_error_of_a_network_is_known_where_a_fold_leads_elsewhere():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(120, 3))
    y = X @ [1, 2, 0] + 0.3 * rng.normal(size=120)
    model = gnomon.MLPRegressor(hidden_layer_sizes=3, n_restarts=1).fit(X, y)
    assert 0.05 < model.error_["value"] < 0.2
