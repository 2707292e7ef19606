"""The way from arrays to a finished selection, which estimators and gnomon.select share."""
from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from . import _core
from ._criterion import Criterion, named_and_own
from ._folds import folds_of
from ._keywords import SPOKEN, jobs_of, keyword, option, seed_of, text
from ._learner import Learner
from ._result import Result
from ._rows import add_features, add_texts, as_numbers, fresh, names_of_targets

Progress = Callable[[str, float], Any]
_WORDS: dict[str, str] = {}


def words() -> dict[str, str]:
    """What messages call options here."""
    if not _WORDS:
        _WORDS.update({row["name"]: keyword(row["name"]) for row in _core.options()})
        _WORDS.update(SPOKEN)
    return _WORDS


def warn(messages: list[str], *, above: int) -> None:
    """As Python warnings of the call that is so many calls above the caller."""
    from sklearn.exceptions import ConvergenceWarning

    for message in messages:
        category = ConvergenceWarning if "converge" in message or "certificate" in message else UserWarning
        warnings.warn(message, category, stacklevel=above + 2)


def is_own_kernel(kernel: Any) -> bool:
    """A function of two rows, or the word for a matrix."""
    return callable(kernel) or (isinstance(kernel, str) and kernel == "precomputed")


def run(X: Any, y: Any, options: dict[str, str], *, names=None, sample_weight=None, X_test=None, y_test=None,
        n_jobs: int | None = None, progress: Progress | None = None, kernel: Any = None,
        criteria: Sequence[Criterion] = (), learner: Learner | None = None, for_report: bool = False,
        folds: tuple[str, np.ndarray] | None = None) -> Result:  # fmt: skip
    """X and y are arrays or frames that have been looked at; options are texts by option name. A kernel of the user's own is a
    function of two rows, or "precomputed": X is then its matrix. A learner of the user's own takes the place of the option."""
    options = dict(options)
    precomputed = isinstance(kernel, str)
    if kernel is not None:
        options["scale"] = "none"  # it is a function of the rows as they are
    if precomputed:
        kernel = np.asarray(X, dtype=np.float64)
        if X_test is not None:
            raise ValueError("kernel precomputed and X_test cannot go together: there is no kernel at the test inputs")
        X, names = np.arange(len(kernel), dtype=np.float64)[:, None], ["row"]
    rows, test = rows_of(X, y, options, names=names, sample_weight=sample_weight, folds=folds, X_test=X_test, y_test=y_test)
    spoken = words() if learner is None or learner.tuning is None else {**words(), learner.tuning[0]: f"the values of {learner.tuning[0]}"}
    given = [part for part in (rows, test, _rows_of_kernel(kernel)) if part is not None]

    def chosen(for_report: bool, hook: Progress | None = None) -> _core.Study:
        return _core.select(rows, options, test=test, keywords=spoken, jobs=n_jobs, progress=hook, kernel=kernel,
                            criteria=list(criteria), learner=learner, for_report=for_report)  # fmt: skip

    study = chosen(for_report, progress)
    if for_report:
        return Result(study.model, study, for_report=lambda: study, precomputed=precomputed)
    seen = [part.fingerprint() for part in given]

    def again() -> _core.Study:
        if [part.fingerprint() for part in given] != seen:
            raise ValueError("X or y has been written to since the fit, and a report shows them; fit again")
        return chosen(True)

    return Result(study.model, study, for_report=again, precomputed=precomputed)


def _rows_of_kernel(kernel: Any) -> _core.Rows | None:
    """The matrix of a kernel, if it is one."""
    if not isinstance(kernel, np.ndarray):
        return None
    rows = _core.Rows("kernel")
    add_features(rows, kernel)
    return rows


def rows_of(X: Any, y: Any, options: dict[str, str], *, names=None, sample_weight=None, folds=None, X_test=None,
            y_test=None) -> tuple[_core.Rows, _core.Rows | None]:  # fmt: skip
    """The rows of a study and those of its test inputs; which columns are targets, weights and folds goes into the options."""
    rows, test = _core.Rows("X"), None
    taken = add_features(rows, X, names)
    targets = names_of_targets(y, 1 if np.ndim(y) == 1 else np.shape(y)[1], taken)
    _add_target(rows, targets, y)
    options["target"] = ",".join(targets)
    if sample_weight is not None:
        column = fresh("sample_weight", rows.names)
        rows.add_numbers([column], as_numbers(sample_weight))
        options["weights"] = column
    if folds is not None:
        how, numbers = folds
        column = fresh("fold" if how == "fold-column" else "group", rows.names)
        rows.add_numbers([column], numbers)
        options[how] = column
    if X_test is not None:
        test = _core.Rows("X_test")
        add_features(test, X_test, taken)
        if y_test is not None:
            _add_target(test, targets, y_test)
    return rows, test


def _add_target(rows: _core.Rows, names: list[str], y: Any) -> None:
    if getattr(y, "dtype", None) is not None and np.asarray(y).dtype.kind in "OUS":
        add_texts(rows, names[0], np.asarray(y))
    else:
        rows.add_numbers(names, as_numbers(y))


def select(X: Any, y: Any, learner: str | Learner = "kernel-ridge", *, sample_weight=None, X_test=None, y_test=None,
           cv: Any = None, fold_groups: Any = None, random_state: Any = 0, n_jobs: int | None = None, progress: Progress | None = None,
           report: str | os.PathLike[str] | None = None, **options: Any) -> Result:  # fmt: skip
    """Estimate the generalization error along the path, choose the tuning parameters and refit, in one call.

    The functional form of the estimators, and the same as ``gnomon select`` on the command line. The objective is
    Σ (f(xᵢ) − yᵢ)² + λ·penalty for most learners; see each estimator.

    Parameters
    ----------
    X : array or data frame, rows × features
        pandas, polars, pyarrow and duckdb tables keep their names; columns of texts are categories.
    y : array, rows or rows × targets
    learner : str or Learner
        One of ``[row["name"] for row in gnomon._core.learners()]``, or one of your own.
    sample_weight : array, optional
        Counts: weight k means the row repeated k times; density ratios p_test/p_train for ``iwls``.
    X_test, y_test : optional
        Inputs where the error matters, and their targets to report the true error beside the estimates.
    cv : int, splitter or iterable of (train, test), optional
        Which rows are held out together, as in scikit-learn; every row once.
    fold_groups : array of labels, optional
        Rows of one group are held out together; a splitter in ``cv`` is told them. (``groups`` are those of columns, one λ each.)
    random_state : int, generator or None
    n_jobs : int or None
        Threads; None: as many as BLAS is allowed.
    progress : callable, optional
        ``progress(what, fraction)`` is called about 20 times a second; an exception from it stops the computation.
    report : path, optional
        Where to write the report. ``result.report(path)`` writes the same page later, and chooses once more for it.
    **options
        Keywords of the estimators (``alphas=``, ``criterion=``, …) or options of the command (``decay_groups=``). ``criterion`` may hold
        a :class:`gnomon.Criterion` of your own, after those with a name.

    Returns
    -------
    Result
    """
    kernel = options.pop("kernel") if is_own_kernel(options.get("kernel")) else None
    options["criterion"], criteria = named_and_own(options.get("criterion"))
    given = {option(name): text(value) for name, value in options.items() if value is not None}
    for name in given:
        if name not in words():
            raise TypeError(f"select() got an unexpected keyword argument '{keyword(name)}'")
    if isinstance(y, (list, tuple)):
        y = np.asarray(y)
    if isinstance(X, (list, tuple)):
        X = np.asarray(X)
    own = learner if isinstance(learner, Learner) else None
    if own is None:
        given["learner"] = learner
    given["seed"] = str(seed_of(random_state))
    folds = folds_of(cv, fold_groups, y, spoken="fold_groups", classify=given.get("classify") == "true")
    result = run(X, y, given, sample_weight=sample_weight, X_test=X_test, y_test=y_test, folds=folds, n_jobs=jobs_of(n_jobs),
                 progress=progress, kernel=kernel, criteria=criteria, learner=own, for_report=report is not None)  # fmt: skip
    if report is not None:
        result.report(report)
    warn(result.warnings, above=1)
    return result
