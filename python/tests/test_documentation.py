"""Code in the documentation runs, from the first block to the last."""
import pathlib
import re

import pytest

PAGES = pathlib.Path(__file__).parents[2]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("page", ["docs/python.md", "README.md"])
def test_blocks_run(page, tmp_path, monkeypatch):
    pytest.importorskip("pandas")
    pytest.importorskip("matplotlib").use("Agg")
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", (PAGES / page).read_text(encoding="utf-8"), re.S)
    assert blocks
    names = {}
    for block in blocks:
        exec(compile(block, page, "exec"), names)
