"""Criteria written in Python."""
from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from . import _core

_OTHER_NAMES = {"abic", "gml", "reml", "press", "ocv", "tic", "auto", "all"}  # beside those of the catalog


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


def refuse_own(criteria: Any) -> None:
    """Where criteria have names."""
    if any(isinstance(one, Criterion) for one in (criteria if isinstance(criteria, (list, tuple)) else [criteria])):
        raise TypeError("criteria of your own, gnomon.Criterion, are for gnomon.select; give names here")


def named_and_own(criterion: Any) -> tuple[Any, list[Criterion]]:
    """Criteria by name, None if there are none, and those that are objects; the first of all chooses."""
    if isinstance(criterion, Criterion):
        return None, _ready([criterion])
    if criterion is None or isinstance(criterion, str):
        return criterion, []
    if not isinstance(criterion, Iterable):
        raise TypeError(f"criterion {criterion!r} is not allowed; give a name, a gnomon.Criterion, or a list of these")
    given = list(criterion)
    named = [one for one in given if not isinstance(one, Criterion)]
    own = given[len(named):]
    if not all(isinstance(one, Criterion) for one in own):
        raise ValueError("criteria of your own come after those with a name; one of them chooses only where there are no others")
    return named or None, _ready(own)


def _ready(own: list[Criterion]) -> list[Criterion]:
    """Criteria with names of their own, whose answers are looked at."""
    names = [one.name for one in own]
    for name in names:
        if not isinstance(name, str) or not name:
            raise ValueError(f"a criterion of your own needs a name, a text, not {name!r}")
        if name.split(":")[0] in _names_of_the_library():
            raise ValueError(f"there is a criterion called {name} already; give yours another name")
        if names.count(name) > 1:
            raise ValueError(f"two criteria of your own are called {name}; give one of them another name")
    return [replace(one, formula=_giving_a_number(one)) for one in own]


def _names_of_the_library() -> set[str]:
    (names,) = (row["allowed"] for row in _core.options() if row["name"] == "criterion")
    return {name.split("[")[0] for name in names} | _OTHER_NAMES


def _giving_a_number(criterion: Criterion) -> Callable[[Any], float | None]:
    def value_of(counts: Any) -> float | None:
        value = criterion.formula(counts)
        if value is None:
            return None
        try:
            if not isinstance(value, str):
                return float(value)
        except (TypeError, ValueError):
            pass
        raise TypeError(f"criterion '{criterion.name}' must give a number or None, not {type(value).__name__}")

    return value_of
