"""The scripts of the gallery run, and what they claim holds."""
import os
import pathlib
import subprocess
import sys

import pytest

GALLERY = pathlib.Path(__file__).parents[2] / "examples" / "python"
SCRIPTS = sorted(path.stem for path in GALLERY.glob("*.py") if path.stem != "gallery")


def test_the_page_lists_all_scripts():
    page = (GALLERY / "README.md").read_text(encoding="utf-8")
    assert len(SCRIPTS) == 7 and all(f"`{name}.py`" in page for name in SCRIPTS)


@pytest.mark.parametrize("name", SCRIPTS)
def test_script(name, tmp_path):
    pytest.importorskip("matplotlib", reason="the gallery draws with matplotlib")
    figure = tmp_path / "figure.png"
    done = subprocess.run([sys.executable, GALLERY / f"{name}.py", "--figure", figure], capture_output=True, text=True,
                          cwd=tmp_path, env={**os.environ, "MPLBACKEND": "Agg", "GNOMON_DATA": ""})  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.strip() and figure.stat().st_size > 5000
    if name != "covariate_shift":
        assert "Warning" not in done.stderr, done.stderr


def test_abalone(tmp_path):
    folder = os.environ.get("GNOMON_DATA")
    if not folder or not (pathlib.Path(folder) / "abalone.csv").is_file():
        pytest.skip("GNOMON_DATA names no folder with abalone.csv")
    done = subprocess.run([sys.executable, GALLERY / "covariate_shift.py", "--data", folder], capture_output=True, text=True)
    assert done.returncode == 0 and "ten biased splits" in done.stdout, done.stdout + done.stderr
