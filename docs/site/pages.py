"""Gathers the pages of the site in one folder, laid out as the repository is, so that links between them hold: the Markdown pages,
a page for every script of the gallery with what it prints and draws, the Python interface from its docstrings, and the headers."""
from __future__ import annotations

import ast
import inspect
import os
import pathlib
import re
import shutil
import subprocess
import sys

import gnomon
from sklearn.base import BaseEstimator

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE", "CITATION.cff", "bench/*.md", "bench/peers/*.md", "bench/regret/*.md",
         "bench/regret/*.svg", "docs/*.md", "docs/howto/*.md", "docs/theory/*.md", "docs/figures/*.svg"]  # fmt: skip
#: Sections of the Python interface.
FUNCTIONS = ["select", "estimate", "compare", "density_ratio", "load"]
RESULTS = ["Criterion", "Learner", "Result", "Estimate", "Comparison", "DensityRatio", "Reproduction", "Model"]
DISPLAYS = ["RiskCurveDisplay", "CoefficientPathDisplay", "CompareDisplay"]


def write(path: pathlib.Path, content: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")


def gather(site: pathlib.Path) -> None:
    for pattern in PAGES:
        for page in sorted(ROOT.glob(pattern)):
            to = site / page.relative_to(ROOT)
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(page, to)
    for name in ("conf.py", "index.md"):
        shutil.copyfile(ROOT / "docs" / "site" / name, site / name)
    # Links to the gallery's folder lead to its page.
    for page in site.rglob("*.md"):
        text = page.read_text(encoding="utf-8")
        changed = re.sub(r"\]\(([./]*)examples/python/README\.md", r"](\1gallery/index.md", text)
        if changed != text:
            page.write_text(changed, encoding="utf-8")


def gallery(site: pathlib.Path) -> None:
    scripts = [path for path in sorted((ROOT / "examples" / "python").glob("*.py")) if path.stem != "gallery"]
    for script in scripts:
        title, _, words = ast.get_docstring(ast.parse(script.read_text(encoding="utf-8"))).partition("\n")
        figure = site / "gallery" / f"{script.stem}.png"
        figure.parent.mkdir(exist_ok=True)
        printed = subprocess.run([sys.executable, "-W", "ignore", script, "--figure", figure], check=True, capture_output=True, text=True,
                                 env={**os.environ, "MPLBACKEND": "Agg"}).stdout  # fmt: skip
        code = script.read_text(encoding="utf-8").split('"""\n', 2)[-1].lstrip()
        write(figure.with_suffix(".md"), f"# {title.rstrip('.')}\n\n{words.strip()}\n\n```text\n{printed}```\n\n"
              f"![{title}]({figure.name})\n\n`examples/python/{script.name}`:\n\n```python\n{code}```\n")  # fmt: skip
    listed = "\n".join(script.stem for script in scripts)
    write(site / "gallery" / "index.md", "# Gallery\n\nShort scripts, each with a question, an answer and an assertion that it holds. "
          f"They are in `examples/python/`, and the tests run them all.\n\n```{{toctree}}\n:maxdepth: 1\n\n{listed}\n```\n")  # fmt: skip


def heading(text: str, line: str = "=") -> str:
    return f"{text}\n{line * len(text)}\n\n"


def python_interface(site: pathlib.Path) -> None:
    estimators = [name for name in gnomon.__all__ if isinstance(getattr(gnomon, name), type) and issubclass(getattr(gnomon, name), BaseEstimator)]
    known = {*estimators, *FUNCTIONS, *RESULTS, *DISPLAYS, "reproduce"}
    assert set(gnomon.__all__) <= known, f"without a place in the documentation: {set(gnomon.__all__) - known}"
    for name in estimators:
        write(site / "api" / f"{name}.rst", heading(name) + f".. autoclass:: gnomon.{name}\n   :inherited-members: BaseEstimator\n"
              "   :exclude-members: get_params, set_params, get_metadata_routing, set_fit_request, set_predict_request, set_score_request\n")  # fmt: skip
    functions = "".join(f".. autofunction:: gnomon.{name}\n\n" for name in FUNCTIONS if name in gnomon.__all__)
    functions += (".. py:function:: gnomon.reproduce(name, output, *, trials=None, quick=False, data=None, resume=False, "
                  "random_state=1, n_jobs=None, progress=None)\n\n" + indented(gnomon.reproduce.__doc__) + "\n")  # fmt: skip
    results = "".join(f".. autoclass:: gnomon.{name}\n\n" for name in RESULTS if name in gnomon.__all__)
    displays = "".join(f".. autoclass:: gnomon.{name}\n\n" for name in DISPLAYS)
    write(site / "api" / "functions.rst", heading("Functions") + functions)
    write(site / "api" / "results.rst", heading("Criteria of your own, and results") + results)
    write(site / "api" / "displays.rst", heading("Pictures") + displays)
    listed = "\n".join(f"   {name}" for name in ["functions", "results", "displays", *estimators])
    write(site / "api" / "index.rst", heading("Python interface") + "From the docstrings; ``help(gnomon.Ridge)`` says the same.\n\n"
          f".. toctree::\n   :maxdepth: 1\n\n{listed}\n")  # fmt: skip


def indented(docstring: str) -> str:
    return "\n".join(f"   {line}".rstrip() for line in inspect.cleandoc(docstring).splitlines())


def headers(site: pathlib.Path) -> None:
    """Per folder of include/gnomon every header, what it declares, and what the first of that is."""
    text = ("# The library\n\n`find_package(gnomon)`, target `gnomon::gnomon`, `#include <gnomon/gnomon.hpp>`. Programs that use it are in\n"
            "`examples/`; how to add to it is told under *How to*. These are its headers; each explains what it declares.\n")  # fmt: skip
    for folder in sorted(path for path in (ROOT / "include" / "gnomon").iterdir() if path.is_dir()):
        text += f"\n## {folder.name}\n\n| header | declares | |\n|---|---|---|\n"
        for header in sorted(folder.rglob("*.hpp")):
            names = declared(header)
            words = " ".join(f"`{name}`" for name in list(names)[:8])
            text += f"| `{header.relative_to(ROOT / 'include')}` | {words} | {next(iter(names.values()), '')} |\n"
    write(site / "cpp" / "index.md", text)


def declared(header: pathlib.Path) -> dict[str, str]:
    """Types and functions at the outermost level with the first sentence of their comments; the one that gave the file its name first."""
    found, comment = {}, []
    for line in header.read_text(encoding="utf-8").splitlines():
        if line.startswith("///"):
            comment.append(line[3:])
            continue
        name = re.match(r"(?:class|struct|enum class) (\w+)[^;]*$|[\w:<>&*, \[\]]+?[ &*](\w+)\(|(?:extern const|inline constexpr) [\w:]+ (\w+)|using (\w+) =", line)
        if name and not line.startswith((" ", "namespace", "#", "template", "}", "return")):
            found.setdefault(next(part for part in name.groups() if part), first_sentence(comment))
        if not line.startswith("template"):
            comment = []
    of_file = header.stem.replace("_", "")
    return dict(sorted(found.items(), key=lambda pair: pair[0].replace("_", "").lower() != of_file))


def first_sentence(lines: list[str]) -> str:
    text = re.sub(r"\s+", " ", " ".join(line for line in lines if not line.startswith("   "))).strip()
    sentence = re.match(r".{20,}?[.:](?= |$)", text)
    parts = (sentence[0] if sentence else text).rstrip(":").split("`")
    parts[::2] = [re.sub(r"([*_<|])", r"\\\1", part) for part in parts[::2]]  # outside of code
    return "`".join(parts)


def main() -> None:
    site = pathlib.Path(sys.argv[1])
    gather(site)
    gallery(site)
    python_interface(site)
    headers(site)


main()
