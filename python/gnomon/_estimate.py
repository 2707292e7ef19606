"""The error of any scikit-learn regressor, from refits to other targets. The library says which targets and what follows from the
refits; here they are fitted."""
from __future__ import annotations

import inspect
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs
from sklearn.base import BaseEstimator, clone, is_classifier
from sklearn.pipeline import Pipeline
from sklearn.utils import _safe_indexing, check_consistent_length
from sklearn.utils.validation import _check_sample_weight, column_or_1d

from . import _core
from ._html import number, table
from ._keywords import real, seed_of, text, text_of, whole
from ._rows import as_numbers, is_pandas
from ._select import Progress, run

_MOST_ROWS_FOR_NOISE = 1000  # σ² needs no more, and kernel ridge on them takes a second
_CRITERIA_OF_TERM = {"bootstrap": "basic", "divergence": "sure and its relatives"}
_SMALL_RESIDUALS = 0.5  # of σ², below which the bootstrap draws from too little
_STEP_OVER_JUMPS = 0.6  # in units of σ: Ye (1998) recommends 0.5 to 1


@dataclass(frozen=True)
class Estimate:
    """The estimated error of one fit, and what it is made of."""

    value: float  #: the criterion, as its page in the documentation defines it
    standard_error: float | None  #: of the value, from the spread of squared residuals and the simulation; None where unknown
    criterion: str
    estimates: str  #: what the value is an estimate of, in words
    error: float | None  #: mean squared error of the fitted function, noise excluded; None where σ² is not known
    prediction_error: float | None  #: mean squared error of predictions of new observations, noise included
    noise_variance: float | None  #: σ²; None where it could not be estimated, of which there is a warning
    parts: dict[str, float] = field(repr=False)  #: training_error, optimism, simulation_error, degrees_of_freedom, …
    method: str = ""  #: how the covariance of fit and noise was found
    where: str = "at the training inputs"
    learner: str = ""
    n_refits: int = 0

    def __float__(self) -> float:
        return float(self.value)

    def _lines(self) -> list[tuple[str, str]]:
        spread = f" ± {number(self.standard_error)}" if self.standard_error is not None else ""
        lines = [(f"{self.criterion}", f"{number(self.value)}{spread}: {self.estimates}")]
        if self.prediction_error is not None:
            lines.append(("prediction error", f"{number(self.prediction_error)}: mean squared error of new observations "
                          f"{self.where}, noise included"))  # fmt: skip
        if self.error is not None:
            lines.append(("error", f"{number(self.error)}: mean squared error of the fitted function {self.where}, noise excluded"))
        lines.append(("training error", number(self.parts["training_error"])))
        lines.append(("optimism", f"{number(self.parts['optimism'])} ± {number(self.parts['simulation_error'])}, by {self.method}"))
        if self.noise_variance is not None:
            lines.append(("noise variance", number(self.noise_variance)))
        return lines

    def __str__(self) -> str:
        return "\n".join([f"Estimated error of {self.learner}", *(f"  {name:<17} {words}" for name, words in self._lines())])

    def _repr_html_(self) -> str:
        return table(f"Estimated error of {self.learner}", self._lines())


def estimate(estimator: BaseEstimator, X: Any, y: Any, criterion: str | Sequence[str] = "basic", *,
             sample_weight: Any = None, X_test: Any = None,
             noise: float | str = "auto", reference: str | None = None, n_bootstrap: int | None = None,
             bootstrap_residuals: str | None = None, n_probes: int | None = None, continuous: bool | None = None,
             step: float | None = None, random_state: Any = 0, n_jobs: int | None = None,
             progress: Progress | None = None) -> Any:  # fmt: skip
    """The estimated error of any scikit-learn regressor: a random forest, boosting, a pipeline.

    Nothing is asked of the regressor but to be fitted to other targets. With f̂ its fit to y, e the noise and C the
    covariance Σ cov(f̂ᵢ, eᵢ)/n, the mean squared error of new observations at the training inputs is

        training error + 2 C,

    and that of the fitted function is less by σ². ``basic`` finds C by the residual bootstrap: refits to f̂ + eᵇ, eᵇ drawn from
    the residuals (Sugiyama 2007). ``sure`` and the like take C = σ² Σ ∂f̂ᵢ/∂yᵢ / n (Stein 1981), the derivatives by
    differences along random signs (Ramani, Blu & Unser 2008).

    Parameters
    ----------
    estimator : regressor
        It is cloned, never changed. A ``random_state`` of None inside it is set, the same in every refit, so that the fit is a
        function of the targets.
    X, y : as its ``fit`` takes them, y with one column
    criterion : str or list of str
        ``basic``; or ``sure``, ``sic``, ``cp``, ``gcv``, ``fpe``, ``aic``, ``aicc``, ``bic`` with degrees of freedom by
        differences, for fits that change continuously with y.
        A list gives a dict of estimates from the same refits.
    sample_weight : array, optional
        Counts, which its ``fit`` takes too: weight k means the row repeated k times. A pipeline hands them to its last step.
    X_test : optional
        Inputs where the error matters. ``basic`` and ``sic`` only, and X must be numbers: what the fit is measured against there is
        least squares on ``reference``, and the estimate is as good as that basis holds the true function.
    noise : number or str
        σ², or how the library estimates it, with kernel ridge on at most 1000 rows of X. Rows that are copies of others, and weights, tell
        nothing of the noise and are left out of it. ``basic`` at the training inputs needs it for ``error`` only.
    reference : str, optional
        With X_test: ``linear``, ``polynomial:D``, ``fourier:D``, ``gaussian:M``, or ``auto``, the best of the first three degrees by
        leave-one-out, which is the default.
    n_bootstrap : int, optional
        Refits of ``basic``, by default 100.
    bootstrap_residuals : str, optional
        Of ``basic``: ``raw``, as published, which is the default; ``centred``, less their mean; ``scaled``, stretched to the variance σ² too, without which a
        flexible fit, whose residuals are far smaller than the noise, looks better than it is.
    n_probes : int, optional
        Directions of the differences, by default 20; a refit each, two where the fit jumps.
    continuous : bool, optional
        Whether the fit changes continuously with y. By default trees, ensembles of them and searches over parameters do not: Stein's
        identity then fails, there is a warning, and steps of 0.6 σ are taken, which see the jumps (Ye 1998).
    step : float, optional
        Of the differences, in units of y. By default a thousandth of the deviation of y: an iterative regressor must be
        solved to more digits than that (``tol=1e-8``).
    random_state : int, generator or None
        The same seed gives the same answer, whatever ``n_jobs``.
    n_jobs : int, optional
        Refits at once, by joblib: ``joblib.parallel_backend`` chooses processes (as it does by itself) or threads.
    progress : callable, optional
        ``progress(what, fraction)`` after every batch of refits. An exception from it, as from Ctrl-C, stops them.

    Returns
    -------
    Estimate, or a dict of them by criterion

    Examples
    --------
    >>> from sklearn.ensemble import RandomForestRegressor
    >>> found = gnomon.estimate(RandomForestRegressor(), X, y)  # doctest: +SKIP
    >>> found.prediction_error  # doctest: +SKIP
    """
    if _tells_classes(estimator):
        raise ValueError(f"{type(estimator).__name__} tells classes apart; estimates are of the squared error of a regressor")
    names = list(criterion) if isinstance(criterion, Iterable) and not isinstance(criterion, str) else [criterion]
    facts = [_core.criterion_facts(text_of("criterion", name), X_test is not None) for name in names]
    terms = dict.fromkeys(fact["term"] for fact in facts)
    of_term = {"bootstrap": {"n_bootstrap": n_bootstrap, "bootstrap_residuals": bootstrap_residuals},
               "divergence": {"n_probes": n_probes, "continuous": continuous, "step": step}}  # fmt: skip
    for term, arguments in of_term.items():
        given = [name for name, value in arguments.items() if value is not None]
        if given and term not in terms:
            raise TypeError(f"{given[0]} has no effect on {', '.join(names)}; it belongs to {_CRITERIA_OF_TERM[term]}")
    if reference is not None and X_test is None:
        raise TypeError("reference has no effect without X_test")
    check_consistent_length(X, y)
    y = np.ascontiguousarray(column_or_1d(y, warn=True), dtype=np.float64)
    if not np.isfinite(y).all():
        raise ValueError("y has values that are not finite")
    weight = np.ones(len(y)) if sample_weight is None else _check_sample_weight(sample_weight, np.empty((len(y), 1)), dtype=np.float64)
    if not (weight > 0).all():
        raise ValueError("sample_weight must be positive; leave rows of weight 0 out")
    seed = seed_of(random_state)
    n_bootstrap = 100 if n_bootstrap is None else whole("n_bootstrap", n_bootstrap)
    n_probes = 20 if n_probes is None else whole("n_probes", n_probes)
    n_jobs = None if n_jobs is None else whole("n_jobs", n_jobs)
    bootstrap_residuals = "raw" if bootstrap_residuals is None else text(bootstrap_residuals)
    reference = "auto" if reference is None else text(reference)
    step = None if step is None else real("step", step)
    learner = _pinned(estimator, seed)
    if not hasattr(learner, "predict"):
        raise TypeError(f"{type(learner).__name__} is no regressor: it has no predict")
    fit_with = {} if sample_weight is None else {_weight_keyword(learner): weight}
    needed = X_test is not None or bootstrap_residuals == "scaled" or any(fact["needs_noise"] for fact in facts)
    sigma2 = _noise_of(X, y, noise, seed, needed=needed)

    fitted = clone(learner).fit(X, y, **fit_with)
    at_rows = _values(fitted.predict(X))
    if X_test is None:
        refits, points = _core.Refits(y, weight, at_rows), X
    else:
        design = [np.asarray(as_numbers(part), dtype=np.float64) for part in (X, X_test)]
        refits, points = _core.Refits(y, weight, at_rows, _values(fitted.predict(X_test)), *design, reference), X_test

    def fit_all(targets: np.ndarray, what: str) -> np.ndarray:
        return np.column_stack(list(_fit_all(learner, X, targets, points, fit_with, n_jobs, progress, what)))

    covariances: dict[str, tuple[Any, str, int]] = {}
    if "bootstrap" in terms:
        if bootstrap_residuals != "scaled" and np.average((y - at_rows) ** 2, weights=weight) < _SMALL_RESIDUALS * sigma2:
            _warn_of_small_residuals(estimator)
        targets = refits.resampled(seed, n_bootstrap, bootstrap_residuals, sigma2)
        found = refits.by_bootstrap(fit_all(targets, "bootstrapping"))
        covariances["bootstrap"] = found, f"residual bootstrap, {n_bootstrap} replications", n_bootstrap
    if "divergence" in terms:
        smooth = not _jumps(estimator) if continuous is None else continuous
        if not smooth:
            _warn_of_jumps(estimator, [f["name"] for f in facts if f["term"] == "divergence"])
        if step is None:
            step = _core.divergence_step(y) if smooth else _STEP_OVER_JUMPS * float(np.sqrt(sigma2))
        targets = refits.probed(seed, n_probes, step, not smooth)
        found = refits.by_probes(fit_all(targets, "differencing"))
        covariances["divergence"] = found, f"differences along {n_probes} probes", targets.shape[1]

    where = "at the training inputs" if X_test is None else f"at X_test, against {refits.reference} least squares"
    found = [_result(refits, fact, *covariances[fact["term"]], sigma2, where, estimator) for fact in facts]
    return found[0] if isinstance(criterion, str) else {one.criterion: one for one in found}


def _result(refits: Any, fact: dict[str, Any], covariance: Any, method: str, count: int, sigma2: float, where: str,
            estimator: Any) -> Estimate:  # fmt: skip
    over_sigma2 = fact["term"] == "divergence"
    numbers = refits.estimate(fact["name"], covariance, over_sigma2, sigma2)
    known = {name: None if np.isnan(value) else value for name, value in numbers.items()}
    parts = {name: numbers[name] for name in ("training_error", "distance", "optimism", "simulation_error")}
    if over_sigma2 and refits.reference == "":
        parts["degrees_of_freedom"] = covariance.whole * numbers["n"]
    return Estimate(value=numbers["value"], standard_error=known["standard_error"], criterion=fact["name"],
                    estimates=fact["estimates"], error=known["error"], prediction_error=known["prediction_error"],
                    noise_variance=None if np.isnan(sigma2) else sigma2, parts=parts, method=method, where=where,
                    learner=type(estimator).__name__, n_refits=count)  # fmt: skip


# Fitting.


def _tells_classes(estimator: Any) -> bool:
    try:
        return is_classifier(estimator)
    except AttributeError:  # not made with scikit-learn's base class, and has no tags
        return False


def _pinned(estimator: BaseEstimator, seed: int) -> BaseEstimator:
    """A clone in which random states that were left open are the seed."""
    learner = clone(estimator)
    open_states = {name: seed % 2**32 for name, value in learner.get_params(deep=True).items()
                   if (name == "random_state" or name.endswith("__random_state")) and value is None}  # fmt: skip
    return learner.set_params(**open_states) if open_states else learner


def _values(predicted: Any) -> np.ndarray:
    values = np.asarray(predicted, dtype=np.float64)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1:
        raise ValueError(f"the estimator predicts an array of shape {values.shape}; one number per row is needed")
    return values


def _weight_keyword(learner: BaseEstimator) -> str:
    """What its fit calls the weights of rows."""
    if isinstance(learner, Pipeline):
        step, last = learner.steps[-1]
        return f"{step}__{_weight_keyword(last)}"
    parameters = inspect.signature(learner.fit).parameters.values()
    if not any(p.name == "sample_weight" or p.kind is p.VAR_KEYWORD for p in parameters):
        raise ValueError(f"{type(learner).__name__} takes no sample_weight")
    return "sample_weight"


def _refit(learner: BaseEstimator, X: Any, target: np.ndarray, points: Any, fit_with: dict[str, Any]) -> np.ndarray:
    return _values(clone(learner).fit(X, target, **fit_with).predict(points))


def _fit_all(learner: BaseEstimator, X: Any, targets: np.ndarray, points: Any, fit_with: dict[str, Any], n_jobs: int | None,
             progress: Progress | None, what: str) -> Iterator[np.ndarray]:  # fmt: skip
    """Values of the refits to every column, in their order."""
    count = targets.shape[1]
    at_once = 1 if n_jobs in (None, 1) else 4 * effective_n_jobs(n_jobs)
    with Parallel(n_jobs=n_jobs) as parallel:
        for first in range(0, count, at_once):
            if progress is not None:
                progress(what, first / count)
            some = [np.ascontiguousarray(targets[:, b]) for b in range(first, min(count, first + at_once))]
            yield from parallel(delayed(_refit)(learner, X, target, points, fit_with) for target in some)


# Noise and jumps.


def _noise_of(X: Any, y: np.ndarray, noise: float | str, seed: int, *, needed: bool) -> float:
    """σ²; NaN, with a warning, where it cannot be estimated and is not needed."""
    if isinstance(noise, Real) and not isinstance(noise, bool):
        if not noise >= 0 or not np.isfinite(noise):
            raise ValueError(f"noise {noise} is not allowed; give a variance, 0 or more, or the name of a method")
        return float(noise)
    try:
        X = np.asarray(X) if isinstance(X, (list, tuple)) else X
        rows = _distinct_rows(X, y)
        if len(rows) > _MOST_ROWS_FOR_NOISE:
            rows = rows[np.sort(np.random.default_rng(seed).permutation(len(rows))[:_MOST_ROWS_FOR_NOISE])]
        options = {"learner": "kernel-ridge", "missing": "mean", "noise": text(noise)}
        value = run(_safe_indexing(X, rows), y[rows], options).data["noise_variance"]["value"]
        if value is None or not np.isfinite(value):
            raise ValueError("the estimate of the noise variance is undefined on these data")
        return float(value)
    except (ValueError, TypeError, AttributeError) as error:
        if needed or noise != "auto":
            raise ValueError(f"the noise variance cannot be estimated from X and y ({error}); give noise= a number") from error
        warnings.warn(f"the noise variance cannot be estimated from X and y ({error}), so that error and noise_variance are None; give noise= "
                      "a number", UserWarning, stacklevel=3)  # fmt: skip
        return np.nan


def _distinct_rows(X: Any, y: np.ndarray) -> np.ndarray:
    """The first of rows that are copies of one another, target and all: a fit that passes through copies says that there is no noise."""
    if is_pandas(X):
        import pandas

        return np.flatnonzero(~pandas.concat([X.reset_index(drop=True), pandas.Series(y)], axis=1).duplicated().to_numpy())
    if isinstance(X, np.ndarray) and X.ndim == 2 and X.dtype.kind in "biuf":
        return np.sort(np.unique(np.column_stack([X, y]), axis=0, return_index=True)[1])
    return np.arange(len(y))


def _parts(estimator: Any) -> Iterator[Any]:
    yield estimator
    for value in estimator.get_params(deep=True).values():
        if hasattr(value, "get_params") and not isinstance(value, type):
            yield value


def _jumps(estimator: Any) -> bool:
    """Whether its fit is known to jump as y changes: trees, choices among features or parameters."""
    for part in _parts(estimator):
        module, name = type(part).__module__, type(part).__name__
        if module.startswith(("sklearn.tree", "sklearn.feature_selection", "sklearn.model_selection", "xgboost", "lightgbm", "catboost")):
            return True
        if module.startswith("sklearn.ensemble") and not name.startswith(("Voting", "Stacking", "Bagging")):
            return True
        if name.startswith("Bagging") and not any(hasattr(value, "fit") for value in part.get_params(deep=False).values()):
            return True
        if name.startswith("RANSAC") or (module.startswith("sklearn.linear_model") and name.endswith("CV")):
            return True
    return False


def _warn_of_jumps(estimator: Any, criteria: list[str]) -> None:
    warnings.warn(f"the fit of {type(estimator).__name__} jumps as y changes, so that Stein's identity, on which {', '.join(criteria)} "
                  "rests, holds only roughly; basic does not rest on it", UserWarning, stacklevel=3)  # fmt: skip


def _warn_of_small_residuals(estimator: Any) -> None:
    warnings.warn(f"the residuals of {type(estimator).__name__} are far smaller than the noise, so that basic, which draws from them, is too "
                  "low; see bootstrap_residuals='scaled', or sure", UserWarning, stacklevel=3)  # fmt: skip
