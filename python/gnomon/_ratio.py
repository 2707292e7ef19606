"""Density ratios: how much more often a row occurs in the test inputs than in the training inputs."""
from __future__ import annotations

import json
from typing import Any

import numpy as np

from . import _core
from ._keywords import jobs_of, seed_of
from ._rows import add_features
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

    def __init__(self, ratio: _core.Ratio):
        self._ratio = ratio
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
        rows = _core.Rows("X")
        add_features(rows, X, self._ratio.columns)
        return self._ratio.at(rows)

    def __repr__(self) -> str:
        return f"<gnomon.DensityRatio: {self.method}, {self.verdict}>"


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
    train, test = _core.Rows("X_train"), _core.Rows("X_test")
    names = add_features(train, X_train)
    add_features(test, X_test, names)
    ratio = _core.density_ratio(train, test, method, seed_of(random_state), missing, jobs_of(n_jobs), words())
    warn(ratio.warnings, above=1)
    return DensityRatio(ratio)
