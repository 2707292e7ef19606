"""Arrays and data frames as rows of named columns, read where they lie."""
from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Sequence
from decimal import Decimal
from numbers import Real
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
    return getattr(dtype, "kind", "O") in "biuf" and not _is_category(dtype)


def _is_category(dtype: Any) -> bool:
    return getattr(dtype, "name", "") == "category"


def with_numbers(X: Any, texts: Collection[str] = (), source: str = "X") -> Any:
    """The frame with columns of Python's numbers (of dtype object) as float64, but for those that are texts to a model. Columns that hold
    neither numbers nor texts are refused."""
    if not is_pandas(X) or all(_is_number(dtype) or _is_category(dtype) for dtype in X.dtypes):
        return X
    columns = {j: X.iloc[:, j] for j in range(X.shape[1])}
    numbers = {}
    for j, column in columns.items():
        if _is_number(column.dtype) or _is_category(column.dtype):
            continue
        values = column.to_numpy(dtype=object)
        if not _holds_texts(values, f"{source}: column '{X.columns[j]}'") and str(X.columns[j]) not in texts:
            numbers[j] = _numbers(values)
    if not numbers:
        return X
    frame = sys.modules["pandas"].DataFrame({**columns, **numbers}, index=X.index)
    frame.columns = X.columns
    return frame


def text_columns(X: Any) -> set[str]:
    """Names of the columns of a frame that `with_numbers` left as texts."""
    return {str(name) for name, dtype in zip(X.columns, X.dtypes) if not _is_number(dtype)} if is_pandas(X) else set()


def fresh(name: str, taken: Collection[str]) -> str:
    """The name, with as many underscores as it takes to be no other column's."""
    while name in taken:
        name += "_"
    return name


def add_features(rows: _core.Rows, X: Any, names: Sequence[str] | None = None, texts: Collection[str] = (), *, source: str = "X",
                 whose: str = "the model expects") -> list[str]:  # fmt: skip
    """Adds the columns of X; an array takes the names given, or x0, x1, … Columns of a frame that a model knows as texts stay texts. An array
    of another width than that of the names, `whose` they are, is refused."""
    if is_stream(X):
        rows.add_stream(X)
    elif is_pandas(X):
        for name, column in with_numbers(X, texts, source).items():
            _add_series(rows, str(name), column)
    else:
        X = as_matrix(X, source)
        names = [f"x{j}" for j in range(X.shape[1])] if names is None else list(names)
        if X.shape[1] != len(names):
            raise ValueError(f"{source} has {X.shape[1]} features, but {whose} {len(names)}")
        rows.add_numbers(names, X)
    return rows.names


def as_numbers(values: Any, source: str = "X") -> np.ndarray:
    """float64 and float32 as they are, all else as float64."""
    values = np.asarray(values)
    if values.dtype in (np.float64, np.float32):
        return values
    if values.dtype.kind == "O" and not _holds_texts(values.ravel(), source):
        return _numbers(values.ravel()).reshape(values.shape)
    if values.dtype.kind not in "biufOUS":
        raise ValueError(f"{source} holds values of type {values.dtype}, which are not numbers")
    try:
        return values.astype(np.float64)
    except ValueError as error:
        raise ValueError(f"{source} holds texts ({error}); columns of texts are for data frames") from None


def as_matrix(X: Any, source: str = "X") -> np.ndarray:
    """Numbers, rows × columns."""
    X = as_numbers(X, source)
    if X.ndim != 2:
        raise ValueError(f"Expected 2D array, got {X.ndim}D array instead: {source} must be rows × features; reshape your data with "
                         "array.reshape(-1, 1) if it has a single feature, or array.reshape(1, -1) if it is a single row")  # fmt: skip
    return X


def add_texts(rows: _core.Rows, name: str, values: Any) -> None:
    """A column of texts; None and NaN are missing."""
    levels: dict[str, int] = {}
    nothing = _types_of_nothing()
    codes = np.empty(len(values), dtype=np.int32)
    for i, value in enumerate(values):
        missing = type(value) in nothing or value != value
        codes[i] = -1 if missing else levels.setdefault(str(value), len(levels))
    rows.add_texts(name, codes, list(levels))


def _types_of_nothing() -> set[type]:
    """Of None, and of pandas' missing cells."""
    pandas = sys.modules.get("pandas")
    return {type(None)} if pandas is None else {type(None), type(pandas.NA), type(pandas.NaT)}


def _holds_texts(values: Iterable[Any], what: str) -> bool:
    """Whether there is a text among Python's objects; what is neither text nor number is refused."""
    kinds = {type(value) for value in values} - _types_of_nothing()
    for kind in kinds:
        if not issubclass(kind, (str, Real, Decimal, np.bool_)):
            raise ValueError(f"{what} holds neither numbers nor texts (Python's type {kind.__name__}); leave it out, or make numbers of it")
    return any(issubclass(kind, str) for kind in kinds)


def _numbers(values: Iterable[Any]) -> np.ndarray:
    """Python's numbers as float64, NaN where there is none."""
    nothing = _types_of_nothing()
    return np.array([np.nan if type(value) in nothing else float(value) for value in values], dtype=np.float64)


def _add_series(rows: _core.Rows, name: str, column: Any) -> None:
    if _is_category(column.dtype):
        rows.add_texts(name, np.asarray(column.cat.codes, dtype=np.int32), [str(c) for c in column.cat.categories])
    elif not _is_number(column.dtype):
        add_texts(rows, name, column.to_numpy(dtype=object))
    elif isinstance(column.dtype, np.dtype):
        rows.add_numbers([name], as_numbers(column.to_numpy()))
    else:  # pandas' own numbers, with a mask for missing cells
        rows.add_numbers([name], column.to_numpy(dtype=np.float64, na_value=np.nan))


def add_target(rows: _core.Rows, names: list[str], y: Any) -> None:
    """Numbers, or the texts of classes."""
    values = np.asarray(y)
    if values.ndim == 1 and (values.dtype.kind in "US" or (values.dtype.kind == "O" and _holds_texts(values, "y"))):
        add_texts(rows, names[0], values)
    else:
        rows.add_numbers(names, as_numbers(values, "y"))


def names_of_targets(y: Any, count: int, taken: Collection[str]) -> list[str]:
    """Those of a Series or a frame, else y, or y0, y1, …; never that of a feature."""
    if count == 1:
        name = getattr(y, "name", None)
        if is_pandas(y):
            name = y.columns[0]
        return [fresh(name if isinstance(name, str) and name and "," not in name else "y", taken)]
    given = [str(name) for name in y.columns] if is_pandas(y) else []
    if len(given) != count or len(set(given)) < count or any("," in name for name in given):
        given = [f"y{t}" for t in range(count)]
    return [fresh(name, taken) for name in given]
