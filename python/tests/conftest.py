"""Data that the tests share, and the command."""
import json
import os
import subprocess

import numpy as np
import pytest

import gnomon


@pytest.fixture
def rng():
    return np.random.default_rng(0)


@pytest.fixture
def data(rng):
    """Sixty rows of a smooth function of three inputs, with noise."""
    X = rng.normal(size=(60, 3))
    y = np.sin(X[:, 0]) + 0.5 * X[:, 1] + 0.2 * rng.normal(size=60)
    return X, y


@pytest.fixture(scope="session")
def command():
    """Runs the gnomon command with the BLAS kernels that this process uses; gives its standard output."""
    path = os.environ.get("GNOMON")
    if not path:
        pytest.skip("GNOMON does not say where the command is")
    core = gnomon._core.blas_core()

    def run(*arguments):
        done = subprocess.run([path, *map(str, arguments)], capture_output=True, text=True,
                              env={**os.environ, "OPENBLAS_CORETYPE": core})  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture
def csv(tmp_path):
    """Writes columns with all their digits."""

    def write(name, **columns):
        path = tmp_path / name
        rows = zip(*columns.values())
        cell = lambda value: value if isinstance(value, str) else repr(float(value))  # noqa: E731
        path.write_text("\n".join([",".join(columns), *(",".join(map(cell, row)) for row in rows)]) + "\n")
        return path

    return write


@pytest.fixture
def selected(command):
    """The JSON that the command writes."""
    return lambda *arguments: json.loads(command("select", *arguments, "--json", "-", "--quiet"))
