"""The manual's tables of options are those of the command."""
import subprocess
import sys
import unittest

from command import COMMAND, REPOSITORY

SCRIPT = REPOSITORY / "scripts" / "manual"


class Manual(unittest.TestCase):
    def test_the_tables_of_options_are_up_to_date(self):
        check = subprocess.run([sys.executable, SCRIPT, COMMAND, "--check"], capture_output=True, text=True)
        self.assertEqual(check.returncode, 0, check.stderr)


if __name__ == "__main__":
    unittest.main()
