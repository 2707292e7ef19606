"""What a finished selection hands back."""
from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any

import numpy as np

from . import _core
from ._html import number, table
from ._model import Model, write


def _as_arrays(value: Any) -> Any:
    """Lists of numbers become arrays, with NaN where a number is undefined; all else stays."""
    if isinstance(value, dict):
        return {name: _as_arrays(part) for name, part in value.items()}
    if isinstance(value, list) and all(v is None or isinstance(v, (int, float)) for v in value):
        return np.array([np.nan if v is None else v for v in value], dtype=np.float64)
    return value


class Result:
    """A fitted model and all that is known of how it was chosen.

    ``data`` is the JSON of the command as a dict. Results are computed by the library and written when they are asked for. ``model`` is
    a :class:`gnomon.Model`, and the result predicts as it does.
    """

    def __init__(self, model: Model, study: _core.Study | None = None, json_text: str | None = None,
                 for_report: Callable[[], _core.Study] | None = None):  # fmt: skip
        self.model = model
        self.fitted_with: dict[str, Any] = {}  # arguments of an estimator's fit beside X and y; pickles do not hold them
        self._study = study
        self._for_report = for_report  # the study with all that its page shows
        self._json = json_text
        self._data: dict[str, Any] | None = None

    def __reduce__(self):
        return Result, (self.model, None, self.json)

    def predict(self, X: Any, return_interval: float | None = None, *, n_jobs: int | None = None) -> Any:
        """Predictions for an array or a data frame (columns by name), or (prediction, lower, upper): with ``return_interval=0.9`` a new
        value lies between with that probability. Of a classifier the most probable classes."""
        return self.model.predict(X, return_interval, n_jobs=n_jobs)

    def predict_proba(self, X: Any, *, n_jobs: int | None = None) -> np.ndarray:
        """Probabilities of the classes, columns in the order of ``model.classes``."""
        return self.model.predict_proba(X, n_jobs=n_jobs)

    @property
    def json(self) -> str | None:
        """The JSON of ``gnomon select``; None for a model that was loaded from its file."""
        if self._json is None and self._study is not None:
            self._json = self._study.json()
        return self._json

    @property
    def data(self) -> dict[str, Any]:
        if self._data is None:
            if self.json is None:
                raise AttributeError("a model file does not hold how the model was chosen; only a fit does")
            self._data = json.loads(self.json)
        return self._data

    @property
    def targets(self) -> list[dict[str, Any]]:
        """Per target its part of ``data``: path, selected, chosen, warnings."""
        return self.data.get("targets", [self.data])

    def _per_target(self, pick) -> Any:
        """A value of the one target, or an array over targets."""
        values = [pick(target) for target in self.targets]
        if len(values) == 1:
            return values[0]
        numbers = all(v is None or isinstance(v, (int, float)) for v in values)
        return np.array([np.nan if v is None else v for v in values], dtype=np.float64) if numbers else values

    @property
    def alpha(self) -> Any:
        """The chosen λ: a float; a dict by name where there are several; an array or list over several targets."""
        return self._per_target(lambda t: t["chosen"]["lambda"])

    @property
    def criterion(self) -> Any:
        """The criterion that chose."""
        return self._per_target(lambda t: t["chosen"]["criterion"])

    @property
    def criterion_value(self) -> Any:
        """Its value at the choice."""
        return self._per_target(lambda t: t["selected"][t["chosen"]["criterion"]]["value"])

    @property
    def risk_path(self) -> Any:
        """The path of the JSON with arrays: lambda, df, train_error, and per criterion value and se."""
        return self._per_target(lambda t: _as_arrays(t["path"]))

    @property
    def error(self) -> Any:
        """The error of the delivered fit on new data, counted after choosing: a dict with value, low, high and level."""
        return self._per_target(lambda t: t["chosen"].get("error"))

    @property
    def warnings(self) -> list[str]:
        if self._study is not None:
            return self._study.warnings
        return list(dict.fromkeys(w for target in self.targets for w in target["warnings"]))

    @property
    def coef(self) -> np.ndarray:
        """Coefficients in the units of the columns, targets × features; only where the fit is linear in them."""
        return np.array([coefficients for coefficients, _ in self._equations()])

    @property
    def intercept(self) -> np.ndarray:
        return np.array([offset for _, offset in self._equations()])

    def _equations(self) -> list[tuple[np.ndarray, float]]:
        equations = self.model._equations()
        if equations is None:
            raise AttributeError("the fitted function is not linear in the columns of X: it has no coef_ and intercept_")
        return equations

    def text(self, colour: bool = False) -> str:
        """The report for a terminal."""
        return self._of_study().text(colour)

    def report(self, path: str | os.PathLike[str]) -> None:
        """Writes the report as one self-contained HTML page. Predictions of rows held out and the spectrum are found for it, by choosing
        once more, unless ``gnomon.select`` was told of the report."""
        self._of_study()
        assert self._for_report is not None
        write(path, self._for_report().html().encode())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model for ``gnomon predict`` and :func:`gnomon.load`."""
        self.model.save(path)

    def _of_study(self) -> _core.Study:
        if self._study is None:
            raise AttributeError("reports are written from the fit itself, which files and pickles do not hold; fit again")
        return self._study

    def __repr__(self) -> str:
        return f"<gnomon.Result: {self.model.summary}>"

    def _repr_html_(self) -> str:
        rows = []
        for target in self.targets if self.json is not None else []:
            chosen, error = target["chosen"], target["chosen"].get("error") or {}
            spread = f" ({number(error.get('low'))} to {number(error.get('high'))})" if error.get("low") is not None else ""
            rows.append([target.get("target", self.model.target_names[0]), number(chosen["lambda"]), chosen["criterion"],
                         number(error.get("value")) + spread])  # fmt: skip
        return table(self.model.summary, rows, ["target", "λ", "chosen by", "error on new data"])
