"""What all estimators share: looking at the data, handing them over, and the fitted attributes."""
from __future__ import annotations

import inspect
import os
from functools import lru_cache
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, column_or_1d

from . import _core
from ._compat import check_feature_names, check_y, finite, validate_data
from ._folds import folds_of
from ._keywords import jobs_of, option, seed_of, text, text_of
from ._result import Result
from ._rows import add_features, is_frame_with_texts, is_stream, text_columns, with_numbers
from ._select import is_own_kernel, run, warn


@lru_cache(maxsize=None)
def _defaults(cls: type) -> dict[str, Any]:
    """Keywords of the constructor with their defaults."""
    return {name: p.default for name, p in inspect.signature(cls.__init__).parameters.items() if name != "self"}


class _Estimator(BaseEstimator):
    _learner: str  # its name on the command line
    _many_targets = True
    _weights_are_ratios = False

    # What is handed over.

    def _options(self) -> dict[str, str]:
        """Options that were set to something else than their default, as texts."""
        given = {"learner": self._learner}
        for name, default in _defaults(type(self)).items():
            value = getattr(self, name)
            if name == "random_state":
                given["seed"] = str(seed_of(value))
            elif name == "cv" or (name == "kernel" and is_own_kernel(value)):
                continue  # they go over as they are
            elif name != "n_jobs" and value is not None:
                told = text_of(option(name), value)
                if default is None or told != text(default):
                    given[option(name)] = told
        return given

    def _look(self, X: Any, *, reset: bool = False) -> Any:
        """X checked as scikit-learn does it. Frames with columns of texts stay frames."""
        X = with_numbers(X, () if reset else self._texts)
        if is_stream(X) or is_frame_with_texts(X):
            self._remember_names(X, reset)
            return X
        return validate_data(self, X, reset=reset, **self._number_keywords())

    def _look_at_both(self, X: Any, y: Any) -> Any:
        self.__dict__.pop("_result", None)  # of an earlier fit
        X = with_numbers(X)
        self._texts = text_columns(X)  # which stay texts, whatever later rows hold
        if y is not None and (is_stream(X) or is_frame_with_texts(X)):
            return self._look(X, reset=True), self._look_at_target(y)
        return validate_data(self, X, y, ensure_min_samples=2, **self._number_keywords(), **self._target_keywords())

    def _number_keywords(self) -> dict[str, Any]:
        return {"dtype": [np.float64, np.float32], **finite(self._takes_missing())}

    def _takes_missing(self) -> bool:
        return getattr(self, "missing", "error") != "error"

    def _remember_names(self, X: Any, reset: bool) -> None:
        if not is_stream(X):
            check_feature_names(self, X, reset=reset)
            names = list(X.columns)
        else:
            names = add_features(_core.Rows("X"), X)
            if reset:
                self.feature_names_in_ = np.asarray(names, dtype=object)
        if reset:
            self.n_features_in_ = len(names)
        elif len(names) != self.n_features_in_:
            raise ValueError(f"X has {len(names)} features, but {type(self).__name__} is expecting "
                             f"{self.n_features_in_} features as input")  # fmt: skip

    def _target_keywords(self) -> dict[str, Any]:
        return {"multi_output": self._many_targets, "y_numeric": True}

    def _look_at_target(self, y: Any) -> Any:
        y = check_y(y)
        return y if self._many_targets and y.ndim == 2 else column_or_1d(y, warn=True)

    def _run(self, X: Any, y: Any, sample_weight: Any, X_test: Any, groups: Any, **more: str) -> None:
        """Chooses and fits; `y` and `X` have been looked at."""
        given_weight, given_test = sample_weight, X_test
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, X if hasattr(X, "shape") else np.empty((len(y), 1)))
        elif self._weights_are_ratios and X_test is None and self.weights == "none":
            sample_weight = np.ones(len(y))  # no shift
        if X_test is not None:
            X_test = self._look(X_test)
        kernel = getattr(self, "kernel", None)
        folds = folds_of(self.cv, groups, y, classify=isinstance(self, ClassifierMixin))
        self._result = run(X, y, {**self._options(), **more}, names=self._names(), sample_weight=sample_weight,
                           X_test=X_test, folds=folds, n_jobs=jobs_of(self.n_jobs),
                           kernel=kernel if is_own_kernel(kernel) else None)  # fmt: skip
        self._result.fitted_with = {"sample_weight": given_weight, "X_test": given_test}
        warn(self._result.warnings, above=3)  # fit, _fit, _run

    def _names(self) -> list[str]:
        """What the columns of an array are called."""
        names = getattr(self, "feature_names_in_", None)
        return [f"x{j}" for j in range(self.n_features_in_)] if names is None else [str(name) for name in names]

    def _predict(self, X: Any) -> np.ndarray:
        check_is_fitted(self)
        X = self._look(X)
        return self._result.model._values(X, self.n_jobs)

    def _is_pairwise(self) -> bool:
        """X is the matrix of a kernel."""
        return isinstance(getattr(self, "kernel", None), str) and self.kernel == "precomputed"

    # What is known after fit.

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_result")

    def _fitted(self) -> Result:
        check_is_fitted(self)
        return self._result

    @property
    def result_(self) -> Result:
        """All results of the fit: ``result_.data`` is the JSON of the command."""
        return self._fitted()

    @property
    def alpha_(self) -> Any:
        """The chosen λ; a dict by name where there are several, an array over several targets."""
        return self._fitted().alpha

    @property
    def criterion_(self) -> Any:
        """The criterion that chose λ."""
        return self._fitted().criterion

    @property
    def criterion_value_(self) -> Any:
        """The value of that criterion at the chosen λ."""
        return self._fitted().criterion_value

    @property
    def risk_path_(self) -> Any:
        """Dict of arrays: lambda, df, train_error, and per criterion its values and their standard errors."""
        return self._fitted().risk_path

    @property
    def error_(self) -> Any:
        """The error of this fit on new data, honest after choosing: dict with value, low, high, level, estimates."""
        return self._fitted().error

    def report(self, path: str | os.PathLike[str]) -> None:
        """Write what was found, and how, as one self-contained HTML page: that of ``gnomon.select(…, report=path)``. It is made from X and y,
        which must not have been written to since, by choosing once more: it takes as long as the fit, and last digits may differ."""
        self._fitted().report(path)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model for ``gnomon predict`` and :func:`gnomon.load`."""
        self._fitted().save(path)

    # Words to scikit-learn.

    def _more_tags(self) -> dict[str, Any]:  # before 1.6
        return {"allow_nan": self._takes_missing(), "multioutput": self._many_targets,
                "pairwise": self._is_pairwise()}  # fmt: skip

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self._takes_missing()
        tags.input_tags.pairwise = self._is_pairwise()
        tags.target_tags.multi_output = self._many_targets
        return tags


class _Regressor(RegressorMixin, _Estimator):
    def _fit(self, X: Any, y: Any, sample_weight: Any = None, X_test: Any = None, groups: Any = None):
        X, y = self._look_at_both(X, y)
        self._y_is_column = np.ndim(y) == 2
        self._run(X, y, sample_weight, X_test, groups)
        return self

    def predict(self, X: Any, return_interval: float | None = None) -> Any:
        """Predictions, or with ``return_interval=0.9`` (prediction, lower, upper): a new value lies between with
        that probability."""
        predicted = self._predict(X)
        if return_interval is None:
            return self._shaped(predicted)
        half = self._result.model._half_widths(return_interval)
        return tuple(self._shaped(p) for p in (predicted, predicted - half, predicted + half))

    def _shaped(self, values: np.ndarray) -> np.ndarray:
        return values if self._y_is_column else values[:, 0]

    @property
    def coef_(self) -> np.ndarray:
        """Coefficients in the units of X, where the fit is linear in its columns."""
        return self._shaped(self._fitted().coef.T).T

    @property
    def intercept_(self) -> Any:
        """The constant beside ``coef_``."""
        offset = self._fitted().intercept
        return offset if self._y_is_column else float(offset[0])


class _WeighedRegressor(_Regressor):
    """Rows have weights."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None, X_test: Any = None, groups: Any = None):
        """Estimate the error along the path of λ, choose λ, and fit.

        Parameters
        ----------
        X : array or data frame, rows × features
            float64 and float32 are read where they lie. Frames keep their names; columns of texts are categories.
        y : array, rows or rows × targets
        sample_weight : array, optional
            Counts: weight k means the same as the row repeated k times. ImportanceWeightedRidge: density ratios
            p_test/p_train.
        X_test : array or data frame, optional
            Inputs where the error matters, if they are not distributed like X.
        groups : array of labels, optional
            Rows of one group are held out together; a splitter in ``cv`` is told them.
        """
        return self._fit(X, y, sample_weight, X_test, groups)


class _NetworkRegressor(_Regressor):
    """Rows count once each."""

    def fit(self, X: Any, y: Any, groups: Any = None):
        """Estimate the error along the search, choose the decays, and fit.

        Parameters
        ----------
        X : array or data frame, rows × features
        y : array, rows or rows × targets
        groups : array of labels, optional
            Rows of one group are held out together; a splitter in ``cv`` is told them.
        """
        return self._fit(X, y, groups=groups)


class _NetworkClassifier(ClassifierMixin, _Estimator):
    _many_targets = False

    def fit(self, X: Any, y: Any, groups: Any = None):
        """Estimate the error along the search, choose the decays, and fit.

        Parameters
        ----------
        X : array or data frame, rows × features
        y : array of labels, numbers or texts
        groups : array of labels, optional
            Rows of one group are held out together; a splitter in ``cv`` is told them.
        """
        X, y = self._look_at_both(X, y)
        check_classification_targets(y)
        self.classes_ = np.unique(y)
        numbers = self.classes_.dtype.kind in "iufb"
        labels = y if numbers else np.asarray([str(label) for label in y], dtype=object)
        self._run(X, labels, None, None, groups, classify="true")
        if not numbers:  # the model lists its classes in the order of their texts
            place = {name: k for k, name in enumerate(self._result.model.classes)}
            self._order = [place[str(label)] for label in self.classes_]
        else:
            self._order = list(range(len(self.classes_)))
        return self

    def _target_keywords(self) -> dict[str, Any]:
        return {}

    def predict_proba(self, X: Any) -> np.ndarray:
        """Probabilities of the classes, columns in the order of ``classes_``."""
        predicted = self._predict(X)
        return predicted[:, self._order]

    def predict(self, X: Any) -> np.ndarray:
        """The most probable class."""
        best = np.argmax(self.predict_proba(X), axis=1)
        return self.classes_[best]


