"""Learners written in Python."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Learner:
    """A learner of your own for :func:`gnomon.select`: how to fit features to targets at one λ.

    The fitted function is f(x) = Σⱼ aⱼ φⱼ(x) + b, with φ the functions of ``basis=`` or the kernel at the training rows. gnomon
    prepares the features, has them fitted along the path, on folds and to other targets, judges, chooses λ and reports, as for its own learners.

    Parameters
    ----------
    name : str
        What results call it.
    fit : callable
        ``fit(p)`` gives the coefficients a; or ``(a, b)``; or ``(a, b, converged)``. ``p.features`` is rows × columns (not to be written
        to), ``p.y`` the targets, ``p.alpha`` is λ. ``p.intercept`` says whether a constant b is asked for, ``p.weight`` holds the weights of
        the rows or None, ``p.tuning`` the value of the parameter beside λ, ``p.start`` the coefficients of a fit that is
        expected to be near, or None. The same problem must give the same answer. An exception from it ends the selection.
    inputs : str
        ``"basis"``, or ``"kernel"``: the features are then the matrix of ``kernel=`` between the rows.
    alphas : sequence of float, optional
        λ to try where the call names none. By default 25 values from 1e-5 to 1e3 times the mean squared length of a feature.
    tuning : (str, sequence of float), optional
        A parameter to be chosen beside λ: its name and the values to try.
    continuous : bool
        Whether the fit changes continuously with y; ``sure``, ``sic`` and the like, which need that, then take differences.
    takes_weight : bool
        Whether it heeds ``p.weight``: weight k means the row k times. ``sample_weight`` is refused otherwise.

    Examples
    --------
    >>> def median(p):
    ...     model = QuantileRegressor(alpha=p.alpha / len(p.y), fit_intercept=p.intercept).fit(p.features, p.y)
    ...     return model.coef_, model.intercept_
    >>> gnomon.select(X, y, Learner("median", median), basis="polynomial:3")  # doctest: +SKIP
    """

    name: str
    fit: Callable[[Any], Any]
    inputs: str = "basis"
    alphas: Sequence[float] | None = None
    tuning: tuple[str, Sequence[float]] | None = None
    continuous: bool = True
    takes_weight: bool = False
