"""Rows that are held out together, through the command: columns of groups and of folds."""
import json
import unittest

import numpy as np

from command import CommandTest, smooth_sample

CANNOT_SERVE, WRONG_USAGE = 1, 2


class GroupsTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.columns = smooth_sample(48, 2, seed=3)
        self.fold = np.arange(48) * 7 % 4
        names = np.array(["north", "south", "east", "west"])
        self.write("data.csv", {**self.columns, "site": names[self.fold], "number": self.fold, "one": np.ones(48)})

    def test_both_columns_name_the_same_folds(self):
        asked = ("--learner", "ridge", "--basis", "polynomial:3", "--criterion", "cv")
        numbers = self.select("data.csv", *asked, "--fold-column", "number", "--drop", "site,one")
        names = self.select("data.csv", *asked, "--fold-column", "site", "--drop", "number,one")
        groups = self.select("data.csv", *asked, "--fold-groups", "site", "--drop", "number,one")
        self.assertEqual(numbers["path"]["criteria"]["cv"]["value"], names["path"]["criteria"]["cv"]["value"])
        self.assert_close(groups["path"]["criteria"]["cv"]["value"], names["path"]["criteria"]["cv"]["value"])
        self.assertEqual(groups["data"]["features"], 2)
        self.assertEqual(groups["settings"]["asked"]["fold-groups"], "site")
        alone = self.select("data.csv", *asked, "--drop", "number,one,site")
        self.assertNotIn("fold-groups", alone["settings"]["used"])
        self.assertNotEqual(alone["path"]["criteria"]["cv"]["value"], names["path"]["criteria"]["cv"]["value"])

    def test_values_are_those_of_refits_without_each_fold(self):
        lambdas = [0.1, 3.0]
        found = self.select("data.csv", "--learner", "ridge", "--scale", "none", "--lambda", "0.1,3", "--search", "grid",
                            "--fold-column", "number", "--drop", "site,one")
        self.assertEqual(found["chosen"]["criterion"], "cv")
        x, y = np.column_stack([self.columns["x1"], self.columns["x2"]]), self.columns["y"]
        for value, lam in zip(found["path"]["criteria"]["cv"]["value"], lambdas):
            errors = []
            for fold in range(4):
                train, test = self.fold != fold, self.fold == fold
                mean, offset = x[train].mean(axis=0), y[train].mean()
                centred = x[train] - mean
                beta = np.linalg.solve(centred.T @ centred + lam * np.eye(2), centred.T @ (y[train] - offset))
                errors.append(np.mean((y[test] - offset - (x[test] - mean) @ beta) ** 2))
            self.assert_close(value, np.mean(errors))

    def test_rows_that_are_left_out_take_their_groups_along(self):
        missing = {**self.columns, "site": self.fold.astype(object)}
        missing["x1"] = ["" if i in (3, 17) else value for i, value in enumerate(self.columns["x1"])]
        self.write("missing.csv", missing)
        kept = [i for i in range(48) if i not in (3, 17)]
        self.write("kept.csv", {name: np.asarray(values)[kept] for name, values in
                                {**self.columns, "site": self.fold}.items()})
        holes = self.select("missing.csv", "--missing", "drop", "--fold-groups", "site")
        whole = self.select("kept.csv", "--fold-groups", "site")
        self.assertEqual(holes["path"], whole["path"])
        self.assertEqual(holes["chosen"], whole["chosen"])

    def test_model_and_report_know_of_no_groups(self):
        out = self.succeed("select", "data.csv", "--target", "y", "--fold-groups", "site", "--drop", "number,one",
                           "--model", "m.gnomon", "--report", "r.html", "--json", "r.json")
        self.assertIn("rows are held out in 4 groups", out)
        self.assertIn("the default: rows are held out by groups or given folds", " ".join(out.split()))
        self.write("new.csv", {k: v for k, v in self.columns.items() if k != "y"})
        self.succeed("predict", "m.gnomon", "new.csv")
        self.assertIn("folds of whole groups", (self.folder / "r.html").read_text())
        error = json.loads((self.folder / "r.json").read_text())["chosen"]["error"]
        self.assertTrue(0 < error["low"] < error["value"] < error["high"])

    def test_groups_are_told_apart_by_their_texts(self):
        self.write("codes.csv", {**self.columns, "code": [("1", "01", "1.0", "2")[k] for k in self.fold]})
        out = self.succeed("select", "codes.csv", "--target", "y", "--fold-groups", "code")
        self.assertIn("rows are held out in 4 groups", out)

    def test_refusals(self):
        def refuse(code, says, *arguments):
            self.refuse(code, [says], "select", "data.csv", "--target", "y", *arguments)
        refuse(CANNOT_SERVE, "no column 'sites' (given as --fold-groups)", "--fold-groups", "sites")
        refuse(CANNOT_SERVE, "column 'y' cannot be both target and --fold-column", "--fold-column", "y")
        refuse(CANNOT_SERVE, "cannot be both feature and --fold-groups", "--fold-groups", "site", "--features", "site,x1")
        refuse(CANNOT_SERVE, "all rows belong to one group", "--fold-groups", "one")
        refuse(CANNOT_SERVE, "criterion 'cv:5' asks for 5 folds, but 4 are given; write cv",
               "--fold-column", "number", "--criterion", "cv:5")
        refuse(CANNOT_SERVE, "--repeats 2 and given folds cannot go together", "--fold-column", "number", "--repeats", "2")
        refuse(WRONG_USAGE, "--fold-column and --fold-groups cannot go together", "--fold-column", "number",
               "--fold-groups", "site")
        refuse(WRONG_USAGE, "--lags cannot go together", "--fold-groups", "site", "--lags", "2")
        self.write("hole.csv", {**self.columns, "site": [""] + ["a", "b"] * 23 + ["a"]})
        self.refuse(CANNOT_SERVE, ["hole.csv: row 2, column 'site': the group is missing (1 cell in all); use --missing drop"],
                    "select", "hole.csv", "--target", "y", "--fold-groups", "site")
        self.refuse(CANNOT_SERVE, ["column 'site': the fold is missing (1 cell in all); use --missing drop"],
                    "select", "hole.csv", "--target", "y", "--fold-column", "site")
        self.refuse(CANNOT_SERVE, ["compare makes up targets row by row"], "compare", "data.csv", "--target", "y",
                    "--fold-groups", "site", "--trials", "2")


if __name__ == "__main__":
    unittest.main()
