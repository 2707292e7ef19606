"""Density ratios: how much more often a row occurs in the test inputs than in the training inputs."""
from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _core
from ._html import number, table
from ._keywords import jobs_of, seed_of, text
from ._rows import add_features, text_columns, with_numbers
from ._select import warn, words


class DensityRatio:
    """An estimate of w(x) = p_test(x)/p_train(x).

    Attributes
    ----------
    weights : array
        w at the training rows; ``sample_weight`` of :class:`gnomon.ImportanceWeightedRidge`.
    effective_sample_size : float
        (Σw)²/Σw²: as many rows as the weighted ones are worth.
    p_value : float
        Of a permutation test; small where the two samples differ.
    kind, verdict : str
        ``none``, ``usable`` or ``severe``, and why.
    outside_share : float
        Share of the test rows outside the range of the training rows.
    parameters : dict
        Of the method, as they were chosen.
    """

    def __init__(self, ratio: _core.Ratio, samples: _Samples):
        self._ratio: _core.Ratio | None = ratio  # None after a pickle
        self._samples = samples
        self._texts = samples.texts()
        self._data = json.loads(ratio.json())
        self.weights: np.ndarray = ratio.weights
        self.method: str = self._data["method"]
        self.parameters: dict[str, float] = self._data["parameters"]
        self.effective_sample_size: float = self._data["effective_sample_size"]
        self.p_value: float = self._data["p_value"]
        self.kind: str = self._data["kind"]
        self.verdict: str = self._data["verdict"]
        self.outside_share: float = self._data["outside_share"]

    def predict(self, X: Any) -> np.ndarray:
        """The ratio at new rows, finite and not negative."""
        if self._ratio is None:
            self._ratio = self._estimated_again()
        rows = _core.Rows("X")
        add_features(rows, X, self._ratio.columns, self._texts, whose="the density ratio expects")
        return self._ratio.at(rows)

    def __getstate__(self) -> dict[str, Any]:
        """The numbers and both samples: what the library made of them is found again when it is asked for."""
        return {**self.__dict__, "_ratio": None}

    def _estimated_again(self) -> _core.Ratio:
        ratio = self._samples.ratio(None)
        if not np.allclose(ratio.weights, self.weights, rtol=1e-4, atol=1e-6):
            raise ValueError("X_train or X_test had been written to since the density ratio was estimated from them; estimate it again")
        return ratio

    def __repr__(self) -> str:
        return f"<gnomon.DensityRatio: {self.method}, {self.verdict}>"

    def _repr_html_(self) -> str:
        rows = [("verdict", self.verdict), ("p-value", number(self.p_value)), ("effective sample size", number(self.effective_sample_size)),
                ("rows", str(len(self.weights))), ("largest weight", number(float(np.max(self.weights)))),
                ("test rows outside the training range", f"{100 * self.outside_share:.3g} %")]  # fmt: skip
        return table(f"Density ratio by {self.method}", rows)


@dataclass(frozen=True)
class _Samples:
    """What a ratio was estimated from."""

    X_train: Any
    X_test: Any
    method: str
    seed: int
    missing: str

    def texts(self) -> set[str]:
        return text_columns(with_numbers(self.X_train, source="X_train"))

    def ratio(self, jobs: int | None) -> _core.Ratio:
        train, test = _core.Rows("X_train"), _core.Rows("X_test")
        names = add_features(train, self.X_train, source="X_train")
        add_features(test, self.X_test, names, self.texts(), source="X_test", whose="X_train has")
        return _core.density_ratio(train, test, self.method, self.seed, self.missing, jobs, words())


def density_ratio(X_train: Any, X_test: Any, method: str = "kliep", *, missing: str = "error", random_state: Any = 0,
                  n_jobs: int | None = None) -> DensityRatio:  # fmt: skip
    """Estimate p_test(x)/p_train(x) from the inputs of two samples, as ``gnomon weights`` does.

    Parameters
    ----------
    X_train, X_test : arrays or data frames with the same columns
    method : str
        ``kde``, ``kde-cv``, ``ulsif``, ``rulsif``, ``kliep``, ``kmm`` or ``logistic``.
    missing : str
        Missing cells: ``error``, ``drop`` (the row; weights are then those of the others) or ``mean``.
    random_state : int, generator or None
        Of kernel centres, folds and permutations.
    n_jobs : int or None

    Returns
    -------
    DensityRatio
    """
    samples = _Samples(X_train, X_test, text(method), seed_of(random_state), text(missing))
    ratio = samples.ratio(jobs_of(n_jobs))
    warn(ratio.warnings, above=1)
    return DensityRatio(ratio, samples)
