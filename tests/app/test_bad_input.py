"""Bad input, one case each: the exit code, one line that says what, where and what to do, and no file left behind."""
import gzip
import unittest

from command import CommandTest, smooth_sample, table_text

CANNOT_SERVE, WRONG_USAGE = 1, 2
OUTPUTS = ("--json", "out.json", "--report", "out.html", "--model", "out.gnomon")


class SelectTest(CommandTest):
    def refuse_file(self, content, says, *arguments, target="y"):
        name = self.write("bad.csv", content)
        return self.refuse(CANNOT_SERVE, ["bad.csv", *says], "select", name, "--target", target, *OUTPUTS, *arguments)

    def refuse_flags(self, code, says, *arguments):
        name = self.write("good.csv", smooth_sample(20, 2))
        return self.refuse(code, says, "select", name, "--target", "y", *OUTPUTS, *arguments)


class BadFileTest(SelectTest):
    def test_missing_file(self):
        self.refuse(CANNOT_SERVE, ["nowhere.csv", "No such file"], "select", "nowhere.csv", "--target", "y", *OUTPUTS)

    def test_folder_as_data(self):
        (self.folder / "folder").mkdir()
        self.refuse(CANNOT_SERVE, ["folder", "directory"], "select", "folder", "--target", "y", *OUTPUTS)

    def test_empty_file(self):
        self.refuse_file("", ["is empty"])

    def test_blank_file(self):
        self.refuse_file("\n\n  \n", ["is empty"])

    def test_binary_file(self):
        self.refuse_file(bytes(range(256)) * 8, ["not a text file"])

    def test_binary_from_standard_input(self):
        self.refuse(CANNOT_SERVE, ["standard input", "not a text file"], "select", "-", "--target", "y", *OUTPUTS,
                    stdin=bytes(range(256)) * 8)

    def test_damaged_gzip(self):
        whole = gzip.compress(table_text(smooth_sample(200)).encode())
        name = self.write("bad.csv.gz", whole[:len(whole) // 2])
        self.refuse(CANNOT_SERVE, ["bad.csv.gz", "gzip"], "select", name, "--target", "y", *OUTPUTS)

    def test_altered_gzip_is_named(self):
        whole = bytearray(gzip.compress(table_text(smooth_sample(200)).encode()))
        whole[60:80] = bytes(20 * [255])
        self.write("bad.csv.gz", bytes(whole))
        said = self.refuse(CANNOT_SERVE, ["bad.csv.gz", "gzip"], "select", "bad.csv.gz", "--target", "y", *OUTPUTS)
        self.assertNotIn("<fd:", said)

    def test_header_only(self):
        self.refuse_file("x,y\n", ["header", "no rows"])

    def test_header_of_numbers(self):
        self.refuse_file("1.5,2.5\n3.5,4.5\n5.5,6.5\n", ["header"])

    def test_ragged_row_names_the_line(self):
        self.refuse_file("x,y\n1,2\n3,4,5\n6,7\n", ["row 3", "3", "2", "quote cells"])

    def test_short_row_names_the_line(self):
        self.refuse_file("x,z,y\n1,2,3\n4,5,6\n7,8\n", ["row 4", "add what is missing"])

    def test_a_long_cell_is_cut(self):
        rows = "".join(f"{i},{i * i}\n" for i in range(30))
        said = self.refuse_file(f"size,y\n{rows}{'é' * 200000},3\n", ["row 32", "ééé…' is not a number"])
        self.assertLess(len(said), 250)

    def test_text_in_a_numeric_column(self):
        rows = "".join(f"{i},{i * i}\n" for i in range(30))
        self.refuse_file(f"size,y\n{rows}12x,3\n", ["row 32", "size", "12x", "not a number", "--drop"])

    def test_text_in_the_target(self):
        self.refuse_file("x,y\n1,2\n2,high\n3,5\n", ["row 3", "'y'", "high", "numeric"])

    def test_nan_cell(self):
        self.refuse_file("x,y\n1,2\n2,3\nNaN,4\n5,6\n", ["row 4", "'x'", "missing", "--missing drop", "--missing mean"])

    def test_nan_target(self):
        self.refuse_file("x,y\n1,2\n2,NaN\n3,4\n", ["row 3", "'y'", "missing", "--missing drop"])

    def test_target_without_values(self):
        for missing in ("error", "drop", "mean"):
            self.refuse_file("x,y\n1,\n2,NA\n3,\n", ["bad.csv: target 'y' has no values"], "--missing", missing)

    def test_nan_target_is_never_filled_in(self):
        self.refuse_file("x,y\n1,2\n2,\n3,4\n", ["row 3", "'y'", "--missing drop"], "--missing", "mean")

    def test_infinite_cell(self):
        self.refuse_file("x,y\n1,2\ninf,3\n3,4\n", ["row 3", "'x'", "not finite"])

    def test_infinite_target(self):
        self.refuse_file("x,y\n1,2\n2,-inf\n3,4\n", ["row 3", "'y'", "not finite"])

    def test_nothing_left_after_dropping(self):
        self.refuse_file("x,y\n1,\n,2\n", ["missing"], "--missing", "drop")

    def test_duplicate_header(self):
        self.refuse_file("x,y,x\n1,2,3\n4,5,6\n", ["two columns", "'x'", "rename"])

    def test_one_row(self):
        self.refuse_file("x,y\n1,2\n", ["one row", "at least 2"])

    def test_one_row_left(self):
        self.refuse_file("x,y\n1,2\n,3\n", ["one row", "at least 2"], "--missing", "drop")

    def test_constant_target(self):
        self.refuse_file("x,y\n1,7\n2,7\n3,7\n", ["'y'", "constant", "7"])

    def test_identifier_column(self):
        self.refuse_file("name,x,y\nann,1,2\nbob,2,3\ncid,3,5\n", ["'name'", "--drop"])


class BadModelTest(SelectTest):
    def test_folder_as_model(self):
        (self.folder / "models").mkdir()
        self.write("new.csv", "x\n1\n")
        self.refuse(CANNOT_SERVE, ["models: is a directory"], "inspect", "models")
        self.refuse(CANNOT_SERVE, ["models: is a directory"], "predict", "models", "new.csv")


class BadColumnTest(SelectTest):
    def test_unknown_target_suggests_the_nearest(self):
        self.refuse_file("size,price\n1,2\n2,3\n3,5\n", ["'prize'", "did you mean 'price'?"], target="prize")

    def test_no_target_lists_the_columns(self):
        name = self.write("data.csv", "size,price\n1,2\n2,3\n3,5\n")
        self.refuse(WRONG_USAGE, ["--target", "size", "price"], "select", name, *OUTPUTS)

    def test_no_feature_left(self):
        self.refuse_file("y,z\n1,2\n2,3\n4,4\n", ["no feature"], "--drop", "z")

    def test_unknown_feature(self):
        self.refuse_file("size,y\n1,2\n2,3\n3,5\n", ["'sise'", "did you mean 'size'?"], "--features", "sise")

    def test_unknown_dropped_column(self):
        self.refuse_file("size,z,y\n1,1,2\n2,4,3\n3,2,5\n", ["'sise'", "did you mean 'size'?"], "--drop", "sise")

    def test_target_among_the_features(self):
        name = self.write("data.csv", "x,y\n1,2\n2,3\n3,5\n")
        self.refuse(CANNOT_SERVE, ["'y'", "both"], "select", name, "--target", "y", "--features", "x,y", *OUTPUTS)

    def test_target_named_twice(self):
        name = self.write("data.csv", "x,y\n1,2\n2,3\n3,5\n")
        self.refuse(CANNOT_SERVE, ["'y'", "twice"], "select", name, "--target", "y,y", *OUTPUTS)

    def test_all_weights_zero(self):
        self.refuse_file("x,y,w\n1,2,0\n2,3,0\n3,4,0\n", ["'w'", "zero"], "--weights", "w")

    def test_negative_weight(self):
        self.refuse_file("x,y,w\n1,2,1\n2,3,-2\n3,4,1\n", ["row 3", "'w'", "negative"], "--weights", "w")

    def test_missing_weight(self):
        self.refuse_file("x,y,w\n1,2,1\n2,3,\n3,4,1\n", ["row 3", "'w'", "missing"], "--weights", "w")

    def test_infinite_weight(self):
        self.refuse_file("x,y,w\n1,2,1\n2,3,inf\n3,4,1\n", ["row 3", "'w'", "not finite"], "--weights", "w")

    def test_unknown_weight_column(self):
        self.refuse_file("x,y,mass\n1,2,1\n2,3,1\n3,4,2\n", ["'mas'", "did you mean 'mass'?"], "--weights", "mas")


class BadFlagTest(SelectTest):
    def test_negative_lambda(self):
        self.refuse_flags(WRONG_USAGE, ["lambda", "-1", "≥ 0"], "--lambda", "-1")

    def test_negative_lambda_in_a_list(self):
        self.refuse_flags(WRONG_USAGE, ["lambda", "-0.5", "≥ 0"], "--lambda", "1,-0.5,2")

    def test_lambda_nan(self):
        self.refuse_flags(WRONG_USAGE, ["lambda", "nan", "finite"], "--lambda", "nan")

    def test_lambda_infinite(self):
        self.refuse_flags(WRONG_USAGE, ["lambda", "inf", "finite"], "--lambda", "1,inf")

    def test_malformed_lambda(self):
        for text in ("abc", "1:10", "1,,2", "1:2:3:4", "1e-3;1", " "):
            with self.subTest(text):
                self.refuse_flags(WRONG_USAGE, ["lambda", "auto", "lo:hi:count"], "--lambda", text)

    def test_backward_lambda_range(self):
        self.refuse_flags(WRONG_USAGE, ["lambda", "10:1:5", "below"], "--lambda", "10:1:5")

    def test_lambda_range_of_no_points(self):
        for count in ("0", "-2", "1.5"):
            self.refuse_flags(WRONG_USAGE, ["lambda", "count"], "--lambda", f"1:10:{count}")

    def test_bad_width(self):
        self.refuse_flags(WRONG_USAGE, ["width", "positive"], "--width", "0")
        self.refuse_flags(WRONG_USAGE, ["width", "-2", "positive"], "--width", "-2")
        self.refuse_flags(WRONG_USAGE, ["width", "0", "positive"], "--width", "0,1")
        self.refuse_flags(WRONG_USAGE, ["width", "wide", "auto, median"], "--width", "wide")
        self.refuse_flags(WRONG_USAGE, ["--width", "linear"], "--kernel", "linear", "--width", "2")

    def test_negative_noise(self):
        self.refuse_flags(WRONG_USAGE, ["noise", "-1", "≥ 0"], "--noise", "-1")

    def test_bad_repeats(self):
        self.refuse_flags(WRONG_USAGE, ["repeats", "0"], "--criterion", "cv", "--repeats", "0")

    def test_bad_threads(self):
        self.refuse_flags(WRONG_USAGE, ["threads", "-1"], "--threads", "-1")

    def test_values_that_no_data_could_serve(self):
        gradient = ("--learner", "mlp")
        cases = [("--restarts", "0", gradient), ("--lambda", "2:1:3", ()), ("--sigma", "-1", ()),
                 ("--bootstrap", "0", ("--learner", "lasso")), ("--mix", "2", ("--learner", "elastic-net")),
                 ("--tau", "0", ("--learner", "huber")), ("--lambda", "0", ("--learner", "svr"))]
        for flag, value, more in cases:
            with self.subTest(flag):
                self.refuse_flags(WRONG_USAGE, [flag.strip("-"), value], *more, flag, value)

    def test_more_folds_than_rows(self):
        self.refuse_flags(CANNOT_SERVE, ["cv:21", "20"], "--criterion", "cv:21")

    def test_unknown_flag(self):
        self.refuse_flags(WRONG_USAGE, ["--lambada", "--help"], "--lambada", "1")

    def test_one_argument_too_many(self):
        self.refuse_flags(WRONG_USAGE, ["'more.csv' is one too many", "--help"], "more.csv")

    def test_flag_without_its_value(self):
        self.refuse_flags(WRONG_USAGE, ["--lambda"], "--lambda")

    def test_number_flag_given_text(self):
        self.refuse_flags(WRONG_USAGE, ["--seed", "lucky"], "--seed", "lucky")
        for seed in ("-1", "1.5", "abc", str(2 ** 64)):
            self.refuse_flags(WRONG_USAGE, ["gnomon: --seed: must be a whole number from 0 to 2^64 - 1, not " + seed], "--seed",
                              seed)
        for flag in ("--threads", "--repeats"):
            for text in ("abc", "1.5", "99999999999999999999"):
                self.refuse_flags(WRONG_USAGE, [f"{flag} '{text}'", "whole number of at most 2147483647"], flag, text)
        self.refuse_flags(WRONG_USAGE, ["--intercept 'perhaps'", "true or false"], "--intercept=perhaps")

    def test_standard_input_twice(self):
        self.refuse(WRONG_USAGE, ["the data and the file of --test", "cannot both be -"], "select", "-", "--test", "-",
                    "--target", "y", *OUTPUTS, stdin="x,y\n1,2\n2,3\n3,5\n")

    def test_unknown_command(self):
        self.refuse(WRONG_USAGE, ["choose"], "choose", "data.csv")

    def test_no_command(self):
        self.refuse(WRONG_USAGE, ["name a command: select, compare, predict", "--help"])

    def test_unknown_values_list_the_allowed_ones(self):
        cases = {
            "--learner": ["ridge", "kernel-ridge", "spectral-cutoff", "landweber"],
            "--kernel": ["gaussian", "laplace", "matern32", "matern52", "polynomial", "linear"],
            "--penalty": ["function", "coefficients"],
            "--criterion": ["sic", "rsic", "sure", "cp", "gcv", "loo", "cv", "fpe", "aic", "aicc", "bic", "evidence",
                            "auto", "all"],
            "--noise": ["auto", "residual", "gcv", "ml", "reml", "difference", "pure-error", "ols", "number"],
            "--scale": ["none", "standard", "unit"],
            "--missing": ["error", "drop", "mean"],
            "--search": ["grid", "refine"],
            "--rule": ["min", "1se", "paired"],
            "--strategy": ["auto", "full", "tridiagonal", "pivoted-cholesky", "gram"],
        }
        for flag, allowed in cases.items():
            with self.subTest(flag):
                self.refuse_flags(WRONG_USAGE, ["bogus", *allowed], flag, "bogus")

    def test_unknown_basis_lists_the_allowed_ones(self):
        self.refuse_flags(WRONG_USAGE, ["bogus", "linear", "polynomial", "fourier", "gaussian"], "--learner", "ridge",
                          "--basis", "bogus")

    def test_flags_of_another_learner_are_refused(self):
        """They would be ignored without a word."""
        self.refuse_flags(WRONG_USAGE, ["--kernel belongs to", "ridge"], "--learner", "ridge", "--kernel", "gaussian")
        self.refuse_flags(WRONG_USAGE, ["--basis belongs to learners on a basis"], "--basis", "polynomial:3")
        self.refuse_flags(WRONG_USAGE, ["--penalty belongs to"], "--learner", "landweber", "--penalty", "coefficients")

    def test_unknown_name_suggests_the_nearest(self):
        self.refuse_flags(WRONG_USAGE, ["did you mean 'gaussian'?"], "--kernel", "gausian")
        self.refuse_flags(WRONG_USAGE, ["did you mean 'evidence'?"], "--criterion", "evidnce")

    def test_bad_degree(self):
        for kernel in ("polynomial", "polynomial:0", "polynomial:x", "polynomial:2.5"):
            with self.subTest(kernel):
                self.refuse_flags(WRONG_USAGE, [kernel], "--kernel", kernel)

    def test_flag_values_are_checked_before_the_data_are_read(self):
        self.refuse(WRONG_USAGE, ["bogus"], "select", "nowhere.csv", "--target", "y", "--learner", "bogus")


class RequestTest(SelectTest):
    """Requests that are well formed but cannot be served."""

    def test_criterion_not_defined_for_the_learner(self):
        for learner in ("spectral-cutoff", "landweber"):
            self.refuse_flags(CANNOT_SERVE, ["'evidence'", "not defined", learner], "--learner", learner, "--criterion",
                              "evidence")
            self.refuse_flags(CANNOT_SERVE, ["'loo'", "not defined", learner, "cv:K"], "--learner", learner,
                              "--criterion", "loo")

    def test_function_space_without_a_kernel(self):
        self.refuse_flags(CANNOT_SERVE, ["'sic'", "not defined", "ridge", "kernel"], "--learner", "ridge",
                          "--criterion", "sic", "--metric", "function-space")

    def test_function_space_sic_cannot_choose_a_width(self):
        self.refuse_flags(CANNOT_SERVE, ["sic", "width", "norm", "--metric train"], "--criterion", "sic", "--metric",
                          "function-space", "--penalty", "coefficients", "--width", "0.5,1,2")

    def test_several_widths_and_several_targets(self):
        name = self.write("data.csv", {**smooth_sample(20, 2), "z": smooth_sample(20, 1, seed=3)["y"]})
        self.refuse(CANNOT_SERVE, ["widths", "targets"], "select", name, "--target", "y,z", "--width", "1,2", *OUTPUTS)

    def test_one_standard_error_rule_needs_one(self):
        self.refuse_flags(CANNOT_SERVE, ["1se", "standard error", "loo", "cv"], "--rule", "1se", "--criterion", "gcv")
        self.refuse_flags(CANNOT_SERVE, ["paired", "differences", "loo", "cv"], "--rule", "paired", "--criterion", "gcv")

    def test_test_metric_without_test_file(self):
        self.refuse_flags(CANNOT_SERVE, ["metric test", "--test"], "--metric", "test")

    def test_metric_that_is_nothing(self):
        self.refuse_flags(CANNOT_SERVE, ["'trian'", "function-space", "train", "uniform"], "--metric", "trian")

    def test_density_metric_with_two_inputs(self):
        self.refuse_flags(CANNOT_SERVE, ["uniform:0:1", "one input"], "--metric", "uniform:0:1")

    def test_malformed_density_metric(self):
        self.refuse_flags(WRONG_USAGE, ["uniform:0", "uniform:a:b"], "--metric", "uniform:0")

    def test_reversed_density_metric(self):
        name = self.write("one.csv", smooth_sample(20, 1))
        self.refuse(CANNOT_SERVE, ["uniform:1:0", "below"], "select", name, "--target", "y", "--metric", "uniform:1:0")

    def test_density_metric_that_would_not_see_the_kernel(self):
        name = self.write("one.csv", smooth_sample(20, 1))
        self.refuse(CANNOT_SERVE, ["narrower", "nodes", "larger width"], "select", name, "--target", "y", "--criterion",
                    "sic", "--kernel", "gaussian", "--width", "1e-4", "--metric", "normal:0:1")

    def test_test_file_lacking_a_column(self):
        self.write("test.csv", {"x1": [0.1, 0.2], "x_2": [0.3, 0.4]})
        self.refuse_flags(CANNOT_SERVE, ["test.csv", "'x2'", "did you mean 'x_2'?"], "--test", "test.csv")

    def test_text_for_a_target_of_the_test_file(self):
        self.write("test.csv", "x1,x2,y\n0.1,0.3,1\n0.2,0.4,\n0.2,0.4,oops\n")
        for flags in ((), ("--learner", "ridge", "--groups", "each")):
            self.refuse_flags(CANNOT_SERVE, ["test.csv: row 4, column 'y': 'oops' is not a number"], *flags, "--test", "test.csv")

    def test_missing_test_file(self):
        self.refuse_flags(CANNOT_SERVE, ["nowhere.csv", "No such file"], "--test", "nowhere.csv")

    def test_strategies_that_do_not_fit(self):
        self.refuse_flags(CANNOT_SERVE, ["gram", "basis"], "--strategy", "gram")
        self.refuse_flags(CANNOT_SERVE, ["tridiagonal", "kernel"], "--learner", "ridge", "--strategy", "tridiagonal")


class UnwritableOutputTest(SelectTest):
    """Refused before any work: even the data, which do not exist, are not looked at."""

    def test_missing_folder(self):
        for flag in ("--json", "--report", "--model"):
            self.refuse(CANNOT_SERVE, ["absent/out", "no folder", "absent"], "select", "nowhere.csv", "--target", "y",
                        flag, "absent/out")

    def test_folder_as_file(self):
        (self.folder / "taken").mkdir()
        for flag in ("--json", "--report", "--model"):
            self.refuse(CANNOT_SERVE, ["'taken'", "folder"], "select", "nowhere.csv", "--target", "y", flag, "taken")

    def test_one_bad_place_stops_all_outputs(self):
        name = self.write("good.csv", smooth_sample(20, 2))
        self.refuse(CANNOT_SERVE, ["absent/out"], "select", name, "--target", "y", "--json", "fine.json", "--model",
                    "absent/out")

    def test_existing_output_survives_a_failed_run(self):
        self.write("kept.json", "precious")
        self.write("data.csv", "x,y\n1,7\n2,7\n")
        self.refuse(CANNOT_SERVE, ["constant"], "select", "data.csv", "--target", "y", "--json", "kept.json")
        self.assertEqual((self.folder / "kept.json").read_text(), "precious")

    def test_predict(self):
        self.refuse(CANNOT_SERVE, ["absent/out", "no folder"], "predict", "no.gnomon", "no.csv", "-o", "absent/out.csv")

    def test_demo_folder_is_a_file(self):
        self.write("taken", "a file")
        self.refuse(CANNOT_SERVE, ["taken", "folder"], "demo", "-o", "taken")


class DemoTest(CommandTest):
    def test_unknown_problem(self):
        self.refuse(WRONG_USAGE, ["'bogus'", "sinc", "friedman1"], "demo", "-o", "out", "--problem", "bogus")

    def test_too_few_rows(self):
        self.refuse(WRONG_USAGE, ["--rows", "2"], "demo", "-o", "out", "--rows", "2")

    def test_text_for_a_number(self):
        self.refuse(WRONG_USAGE, ["--rows: must be a whole number", "abc"], "demo", "-o", "out", "--rows", "abc")
        for flag in ("--noise", "--sigma"):
            self.refuse(WRONG_USAGE, [f"{flag}: must be a number, not abc"], "demo", "-o", "out", flag, "abc")

    def test_negative_noise(self):
        self.refuse(WRONG_USAGE, ["--noise", "-1"], "demo", "-o", "out", "--noise", "-1")


class PredictTest(CommandTest):
    def setUp(self):
        super().setUp()
        sample = smooth_sample(24, 1)
        self.write("train.csv", {**sample, "kind": ["red", "blue", "green"] * 8})
        self.succeed("select", "train.csv", "--target", "y", "--model", "good.gnomon")
        self.model = (self.folder / "good.gnomon").read_bytes()

    def refuse_model(self, content, says):
        self.write("bad.gnomon", content)
        self.refuse(CANNOT_SERVE, ["bad.gnomon", *says], "predict", "bad.gnomon", "train.csv", "-o", "out.csv")

    def refuse_data(self, content, says):
        self.write("new.csv", content)
        self.refuse(CANNOT_SERVE, ["new.csv", *says], "predict", "good.gnomon", "new.csv", "-o", "out.csv")

    def test_missing_model(self):
        self.refuse(CANNOT_SERVE, ["no.gnomon", "cannot open"], "predict", "no.gnomon", "train.csv", "-o", "out.csv")

    def test_model_from_standard_input(self):
        self.refuse(WRONG_USAGE, ["a model cannot come from standard input"], "predict", "-", "train.csv", "-o", "out.csv",
                    stdin=self.model)

    def test_truncated_model(self):
        for part in (1, len(self.model) // 2, len(self.model) - 1):
            with self.subTest(bytes=part):
                self.refuse_model(self.model[:part], ["truncated", "select --model"])

    def test_empty_model(self):
        self.refuse_model(b"", ["empty"])

    def test_altered_model(self):
        for place in range(7, len(self.model), 97):
            altered = bytearray(self.model)
            altered[place] ^= 0x10
            with self.subTest(byte=place):
                self.refuse_model(bytes(altered), ["model"])

    def test_altered_payload_is_named_as_such(self):
        altered = bytearray(self.model)
        altered[len(altered) // 2] ^= 0x10
        self.refuse_model(bytes(altered), ["altered", "checksum", "select --model"])

    def test_altered_schema(self):
        """The version lies outside the payload; no other version may be taken for this one."""
        at = self.model.rindex(b"schema") + len(b"schema")
        for version in (0, 2, 23):
            with self.subTest(version):
                self.refuse_model(self.model[:at] + bytes([version]) + self.model[at + 1:], ["schema"])

    def test_longer_model(self):
        self.refuse_model(self.model + b"\0", ["model"])

    def test_not_a_model(self):
        self.refuse_model("x,y\n1,2\n", ["not a gnomon model"])
        self.refuse_model('{"format": "gnomon-model"}', ["not a gnomon model"])

    def test_missing_data(self):
        self.refuse(CANNOT_SERVE, ["no.csv", "No such file"], "predict", "good.gnomon", "no.csv", "-o", "out.csv")

    def test_data_lacking_a_column(self):
        self.refuse_data("X_1,kind\n1,red\n", ["'x1'", "did you mean 'X_1'?"])

    def test_data_lacking_several_columns(self):
        self.refuse_data("a,b\n1,red\n", ["'x1'", "'kind'"])

    def test_text_in_a_numeric_column(self):
        self.refuse_data("x1,kind\n0.5,red\nhalf,blue\n", ["row 3", "'x1'", "'half'", "not a number"])

    def test_unseen_level(self):
        self.refuse_data("x1,kind\n0.5,red\n0.7,pink\n", ["row 3", "'kind'", "'pink'", "blue", "green", "red"])

    def test_number_in_a_text_column(self):
        self.refuse_data("x1,kind\n0.5,red\n0.7,3\n", ["row 3", "'kind'", "3", "blue"])

    def test_missing_cell(self):
        self.refuse_data("x1,kind\n0.5,red\n,blue\n", ["row 3", "'x1'", "missing", "--missing mean"])
        self.refuse_data("x1,kind\n0.5,red\n0.6,\n", ["row 3", "'kind'", "missing", "--missing mean"])

    def test_infinite_cell(self):
        self.refuse_data("x1,kind\n0.5,red\ninf,blue\n", ["row 3", "'x1'", "not finite"])

    def test_ragged_row(self):
        self.refuse_data("x1,kind\n0.5,red\n0.5\n", ["row 3"])

    def test_late_error_leaves_no_file(self):
        """The first blocks are fine; the error comes in a later one."""
        self.refuse_data("x1,kind\n" + "0.5,red\n" * 9000 + "oops,red\n", ["row 9002", "'oops'"])

    def test_unknown_flag(self):
        self.refuse(WRONG_USAGE, ["--out"], "predict", "good.gnomon", "train.csv", "--out", "x.csv")

    def test_no_data_given(self):
        self.refuse(WRONG_USAGE, ["data"], "predict", "good.gnomon")


if __name__ == "__main__":
    unittest.main()
