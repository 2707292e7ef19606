"""Criteria written in Python."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Criterion:
    """A criterion of your own for :func:`gnomon.select`: a formula in what is counted of a fit.

    Parameters
    ----------
    name : str
        What results call it.
    formula : callable
        ``formula(c)`` gives the number to make least, or None where it is undefined. ``c.n`` is the number of observations, ``c.rss``
        the residual sum of squares Σ w (y − f)², ``c.df`` the degrees of freedom tr H (Σ ∂fᵢ/∂yᵢ where the fit is not linear in y),
        ``c.left`` = n − df, ``c.sigma2`` the noise variance, ``c.left_squared`` = ‖I − H‖² where ``needs_squares``.
    estimates, words : str
        What the number is an estimate of, and what the criterion is called in full.
    needs_noise : bool
        Whether it uses σ².
    needs_squares : bool
        Whether it uses ``left_squared``.

    Examples
    --------
    >>> robust = Criterion("gcv-1.4", lambda c: c.n * c.rss / (c.n - 1.4 * c.df) ** 2)
    >>> gnomon.select(X, y, "ridge", criterion=robust)  # doctest: +SKIP
    """

    name: str
    formula: Callable[[Any], float | None]
    estimates: str = "what its author says"
    words: str = ""
    needs_noise: bool = False
    needs_squares: bool = False


def named_and_own(criterion: Any) -> tuple[Any, list[Criterion]]:
    """Criteria by name, None if there are none, and those that are objects; the first of all chooses."""
    if isinstance(criterion, Criterion):
        return None, [criterion]
    if criterion is None or isinstance(criterion, str):
        return criterion, []
    given = list(criterion)
    named = [one for one in given if not isinstance(one, Criterion)]
    own = given[len(named):]
    if not all(isinstance(one, Criterion) for one in own):
        raise ValueError("criteria of your own come after those with a name; one of them chooses only where there are no others")
    return named or None, own
