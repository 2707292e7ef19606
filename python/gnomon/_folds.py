"""Which rows are held out together: scikit-learn's cv and groups, as the columns that gnomon reads."""
from __future__ import annotations

from typing import Any

import numpy as np


def folds_of(cv: Any, groups: Any, y: Any, *, classify: bool = False, spoken: str = "groups") -> tuple[str, np.ndarray] | None:
    """The option that says so and a number for every row; None where folds are left to gnomon. ``cv`` is what scikit-learn's check_cv
    takes; its test sets must hold out every row once, from all the others. ``spoken`` is what messages call the groups."""
    rows = len(y)
    if groups is not None:
        groups = np.asarray(groups)
        if groups.shape != (rows,):
            raise ValueError(f"{spoken} has shape {groups.shape}; give one label for each of the {rows} rows")
    if cv is None:
        return None if groups is None else ("fold-groups", np.unique(groups, return_inverse=True)[1].astype(np.float64))
    from sklearn.model_selection import check_cv

    parts = list(check_cv(cv, y, classifier=classify).split(np.zeros((rows, 1)), y, groups))
    train, test = ([np.arange(rows)[np.asarray(part[side])] for part in parts] for side in (0, 1))
    times = np.bincount(np.concatenate(test), minlength=rows)
    if (times != 1).any():
        row = (times != 1).argmax()
        raise ValueError(f"cv holds out row {row} {times[row]} times; give folds that hold out every row once")
    fold = np.empty(rows)
    for number, (kept, held) in enumerate(zip(train, test)):
        if len(held) == 0:
            raise ValueError(f"cv holds out no row in fold {number}; leave the fold out")
        if not np.array_equal(np.sort(np.concatenate([kept, held])), np.arange(rows)):
            raise ValueError(f"cv does not train fold {number} on all the rows that it does not hold out, each once")
        fold[held] = number
    return "fold-column", fold
