"""Numbers that the data cannot tell are not told: noise and errors that copies of rows or interpolation drove to 0."""
import json
import unittest

import numpy as np

from command import CommandTest, smooth_sample


class ImpossibleNumbersTest(CommandTest):
    def copies(self, rows, twice):
        """Noise in four inputs, the first rows entered twice."""
        columns = smooth_sample(rows, 4, seed=3, noise=1.0)
        return {name: np.concatenate([values, values[:twice]]) for name, values in columns.items()}

    def select(self, *flags):
        return json.loads(self.succeed("select", "data.csv", "--target", "y", "--json", "-", *flags))

    def test_copies_do_not_make_the_noise_vanish(self):
        self.write("data.csv", self.copies(120, 60))
        found = self.select("--criterion", "loo,gcv,cp")
        variance = found["noise_variance"]["value"]
        self.assertTrue(variance is None or variance > 0.2, variance)
        self.assertIsNone(found["selected"]["gcv"]["value"])
        self.assertTrue(any("60 of 180 rows are copies" in text for text in found["warnings"]), found["warnings"])
        cp = found["selected"]["cp"]["value"]
        self.assertTrue(cp is None or cp > 0.2, cp)

    def test_gcv_refuses_to_choose_among_copies(self):
        self.write("data.csv", self.copies(120, 60))
        done = self.run_command("select", "data.csv", "--target", "y", "--criterion", "gcv")
        self.assertEqual(done.returncode, 1)
        self.assertIn("choose by loo or cv", done.stderr)

    def test_more_columns_than_rows_leave_the_noise_undetermined(self):
        self.succeed("demo", "-o", "wide", "--problem", "linear:200", "--rows", "100")
        found = json.loads((self.folder / "wide/result.json").read_text())
        self.assertIsNone(found["noise_variance"]["value"])
        self.assertIsNone(found["selected"]["cp"]["value"])
        self.assertIsNone(found["selected"]["cp"]["lambda"])
        self.assertTrue(any("not determined" in text for text in found["warnings"]))
        self.assertIn("not determined", (self.folder / "wide/report.html").read_text())

    def test_no_warning_recommends_gcv(self):
        self.write("data.csv", self.copies(120, 60))
        for text in self.select("--criterion", "all")["warnings"]:
            self.assertNotRegex(text, r"(use|trust|by)[^.]*gcv")


if __name__ == "__main__":
    unittest.main()
