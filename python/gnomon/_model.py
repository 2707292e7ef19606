"""Models from their files."""
from __future__ import annotations

import os
from typing import Any

import numpy as np

from . import _core
from ._keywords import jobs_of
from ._rows import add_features


class Model:
    """A fitted model as ``gnomon select --model`` or ``estimator.save`` wrote it: it predicts, and does no more."""

    def __init__(self, content: bytes, source: str = "the model"):
        self._model = _core.load_model(content, source)

    def __reduce__(self):
        return Model, (self._model.bytes(),)

    @property
    def feature_names(self) -> list[str]:
        """The columns it reads, in the order of an array's columns."""
        return self._model.columns

    @property
    def target_names(self) -> list[str]:
        return self._model.targets

    @property
    def classes(self) -> list[str]:
        """Names of the classes; empty for a regression."""
        return self._model.classes

    def predict(self, X: Any, return_interval: float | None = None, *, n_jobs: int | None = None) -> Any:
        """Predictions for an array or a data frame (columns by name), or (prediction, lower, upper). Of a classifier the most
        probable classes."""
        values = self._values(X, n_jobs)
        if self.classes:
            if return_interval is not None:
                raise ValueError("intervals are for numbers; this model tells classes apart, see predict_proba")
            return np.asarray(self.classes, dtype=object)[np.argmax(values, axis=1)]
        if return_interval is None:
            return self._shaped(values)
        half = self._model.half_widths(return_interval)
        return tuple(self._shaped(v) for v in (values, values - half, values + half))

    def predict_proba(self, X: Any, *, n_jobs: int | None = None) -> np.ndarray:
        """Probabilities of the classes."""
        if not self.classes:
            raise AttributeError("this model predicts numbers; it has no probabilities of classes")
        return self._values(X, n_jobs)

    def save(self, path: str | os.PathLike[str]) -> None:
        with open(path, "wb") as file:
            file.write(self._model.bytes())

    def _values(self, X: Any, n_jobs: int | None) -> np.ndarray:
        rows = _core.Rows("X")
        add_features(rows, X, self.feature_names)
        return self._model.predict(rows, jobs=jobs_of(n_jobs))

    def _shaped(self, values: np.ndarray) -> np.ndarray:
        return values[:, 0] if len(self.target_names) == 1 else values

    def __repr__(self) -> str:
        return f"<gnomon.Model: {self._model.summary}>"


def load(path: str | os.PathLike[str]) -> Model:
    """Read a model file, made here or by the command."""
    with open(path, "rb") as file:
        return Model(file.read(), os.fspath(path))
