"""Models from fits and from their files."""
from __future__ import annotations

import os
import secrets
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _core
from ._keywords import jobs_of, real
from ._rows import add_features, as_matrix


class Model:
    """A fitted model: that of a selection, or as ``gnomon select --model`` or ``estimator.save`` wrote it. It predicts, and does no more."""

    def __init__(self, content: bytes, source: str = "the model"):
        self._model = _core.load_model(content, source)
        self._columns: list[str] | None = None  # of the X of the fit, of which the model may read a part
        self._kernel: str | None = None  # of the user's own: precomputed, or the name of the function

    @classmethod
    def of_fit(cls, model: _core.Model, columns: list[str], kernel: Any) -> Model:
        """That of a selection; the kernel is the user's own, or None."""
        one = cls.__new__(cls)
        one._model, one._columns = model, columns
        one._kernel = kernel if kernel is None or isinstance(kernel, str) else getattr(kernel, "__name__", type(kernel).__name__)
        return one

    def __reduce__(self):
        if self._kernel not in (None, "precomputed"):
            raise ValueError(f"a model of the kernel {self._kernel}, which is a function, cannot be pickled; fit to the matrix of the kernel "
                             "with kernel 'precomputed', or copy the model by copy.deepcopy")  # fmt: skip
        return _restored, (self._model.bytes(expanded=self._is_pairwise()), self._columns, self._kernel)

    def __copy__(self) -> Model:
        return self  # nothing in it changes

    def __deepcopy__(self, memo: Any) -> Model:
        return self

    def _is_pairwise(self) -> bool:
        """X is the matrix of a kernel."""
        return self._kernel == "precomputed"

    @property
    def feature_names(self) -> list[str]:
        """The columns it reads, in the order of an array's columns."""
        return self._model.columns

    @property
    def features(self) -> list[str]:
        """What these columns become: of a column of texts one feature per level."""
        return self._model.features

    @property
    def target_names(self) -> list[str]:
        return self._model.targets

    @property
    def classes(self) -> list[str]:
        """Names of the classes; empty for a regression."""
        return self._model.classes

    @property
    def summary(self) -> str:
        """The model in a few words."""
        return self._model.summary

    def predict(self, X: Any, return_interval: float | None = None, *, n_jobs: int | None = None) -> Any:
        """Predictions for an array or a data frame (columns by name), or (prediction, lower, upper). Of a classifier the most
        probable classes. Of a precomputed kernel X is its matrix, new rows × rows of the fit."""
        values = self._values(X, n_jobs)
        if self.classes:
            if return_interval is not None:
                raise ValueError("intervals are for numbers; this model tells classes apart, see predict_proba")
            return np.asarray(self.classes, dtype=object)[np.argmax(values, axis=1)]
        if return_interval is None:
            return self._shaped(values)
        half = self._half_widths(return_interval)
        return tuple(self._shaped(v) for v in (values, values - half, values + half))

    def predict_proba(self, X: Any, *, n_jobs: int | None = None) -> np.ndarray:
        """Probabilities of the classes."""
        if not self.classes:
            raise AttributeError("this model predicts numbers; it has no probabilities of classes")
        return self._values(X, n_jobs)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model for ``gnomon predict`` and :func:`gnomon.load`."""
        if self._kernel is not None:
            whose = "precomputed kernel" if self._is_pairwise() else f"kernel of your own, {self._kernel},"
            raise ValueError(f"a model of a {whose} cannot be saved to a file: who reads it would not have the kernel"
                             + ("; pickle it" if self._is_pairwise() else ""))  # fmt: skip
        write(path, self._model.bytes())

    def _half_widths(self, level: float) -> np.ndarray:
        return self._model.half_widths(real("return_interval", level))

    def _equations(self) -> list[tuple[np.ndarray, float]] | None:
        """Per target (coefficients, offset); None where the fit is not linear in the columns."""
        return None if self._kernel is not None else self._model.equations()

    def _values(self, X: Any, n_jobs: int | None = None) -> np.ndarray:
        """Rows × targets, or × classes."""
        if self._is_pairwise():
            return self._model.expand(as_matrix(X))
        rows = _core.Rows("X")
        add_features(rows, X, self._names_of_array(X), self._text_columns())
        return self._model.predict(rows, jobs=jobs_of(n_jobs))

    def _names_of_array(self, X: Any) -> Sequence[str]:
        """All the columns of the fit, or those that the model reads where there are as many as these."""
        read = self.feature_names
        columns = read if self._columns is None else self._columns
        return read if len(read) != len(columns) and np.shape(X)[1:] == (len(read),) else columns

    def _text_columns(self) -> set[str]:
        """Columns that the model reads as texts: their features are named after levels."""
        numbers = set(self.features)
        return {name for name in self.feature_names if name not in numbers}

    def _shaped(self, values: np.ndarray) -> np.ndarray:
        return values[:, 0] if len(self.target_names) == 1 else values

    def __repr__(self) -> str:
        return f"<gnomon.Model: {self.summary}>"


def _restored(content: bytes, columns: list[str] | None, kernel: str | None) -> Model:
    model = Model(content)
    model._columns, model._kernel = columns, kernel
    return model


def load(path: str | os.PathLike[str]) -> Model:
    """Read a model file, made here or by the command."""
    with open(path, "rb") as file:
        return Model(file.read(), os.fspath(path))


def write(path: str | os.PathLike[str], content: bytes) -> None:
    """A whole file or none."""
    path = os.fsdecode(path)
    beside = os.path.join(os.path.dirname(path), f".{secrets.token_hex(8)}.tmp")  # short: the name may be as long as names can be
    try:
        with open(beside, "wb") as file:
            file.write(content)
        os.replace(beside, path)
    except BaseException as error:
        if os.path.exists(beside):
            os.unlink(beside)
        if isinstance(error, OSError):
            error.filename = path  # not the name of a moment
        raise
