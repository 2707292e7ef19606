"""Names that people know: those of criteria elsewhere, σ beside σ², and criteria that are one under several names."""
import json
import unittest

from command import CommandTest, smooth_sample

USAGE = 2


class NamesTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("data.csv", smooth_sample(60, 1, seed=1))

    def select(self, *flags):
        return json.loads(self.succeed("select", "data.csv", "--target", "y", "--json", "-", *flags))

    def test_other_names_are_the_same_criteria(self):
        for alias, own in {"abic": "evidence", "gml": "evidence", "reml": "evidence", "press": "loo", "ocv": "loo",
                           "tic": "nic"}.items():
            with self.subTest(alias):
                asked, plain = self.select("--criterion", alias), self.select("--criterion", own)
                self.assertEqual(asked["chosen"], plain["chosen"])
                self.assertEqual(list(asked["path"]["criteria"]), [own])

    def test_a_name_and_its_alias_are_one(self):
        self.assertEqual(list(self.select("--criterion", "press,loo,ocv")["path"]["criteria"]), ["loo"])

    def test_equal_criteria_share_a_row_and_keep_their_keys(self):
        flags = ("select", "data.csv", "--target", "y", "--criterion", "all", "--noise", "0.01")
        text = self.succeed(*flags)
        for row in ("cp = sure = sic", "fpe = gpe", "gen = nic"):
            self.assertIn(row, text)
        found = json.loads(self.succeed(*flags, "--json", "-"))["selected"]
        for name in ("cp", "sure", "sic", "fpe", "gpe", "gen", "nic"):
            self.assertIn(name, found)

    def test_criteria_elsewhere_keep_a_row_of_their_own(self):
        text = self.succeed("select", "data.csv", "--target", "y", "--criterion", "cp,sic", "--noise", "0.01", "--metric",
                            "uniform:-1:1", "--learner", "ridge", "--basis", "polynomial:3", "--lambda", "0.1")
        self.assertNotIn("cp = sic", text)

    def test_sigma_is_the_root_of_noise(self):
        flags = ("--criterion", "cp")
        by_sigma, by_noise = self.select("--sigma", "0.5", *flags), self.select("--noise", "0.25", *flags)
        self.assertEqual(by_sigma["noise_variance"], by_noise["noise_variance"])
        self.assertEqual(by_sigma["chosen"], by_noise["chosen"])

    def test_sigma_and_noise_together_are_refused(self):
        for command in (("select", "data.csv", "--target", "y"), ("compare", "data.csv", "--target", "y"), ("demo",)):
            with self.subTest(command[0]):
                done = self.run_command(*command, "--sigma", "0.5", "--noise", "0.25")
                self.assertEqual(done.returncode, USAGE)
                self.assertIn("--sigma", done.stderr)

    def test_sigma_must_be_a_standard_deviation(self):
        self.assertEqual(self.run_command("select", "data.csv", "--target", "y", "--sigma", "auto").returncode, USAGE)
        self.assertIn("≥ 0", self.run_command("select", "data.csv", "--target", "y", "--sigma", "-1").stderr)

    def test_the_demo_counts_noise_as_select_does(self):
        self.succeed("demo", "-o", "a", "--noise", "0.25", "--rows", "20")
        self.succeed("demo", "-o", "b", "--sigma", "0.5", "--rows", "20")
        self.assertEqual((self.folder / "a/data.csv").read_bytes(), (self.folder / "b/data.csv").read_bytes())
        truth = json.loads((self.folder / "a/result.json").read_text())["path"]["truth"]
        self.assertEqual(truth["noise_variance"], 0.25)

    def test_the_evidence_of_a_network_says_what_it_compares_with(self):
        found = self.select("--learner", "mlp", "--hidden", "2", "--restarts", "1", "--criterion", "evidence")
        self.assertIn("one network", found["path"]["criteria"]["evidence"]["estimates"])


if __name__ == "__main__":
    unittest.main()
