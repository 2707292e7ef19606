"""Predictions depend on the row alone: not on blocks, order, neighbours, or the way the rows come in."""
import gzip
import random
import unittest

import numpy as np

from command import CommandTest, predictions_of, smooth_sample, table_text

LEARNERS = {
    "kernel": ("--kernel", "gaussian"),
    "coefficients": ("--kernel", "matern32", "--penalty", "coefficients"),
    "polynomial kernel": ("--kernel", "polynomial:3"),
    "ridge": ("--learner", "ridge", "--basis", "polynomial:3"),
    "gaussian basis": ("--learner", "ridge", "--basis", "gaussian:8"),
    "cut-off": ("--learner", "spectral-cutoff", "--kernel", "laplace"),
}


class PredictTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("train.csv", smooth_sample(60, 3, seed=1))
        new = smooth_sample(9001, 3, seed=2)
        self.header, *self.rows = table_text({name: new[name] for name in ("x1", "x2", "x3")}).splitlines()

    def fit(self, *flags, target="y"):
        self.succeed("select", "train.csv", "--target", target, "--model", "fit.gnomon", *flags)

    def text(self, rows):
        return "\n".join([self.header, *rows]) + "\n"

    def predict(self, rows):
        """The lines of predictions for these rows, read from standard input."""
        lines = self.succeed("predict", "fit.gnomon", "-", stdin=self.text(rows)).splitlines()
        self.assertEqual(lines[0], "prediction")
        self.assertEqual(len(lines), len(rows) + 1)
        return lines[1:]

    def test_answers_do_not_depend_on_how_the_input_is_cut(self):
        for name, flags in LEARNERS.items():
            with self.subTest(name):
                self.fit(*flags)
                whole = self.predict(self.rows)
                order = list(range(len(self.rows)))
                random.Random(0).shuffle(order)
                shuffled = self.predict([self.rows[i] for i in order])
                self.assertEqual(shuffled, [whole[i] for i in order])
                self.assertEqual(self.predict(self.rows[4090:4107]), whole[4090:4107])
                for i in (0, 1, 4095, 4096, 9000):
                    self.assertEqual(self.predict([self.rows[i]]), [whole[i]])

    def test_threads_do_not_change_an_answer(self):
        self.fit()
        self.write("new.csv", self.text(self.rows))
        one, two = (self.succeed("predict", "fit.gnomon", "new.csv", "--threads", n) for n in (1, 2))
        self.assertEqual(one, two)

    def test_file_pipe_gzip_and_output_file_agree(self):
        self.fit()
        text = self.text(self.rows[:50])
        self.write("new.csv", text)
        self.write("new.csv.gz", gzip.compress(text.encode()))
        piped = self.succeed("predict", "fit.gnomon", "-", stdin=text)
        self.assertEqual(self.succeed("predict", "fit.gnomon", "new.csv"), piped)
        self.assertEqual(self.succeed("predict", "fit.gnomon", "new.csv", "-o", "-"), piped)
        self.assertEqual(self.succeed("predict", "fit.gnomon", "new.csv.gz"), piped)
        self.assertEqual(self.succeed("predict", "fit.gnomon", "-", stdin=gzip.compress(text.encode())), piped)
        self.assertEqual(self.succeed("predict", "fit.gnomon", "new.csv", "-o", "out.csv", "--quiet"), "")
        self.assertEqual((self.folder / "out.csv").read_text(), piped)

    def test_output_replaces_an_old_file(self):
        self.fit()
        self.write("out.csv", "old\n" * 1000)
        self.write("new.csv", self.text(self.rows[:3]))
        self.succeed("predict", "fit.gnomon", "new.csv", "-o", "out.csv")
        self.assertEqual(len((self.folder / "out.csv").read_text().splitlines()), 4)
        self.assertEqual(self.files(), ["fit.gnomon", "new.csv", "out.csv", "train.csv"])

    def test_column_order_extra_columns_and_layout(self):
        self.fit()
        plain = self.predict(self.rows[:20])
        cells = [row.split(",") for row in self.rows[:20]]
        variants = {
            "order": "x3,x1,x2\n" + "".join(f"{c},{a},{b}\n" for a, b, c in cells),
            "extra": "id,x1,note,x2,x3,y\n" + "".join(f"7,{a},no,{b},{c},\n" for a, b, c in cells),
            "extra missing": "x1,x2,x3,spare\n" + "".join(f"{a},{b},{c},NA\n" for a, b, c in cells),
            "semicolons": "x1;x2;x3\r\n" + "".join(f"{a};{b};{c}\r\n" for a, b, c in cells),
            "tabs": "\ufeffx1\tx2\tx3\n" + "".join(f"{a}\t{b}\t{c}\n" for a, b, c in cells),
            "quotes": '"x1","x2","x3"\n' + "".join(f'"{a}","{b}","{c}"\n' for a, b, c in cells),
            "no last newline": "\n".join([self.header, *self.rows[:20]]),
        }
        for name, text in variants.items():
            with self.subTest(name):
                self.assertEqual(self.succeed("predict", "fit.gnomon", "-", stdin=text).splitlines()[1:], plain)

    def test_quoted_names(self):
        sample = smooth_sample(30, 2, seed=4)
        rows = list(zip(*sample.values()))
        head = '"size, in m","the ""other"" one","price, EUR","tax"\n'
        body = "".join(f"{a!r},{b!r},{y!r},{2 * y!r}\n" for a, b, y in rows)
        self.write("train.csv", head + body)
        self.write("plain.csv", "a,b,y,tax\n" + body)
        self.succeed("select", "train.csv", "--target", "tax", "--features", 'the "other" one', "--model", "fit.gnomon")
        self.succeed("select", "plain.csv", "--target", "tax", "--features", "b", "--model", "plain.gnomon")
        self.assertEqual(self.succeed("predict", "fit.gnomon", "train.csv"),
                         self.succeed("predict", "plain.gnomon", "plain.csv"))

    def test_several_targets_have_a_column_each(self):
        sample = smooth_sample(60, 3, seed=1)
        self.write("train.csv", {**sample, "slow change": sample["x1"] + 0.1 * sample["y"]})
        self.fit("--width", "median", target="y,slow change")
        text = self.text(self.rows[:10])
        lines = self.succeed("predict", "fit.gnomon", "-", stdin=text).splitlines()
        self.assertEqual(lines[0], "prediction_y,prediction_slow change")
        both = predictions_of("\n".join(lines))
        for place, target in enumerate(("y", "slow change")):
            self.fit("--width", "median", "--drop", "slow change" if target == "y" else "y", target=target)
            alone = predictions_of(self.succeed("predict", "fit.gnomon", "-", stdin=text))
            self.assert_close(both[:, place], alone[:, 0], 1e-6)

    def test_text_columns(self):
        kinds = ["red", "blue", "green"] * 20
        effect = {"red": 0.0, "blue": 1.0, "green": -2.0}
        y = [effect[kind] + 0.01 * np.sin(i) for i, kind in enumerate(kinds)]
        self.write("train.csv", {"kind": kinds, "x": np.linspace(0, 1, 60), "y": y})
        self.fit("--learner", "ridge")
        got = predictions_of(self.succeed("predict", "fit.gnomon", "-", stdin="x,kind\n0.5,green\n0.5,red\n0.5,blue\n"))
        np.testing.assert_allclose(got[:, 0], [-2, 0, 1], atol=0.05)

    def test_one_level_of_a_text_column_is_enough(self):
        self.write("train.csv", {"kind": ["red", "blue", "7"] * 20, **smooth_sample(60)})
        self.fit()
        together = self.succeed("predict", "fit.gnomon", "-", stdin="x1,kind\n0.5,7\n0.5,red\n").splitlines()
        alone = self.succeed("predict", "fit.gnomon", "-", stdin="x1,kind\n0.5,7\n").splitlines()
        self.assertEqual(alone, together[:2])

    def test_missing_cells_filled_as_in_training(self):
        sample = smooth_sample(40, 2, seed=7)
        x2 = [str(v) for v in sample["x2"]]
        x2[3] = ""
        self.write("train.csv", {"x1": sample["x1"], "x2": x2, "y": sample["y"]})
        self.fit("--missing", "mean")
        mean = np.mean([float(v) for v in x2 if v])
        filled = self.succeed("predict", "fit.gnomon", "-", stdin="x1,x2\n0.25,NA\n")
        given = self.succeed("predict", "fit.gnomon", "-", stdin=f"x1,x2\n0.25,{mean!r}\n")
        self.assert_close(predictions_of(filled), predictions_of(given), 1e-12)

    def test_fitted_values_reproduce_the_training_error(self):
        sample = smooth_sample(60, 3, seed=1)
        for name, flags in LEARNERS.items():
            with self.subTest(name):
                chosen = self.select("train.csv", "--model", "fit.gnomon", *flags)["chosen"]
                fitted = predictions_of(self.succeed("predict", "fit.gnomon", "train.csv"))[:, 0]
                self.assert_close(np.mean((fitted - sample["y"])**2), chosen["train_error"], 1e-6)


if __name__ == "__main__":
    unittest.main()
