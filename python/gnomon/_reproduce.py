"""Experiments of the literature."""
from __future__ import annotations

import json
import os
import pathlib
from typing import Any, List

from . import _core
from ._compare import _in_keywords
from ._html import number, table
from ._keywords import jobs_of, seed_of, text, whole
from ._select import Progress


class Reproduction:
    """What an experiment found: ``rows`` sets ours beside what is expected, each with a verdict; ``folder`` holds tables and figures."""

    def __init__(self, name: str, folder: str, text: str, files: list[str]):
        self.name = name
        self.folder = folder
        self.files = files
        self._text = text
        self.data: dict[str, Any] = json.loads(pathlib.Path(folder, "result.json").read_text(encoding="utf-8"))

    @property
    def rows(self) -> list[dict[str, Any]]:
        """Dicts with name, ours, expected, se and verdict: agrees, differs or not comparable."""
        return self.data["rows"]

    @property
    def verdicts(self) -> dict[str, int]:
        """How many rows have each verdict."""
        return self.data["verdicts"]

    def text(self) -> str:
        """The table as Markdown."""
        return self._text

    def __repr__(self) -> str:
        counts = ", ".join(f"{count} {verdict}" for verdict, count in self.verdicts.items())
        return f"<gnomon.Reproduction: {self.name}, {counts}>"

    def _repr_html_(self) -> str:
        names = [": ".join(filter(None, [row.get("experiment"), row["name"]])) for row in self.rows]
        rows = [[name, number(row["ours"]), number(row["se"]), number(row["expected"]), row["verdict"]] for name, row in zip(names, self.rows)]
        return table(self.name, rows, ["", "ours", "s.e.", "expected", "verdict"])


class _Reproduce:
    """Run one experiment of the literature: tables, figures and verdicts, as ``gnomon reproduce``.

    ``gnomon.reproduce(name, output)`` runs it, ``gnomon.reproduce("all", output)`` every one, ``gnomon.reproduce.list()`` names them.
    """

    def __call__(self, name: str, output: str | os.PathLike[str], *, trials: int | None = None, quick: bool = False,
                 data: str | os.PathLike[str] | None = None, resume: bool = False, random_state: Any = 1,
                 n_jobs: int | None = None, progress: Progress | None = None) -> Reproduction:  # fmt: skip
        """Run one experiment and write its results.

        Parameters
        ----------
        name : str
            One of ``gnomon.reproduce.list()``, or ``all``; those whose data are missing are then skipped.
        output : path
            Folder for tables, JSON, trials, figures and report; of ``all``, one folder in it per experiment.
        trials : int, optional
            Independent repetitions; by default as published, or more.
        quick : bool
            Fewer trials.
        data : path, optional
            File or folder with the data sets, for experiments that take them; a folder for ``all``.
        resume : bool
            Go on from the trials in the folder.
        """
        if quick and trials is not None:
            raise ValueError("quick and trials cannot go together: quick means fewer trials")
        folder = os.fspath(output)
        trials = 0 if trials is None else whole("trials", trials)
        try:
            page, files = _core.reproduce(text(name), folder=folder, trials=trials, quick=bool(quick),
                                          data="" if data is None else os.fspath(data), resume=bool(resume),
                                          seed=seed_of(random_state), jobs=jobs_of(n_jobs), progress=progress)  # fmt: skip
        except ValueError as error:
            raise ValueError(_in_keywords(str(error))) from None
        return Reproduction(name, folder, page, files)

    def list(self) -> "List[dict[str, Any]]":
        """The experiments: dicts with name, title, trials, quick_trials and takes_data."""
        return _core.experiments()

    def __repr__(self) -> str:
        return "<gnomon.reproduce: " + ", ".join(row["name"] for row in self.list()) + ">"


reproduce = _Reproduce()
