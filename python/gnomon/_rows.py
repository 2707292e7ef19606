"""Arrays and data frames as rows of named columns, read where they lie."""
from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from . import _core


def is_pandas(X: Any) -> bool:
    return hasattr(X, "iloc") and hasattr(X, "dtypes") and hasattr(X, "columns")


def is_stream(X: Any) -> bool:
    """Another library's table in Arrow's memory: polars, pyarrow, duckdb."""
    return hasattr(X, "__arrow_c_stream__") and not is_pandas(X)


def is_frame_with_texts(X: Any) -> bool:
    return is_pandas(X) and not all(_is_number(dtype) for dtype in X.dtypes)


def _is_number(dtype: Any) -> bool:
    return getattr(dtype, "kind", "O") in "biuf" and getattr(dtype, "name", "") != "category"


def fresh(name: str, taken: Collection[str]) -> str:
    """The name, with as many underscores as it takes to be no other column's."""
    while name in taken:
        name += "_"
    return name


def add_features(rows: _core.Rows, X: Any, names: Sequence[str] | None = None) -> list[str]:
    """Adds the columns of X; an array takes the names given, or x0, x1, …"""
    if is_stream(X):
        rows.add_stream(X)
    elif is_pandas(X):
        for name, column in X.items():
            _add_series(rows, str(name), column)
    else:
        X = as_numbers(X)
        rows.add_numbers(list(names) if names is not None else [f"x{j}" for j in range(X.shape[1])], X)
    return rows.names


def as_numbers(values: Any) -> np.ndarray:
    """float64 and float32 as they are, all else as float64."""
    values = np.asarray(values)
    return values if values.dtype in (np.float64, np.float32) else values.astype(np.float64)


def add_texts(rows: _core.Rows, name: str, values: Any) -> None:
    """A column of texts; None and NaN are missing."""
    levels: dict[str, int] = {}
    codes = np.empty(len(values), dtype=np.int32)
    for i, value in enumerate(values):
        missing = value is None or value != value or value is getattr(_pandas(), "NA", None)
        codes[i] = -1 if missing else levels.setdefault(str(value), len(levels))
    rows.add_texts(name, codes, list(levels))


def _pandas() -> Any:
    import sys

    return sys.modules.get("pandas")


def _add_series(rows: _core.Rows, name: str, column: Any) -> None:
    if getattr(column.dtype, "name", "") == "category":
        rows.add_texts(name, np.asarray(column.cat.codes, dtype=np.int32), [str(c) for c in column.cat.categories])
    elif not _is_number(column.dtype):
        add_texts(rows, name, column.to_numpy(dtype=object))
    elif isinstance(column.dtype, np.dtype):
        rows.add_numbers([name], as_numbers(column.to_numpy()))
    else:  # pandas' own numbers, with a mask for missing cells
        rows.add_numbers([name], column.to_numpy(dtype=np.float64, na_value=np.nan))


def names_of_targets(y: Any, count: int, taken: Collection[str]) -> list[str]:
    """Those of a Series or a frame, else y, or y0, y1, …; never that of a feature."""
    if count == 1:
        name = getattr(y, "name", None)
        if is_pandas(y):
            name = y.columns[0]
        return [fresh(str(name) if isinstance(name, str) and name else "y", taken)]
    given = [str(name) for name in y.columns] if is_pandas(y) else []
    if len(given) != count or len(set(given)) < count or any("," in name for name in given):
        given = [f"y{t}" for t in range(count)]
    return [fresh(name, taken) for name in given]
