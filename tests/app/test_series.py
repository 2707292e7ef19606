"""Time series: --lags and --horizon against windows made by hand, forecasts row by row, and what is refused."""
import unittest

import numpy as np

from command import CommandTest, table_text

CANNOT_SERVE, WRONG_USAGE = 1, 2
INTERCEPT, FIRST, SECOND = 1.5, 0.7, -0.4


def autoregression(rows, seed=0, noise=1.0):
    """y_t = 1.5 + 0.7 y_{t-1} - 0.4 y_{t-2} + noise, from its stationary range."""
    random = np.random.default_rng(seed)
    y = [2.0, 2.0]
    while len(y) < rows + 50:
        y.append(INTERCEPT + FIRST * y[-1] + SECOND * y[-2] + noise * random.standard_normal())
    return np.array(y[50:])


def windows(y, lags, horizon):
    """Inputs (newest first) and value to predict of every complete window."""
    rows = range(lags + horizon - 1, len(y))
    x = np.array([[y[s - horizon - j] for j in range(lags)] for s in rows])
    return x, np.array([y[s] for s in rows])


def least_squares(y, lags, horizon):
    x, target = windows(y, lags, horizon)
    return np.linalg.lstsq(np.column_stack([np.ones(len(x)), x]), target, rcond=None)[0]


class SeriesTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.y = autoregression(300)
        self.write("series.csv", {"date": [f"2020-{i:04}" for i in range(300)], "y": self.y})

    def fit(self, *flags, data="series.csv"):
        self.succeed("select", data, "--target", "y", "--model", "fit.gnomon", *flags)

    def lines(self, y):
        """The predictions for a series, as written."""
        text = table_text({"y": np.asarray(y, dtype=float)})
        header, *lines = self.succeed("predict", "fit.gnomon", "-", stdin=text).splitlines()
        self.assertEqual(header, "prediction")
        self.assertEqual(len(lines), len(y))
        return lines

    def forecasts(self, y):
        return np.array([np.nan if line == '""' else float(line) for line in self.lines(y)])

    def coefficients(self, lags):
        """Intercept and coefficients, newest first, of a linear model: its answers to zero and to one impulse."""
        answer = self.forecasts([0] * (2 * lags - 1) + [1] + [0] * (lags - 1))
        return np.array([answer[lags - 1], *(answer[2 * lags - 1:] - answer[lags - 1])])


class SelectTest(SeriesTest):
    def test_ridge_recovers_an_autoregression(self):
        y = autoregression(20000, seed=3)
        self.write("long.csv", {"y": y})
        self.fit("--lags", 2, "--learner", "ridge", "--criterion", "cv-blocked:5", data="long.csv")
        found = self.coefficients(2)
        # Standard errors are near 0.0065 for the slopes and 0.015 for the intercept.
        np.testing.assert_allclose(found[1:], [FIRST, SECOND], atol=0.03)
        np.testing.assert_allclose(found[0], INTERCEPT, atol=0.07)
        self.assert_close(found, least_squares(y, 2, 1), 1e-2)

    def test_vanishing_penalty_is_least_squares(self):
        for lags, horizon in ((1, 1), (2, 1), (4, 3)):
            with self.subTest(lags=lags, horizon=horizon):
                self.fit("--lags", lags, "--horizon", horizon, "--learner", "ridge", "--lambda", "0")
                self.assert_close(self.coefficients(lags), least_squares(self.y, lags, horizon), 1e-9)

    def test_the_same_answers_as_a_table_of_windows(self):
        lags, horizon = 3, 2
        x, target = windows(self.y, lags, horizon)
        names = [f"y lag {horizon + j}" for j in range(lags)]
        self.write("windows.csv", {**dict(zip(names, x.T)), "y": target})
        for flags in (("--learner", "ridge"), (), ("--learner", "lasso")):
            with self.subTest(flags):
                flags += ("--criterion", "cv-blocked:5,gcv,sic")
                series = self.select("series.csv", "--lags", lags, "--horizon", horizon, *flags)
                table = self.select("windows.csv", *flags)
                self.assertEqual(series["data"]["feature_names"], names)
                self.assertEqual(series["data"]["rows"], 300 - lags - horizon + 1)
                # The error after choosing knows that the rows of a series depend on each other: it holds blocks out.
                for chosen in (series["chosen"], table["chosen"]):
                    for own in ("error", "rmse", "r_squared", "differences"):
                        self.assertIsNotNone(chosen.pop(own))
                for key in ("path", "selected", "chosen", "noise_variance", "warnings"):
                    self.assertEqual(series[key], table[key], key)

    def test_notes(self):
        notes = self.select("series.csv", "--lags", 3)["data"]["notes"]
        self.assertIn("series 'y' of series.csv: 297 windows (3 lags, horizon 1) from 300 rows", notes)
        self.assertIn("columns that play no part in the series: date", notes)
        notes = self.select("series.csv", "--lags", 3, "--drop", "date")["data"]["notes"]
        self.assertFalse([note for note in notes if "date" in note])

    def test_missing_values_take_their_windows_along(self):
        cells = [repr(float(value)) for value in self.y]
        cells[100] = ""
        self.write("gap.csv", {"date": range(300), "y": cells})
        y = self.y.copy()
        y[100] = np.nan
        x, target = windows(y, 3, 1)
        whole = np.isfinite(x).all(axis=1) & np.isfinite(target)
        self.assertEqual(np.sum(~whole), 4)
        self.write("windows.csv", {"a": x[whole, 0], "b": x[whole, 1], "c": x[whole, 2], "y": target[whole]})
        series = self.select("gap.csv", "--lags", 3, "--missing", "drop", "--model", "fit.gnomon", "--criterion", "loo")
        self.assertEqual(series["path"], self.select("windows.csv", "--criterion", "loo")["path"])
        self.assertIn("4 windows of gap.csv left out for missing values", series["data"]["notes"])
        # The model then leaves such forecasts empty.
        lines = self.succeed("predict", "fit.gnomon", "gap.csv").splitlines()[1:]
        self.assertEqual([i for i, line in enumerate(lines) if line == '""'], [0, 1, 100, 101, 102])

    def test_test_file_is_a_series_too(self):
        new = autoregression(60, seed=9)
        self.write("new.csv", {"other": np.arange(60.0), "y": new})
        flags = ("--lags", 3, "--horizon", 2, "--learner", "ridge", "--model", "fit.gnomon")
        result = self.select("series.csv", "--test", "new.csv", *flags)
        self.assertEqual(result["data"]["test_rows"], 60 - 3 - 2 + 1)
        forecast = self.forecasts(new)[2:-2]
        self.assert_close(result["test_error"], np.mean((forecast - new[4:])**2), 1e-10)
        # One window is enough for an error, none is not.
        self.write("short.csv", {"y": new[:5]})
        self.assertEqual(self.select("series.csv", "--test", "short.csv", *flags)["data"]["test_rows"], 1)
        self.write("shorter.csv", {"y": new[:4]})
        self.refuse(CANNOT_SERVE, ["shorter.csv", "4 rows", "5 are needed"], "select", "series.csv", "--target", "y",
                    "--test", "shorter.csv", *flags)

    def test_the_series_of_a_name_with_a_comma(self):
        self.write("odd.csv", '"price, EUR"\n' + "".join(f"{value!r}\n" for value in self.y.tolist()))
        self.succeed("select", "odd.csv", "--target", "price, EUR", "--lags", 2, "--model", "odd.gnomon")
        self.fit("--lags", 2)
        self.assertEqual(self.succeed("predict", "odd.gnomon", "odd.csv"),
                         self.succeed("predict", "fit.gnomon", "series.csv"))

    def test_report(self):
        self.succeed("select", "series.csv", "--target", "y", "--lags", 3, "--report", "out.html")
        self.assertIn("y lag 3", (self.folder / "out.html").read_text())


class PredictTest(SeriesTest):
    def test_fitted_values_reproduce_the_training_error(self):
        for horizon in (1, 4):
            with self.subTest(horizon):
                result = self.select("series.csv", "--lags", 3, "--horizon", horizon, "--model", "fit.gnomon")
                fitted = self.forecasts(self.y)[2:-horizon]
                error = np.mean((fitted - self.y[2 + horizon:])**2)
                self.assert_close(error, result["chosen"]["train_error"], 1e-8)

    def test_rows_without_a_window_are_empty_cells(self):
        self.fit("--lags", 4, "--horizon", 2)
        self.assertEqual(np.flatnonzero(np.isnan(self.forecasts(self.y[:20]))).tolist(), [0, 1, 2])
        self.assertEqual(self.lines(self.y[:3]), ['""'] * 3)
        # Row t depends on rows t-3 … t alone.
        self.assertEqual(self.lines(self.y[5:9])[-1], self.lines(self.y)[8])

    def test_block_borders(self):
        """Blocks are 4096 rows: the rows around the borders against the formula, and against other cuts."""
        y = autoregression(9001, seed=5)
        lags = 5
        self.fit("--lags", lags, "--learner", "ridge")
        linear = self.coefficients(lags)
        x, _ = windows(np.append(y, 0), lags, 1)
        forecast = self.forecasts(y)
        self.assertTrue(np.isnan(forecast[:lags - 1]).all())
        self.assert_close(forecast[lags - 1:], linear[0] + x @ linear[1:], 1e-11)

        self.fit("--lags", lags, "--kernel", "gaussian")
        whole = self.lines(y)
        for start in (1, 4090, 4094, 4096):
            self.assertEqual(self.lines(y[start:])[lags - 1:], whole[start + lags - 1:], start)

    def test_other_columns_and_their_order_do_not_matter(self):
        self.fit("--lags", 2, "--criterion", "loo")
        wanted = "prediction\n" + "\n".join(self.lines(self.y)) + "\n"
        self.assertEqual(self.succeed("predict", "fit.gnomon", "series.csv"), wanted)
        self.write("other.csv", {"y": self.y, "note": ["a"] * 299 + ["3"]})
        self.assertEqual(self.succeed("predict", "fit.gnomon", "other.csv", "-o", "-"), wanted)

    def test_refusals_write_nothing(self):
        """No header either, on standard output or elsewhere."""
        self.fit("--lags", 2, "--criterion", "loo")
        for content, says in (("z,yy\n1,2\n2,3\n", ["new.csv", "no column 'y'", "did you mean 'yy'?"]),
                              ("y\n1\n\n3\n", ["new.csv: row 3 is blank", "NA"]),
                              ("y\n1\n2\nx\n", ["row 4", "'y'", "'x'"]),
                              ("y\n1\n2\ninf\n", ["row 4", "'y'", "not finite"]),
                              ("z,y\n1,1\n\n2,\n", ["row 4", "'y'", "no value", "--missing drop"])):
            with self.subTest(content):
                self.write("new.csv", content)
                self.refuse(CANNOT_SERVE, says, "predict", "fit.gnomon", "new.csv")

    def test_an_ordinary_model_writes_no_header_before_it_fails(self):
        self.write("plain.csv", {"x": np.arange(20.0), "y": np.sin(np.arange(20.0))})
        self.fit(data="plain.csv")
        self.refuse(CANNOT_SERVE, ["'x'"], "predict", "fit.gnomon", "-", stdin="z\n1\n2\n")
        self.refuse(CANNOT_SERVE, ["row 3", "'x'"], "predict", "fit.gnomon", "-", stdin="x,z\n1,2\n,3\n")

    def test_a_model_of_windows_is_no_model_of_columns(self):
        x, target = windows(self.y, 2, 1)
        self.write("windows.csv", {"y lag 1": x[:, 0], "y lag 2": x[:, 1], "y": target})
        self.fit("--lags", 2, "--criterion", "loo")
        series = self.succeed("predict", "fit.gnomon", "series.csv").splitlines()
        self.fit("--criterion", "loo", data="windows.csv")
        table = self.succeed("predict", "fit.gnomon", "windows.csv").splitlines()
        self.assertEqual(table[1:], series[2:-1])


class RefusalTest(SeriesTest):
    def refuse_flags(self, code, says, *flags, data="series.csv", target="y"):
        self.refuse(code, says, "select", data, "--target", target, "--json", "out.json", "--model", "out.gnomon", *flags)

    def test_flags_that_make_no_sense(self):
        self.refuse_flags(WRONG_USAGE, ["--lags 0", "1 or more"], "--lags", 0)
        self.refuse_flags(WRONG_USAGE, ["--lags -2", "1 or more"], "--lags=-2")
        self.refuse_flags(WRONG_USAGE, ["--lags"], "--lags", "many")
        self.refuse_flags(WRONG_USAGE, ["--lags"], "--lags", "2.5")
        self.refuse_flags(WRONG_USAGE, ["--horizon 0", "1 or more"], "--lags", 2, "--horizon", 0)
        self.refuse_flags(WRONG_USAGE, ["--horizon", "--lags"], "--horizon", 2)
        self.refuse_flags(WRONG_USAGE, ["--features", "--lags"], "--lags", 2, "--features", "date")
        self.refuse_flags(WRONG_USAGE, ["--weights", "--lags"], "--lags", 2, "--weights", "date")
        self.refuse_flags(WRONG_USAGE, ["--missing mean", "drop"], "--lags", 2, "--missing", "mean")
        self.refuse_flags(WRONG_USAGE, ["one target", "2"], "--lags", 2, target="y,date")

    def test_columns_that_are_no_series(self):
        self.refuse_flags(CANNOT_SERVE, ["series.csv", "row 2", "'date'", "must be numeric"], "--lags", 2, target="date")
        self.refuse_flags(CANNOT_SERVE, ["no column 'z'"], "--lags", 2, target="z")
        self.refuse_flags(CANNOT_SERVE, ["no column 'dat'", "did you mean 'date'?"], "--lags", 2, "--drop", "dat")
        self.refuse_flags(CANNOT_SERVE, ["'y'", "both target and dropped"], "--lags", 2, "--drop", "y")
        self.write("flat.csv", {"y": [3] * 9})
        self.refuse_flags(CANNOT_SERVE, ["'y' is constant"], "--lags", 2, data="flat.csv")

    def test_too_few_rows(self):
        self.write("short.csv", {"y": self.y[:6]})
        self.refuse_flags(CANNOT_SERVE, ["short.csv", "6 rows", "--lags 4 --horizon 2", "7 are needed"], "--lags", 4,
                          "--horizon", 2, data="short.csv")
        self.refuse_flags(CANNOT_SERVE, ["6 rows", "too few"], "--lags", 9223372036854775807, "--horizon",
                          9223372036854775807, data="short.csv")
        self.assertEqual(self.select("short.csv", "--lags", 4, "--lambda", 1, "--learner", "ridge",
                                     "--criterion", "loo")["data"]["rows"], 2)

    def test_missing_values_name_their_row(self):
        self.write("gap.csv", "t,y\n1,5\n2,6\n\n3,7\n4,\n5,8\n6,9\n7,4\n")
        self.refuse_flags(CANNOT_SERVE, ["gap.csv: row 6, column 'y'", "no value", "--missing drop"], "--lags", 1,
                          data="gap.csv")
        self.refuse_flags(CANNOT_SERVE, ["gap.csv", "leave 0 of 4 windows", "2 needed"], "--lags", 3, "--missing", "drop",
                          data="gap.csv")
        self.write("blank.csv", "y\n5\n6\n\n7\n4\n5\n8\n6\n")
        self.refuse_flags(CANNOT_SERVE, ["blank.csv: row 4 is blank", "NA"], "--lags", 1, data="blank.csv")
        self.write("endless.csv", "t,y\n1,5\n2,6\n3,-inf\n4,7\n5,8\n")
        self.refuse_flags(CANNOT_SERVE, ["endless.csv: row 4, column 'y'", "not finite"], "--lags", 1, data="endless.csv")

    def test_test_file_without_the_series(self):
        self.write("new.csv", {"z": np.arange(30.0)})
        self.refuse_flags(CANNOT_SERVE, ["new.csv", "no column 'y'"], "--lags", 2, "--test", "new.csv")


if __name__ == "__main__":
    unittest.main()
