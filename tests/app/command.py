"""What the tests of the `gnomon` command share: a folder of their own, small data files, and runs of the command.

The path of the command is read from the environment variable GNOMON.
"""
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import numpy as np

COMMAND = os.environ.get("GNOMON")
if not COMMAND:
    sys.exit("set GNOMON to the path of the gnomon command")

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]

RANGE_WARNING = re.compile(r"^gnomon: warning: \d+ of \d+ rows lie outside the range of the training inputs.*\n")


def run(*arguments, stdin=None, cwd=None):
    """Runs the command to its end. Standard input is empty unless given (text or bytes)."""
    data = stdin.encode() if isinstance(stdin, str) else stdin or b""
    done = subprocess.run([COMMAND, *map(str, arguments)], input=data, capture_output=True, cwd=cwd, timeout=600)
    done.stdout = done.stdout.decode("utf-8")
    done.stderr = done.stderr.decode("utf-8")
    return done


def table_text(columns, delimiter=",", newline="\n"):
    """CSV of a dict of columns; floats with all their digits."""
    def cell(value):
        return repr(float(value)) if isinstance(value, (float, np.floating)) else str(value)
    lines = [delimiter.join(columns)]
    lines += [delimiter.join(cell(value) for value in row) for row in zip(*columns.values())]
    return newline.join(lines) + newline


def predictions_of(text):
    """The numbers of a CSV of predictions: one row per line below the header."""
    return np.array([[float(cell) for cell in line.split(",")] for line in text.splitlines()[1:]])


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def smooth_sample(rows, inputs=1, seed=0, noise=0.1):
    """Inputs in [-2, 2] and a smooth function of them with noise, as columns x1, …, y."""
    random = np.random.default_rng(seed)
    x = random.uniform(-2, 2, (rows, inputs))
    y = np.sin(1.5 * x[:, 0]) + 0.3 * x.sum(axis=1) + noise * random.standard_normal(rows)
    return {**{f"x{j + 1}": x[:, j] for j in range(inputs)}, "y": y}


class CommandTest(unittest.TestCase):
    """A test with a folder of its own; relative paths given to the command are in that folder."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="gnomon-test-")
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def write(self, name, content):
        """A file from a dict of columns, a text or bytes; returns its name."""
        if isinstance(content, dict):
            content = table_text(content)
        if isinstance(content, str):
            content = content.encode()
        (self.folder / name).write_bytes(content)
        return name

    def run_command(self, *arguments, stdin=None):
        return run(*arguments, stdin=stdin, cwd=self.folder)

    def succeed(self, *arguments, stdin=None):
        """Standard output of a run that must end well and say nothing on standard error, but for the rows that predict finds
        outside the training range."""
        done = self.run_command(*arguments, stdin=stdin)
        self.assertEqual(done.returncode, 0, f"{arguments}: {done.stderr}")
        said = RANGE_WARNING.sub("", done.stderr) if arguments[0] == "predict" else done.stderr
        self.assertEqual(said, "", arguments)
        return done.stdout

    def select(self, data, *arguments, target="y", stdin=None):
        """The JSON of a run of select."""
        return json.loads(self.succeed("select", data, "--target", target, "--json", "-", *arguments, stdin=stdin))

    def files(self):
        return sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*"))

    def refuse(self, code, says, *arguments, stdin=None):
        """A run that must fail with this code, one line that holds every text of `says`, and no file left behind."""
        before = self.files()
        done = self.run_command(*arguments, stdin=stdin)
        self.assertEqual(done.returncode, code, f"{arguments}: {done.stderr}{done.stdout}")
        self.assertTrue(done.stderr.startswith("gnomon: "), done.stderr)
        self.assertTrue(done.stderr.endswith("\n"), done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, f"not one line: {done.stderr}")
        self.assertEqual(done.stdout, "", arguments)
        for text in says:
            self.assertIn(text, done.stderr)
        self.assertEqual(self.files(), before, "a failed run left files behind")
        return done.stderr

    def assert_close(self, got, wanted, tolerance=1e-8, message=None):
        """Every number within `tolerance` of the largest magnitude wanted; undefined numbers in the same places."""
        got, wanted = (np.asarray(numbers, dtype=float) for numbers in (got, wanted))
        scale = np.max(np.abs(wanted[np.isfinite(wanted)]), initial=0)
        np.testing.assert_allclose(got, wanted, rtol=tolerance, atol=tolerance * scale, err_msg=message or "")


class SelectTest(CommandTest):
    """Runs of select on data.csv, 40 rows of two inputs x1, x2 and a target y."""

    def setUp(self):
        super().setUp()
        self.sample = smooth_sample(40, 2)
        self.write("data.csv", self.sample)

    def values(self, result, name):
        return [math.nan if v is None else v for v in result["path"]["criteria"][name]["value"]]

    def same(self, a, b, tolerance=1e-8):
        """Two results tell the same story: paths, curves, choices."""
        self.assertEqual(list(a["path"]["criteria"]), list(b["path"]["criteria"]))
        self.assert_close(a["path"]["lambda"], b["path"]["lambda"], tolerance, "lambda")
        self.assert_close(a["path"]["df"], b["path"]["df"], tolerance, "df")
        self.assert_close(a["path"]["train_error"], b["path"]["train_error"], tolerance, "train_error")
        for name in a["path"]["criteria"]:
            self.assert_close(self.values(a, name), self.values(b, name), tolerance, name)
        self.assertEqual(a["chosen"]["criterion"], b["chosen"]["criterion"])
