"""The corpus of commands: it says the same twice, and sees what changed."""

import contextlib
import io
import json
import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "corpus"))
import corpus  # noqa: E402


def run(*words):
    """Exit code and what was printed."""
    text, arguments = io.StringIO(), sys.argv
    sys.argv = ["corpus.py", *map(str, words)]
    try:
        with contextlib.redirect_stdout(text):
            code = corpus.main()
    finally:
        sys.argv = arguments
    return code or 0, text.getvalue()


class Corpus(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.one, cls.two = (pathlib.Path(cls.folder.name) / name for name in ["one", "two"])
        for recording in [cls.one, cls.two]:
            run("record", os.environ["GNOMON"], recording, "--only", "data/few.csv")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def changed(self, change):
        """Compares the first recording with one that `change` has altered."""
        for file in (self.two / "results").iterdir():
            result = json.loads(file.read_text())
            if result["exit"] == 0 and "--learner" not in result["command"]:
                before = file.read_text()
                change(result)
                file.write_text(json.dumps(result))
                try:
                    return run("compare", self.one, self.two)
                finally:
                    file.write_text(before)
        self.fail("no command of the kind")

    def test_says_the_same_twice(self):
        code, text = run("compare", self.one, self.two)
        self.assertEqual(code, 0, text)
        self.assertRegex(text, r"^\d+ commands, 0 differ\n$")

    def test_sees_a_number(self):
        def change(result):
            result["json"]["path"]["train_error"][2] *= 1 + 1e-11
        code, text = self.changed(change)
        self.assertEqual(code, 1)
        self.assertIn("json.path.train_error[2]:", text)
        self.assertIn("1 differ", text)

    def test_lets_rounding_pass(self):
        def change(result):
            result["json"]["path"]["train_error"][2] *= 1 + 1e-13
            result["json"]["gnomon"] = "99"
        self.assertEqual(self.changed(change)[0], 0)

    def test_sees_fields_and_lengths(self):
        def change(result):
            del result["json"]["warnings"]
            result["json"]["path"]["lambda"].pop()
            result["exit"] = 1
            result["stderr"] = "gnomon: no"
        text = self.changed(change)[1]
        for what in ["json.warnings: gone", "json.path.lambda: length", "exit: 0 -> 1", 'stderr: "" -> "gnomon: no"']:
            self.assertIn(what, text)

    def test_every_command_is_there_once(self):
        commands = corpus.corpus()
        self.assertEqual(len({c.words for c in commands}), len(commands))
        names = [c.name for c in commands if c.name]
        self.assertEqual(len(set(names)), len(names))


if __name__ == "__main__":
    unittest.main()
