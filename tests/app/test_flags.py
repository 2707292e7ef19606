"""The library names fields in backquotes, the command turns them into its flags."""
import re
import unittest

from command import REPOSITORY, CommandTest, run, smooth_sample

LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')
# The help and manual of the command's options, and advice to run the command again.
ABOUT_THE_COMMAND = {"src/select/options.cpp", "src/learn/model_file.cpp"}


def library_texts():
    """Every string literal of the library, with its file."""
    for folder in ("src", "include"):
        for path in sorted((REPOSITORY / folder).rglob("*.?pp")):
            for line in path.read_text().splitlines():
                if not line.lstrip().startswith("//"):
                    yield from ((str(path.relative_to(REPOSITORY)), text) for text in LITERAL.findall(line))


class Messages(unittest.TestCase):
    def test_the_library_knows_no_flags(self):
        flags = [f"{path}: {text}" for path, text in library_texts()
                 if re.search(r"(?<![\w-])--[a-z]", text) and path not in ABOUT_THE_COMMAND]
        self.assertEqual(flags, [])

    def test_every_field_that_it_names_can_be_set_by_a_flag(self):
        help_text = run("select", "--help").stdout
        named = {field for path, text in library_texts() if path != "src/select/options.cpp"
                 for field in re.findall(r"`([a-z_]+)`", text)}
        self.assertGreater(len(named), 15)
        for field in named - {"criteria", "importance"}:
            self.assertIn(f"--{field.replace('_', '-')}", help_text)


class Flags(CommandTest):
    def test_warnings_speak_of_flags_in_every_output(self):
        self.write("d.csv", smooth_sample(40))
        done = run("select", "d.csv", "--target", "y", "--lambda", "100,1000", "--json", "r.json", "--report", "r.html",
                   cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        for text in (done.stdout, (self.folder / "r.json").read_text(), (self.folder / "r.html").read_text()):
            self.assertIn("widen --lambda", " ".join(text.split()))
            self.assertNotIn("`lambda`", text)

    def test_errors_speak_of_flags(self):
        self.write("d.csv", smooth_sample(40, inputs=2))
        for wanted, arguments in [
                ("use --metric train", ["--learner", "ridge", "--metric", "function-space", "--criterion", "sic"]),
                ("--groups for mlp says which inputs share a decay; give --decay-groups input too",
                 ["--learner", "mlp", "--groups", "each"]),
                ("iwls needs importance weights: --test FILE with --weights kliep, ulsif, …, or a column of density ratios",
                 ["--learner", "iwls"]),
                ("--criterion is empty; give a value, or leave it out", ["--criterion", ""]),
                ("--tau belongs to --learner huber, not to --learner ridge", ["--learner", "ridge", "--tau", "1"])]:
            done = run("select", "d.csv", "--target", "y", *arguments, cwd=self.folder)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(wanted, done.stderr)
            self.assertNotIn("`", done.stderr)

    def test_an_empty_value_is_refused(self):
        self.write("d.csv", smooth_sample(40))
        for flag in ("--criterion", "--features", "--json", "--lambda", "--fold-groups"):
            self.refuse(2, [f"{flag} is empty; give a value, or leave it out"], "select", "d.csv", "--target", "y", flag, "")

    def test_an_option_given_twice_is_named(self):
        self.write("d.csv", smooth_sample(40))
        self.refuse(2, ["--criterion is given twice; give it once, several values with commas"],
                    "select", "d.csv", "--target", "y", "--criterion", "gcv", "--criterion", "loo")


if __name__ == "__main__":
    unittest.main()
