"""Which criterion to trust on data like these."""
from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _core
from ._html import number, table
from ._keywords import NOT_GIVEN, jobs_of, keyword, renamed, seed_of, text_of, texts_of, whole
from ._model import write
from ._select import Progress, name_of_learner, rows_of, words


class Comparison:
    """Criteria of one or several learners, compared on data sets simulated on one's own inputs.

    ``data`` is the JSON of ``gnomon compare`` as a dict.
    """

    def __init__(self, json_text: str, markdown: str, page: str):
        self.json = json_text
        self.data: dict[str, Any] = json.loads(json_text)
        self._markdown = markdown
        self._page = page

    def __reduce__(self):
        return Comparison, (self.json, self._markdown, self._page)

    @property
    def recommendation(self) -> str:
        """Which criterion, or which learner and criterion, in words."""
        return self.data["recommendation"]

    @property
    def ranking(self) -> list[str]:
        """Criteria of the first learner, the best first."""
        return self.data["ranking"]

    @property
    def criteria(self) -> dict[str, dict[str, Any]]:
        """Per criterion of the first learner its regret, improvement, bias and more."""
        return self.data["criteria"]

    def text(self) -> str:
        """The tables as Markdown."""
        return self._markdown

    def report(self, path: str | os.PathLike[str]) -> None:
        """Writes the report as one self-contained HTML page."""
        write(path, self._page.encode())

    def __repr__(self) -> str:
        return f"<gnomon.Comparison: {self.recommendation}>"

    def _repr_html_(self) -> str:
        rows = [[name, f"{number(found['regret']['mean'])} ± {number(found['regret']['se'])}",
                 number(found["regret"]["quantile_95"]), f"{100 * (found['improvement_probability'] or 0):.0f} %"]
                for name, found in ((name, self.criteria[name]) for name in self.ranking)]  # fmt: skip
        return table(self.recommendation, rows, ["criterion", "regret", "95 %", "improves"])


def compare(X: Any, y: Any, learner: str | Sequence[str] = "kernel-ridge", *, criteria: str | Sequence[str] | None = None,
            trials: int | None = None, splits: int = 0, sample_weight: Any = None, X_test: Any = None,
            output: str | os.PathLike[str] | None = None, resume: bool = False, random_state: Any = NOT_GIVEN,
            n_jobs: int | None = None, progress: Progress | None = None, **options: Any) -> Comparison:  # fmt: skip
    """Which criterion to trust on data like yours: ``gnomon compare``, the same numbers.

    Fits of the learner to your data are taken for the truth, noise of the estimated variance is added to them, and every criterion
    chooses λ on the simulated targets. Its regret is the error of its choice over that of the best λ:

        regret = ‖f̂(λ chosen) − f‖² / min_λ ‖f̂(λ) − f‖².

    Parameters
    ----------
    X, y : as :func:`gnomon.select` takes them
    learner : str or list of str
        Several compete by their errors on rows left out of random splits of the real targets.
    criteria : str or list of str, optional
        By default every one that applies.
    trials : int, optional
        Simulated data sets; by default 240, or 24 where each takes a search over several parameters.
    splits : int
        Random splits of the real targets on which criteria are compared too.
    sample_weight, X_test : optional
        As for :func:`gnomon.select`.
    output : path, optional
        Folder in which every trial is kept as soon as it is done; ``resume=True`` goes on from there. By default nothing is kept.
    random_state, n_jobs, progress
        As for :func:`gnomon.select`.
    **options
        Keywords of the estimators that have a meaning here.
    """
    random_state = renamed("compare", options, "seed", random_state, 0)
    n_jobs = renamed("compare", options, "threads", NOT_GIVEN if n_jobs is None else n_jobs, None)
    given = texts_of("compare", options, set(_core.compare_options()) - {"learner", "target", "test", "criterion", "quiet"})
    given["learner"] = name_of_learner(learner)
    given["seed"] = str(seed_of(random_state))
    if criteria is not None:
        given["criterion"] = text_of("criterion", criteria)
    X, y = (np.asarray(part) if isinstance(part, (list, tuple)) else part for part in (X, y))
    rows, test = rows_of(X, y, given, sample_weight=sample_weight, X_test=X_test)
    with tempfile.TemporaryDirectory(prefix="gnomon-compare-") as passing:
        folder = passing if output is None else os.fspath(output)
        try:
            found = _core.compare(rows, given, folder=folder, trials=None if trials is None else whole("trials", trials), splits=whole("splits", splits),
                                  resume=bool(resume), test=test,
                                  keywords=words(), jobs=jobs_of(n_jobs), progress=progress)  # fmt: skip
        except ValueError as error:
            raise ValueError(_in_keywords(str(error))) from None
    result = Comparison(found.json(), found.text(), found.html())
    if output is not None:
        write(os.path.join(folder, "result.json"), (result.json + "\n").encode())
        result.report(os.path.join(folder, "report.html"))
    return result


def _in_keywords(message: str) -> str:
    """Flags of the command as keywords: --trials is trials, a folder with -o is one given as output."""
    message = re.sub(r" with -o\b", " as output", message)
    return re.sub(r"--([a-z][a-z-]*)", lambda flag: keyword(flag[1]), message)
