"""Pictures show the numbers of the fit."""
import pickle
import subprocess
import sys

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import gnomon

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")


@pytest.fixture(autouse=True)
def close():
    yield
    import matplotlib.pyplot as plt

    plt.close("all")


def test_matplotlib_is_imported_late():
    code = "import sys, gnomon; assert 'matplotlib' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_risk_curves(data):
    X, y = data
    model = gnomon.KernelRidge(criterion=["loo", "gcv", "sic"]).fit(X, y)
    display = gnomon.RiskCurveDisplay.from_estimator(model)
    assert len(display.axes_) == 2  # prediction error, and that less a constant
    assert [text.get_text() for text in display.axes_[0].get_legend().get_texts()] == ["loo (chose)", "gcv"]
    line = display.axes_[0].lines[0]
    np.testing.assert_array_equal(line.get_xdata(), model.risk_path_["lambda"])
    np.testing.assert_array_equal(line.get_ydata(), model.risk_path_["criteria"]["loo"]["value"])
    assert display.curves["loo"]["selected"] == (model.alpha_, model.criterion_value_)
    low, high = display.axes_[0].get_ylim()
    assert low < model.criterion_value_ < high
    display.figure_.canvas.draw()


def test_risk_curves_on_axes_of_ones_own(data):
    import matplotlib.pyplot as plt

    X, y = data
    model = gnomon.KernelRidge(criterion=["loo", "sic"]).fit(X, y)
    _, ax = plt.subplots()
    display = gnomon.RiskCurveDisplay.from_estimator(model, ax=ax, color="black")
    assert display.ax_ is ax and list(display.curves) == ["loo"] and ax.lines[0].get_color() == "black"
    with pytest.raises(ValueError, match="do not share axes"):
        gnomon.RiskCurveDisplay.from_estimator(model, criteria=["loo", "sic"], ax=ax)
    with pytest.raises(ValueError, match="'aic' was not reported; reported: loo, sic"):
        gnomon.RiskCurveDisplay.from_estimator(model, criteria=["aic"])


@pytest.mark.filterwarnings("ignore")
def test_paths_with_another_parameter(data):
    X, y = data
    shifted = gnomon.RiskCurveDisplay.from_estimator(gnomon.ImportanceWeightedRidge().fit(X, y, X_test=X + 0.3))
    assert shifted.axis == "flattening" and shifted.ax_.get_xscale() == "linear"
    net = gnomon.ElasticNet(l1_ratio=[0.2, 0.7]).fit(X, y)
    curve = gnomon.RiskCurveDisplay.from_estimator(net.result_).curves["cv"]
    assert (np.diff(curve["x"]) > 0).all() and len(curve["x"]) == len(net.risk_path_["lambda"]) / 2
    searched = gnomon.Ridge(groups="each").fit(X, y)
    with pytest.raises(ValueError, match="has no path to show"):
        gnomon.RiskCurveDisplay.from_estimator(searched)


def test_coefficient_paths(data):
    X, y = data
    model = gnomon.Lasso(criterion="cv:5").fit(X, y)
    display = gnomon.CoefficientPathDisplay.from_estimator(model, X, y, alphas=[model.alpha_, 10.0, 1e4])
    np.testing.assert_allclose(display.coefs[0], model.coef_, rtol=1e-6, atol=1e-9)
    assert (display.coefs[2] == 0).all() and display.chosen == model.alpha_
    assert list(display.feature_names) == ["x0", "x1", "x2"] and len(display.lines_) == 3
    scaled = gnomon.CoefficientPathDisplay.from_estimator(model, X, y, alphas=[1.0, 2.0], standardize=True)
    np.testing.assert_allclose(scaled.coefs[0], gnomon.Lasso(alphas=1.0, criterion="gcv").fit(X, y).coef_ * X.std(axis=0))
    with pytest.raises(AttributeError, match="not linear"):
        gnomon.CoefficientPathDisplay.from_estimator(gnomon.KernelRidge().fit(X, y), X, y)


def test_coefficient_paths_of_other_columns_are_refused(data):
    X, y = data
    model = gnomon.Lasso().fit(X, y)
    for fitted in (model, make_pipeline(gnomon.Lasso()).fit(X, y)):
        with pytest.raises(ValueError, match="X has 2 features, but Lasso is expecting 3 features"):
            gnomon.CoefficientPathDisplay.from_estimator(fitted, X[:, :2], y)


def test_values_of_a_coefficient_path(data):
    X, y = data
    draw = gnomon.CoefficientPathDisplay.from_estimator
    model = gnomon.Ridge(alphas=[0, 1.0], criterion="loo").fit(X, y)
    with pytest.raises(ValueError, match="the fit tried fewer than two λ above 0.*give from_estimator alphas of its own"):
        draw(model, X, y)
    np.testing.assert_allclose(draw(model, X, y, alphas=[0, 1.0]).coefs[0], np.linalg.lstsq(X - X.mean(0), y, rcond=None)[0], rtol=1e-6)
    with pytest.raises(ValueError, match="alphas is empty"):
        draw(model, X, y, alphas=[])
    with pytest.raises(ValueError, match="n_alphas 0 is not allowed; give 1 or more"):
        draw(gnomon.Ridge().fit(X, y), X, y, n_alphas=0)
    with pytest.raises(TypeError, match="n_alphas 2.5 is not allowed; give a whole number"):
        draw(gnomon.Ridge().fit(X, y), X, y, n_alphas=2.5)


def test_regrets(data):
    comparison = gnomon.compare(*data, "ridge", criteria=["loo", "sic", "evidence"], trials=6)
    display = gnomon.CompareDisplay.from_result(comparison)
    assert [label.get_text() for label in display.ax_.get_yticklabels()] == comparison.ranking
    assert display.regret[0] == comparison.criteria[comparison.ranking[0]]["regret"]["mean"]
    display.figure_.canvas.draw()
    with pytest.raises(ValueError, match="'lasso' was not compared"):
        gnomon.CompareDisplay.from_result(comparison, learner="lasso")


def test_results_show_themselves(data):
    result = gnomon.select(*data, "ridge")
    assert "chosen by" in result._repr_html_() and result.criterion in result._repr_html_()


def test_coefficient_paths_of_weighted_fits(data):
    X, y = data
    weight = np.tile([1.0, 2.0, 3.0], 20)
    model = gnomon.Lasso(criterion="cv:5").fit(X, y, sample_weight=weight)
    path = gnomon.CoefficientPathDisplay.from_estimator
    np.testing.assert_allclose(path(model, X, y, alphas=[model.alpha_, 10.0]).coefs[0], model.coef_, rtol=1e-6, atol=1e-9)
    restored = pickle.loads(pickle.dumps(model))
    told = path(restored, X, y, alphas=[model.alpha_, 10.0], sample_weight=weight, groups=np.arange(60) // 6)
    np.testing.assert_allclose(told.coefs[0], model.coef_, rtol=1e-6, atol=1e-9)
    assert np.abs(path(restored, X, y, alphas=[model.alpha_, 10.0]).coefs[0] - model.coef_).max() > 1e-4


@pytest.mark.filterwarnings("ignore")
def test_coefficient_paths_under_covariate_shift(data):
    X, y = data
    model = gnomon.ImportanceWeightedRidge(alphas=[0.1, 1.0]).fit(X, y, X_test=X + 0.3)
    display = gnomon.CoefficientPathDisplay.from_estimator(model, X, y, alphas=[model.alpha_, 5.0])
    np.testing.assert_allclose(display.coefs[0], model.coef_, rtol=1e-6)


def test_coefficient_paths_of_texts_and_of_a_column(data):
    pd = pytest.importorskip("pandas")
    X, y = data
    frame = pd.DataFrame(X, columns=["a", "b", "c"]).assign(kind=np.tile(["p", "q", "q"], 20))
    model = gnomon.Ridge().fit(frame, y)
    display = gnomon.CoefficientPathDisplay.from_estimator(model, frame, y, alphas=[model.alpha_, 2.0], standardize=True)
    assert list(display.feature_names) == ["a", "b", "c", "kind=p", "kind=q"]
    np.testing.assert_allclose(display.coefs[0], model.coef_ * [*X.std(axis=0), *[np.sqrt(2) / 3] * 2], rtol=1e-6)
    column = gnomon.Lasso(criterion="cv:5").fit(X, y[:, None])
    display = gnomon.CoefficientPathDisplay.from_estimator(column, X, y[:, None], alphas=[column.alpha_, 10.0])
    np.testing.assert_allclose(display.coefs[0], column.coef_[0], rtol=1e-6, atol=1e-9)
    with pytest.raises(ValueError, match="several targets"):
        both = np.column_stack([y, X[:, 0]])
        gnomon.CoefficientPathDisplay.from_estimator(gnomon.Ridge().fit(X, both), X, both)


def test_the_last_step_of_a_pipeline(data):
    X, y = data
    piped = make_pipeline(StandardScaler(), gnomon.Ridge(criterion=["loo", "gcv"])).fit(X, y)
    display = gnomon.RiskCurveDisplay.from_estimator(piped, criteria="gcv")
    assert list(display.curves) == ["gcv"]
    paths = gnomon.CoefficientPathDisplay.from_estimator(piped, X, y, alphas=[piped[-1].alpha_, 10.0])
    np.testing.assert_allclose(paths.coefs[0], piped[-1].coef_, rtol=1e-6)
    with pytest.raises(TypeError, match="type StandardScaler has no path of λ"):
        gnomon.RiskCurveDisplay.from_estimator(StandardScaler().fit(X))
