"""The HTML report in headless Chromium: it draws, the console stays clean, the choice is on the page, no network."""
import json
import re
import shutil
import subprocess
import sys
import unittest

from command import REPOSITORY, CommandTest, smooth_sample

CHECK = REPOSITORY / "tests" / "report" / "check_report.py"
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


class ReportTest(CommandTest):
    def browse(self, page, result, *more):
        """Opens the page and looks for the choice on it."""
        if BROWSER is None:
            self.skipTest("Chromium is not installed, so the report is not opened")
        chosen = result["chosen"]
        expected = [f"{chosen['lambda']:.4g}", chosen["criterion"], *more]
        command = [sys.executable, CHECK, self.folder / page]
        for text in expected:
            command += ["--expect", text]
        done = subprocess.run(command, capture_output=True, text=True, timeout=240)
        self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
        self.assertNotRegex(done.stdout, r"(?<!\d)0 charts")

    def assert_self_contained(self, page):
        text = (self.folder / page).read_text(encoding="utf-8")
        loads = re.findall(r"""(?:src|href|action|data|poster)\s*=\s*["']?\s*(?:https?:)?//[^"'\s>]*|
                               url\(\s*["']?(?:https?:)?//[^)]*\)|
                               @import[^;]*|\bimport\s*\(|\bfetch\s*\(|XMLHttpRequest|WebSocket|sendBeacon|
                               <link\b[^>]*>|<iframe\b[^>]*>|<script\b[^>]*\bsrc\b[^>]*>""", text, re.VERBOSE)
        self.assertEqual(loads, [])

    def test_demo(self):
        printed = self.succeed("demo", "-o", "out")
        written = ["out/data.csv", "out/model.gnomon", "out/report.html", "out/result.json"]
        self.assertEqual(self.files(), ["out", *written])
        self.assertIn("out/report.html", printed)
        result = json.loads((self.folder / "out" / "result.json").read_text())
        self.assertEqual(len(result["path"]["truth"]["value"]), len(result["path"]["lambda"]))
        self.assert_self_contained("out/report.html")
        self.browse("out/report.html", result)

    def test_demo_is_reproducible_and_its_data_can_be_used(self):
        for folder in ("a", "b"):
            self.succeed("demo", "-o", folder, "--problem", "step", "--rows", "50", "--sigma", "0.1", "--seed", "3")
        a, b = ((self.folder / f / "data.csv").read_text() for f in ("a", "b"))
        self.assertEqual(a, b)
        self.assertEqual(len(a.splitlines()), 51)
        shown = json.loads((self.folder / "a" / "result.json").read_text())
        again = self.select("a/data.csv")
        self.assert_close(shown["path"]["criteria"]["loo"]["value"], again["path"]["criteria"]["loo"]["value"], 1e-12)
        self.assertEqual(len(self.succeed("predict", "a/model.gnomon", "a/data.csv").splitlines()), 51)

    def test_select_with_text_weights_and_several_targets(self):
        sample = smooth_sample(60, 2)
        self.write("data.csv", {**sample, "kind": ["<b>red</b>", 'blue "&" green', "é"] * 20, "w": [1, 2, 3] * 20,
                                "other": [2 * v for v in sample["x1"]]})
        result = self.select("data.csv", "--weights", "w", "--criterion", "all", "--report", "out.html",
                             target="y,other")
        self.assert_self_contained("out.html")
        self.assertNotIn("<b>red</b>", (self.folder / "out.html").read_text(encoding="utf-8"))
        self.browse("out.html", result["targets"][0], "kind=<b>red</b>")

    def test_every_learner_draws(self):
        self.write("data.csv", smooth_sample(40, 1))
        for learner in ("ridge", "landweber"):
            result = self.select("data.csv", "--learner", learner, "--report", "out.html")
            self.assert_self_contained("out.html")
            self.browse("out.html", result)


if __name__ == "__main__":
    unittest.main()
