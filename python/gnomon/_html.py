"""Small tables for notebooks."""
from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any


def number(value: Any) -> str:
    """Four digits; a dash where there is none."""
    if value is None or value != value:
        return "–"
    return f"{value:.4g}" if isinstance(value, (int, float)) else str(value)


def table(title: str, rows: Sequence[Sequence[str]], head: Sequence[str] = ()) -> str:
    """Rows of texts under a title, the first cell of each as its name."""
    cells = lambda row, tag: "".join(f"<{tag} style='text-align:left'>{escape(str(cell))}</{tag}>" for cell in row)  # noqa: E731
    first = f"<tr>{cells(head, 'th')}</tr>" if head else ""
    body = "".join(f"<tr><th style='text-align:left'>{escape(str(row[0]))}</th>{cells(row[1:], 'td')}</tr>" for row in rows)
    return f"<div><b>{escape(title)}</b><table>{first}{body}</table></div>"
