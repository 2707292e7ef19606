"""`gnomon weights`, and what `gnomon select` tells of a covariate shift."""
import json
import unittest

import numpy as np

from command import CommandTest, is_number

METHODS = ["kde", "kde-cv", "ulsif", "rulsif", "kliep", "kmm", "logistic"]


def shifted(rows=120, test_rows=150, shift=0.7, inputs=2, seed=5):
    """Training inputs N(0, 1), test inputs N(shift, 0.8) in x1 and N(0, 1) in the others; a target in both."""
    random = np.random.default_rng(seed)

    def table(count, mean, deviation):
        x = random.standard_normal((count, inputs))
        x[:, 0] = mean + deviation * x[:, 0]
        y = np.sin(2 * x[:, 0]) + 0.2 * x.sum(axis=1) + 0.1 * random.standard_normal(count)
        return {**{f"x{j + 1}": x[:, j] for j in range(inputs)}, "y": y}
    return table(rows, 0, 1), table(test_rows, shift, 0.8 if shift else 1)


class WeightsTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.train, self.test = shifted()
        self.write("train.csv", self.train)
        self.write("test.csv", self.test)

    def weights(self, *arguments, train="train.csv", test="test.csv"):
        """The rows and weights that are written."""
        self.succeed("weights", train, "--test", test, "--target", "y", "-o", "w.csv", *arguments)
        lines = (self.folder / "w.csv").read_text().splitlines()
        self.assertEqual(lines[0], "row,weight")
        table = np.array([[float(cell) for cell in line.split(",")] for line in lines[1:]])
        return table[:, 0].astype(int), table[:, 1]

    def result(self, *arguments, train="train.csv", test="test.csv"):
        return json.loads(self.succeed("weights", train, "--test", test, "--target", "y", "--json", "-", *arguments))


class AnswersTest(WeightsTest):
    def test_every_method_follows_the_true_ratio(self):
        x = self.train["x1"]
        truth = np.exp(-0.5 * ((x - 0.7) / 0.8) ** 2) / 0.8 / np.exp(-0.5 * x ** 2)
        for method in METHODS:
            with self.subTest(method):
                rows, w = self.weights("--method", method)
                np.testing.assert_array_equal(rows, np.arange(1, 121))
                self.assertTrue(np.all(w >= 0) and np.all(np.isfinite(w)))
                self.assertGreater(np.corrcoef(np.sqrt(w), np.sqrt(truth))[0, 1], 0.6)
                self.assertLess(abs(w.mean() - 1), 0.5)

    def test_no_shift(self):
        train, test = shifted(200, 200, shift=0, seed=11)
        self.write("a.csv", train)
        self.write("b.csv", test)
        for method in METHODS:
            with self.subTest(method):
                result = self.result("--method", method, train="a.csv", test="b.csv")
                self.assertEqual(result["shift"]["kind"], "none")
                self.assertTrue(result["shift"]["verdict"].startswith("no shift"))
                self.assertGreater(result["shift"]["p_value"], 0.05)
                self.assertGreater(result["shift"]["effective_sample_size"], 100)

    def test_json_agrees_with_the_file(self):
        rows, w = self.weights("--json", "out.json")
        result = json.loads((self.folder / "out.json").read_text())
        shift = result["shift"]
        self.assertEqual(shift["method"], "kliep")
        self.assertEqual(shift["rows"], list(rows))
        np.testing.assert_array_equal(shift["weights"], w)
        self.assert_close(shift["effective_sample_size"], w.sum() ** 2 / (w ** 2).sum(), 1e-12)
        self.assertLess(shift["p_value"], 0.05)
        self.assertTrue(is_number(shift["parameters"]["width"]))
        order = np.argsort(-w, kind="stable")[:10]
        self.assertEqual([entry["row"] for entry in shift["largest"]], list(rows[order]))
        np.testing.assert_array_equal([entry["weight"] for entry in shift["largest"]], w[order])
        outside = np.zeros(150, bool)
        for name in ("x1", "x2"):
            outside |= (self.test[name] < self.train[name].min()) | (self.test[name] > self.train[name].max())
        self.assert_close(shift["outside_share"], outside.mean(), 1e-12)
        self.assertEqual(result["data"]["feature_names"], ["x1", "x2"])
        self.assertEqual((result["data"]["rows"], result["data"]["test_rows"]), (120, 150))

    def test_summary(self):
        text = self.succeed("weights", "train.csv", "--test", "test.csv", "--target", "y")
        for part in ("shift, ", "effective sample size", "permutation test", "p = 0.001", "The largest weights", "x1, x2"):
            self.assertIn(part, text)
        self.assertTrue(all(len(line) <= 80 for line in text.splitlines()))
        self.assertEqual(self.files(), ["test.csv", "train.csv"])

    def test_the_target_is_no_input(self):
        _, w = self.weights()
        self.write("bare.csv", {name: self.train[name] for name in ("x1", "x2")})
        self.write("bare_test.csv", {name: self.test[name] for name in ("x1", "x2")})
        _, bare = self.weights(train="bare.csv", test="bare_test.csv")
        np.testing.assert_array_equal(w, bare)
        _, dropped = self.weights("--features", "x1")
        self.assertFalse(np.allclose(w, dropped))

    def test_order_of_the_columns_does_not_matter(self):
        _, w = self.weights()
        self.write("turned.csv", {name: self.test[name] for name in ("y", "x2", "x1")})
        _, turned = self.weights(test="turned.csv")
        np.testing.assert_array_equal(w, turned)

    def test_units_and_scale_do_not_matter(self):
        for method in METHODS:
            _, w = self.weights("--method", method)
            for scale in ("none", "unit"):
                _, other = self.weights("--method", method, "--scale", scale)
                self.assert_close(other, w, 1e-5, f"{method} {scale}")

    def test_same_seed_same_answer(self):
        _, w = self.weights("--seed", "3")
        _, again = self.weights("--seed", "3", "--threads", "1")
        self.assert_close(again, w, 1e-9)
        _, other = self.weights("--seed", "4")
        self.assertFalse(np.array_equal(other, w))

    def test_missing_cells(self):
        holes = {name: list(values) for name, values in self.train.items()}
        holes["x2"][4] = "NA"
        test = {name: list(values) for name, values in self.test.items()}
        test["x1"][7] = ""
        self.write("holes.csv", holes)
        self.write("test_holes.csv", test)
        self.refuse(1, ["holes.csv", "row 6", "'x2'", "--missing"], "weights", "holes.csv", "--test", "test.csv",
                    "--target", "y", "-o", "w.csv")
        rows, w = self.weights("--missing", "drop", train="holes.csv", test="test_holes.csv")
        self.assertEqual(list(rows), [row for row in range(1, 121) if row != 5])
        keep = np.arange(120) != 4
        self.write("kept.csv", {name: values[keep] for name, values in self.train.items()})
        self.write("test_kept.csv", {name: values[np.arange(150) != 7] for name, values in self.test.items()})
        _, kept = self.weights(train="kept.csv", test="test_kept.csv")
        np.testing.assert_array_equal(w, kept)
        rows, _ = self.weights("--missing", "mean", train="holes.csv", test="test_holes.csv")
        self.assertEqual(len(rows), 120)
        notes = self.result("--missing", "drop", train="holes.csv", test="test_holes.csv")["data"]["notes"]
        self.assertIn("1 row with missing cells dropped", notes)
        self.assertIn("1 test row with missing cells dropped", notes)

    def test_text_columns(self):
        random = np.random.default_rng(0)
        self.train["kind"] = [("a", "b, c")[k] for k in random.integers(0, 2, 120)]
        self.test["kind"] = [("a", "b, c")[int(k > 0)] for k in random.integers(0, 4, 150)]
        for name, table in (("train.csv", self.train), ("test.csv", self.test)):
            self.write(name, {**table, "kind": [f'"{k}"' for k in table["kind"]]})
        result = self.result()
        self.assertEqual(result["data"]["feature_names"], ["x1", "x2", "kind=a", "kind=b, c"])
        w, often = np.array(result["shift"]["weights"]), np.array(self.train["kind"]) == "b, c"
        self.assertGreater(w[often].mean(), w[~often].mean())
        self.succeed("weights", "train.csv", "--test", "test.csv", "--target", "y", "--append", "-o", "all.csv")
        self.assertIn('"b, c"', (self.folder / "all.csv").read_text())


class OutputTest(WeightsTest):
    def test_standard_output_holds_the_weights_alone(self):
        self.weights()
        arguments = ("weights", "train.csv", "--test", "test.csv", "--target", "y", "-o", "-")
        done = self.run_command(*arguments)
        self.assertEqual(done.stdout, (self.folder / "w.csv").read_text())
        self.assertIn("effective sample size", done.stderr)
        self.assertEqual(self.succeed(*arguments, "--quiet"), done.stdout)

    def test_append_is_ready_for_select(self):
        self.succeed("weights", "train.csv", "--test", "test.csv", "--target", "y", "--append", "-o", "all.csv")
        lines = (self.folder / "all.csv").read_text().splitlines()
        self.assertEqual(lines[0], "x1,x2,y,weight")
        table = np.array([[float(cell) for cell in line.split(",")] for line in lines[1:]])
        for j, name in enumerate(("x1", "x2", "y")):
            np.testing.assert_array_equal(table[:, j], self.train[name])
        _, w = self.weights()
        np.testing.assert_array_equal(table[:, 3], w)
        flags = ("--test", "test.csv", "--learner", "iwls", "--criterion", "sic,iwcv")
        column = self.select("all.csv", *flags, "--weights", "weight")
        method = self.select("train.csv", *flags, "--weights", "kliep")
        self.assertEqual(column["chosen"]["flattening"], method["chosen"]["flattening"])
        for name in ("sic", "iwcv"):
            self.assert_close(column["path"]["criteria"][name]["value"], method["path"]["criteria"][name]["value"], 1e-9)
        self.assertEqual(column["shift"]["method"], "weight")
        self.assertIsNotNone(column["shift"]["verdict"])
        self.assert_close(column["shift"]["weights"], method["shift"]["weights"], 1e-12)

    def test_append_needs_a_free_name(self):
        self.write("weighed.csv", {**self.train, "weight": np.ones(120)})
        arguments = ("weights", "weighed.csv", "--test", "test.csv", "--target", "y", "--drop", "weight", "--append",
                     "-o", "all.csv")
        self.refuse(1, ["weighed.csv", "'weight'", "--name"], *arguments)
        self.succeed(*arguments, "--name", "ratio")
        self.assertEqual((self.folder / "all.csv").read_text().splitlines()[0], "x1,x2,y,weight,ratio")

    def test_extra_columns_of_the_test_file_are_noted(self):
        self.write("wide.csv", {**self.test, "z": np.zeros(150)})
        _, w = self.weights()
        _, same = self.weights(test="wide.csv")
        np.testing.assert_array_equal(w, same)
        text = self.succeed("weights", "train.csv", "--test", "wide.csv", "--target", "y")
        self.assertIn("note: wide.csv: column z not in train.csv, ignored", text)


    def test_a_target_that_is_not_there_is_noted(self):
        text = self.succeed("weights", "train.csv", "--test", "test.csv", "--target", "yy", "--drop", "x2")
        self.assertIn("no column 'yy'", text)


class RefusalTest(WeightsTest):
    def refused(self, code, says, *arguments, train="train.csv", test="test.csv"):
        return self.refuse(code, says, "weights", train, "--test", test, "-o", "w.csv", *arguments)

    def test_columns(self):
        self.write("narrow.csv", {"x1": self.test["x1"]})
        self.refused(1, ["narrow.csv", "'x2'", "is missing"], "--target", "y", test="narrow.csv")
        self.write("inputs.csv", {name: self.test[name] for name in ("x1", "x2")})
        self.refused(1, ["inputs.csv", "'y'", "--target"], test="inputs.csv")
        self.refused(1, ["train.csv", "'q'", "--drop"], "--drop", "q")
        self.refused(1, ["train.csv", "'x3'", "did you mean"], "--features", "x1,x3")
        self.refused(1, ["both target and feature"], "--target", "y", "--features", "x1,y")
        self.refused(1, ["no input column is left"], "--target", "y", "--drop", "x1,x2")

    def test_usage(self):
        self.refused(2, ["'klep'", "kliep"], "--method", "klep")
        self.refused(2, ["'median'", "drop"], "--missing", "median")
        self.refuse(2, ["--test"], "weights", "train.csv", "-o", "w.csv")
        self.refuse(2, ["--append", "-o"], "weights", "train.csv", "--test", "test.csv", "--append")
        self.refused(2, ["w.csv"], "--json", "w.csv")
        self.refused(2, ["standard input"], train="-", test="-")
        self.refused(2, ["--seed"], "--seed", "-1")

    def test_files(self):
        self.refused(1, ["absent.csv"], test="absent.csv")
        self.refuse(1, ["nowhere"], "weights", "train.csv", "--test", "test.csv", "-o", "nowhere/w.csv")
        self.write("few.csv", {name: values[:3] for name, values in self.test.items()})
        self.refused(1, ["5"], "--target", "y", test="few.csv")


class SelectTellsTest(WeightsTest):
    flags = ("--test", "test.csv", "--learner", "iwls", "--basis", "polynomial:3")

    def test_json_text_and_report(self):
        text = self.succeed("select", "train.csv", "--target", "y", *self.flags, "--json", "out.json", "--report",
                            "out.html")
        result = json.loads((self.folder / "out.json").read_text())
        shift = result["shift"]
        self.assertEqual(len(shift["weights"]), 120)
        self.assertEqual(shift["method"], "kliep")
        self.assertIn(shift["kind"], ("usable", "severe"))
        self.assertTrue(is_number(shift["p_value"]))
        self.assertEqual(len(result["path"]["flattening"]), 21)
        self.assertIn("covariate shift", text)
        self.assertIn("effective sample size", text)
        html = (self.folder / "out.html").read_text()
        for part in ("Covariate shift", "Density of x1", "largest first", "ordinary least squares"):
            self.assertIn(part, html)

    def test_one_far_row_is_reported(self):
        """Its density underflows to numbers that are not normal ones."""
        train, test = shifted(rows=60, test_rows=50, inputs=1)
        for far in (15, 40):
            train["x1"][7] = far
            self.write("far.csv", train)
            self.write("near.csv", test)
            for method in ("kliep", "kde"):
                with self.subTest(method, far=far):
                    self.succeed("select", "far.csv", "--test", "near.csv", "--target", "y", "--learner", "ridge",
                                 "--weights", method, "--report", "far.html", "--json", "far.json", "--model", "far.gnomon")
                    self.assertIn("Covariate shift", (self.folder / "far.html").read_text())
                    json.loads((self.folder / "far.json").read_text())

    def test_weighted_ridge_has_no_strategy(self):
        """A flag that would be ignored is refused, and the report does not claim what was not used."""
        for learner in ("ridge", "kernel-ridge"):
            select = ("select", "train.csv", "--target", "y", "--test", "test.csv", "--learner", learner)
            weighted = (*select, "--weights", "kliep")
            self.refuse(2, ["--strategy", "importance weights", learner], *weighted, "--strategy", "full")
            self.succeed(*select, "--strategy", "full")
            self.succeed(*weighted, "--strategy", "auto", "--report", "out.html")
            html = (self.folder / "out.html").read_text()
            self.assertIn(f"{learner}, rows weighted by importance", html)
            self.assertNotIn("tikhonov filter", html)

    def test_without_a_shift_nothing_is_said(self):
        text = self.succeed("select", "train.csv", "--target", "y", "--json", "out.json", "--report", "out.html")
        self.assertNotIn("shift", json.loads((self.folder / "out.json").read_text()))
        self.assertNotIn("covariate shift", text)
        self.assertNotIn("Covariate shift", (self.folder / "out.html").read_text())

    def test_ends_of_the_exponents_in_plain_words(self):
        def warnings(*arguments):
            return " ".join(self.select("train.csv", *self.flags, *arguments)["warnings"])
        for criterion in ("sic", "cv"):
            for values, end in (("0:1:11", None), ("0,0.01", 0), ("0.99,1", 1), ("0.4,0.6", None)):
                result = self.select("train.csv", *self.flags, "--flattening", values, "--criterion", criterion)
                chosen, said = result["chosen"]["flattening"], " ".join(result["warnings"])
                self.assertEqual("flattening 0, ordinary least squares" in said, chosen == 0)
                self.assertEqual("flattening 1, fully weighted least squares" in said, chosen == 1)
                tried = result["path"]["flattening"]
                self.assertEqual("widen --flattening" in said, chosen in (min(tried), max(tried)) and 0 < chosen < 1)

    def test_few_effective_rows_and_an_unreliable_reference(self):
        def warnings(column, *arguments):
            self.write("ratio.csv", {**self.train, "w": column})
            return " ".join(self.select("ratio.csv", "--learner", "iwls", "--weights", "w", "--flattening", "1",
                                        *arguments)["warnings"])
        calm = warnings(np.ones(120), "--criterion", "sic")
        self.assertNotIn("strength", calm)
        self.assertNotIn("reference", calm)
        steep = np.where(np.arange(120) < 5, 1.0, 1e-3)
        said = warnings(steep, "--criterion", "sic")
        self.assertIn("leave the strength of", said)
        self.assertIn("sic is unreliable", said)
        self.assertNotIn("sic is unreliable", warnings(steep, "--criterion", "iwcv"))
        lost = np.where(np.arange(120) < 2, 1.0, 1e-40)
        self.assertIn("take 1 of 2 dimensions away", warnings(lost, "--criterion", "sic"))


if __name__ == "__main__":
    unittest.main()
