"""Pictures by scikit-learn's convention: a display holds numbers, ``plot`` draws them, ``from_…`` makes both. matplotlib is imported when
something is drawn."""
from __future__ import annotations

import textwrap
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from ._compare import Comparison
from ._keywords import keyword, whole
from ._result import Result
from ._rows import as_numbers, is_pandas, is_stream


def _pyplot() -> Any:
    try:
        import matplotlib.pyplot as pyplot
    except ImportError as error:
        raise ImportError("pictures need matplotlib: python3 -m pip install matplotlib") from error
    return pyplot


def _result_of(fitted: Any) -> Any:
    """Of a fitted estimator, of the last step of a pipeline, or a result itself."""
    if isinstance(fitted, Result):
        return fitted
    last = fitted.steps[-1][1] if isinstance(fitted, Pipeline) else fitted
    if not hasattr(type(last), "result_"):
        raise TypeError(f"an object of type {type(last).__name__} has no path of λ; give a fitted estimator of gnomon, a pipeline that ends in "
                        "one, or the result of gnomon.select")  # fmt: skip
    return last.result_


def _along(path: dict[str, Any], at: dict[str, Any]) -> tuple[str, np.ndarray]:
    """The parameter that the path runs along, and the places that share the other parameters with `at`."""
    parameters = path.get("parameters", {"lambda": path["lambda"]})
    varies = [name for name, values in parameters.items() if np.unique(values).size > 1]
    axis = "lambda" if "lambda" in varies or not varies else varies[0]
    places = np.ones(len(path["lambda"]), dtype=bool)
    for name in varies:
        if name != axis and at.get(name) is not None:
            values = np.asarray(parameters[name])
            places &= values == values[np.argmin(np.abs(values - at[name]))]
    return axis, np.flatnonzero(places)


def _numbers(values: Sequence[float | None], places: np.ndarray) -> np.ndarray:
    return np.array([np.nan if values[k] is None else values[k] for k in places], dtype=float)


class RiskCurveDisplay:
    """Criteria over λ, with their standard errors and the value that each of them chooses.

    Parameters
    ----------
    curves : dict
        Per criterion a dict with ``x``, ``value``, ``se`` or None, ``estimates`` and ``selected``, a pair (x, value).
    axis : str
        What x is: ``lambda``, or another parameter where λ does not vary.
    chosen : str
        The criterion that chose.

    Attributes
    ----------
    axes_ : array of matplotlib axes, one for every kind of number; ``ax_`` is the first
    figure_ : matplotlib figure
    """

    def __init__(self, *, curves: dict[str, dict[str, Any]], axis: str = "lambda", chosen: str = ""):
        self.curves = curves
        self.axis = axis
        self.chosen = chosen

    @classmethod
    def from_estimator(cls, estimator: Any, *, criteria: str | Sequence[str] | None = None, target: int = 0, ax: Any = None,
                       **line: Any) -> RiskCurveDisplay:  # fmt: skip
        """From a fitted estimator of gnomon, a pipeline that ends in one, or the result of :func:`gnomon.select`.

        Parameters
        ----------
        criteria : str or list of str, optional
            Those to show, as the fit reported them; all by default.
        target : int
            Which of several targets.
        ax : matplotlib axes, optional
            To draw on; then criteria must be of one kind, and by default those of the kind that chose are shown.
        **line
            Keywords of every line.
        """
        found = _result_of(estimator).targets[target]
        if "parameters" in found["chosen"]:
            raise ValueError("a search over several parameters at once has no path to show; see result_.data['trace']")
        chosen = found["chosen"]["criterion"]
        known = found["path"]["criteria"]
        criteria = [criteria] if isinstance(criteria, str) else criteria
        for name in criteria or ():
            if name not in known:
                raise ValueError(f"criterion '{name}' was not reported; reported: {', '.join(known)}")
        if criteria is None:
            of_one_kind = [name for name in known if known[name]["estimates"] == known[chosen]["estimates"]]
            criteria = list(known) if ax is None else of_one_kind
        curves, axis = {}, "lambda"
        for name in criteria:
            selected = found["selected"].get(name) or {}
            axis, places = _along(found["path"], selected)
            se = known[name]["se"]
            curves[name] = {
                "x": _numbers(found["path"][axis], places),
                "value": _numbers(known[name]["value"], places),
                "se": None if se is None else _numbers(se, places),
                "estimates": known[name]["estimates"],
                "selected": (selected.get(axis), selected.get("value")),
            }
        return cls(curves=curves, axis=axis, chosen=chosen).plot(ax=ax, **line)

    def plot(self, ax: Any = None, **line: Any) -> RiskCurveDisplay:
        """Draw; every kind of number has axes of its own, since they do not compare."""
        kinds: dict[str, list[str]] = {}
        for name in sorted(self.curves, key=lambda name: name != self.chosen):
            kinds.setdefault(self.curves[name]["estimates"], []).append(name)
        if ax is None:
            figure, axes = _pyplot().subplots(len(kinds), 1, sharex=True, squeeze=False, figsize=(6.4, 1.2 + 2.4 * len(kinds)),
                                              constrained_layout=True)  # fmt: skip
            axes = axes[:, 0]
        elif len(kinds) > 1:
            raise ValueError("these criteria are numbers of different kinds, which do not share axes; name criteria of one kind, or no ax")
        else:
            figure, axes = ax.figure, np.array([ax])
        colours = {name: f"C{k}" for k, name in enumerate(self.curves)}
        for own, (estimates, names) in zip(axes, kinds.items()):
            for name in names:
                self._draw(own, name, colours[name], line)
            self._frame(own, names)
            if self.chosen in self.curves and self.curves[self.chosen]["selected"][0] is not None:
                own.axvline(self.curves[self.chosen]["selected"][0], color="0.3", lw=0.9, ls=":", zorder=0)
            own.set_title(textwrap.fill(estimates, 80), fontsize="small", loc="left")
            own.legend(fontsize="small", framealpha=0.8)
        axes[-1].set_xlabel("λ" if self.axis == "lambda" else self.axis)
        self.axes_, self.ax_, self.figure_ = axes, axes[0], figure
        return self

    def _draw(self, ax: Any, name: str, colour: str, line: dict[str, Any]) -> None:
        curve = self.curves[name]
        chose = name == self.chosen
        drawn = ax.plot(curve["x"], curve["value"], **{"color": colour, "label": name + (" (chose)" if chose else ""), **line})
        colour = drawn[0].get_color()
        if curve["se"] is not None:
            ax.fill_between(curve["x"], curve["value"] - curve["se"], curve["value"] + curve["se"], color=colour, alpha=0.15, lw=0)
        x, value = curve["selected"]
        if x is not None and value is not None:
            ax.plot([x], [value], "o", color=colour, mfc=colour if chose else "white", ms=7, zorder=3)

    def _frame(self, ax: Any, names: list[str]) -> None:
        """Room for the valley: the wall at small λ may be a thousand times as high as what there is to see."""
        if self.axis == "lambda" and all((self.curves[name]["x"] > 0).all() for name in names):
            ax.set_xscale("log")
        low, high = np.inf, -np.inf
        for name in names:
            curve = self.curves[name]
            value, se = curve["value"], np.nan_to_num(curve["se"]) if curve["se"] is not None else 0
            if not np.isfinite(value).any():
                continue
            at = np.nanargmin(value)
            se_there = se[at] if np.ndim(se) else 0
            right = value[np.isfinite(value)][-1]
            low = min(low, value[at] - 1.5 * se_there)
            high = max(high, value[at] + 1.5 * se_there, min(np.nanmax(value), right))
        if low < high:
            ax.set_ylim(low - 0.1 * (high - low), high + 0.15 * (high - low))


class CoefficientPathDisplay:
    """Coefficients over λ, in the units of X.

    Parameters
    ----------
    alphas : array
        Values of λ, ascending.
    coefs : array, values × features
    feature_names : list of str
    chosen : float, optional
        The λ that was chosen.

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure
    lines_ : list of matplotlib lines
    """

    def __init__(self, *, alphas: np.ndarray, coefs: np.ndarray, feature_names: Sequence[str], chosen: float | None = None):
        self.alphas = alphas
        self.coefs = coefs
        self.feature_names = feature_names
        self.chosen = chosen

    @classmethod
    def from_estimator(cls, estimator: Any, X: Any, y: Any, *, alphas: Sequence[float] | None = None, n_alphas: int = 40,
                       standardize: bool = False, sample_weight: Any = None, X_test: Any = None, groups: Any = None, ax: Any = None,
                       **line: Any) -> CoefficientPathDisplay:  # fmt: skip
        """Fit the estimator again at every λ, all else as it was chosen; it must have ``coef_``.

        Parameters
        ----------
        estimator : a fitted estimator of gnomon, or a pipeline that ends in one
        X, y : the data of the fit
        alphas : list of float, optional
            Values of λ; by default ``n_alphas`` over the path of the fit.
        standardize : bool
            Multiply coefficients by the deviations of their columns, so that they compare.
        sample_weight, X_test, groups : optional
            Those of the fit. Weights and test inputs are known of an estimator that was fitted here; they must be given for one that was
            pickled. Groups of rows change no coefficient, λ being given.
        """
        result = _result_of(estimator)
        if isinstance(estimator, Pipeline):
            X = estimator[:-1].transform(X) if len(estimator.steps) > 1 else X
            estimator = estimator.steps[-1][1]
        chosen = result.targets[0]["chosen"]
        if np.ndim(estimator.coef_) == 2 and len(estimator.coef_) > 1:
            raise ValueError("several targets have several paths; fit one of them")
        _quietly(lambda: estimator._look(X))  # as many columns as the fit had, of the same names
        fit_with = _fit_with(result, sample_weight=sample_weight, X_test=X_test, groups=groups)
        if alphas is None:
            path = np.unique(estimator.risk_path_["lambda"])
            path = path[path > 0]
            if path.size < 2:
                raise ValueError("the fit tried fewer than two λ above 0, between which there is no path; give from_estimator alphas of its own")
            if whole("n_alphas", n_alphas) < 1:
                raise ValueError(f"n_alphas {n_alphas} is not allowed; give 1 or more")
            alphas = np.geomspace(path[0], path[-1], n_alphas)
        if len(alphas) == 0:
            raise ValueError("alphas is empty; give one value of λ or more")
        fixed = {keyword(name): chosen[name] for name in ("mix", "tau", "epsilon", "amplitude", "flattening") if chosen.get(name) is not None}
        fixed = {name: value for name, value in fixed.items() if name in estimator.get_params()}
        judge = chosen["criterion"] if "shift" in result.data or "flattening" in chosen else "gcv"  # undefined under importance weights
        coefs = []
        for alpha in alphas:
            fit = clone(estimator).set_params(**fixed, alphas=float(alpha), criterion=judge, cv=None)
            coefs.append(_quietly(lambda fit=fit: np.ravel(fit.fit(X, y, **fit_with).coef_)))
        names = getattr(estimator, "feature_names_in_", None)
        names = result.model.features if names is None or len(names) != len(coefs[0]) else list(names)
        coefs = np.array(coefs)
        if standardize:
            coefs = coefs * _deviations(X, result.model)
        return cls(alphas=np.asarray(alphas, dtype=float), coefs=coefs, feature_names=names, chosen=chosen["lambda"]).plot(ax=ax, **line)

    def plot(self, ax: Any = None, *, most_labels: int = 10, **line: Any) -> CoefficientPathDisplay:
        """Draw; the largest coefficients are named at the left end."""
        if ax is None:
            _, ax = _pyplot().subplots(figsize=(6.4, 4.2), constrained_layout=True)
        self.lines_ = []
        largest = np.argsort(-np.abs(self.coefs).max(axis=0))
        for place, j in enumerate(largest):
            style = {"color": f"C{place % 10}", "label": str(self.feature_names[j])} if place < most_labels else {"color": "0.75", "lw": 0.8}
            self.lines_ += ax.plot(self.alphas, self.coefs[:, j], **{**style, **line})
        ax.axhline(0, color="0.4", lw=0.6)
        if self.chosen is not None and self.chosen > 0:
            ax.axvline(self.chosen, color="0.3", lw=0.9, ls=":")
            ax.annotate("chosen", (self.chosen, 1), xycoords=("data", "axes fraction"), xytext=(3, -11), textcoords="offset points",
                        fontsize="small", color="0.3")  # fmt: skip
        ax.set_xscale("log")
        ax.set_xlabel("λ")
        ax.set_ylabel("coefficient")
        if len(self.feature_names) > 1:
            ax.legend(fontsize="small", loc="upper left", bbox_to_anchor=(1.01, 1), borderaxespad=0, frameon=False)
        self.ax_, self.figure_ = ax, ax.figure
        return self


def _fit_with(result: Result, **given: Any) -> dict[str, Any]:
    """Arguments of fit beside X and y: as given, or those of the fit as far as they are known."""
    known = {**result.fitted_with, **{name: value for name, value in given.items() if value is not None}}
    return {name: value for name, value in known.items() if value is not None}


def _deviations(X: Any, model: Any) -> np.ndarray:
    """Of the features that the columns of X become: of a text that of its indicator, 1 or 0. Missing cells are left out."""
    if not (is_pandas(X) or is_stream(X)):
        return np.nanstd(as_numbers(X), axis=0)
    columns = {str(name): np.asarray(X[name]) for name in (X.columns if is_pandas(X) else model.feature_names)}
    found = {}
    for name, cells in columns.items():
        if name in model.features:
            found[name] = np.nanstd(as_numbers(cells))
            continue
        texts = [str(cell) for cell in cells if cell is not None and cell == cell]
        for level in set(texts):
            found[f"{name}={level}"] = np.std([text == level for text in texts])
    return np.array([found.get(feature, 0.0) for feature in model.features])


def _quietly(call: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # one λ is always at an end of those tried
        return call()


class CompareDisplay:
    """Regrets of criteria on simulated data: means with two standard errors, and how bad it gets on one data set in twenty.

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure
    """

    def __init__(self, *, names: Sequence[str], regret: np.ndarray, se: np.ndarray, tail: np.ndarray, ties: Sequence[str] = ()):
        self.names = names
        self.regret = regret
        self.se = se
        self.tail = tail
        self.ties = ties

    @classmethod
    def from_result(cls, comparison: Comparison, *, learner: str | None = None, ax: Any = None) -> CompareDisplay:
        """From what :func:`gnomon.compare` found; `learner` names one of several."""
        found = comparison.data if learner is None else comparison.data.get("by_learner", {}).get(learner)
        if found is None:
            raise ValueError(f"learner '{learner}' was not compared")
        if not found["ranking"]:
            raise ValueError("nothing was simulated: give trials")
        regrets = [found["criteria"][name]["regret"] for name in found["ranking"]]
        column = lambda key: np.array([np.nan if r[key] is None else r[key] for r in regrets], dtype=float)  # noqa: E731
        return cls(names=found["ranking"], regret=column("mean"), se=column("se"), tail=column("quantile_95"),
                   ties=found["ties"]).plot(ax=ax)  # fmt: skip

    def plot(self, ax: Any = None) -> CompareDisplay:
        """Draw, the best on top."""
        if ax is None:
            _, ax = _pyplot().subplots(figsize=(6.4, 1.3 + 0.32 * len(self.names)), constrained_layout=True)
        places = np.arange(len(self.names))[::-1]
        best = np.array([name in self.ties or k == 0 for k, name in enumerate(self.names)])
        end = max(2.0, 2 * np.nanmax(np.maximum(self.tail, self.regret)[best]))  # what is further off is written as a number
        reach = np.nanmax(np.maximum(self.tail, self.regret + 2 * self.se))
        if 1 < reach < end:
            end = 1 + 1.05 * (reach - 1)
        for place, regret, se, tail, colour in zip(places, self.regret, self.se, self.tail, np.where(best, "C0", "0.55")):
            if not regret < end:
                ax.annotate(f"{regret:.3g} ▸", (end, place), xytext=(-4, 0), textcoords="offset points", ha="right", va="center",
                            fontsize="small", color="0.35")  # fmt: skip
                continue
            ax.hlines(place, min(regret, tail), max(regret, tail), color=colour, lw=1, alpha=0.6)
            ax.hlines(place, max(regret - 2 * se, 1), regret + 2 * se, color=colour, lw=4, alpha=0.45)
            ax.plot(regret, place, "o", color=colour, ms=5.5)
            ax.plot(tail, place, "|", color=colour, ms=9)
        ax.set_yticks(places, self.names)
        ax.set_xlim(1 - 0.03 * (end - 1), end)
        ax.set_ylim(-0.7, len(self.names) - 0.3)
        ax.set_xlabel("regret: error of the choice over that of the best λ\n● mean ± 2 standard errors    | 95 % of data sets are below")
        ax.grid(axis="x", lw=0.4, alpha=0.6)
        self.ax_, self.figure_ = ax, ax.figure
        return self
