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
from ._keywords import NOT_GIVEN, SPOKEN, jobs_of, keyword, renamed, seed_of, texts_of
from ._learner import Learner
from ._model import Model
from ._result import Result
from ._rows import add_features, add_target, as_numbers, fresh, names_of_targets, text_columns, with_numbers

Progress = Callable[[str, float], Any]
_WORDS: dict[str, str] = {}

#: What the library says of fits and searches that stopped short; warnings come as texts, without a kind.
_STOPPED_SHORT = ("Training of the chosen network:", "ended early:", "stopped before their optimality certificate")


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
        category = ConvergenceWarning if any(words in message for words in _STOPPED_SHORT) else UserWarning
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
    own, precomputed = kernel, isinstance(kernel, str)
    if learner is not None and learner.inputs == "basis" and (kernel is not None or "kernel" in options):
        raise ValueError(f"the learner {learner.name} takes a basis, not a kernel; say inputs=\"kernel\" where it is made, gnomon.Learner(…)")
    if kernel is not None:
        _check_beside_own_kernel(options, learner)
        options["scale"] = "none"  # it is a function of the rows as they are
    if precomputed:
        kernel = _matrix(X)
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
    columns = rows.names[: rows.names.index(options["target"].split(",")[0])]  # those of X come first
    model = Model.of_fit(study.model, columns, own)
    if for_report:
        return Result(model, study, for_report=lambda: study)
    seen = [part.fingerprint() for part in given]

    def again() -> _core.Study:
        if [part.fingerprint() for part in given] != seen:
            raise ValueError("X or y has been written to since the fit, and a report shows them; fit again")
        return chosen(True)

    return Result(model, study, for_report=again)


def _check_beside_own_kernel(options: dict[str, str], learner: Learner | None) -> None:
    """Refuses what has no effect beside a kernel of the user's own, and learners that take none."""
    (learners,) = (row["learners"] for row in _core.options() if row["name"] == "kernel")
    if learner is None and options["learner"] not in learners:
        raise TypeError(f"kernel belongs to learners with a kernel, not to learner {options['learner']}")
    for name in ("width", "basis", "scale"):
        if name in options and (name, options[name]) not in (("width", "auto"), ("scale", "none")):
            raise TypeError(f"{name} has no effect beside a kernel of your own, which is a function of the rows as they are")


def _matrix(kernel: Any) -> np.ndarray:
    """The matrix of a kernel as float64. One of float32 is as symmetric as its digits are: the mean of both halves is taken."""
    given = np.asarray(kernel)
    matrix = np.asarray(given, dtype=np.float64)
    if given.dtype != np.float32 or given.ndim != 2 or given.shape[0] != given.shape[1] or not given.size:
        return matrix
    digits = 8 * np.finfo(np.float32).eps * np.abs(matrix).max()
    return (matrix + matrix.T) / 2 if np.abs(matrix - matrix.T).max() <= digits else matrix


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
    X = with_numbers(X)
    texts = text_columns(X)
    taken = add_features(rows, X, names)
    check_dimensions(y)
    targets = names_of_targets(y, 1 if np.ndim(y) == 1 else np.shape(y)[1], taken)
    add_target(rows, targets, y)
    options["target"] = ",".join(targets)
    if sample_weight is not None:
        if options.get("weights", "none") != "none":
            raise ValueError(f"weights {options['weights']} and sample_weight cannot go together: each says how much a row counts; leave one out")
        column = fresh("sample_weight", rows.names)
        rows.add_numbers([column], as_numbers(sample_weight, "sample_weight"))
        options["weights"] = column
    if folds is not None:
        how, numbers = folds
        column = fresh("fold" if how == "fold-column" else "group", rows.names)
        rows.add_numbers([column], numbers)
        options[how] = column
    if y_test is not None and X_test is None:
        raise TypeError("y_test has no effect without X_test; give both")
    if X_test is not None:
        test = _core.Rows("X_test")
        add_features(test, X_test, taken, texts, source="X_test", whose="X has")
        if y_test is not None:
            add_target(test, targets, y_test)
    return rows, test


def check_dimensions(y: Any) -> None:
    if np.ndim(y) not in (1, 2):
        raise ValueError(f"y must be one number per row, or rows × targets, not {'None' if y is None else f'{np.ndim(y)}-dimensional'}")


def name_of_learner(learner: Any) -> str:
    """A learner's name, or several with commas; an estimator is not one."""
    if isinstance(learner, str):
        return learner
    if isinstance(learner, (list, tuple)) and learner:
        return ",".join(name_of_learner(one) for one in learner)
    kind = learner if isinstance(learner, type) else type(learner)
    name = getattr(kind, "_learner", None)
    known = f"; {kind.__name__} is the learner '{name}', with its keywords in this call" if isinstance(name, str) else ""
    raise TypeError(f"learner must be a name such as 'ridge'{known}; not an object of type {kind.__name__}")


def select(X: Any, y: Any, learner: str | Learner = "kernel-ridge", *, sample_weight=None, X_test=None, y_test=None,
           cv: Any = None, fold_groups: Any = None, random_state: Any = NOT_GIVEN, n_jobs: int | None = None, progress: Progress | None = None,
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
    random_state : int, generator or None, default=0
        ``seed`` is another name.
    n_jobs : int or None
        Threads; None: as many as BLAS is allowed. ``threads`` is another name.
    progress : callable, optional
        ``progress(what, fraction)`` is called about 20 times a second; an exception from it stops the computation.
    report : path, optional
        Where to write the report. ``result.report(path)`` writes the same page later, and chooses once more for it.
    **options
        Keywords of the estimators (``alphas=``, ``criterion=``, …) or options of the command (``decay_groups=``). ``criterion`` may hold
        a :class:`gnomon.Criterion` of your own, after those with a name. What would have no effect is a TypeError.

    Returns
    -------
    Result
    """
    kernel = options.pop("kernel") if is_own_kernel(options.get("kernel")) else None
    options["criterion"], criteria = named_and_own(options.get("criterion"))
    random_state = renamed("select", options, "seed", random_state, 0)
    n_jobs = renamed("select", options, "threads", NOT_GIVEN if n_jobs is None else n_jobs, None)
    given = texts_of("select", options, {row["name"] for row in _core.options()} - {"target", "test", "json", "model", "quiet"})
    if isinstance(y, (list, tuple)):
        y = np.asarray(y)
    if isinstance(X, (list, tuple)):
        X = np.asarray(X)
    check_dimensions(y)
    own = learner if isinstance(learner, Learner) else None
    if own is None:
        given["learner"] = name_of_learner(learner)
    given["seed"] = str(seed_of(random_state))
    folds = folds_of(cv, fold_groups, y, spoken="fold_groups", classify=given.get("classify") == "true")
    result = run(X, y, given, sample_weight=sample_weight, X_test=X_test, y_test=y_test, folds=folds, n_jobs=jobs_of(n_jobs),
                 progress=progress, kernel=kernel, criteria=criteria, learner=own, for_report=report is not None)  # fmt: skip
    if report is not None:
        result.report(report)
    warn(result.warnings, above=1)
    return result
