"""Options of gnomon by their Python keywords: the one list of names that differ, and how values become the texts of options."""
from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from numbers import Integral, Real
from typing import Any

import numpy as np

from ._criterion import refuse_own


class _NotGiven:
    def __repr__(self) -> str:
        return "<not given>"


#: The default of arguments that have two names, of which one may be given.
NOT_GIVEN = _NotGiven()

#: Options that scikit-learn's users know under another name.
RENAMED = {
    "lambda": "alphas",
    "mix": "l1_ratio",
    "hidden": "hidden_layer_sizes",
    "intercept": "fit_intercept",
    "restarts": "n_restarts",
    "bootstrap": "n_bootstrap",
    "repeats": "n_repeats",
    "seed": "random_state",
    "threads": "n_jobs",
}

#: Options that are no keyword of an estimator, because its class, the arguments of fit or a method say the same.
ELSEWHERE = {
    "learner", "target", "test", "classify", "features", "drop", "lags", "horizon", "sigma", "start", "json", "report",
    "model", "quiet", "fold-column", "fold-groups",
}  # fmt: skip

#: What messages call fields that are no keywords.
SPOKEN = {"learner": "learner", "target": "y", "test": "X_test", "criteria": "criterion", "drop": "drop", "fold-column": "cv", "fold-groups": "groups",
          "importance": "X_test with weights kliep, ulsif, …"}  # fmt: skip

#: Options of the command that a call says otherwise.
SAID_OTHERWISE = {
    "target": "give the target as y",
    "test": "give the test inputs as X_test",
    "json": "the result has its JSON as result.json, and as a dict in result.data",
    "model": "result.save(path) writes the model",
    "report": "result.report(path) writes the report",
    "quiet": "nothing is printed anyway",
    "fold-groups": "give the groups of rows to gnomon.select as fold_groups, or to fit as groups",
    "criteria": "say criterion",
    "criterion": "say criteria",
    "alpha": "say alphas",
}  # fmt: skip

#: Options that list names of columns.
NAMES_OF_COLUMNS = {"groups", "subsets", "features", "drop"}


def keyword(option: str) -> str:
    """The keyword of an option: alphas for lambda, decay_groups for decay-groups."""
    return RENAMED.get(option, option.replace("-", "_"))


def option(name: str) -> str:
    """The option of a keyword; an option's own name stays as it is."""
    for original, renamed in RENAMED.items():
        if renamed == name:
            return original
    return name.replace("_", "-")


def text(value: Any) -> str:
    """A value as the command would be told: numbers with all their digits, lists with commas, lists of lists with semicolons."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, Integral):
        return str(int(value))
    if isinstance(value, Real):
        return repr(float(value))
    if isinstance(value, Iterable):
        parts = list(value)
        nested = any(isinstance(part, Iterable) and not isinstance(part, str) for part in parts)
        return (";" if nested else ",").join(text(part) for part in parts)
    raise TypeError(f"{value!r} is neither a text, a number nor a list of these")


def text_of(option: str, value: Any) -> str:
    """The text of an option's value. Names of columns in a list must not hold what separates names in a text."""
    if option == "criterion":
        refuse_own(value)
    if option in NAMES_OF_COLUMNS and not isinstance(value, str) and isinstance(value, Iterable):
        for name in _texts_in(value):
            if "," in name or ";" in name:
                raise ValueError(f"{option}: the column '{name}' cannot be named here, because commas and semicolons separate names; "
                                 "rename the column")  # fmt: skip
    return text(value)


def _texts_in(values: Iterable[Any]) -> Iterator[str]:
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, Iterable):
            yield from _texts_in(value)


def texts_of(call: str, given: dict[str, Any], known: Collection[str]) -> dict[str, str]:
    """Keywords of a call as texts by option; None is a keyword that was not given. What the call says otherwise, or does not know, is a
    TypeError."""
    texts: dict[str, str] = {}
    for name, value in given.items():
        if value is None:
            continue
        meant = option(name)
        if meant not in known:
            advice = SAID_OTHERWISE.get(meant)
            raise TypeError(f"{call}() got an unexpected keyword argument '{name}'" + (f"; {advice}" if advice else ""))
        if meant in texts:
            raise TypeError(f"{call}() got '{meant.replace('-', '_')}' and '{keyword(meant)}', which are the same")
        texts[meant] = text_of(meant, value)
    return texts


def renamed(call: str, given: dict[str, Any], option: str, value: Any, default: Any) -> Any:
    """The value of a keyword that was also said by the option's own name, which is taken out of what was given."""
    if option not in given:
        return default if value is NOT_GIVEN else value
    if value is not NOT_GIVEN:
        raise TypeError(f"{call}() got '{option}' and '{keyword(option)}', which are the same")
    return given.pop(option)


def whole(name: str, value: Any) -> int:
    """A whole number of an argument, as the library takes them."""
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise TypeError(f"{name} {value!r} is not allowed; give a whole number")
    if abs(value) >= 2**31:
        raise ValueError(f"{name} {value} is not allowed; give less than 2^31")
    return int(value)


def real(name: str, value: Any) -> float:
    if not isinstance(value, Real) or isinstance(value, bool):
        raise TypeError(f"{name} {value!r} is not allowed; give a number")
    return float(value)


def jobs_of(n_jobs: int | None) -> int | None:
    """Threads for scikit-learn's n_jobs: None leaves the number to BLAS, 0 stands for all cores."""
    if n_jobs is None:
        return None
    n_jobs = whole("n_jobs", n_jobs)
    if n_jobs > 0:
        return n_jobs
    if n_jobs == 0:
        raise ValueError("n_jobs 0 is not allowed; give 1 or more, -1 for all cores, or None")
    if n_jobs == -1:
        return 0
    import os

    return max(1, (os.cpu_count() or 1) + 1 + n_jobs)


def seed_of(random_state: Any) -> int:
    """A seed from an int, a generator, or None: a fresh one from NumPy's global generator."""
    if isinstance(random_state, Integral) and not isinstance(random_state, bool):
        seed = int(random_state)
        if seed < 0:
            raise ValueError(f"random_state {seed} is not allowed; give 0 or more")
        if seed >= 2**64:
            raise ValueError(f"random_state {seed} is not allowed; give less than 2^64")
        return seed
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31))
    from sklearn.utils import check_random_state

    return int(check_random_state(random_state).randint(2**31 - 1))
