"""Options of gnomon by their Python keywords: the one list of names that differ, and how values become the texts of options."""
from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral, Real
from typing import Any

import numpy as np

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


def jobs_of(n_jobs: int | None) -> int | None:
    """Threads for scikit-learn's n_jobs: None leaves the number to BLAS, 0 stands for all cores."""
    if n_jobs is None or n_jobs > 0:
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
        if random_state < 0:
            raise ValueError(f"random_state {random_state} is not allowed; give 0 or more")
        return int(random_state)
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31))
    from sklearn.utils import check_random_state

    return int(check_random_state(random_state).randint(2**31 - 1))
