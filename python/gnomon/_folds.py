"""Which rows are held out together: scikit-learn's cv and groups, as the columns that gnomon reads."""
from __future__ import annotations

from typing import Any

import numpy as np

from ._rows import _types_of_nothing


def folds_of(cv: Any, groups: Any, y: Any, *, classify: bool = False, spoken: str = "groups") -> tuple[str, np.ndarray] | None:
    """The option that says so and a number for every row; None where folds are left to gnomon. ``cv`` is what scikit-learn's check_cv
    takes; its test sets must hold out every row once, from all the others. ``spoken`` is what messages call the groups."""
    rows = len(y)
    if groups is not None:
        groups = np.asarray(groups)
        numbers = _numbers_of_groups(groups, rows, spoken)
    if cv is None:
        return None if groups is None else ("fold-groups", numbers)
    from sklearn.model_selection import check_cv

    parts = list(check_cv(cv, y, classifier=classify).split(np.zeros((rows, 1)), y, groups))
    if not parts:
        raise ValueError("cv has no folds; give two or more")
    train, test = ([_rows_of_fold(part[side], rows, number) for number, part in enumerate(parts)] for side in (0, 1))
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


def _numbers_of_groups(groups: np.ndarray, rows: int, spoken: str) -> np.ndarray:
    if groups.shape != (rows,):
        raise ValueError(f"{spoken} has shape {groups.shape}; give one label for each of the {rows} rows")
    nothing = _types_of_nothing()
    for row, label in enumerate(groups.tolist()):
        if type(label) in nothing or label != label:
            raise ValueError(f"{spoken} has no label in row {row}; give one for each of the {rows} rows")
    try:
        return np.unique(groups, return_inverse=True)[1].astype(np.float64)
    except TypeError:
        raise ValueError(f"{spoken} holds labels of different types; make all of them texts, or numbers") from None


def _rows_of_fold(indices: Any, rows: int, number: int) -> np.ndarray:
    try:
        return np.arange(rows)[np.asarray(indices)]
    except IndexError:
        raise ValueError(f"cv names rows in fold {number} that are none; give whole numbers from 0 to {rows - 1}") from None
