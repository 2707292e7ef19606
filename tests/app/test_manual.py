"""The manual's tables of options, and the page of man, are those of the command."""
import re
import shutil
import subprocess
import sys
import unittest

from command import COMMAND, REPOSITORY

SCRIPT = REPOSITORY / "scripts" / "manual"


def output(*arguments):
    return subprocess.run(list(arguments), check=True, capture_output=True, text=True).stdout


class Manual(unittest.TestCase):
    def test_the_tables_of_options_are_up_to_date(self):
        check = subprocess.run([sys.executable, SCRIPT, COMMAND, "--check"], capture_output=True, text=True)
        self.assertEqual(check.returncode, 0, check.stderr)


class ManPage(unittest.TestCase):
    def setUp(self):
        self.page = output(COMMAND, "--man")
        self.commands = re.findall(r"^  (\w+) ", output(COMMAND, "--help").split("Subcommands:")[1], re.M)

    def section(self, command):
        return self.page.split(f".SS gnomon {command}\n")[1].split(".SS ")[0].split(".SH ")[0]

    def test_every_flag_of_every_command_is_explained(self):
        self.assertIn("select", self.commands)
        for command in self.commands:
            section = self.section(command).replace(r"\-", "-")
            flags = set(re.findall(r"^  (?:-\w,)?(--[\w-]+)", output(COMMAND, command, "--help"), re.M)) - {"--help"}
            self.assertTrue(flags or command == "inspect", command)
            for flag in flags:
                explained = re.search(rf"^\.TP\n[^\n]*\\fB{flag}\\fR[^\n]*\n\S", section, re.M)
                self.assertTrue(explained, f"{command} {flag}")

    def test_it_has_the_sections_of_a_page_and_no_markdown(self):
        for heading in ("NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "EXIT STATUS", "EXAMPLES"):
            self.assertIn(f".SH {heading}\n", self.page)
        self.assertNotIn("`", self.page)
        self.assertNotRegex(self.page, r"\]\(|\*\*|[{](allowed|default)[}]")

    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_groff_has_nothing_to_say_against_it(self):
        done = subprocess.run(["groff", "-man", "-Kutf8", "-Tutf8", "-ww"], input=self.page, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("gnomon select", done.stdout)


if __name__ == "__main__":
    unittest.main()
