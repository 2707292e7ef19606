"""Where results go: whole files or none, other kinds of files left as they are, and a terminal that is told enough."""
import json
import os
import pty
import select
import stat
import subprocess
import unittest

from command import COMMAND, CommandTest, smooth_sample


class FileTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("data.csv", smooth_sample(20, 2))

    def select_to(self, *arguments):
        return self.succeed("select", "data.csv", "--target", "y", *arguments)

    def test_all_outputs_of_one_run(self):
        self.select_to("--json", "out.json", "--report", "out.html", "--model", "out.gnomon")
        self.assertEqual(self.files(), ["data.csv", "out.gnomon", "out.html", "out.json"])
        json.loads((self.folder / "out.json").read_text())

    def test_permissions_follow_the_mask(self):
        self.select_to("--json", "out.json")
        mask = os.umask(0)
        os.umask(mask)
        self.assertEqual(stat.S_IMODE((self.folder / "out.json").stat().st_mode), 0o666 & ~mask)

    def test_an_old_file_is_replaced(self):
        self.write("out.json", "old " * 100000)
        self.select_to("--json", "out.json")
        json.loads((self.folder / "out.json").read_text())

    def test_a_link_is_followed(self):
        self.write("real.json", "old")
        (self.folder / "link.json").symlink_to("real.json")
        self.select_to("--json", "link.json")
        self.assertTrue((self.folder / "link.json").is_symlink())
        json.loads((self.folder / "real.json").read_text())

    def test_a_pipe_is_written_to_and_stays_a_pipe(self):
        """As must a device, such as the one that swallows everything."""
        path = self.folder / "pipe"
        os.mkfifo(path)
        reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        self.addCleanup(os.close, reader)
        self.select_to("--lambda", "1", "--json", "pipe")
        self.assertTrue(stat.S_ISFIFO(path.stat().st_mode))
        json.loads(os.read(reader, 1 << 16))

    def test_two_outputs_in_one_file_are_refused(self):
        self.refuse(2, ["same.out"], "select", "data.csv", "--target", "y", "--json", "same.out", "--report",
                    "same.out")

    def test_one_file_under_two_names_is_one_file(self):
        select = ("select", "data.csv", "--target", "y", "--json", "same.out", "--report")
        self.refuse(2, ["same.out"], *select, "./same.out")
        self.write("same.out", "old")
        (self.folder / "link.out").symlink_to("same.out")
        self.refuse(2, ["link.out"], *select, "link.out")

    def test_a_device_may_serve_twice(self):
        self.select_to("--json", "/dev/null", "--report", "/dev/null", "--model", "/dev/null")

    def test_json_and_model_do_not_depend_on_the_report(self):
        done = self.run_command("select", "data.csv", "--target", "y", "--json", "out.json", "--model", "out.gnomon",
                                "--report", "/dev/full")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(len(done.stderr.splitlines()), 1)
        for text in ("there is no report", "other results are written", "No space left"):
            self.assertIn(text, done.stderr)
        self.assertIn("degrees of freedom", done.stdout)
        result = json.loads((self.folder / "out.json").read_text())
        self.assertIn("lambda", result["chosen"])
        self.assertEqual(len(self.succeed("predict", "out.gnomon", "data.csv").splitlines()), 21)

    def test_full_standard_output_is_an_error(self):
        self.select_to("--model", "fit.gnomon")
        for arguments in (("select", "data.csv", "--target", "y", "--json", "-"), ("predict", "fit.gnomon", "data.csv"),
                          ("select", "data.csv", "--target", "y"), ("--version",), ("--help",), ("select", "--help")):
            with self.subTest(arguments), open("/dev/full", "wb") as full:
                done = subprocess.run([COMMAND, *arguments], cwd=self.folder, stdout=full, stderr=subprocess.PIPE,
                                      text=True)
                self.assertEqual(done.returncode, 1)
                self.assertIn("No space left", done.stderr)

    def test_a_reader_that_leaves_early_is_no_disaster(self):
        self.select_to("--model", "fit.gnomon")
        self.write("many.csv", "x1,x2\n" + "0.5,0.25\n" * 200000)
        process = subprocess.Popen([COMMAND, "predict", "fit.gnomon", "many.csv"], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(process.stdout.readline(), b"prediction\n")
        process.stdout.close()
        process.stderr.close()
        self.assertNotEqual(process.wait(timeout=300), 0)


class InputTest(CommandTest):
    """What a run reads it must not write over."""

    def setUp(self):
        super().setUp()
        sample = smooth_sample(20, 2)
        self.write("data.csv", sample)
        self.write("test.csv", smooth_sample(10, 2, seed=1))
        self.succeed("select", "data.csv", "--target", "y", "--model", "fit.gnomon")
        (self.folder / "soft.csv").symlink_to("data.csv")
        (self.folder / "hard.csv").hardlink_to(self.folder / "data.csv")
        (self.folder / "folder").symlink_to(self.folder)

    def keep(self, name, *arguments):
        """The run is refused as wrong usage, at once, and the file stays as it is."""
        before = (self.folder / name).read_bytes()
        self.refuse(2, ["would write over", "give another file"], *arguments)
        self.assertEqual((self.folder / name).read_bytes(), before)

    def test_select_keeps_its_data_under_every_name(self):
        names = ("data.csv", "./data.csv", "folder/data.csv", str(self.folder / "data.csv"), "soft.csv", "hard.csv")
        for name in names:
            for flag in ("--json", "--report", "--model"):
                with self.subTest(name, flag=flag):
                    self.keep("data.csv", "select", "data.csv", "--target", "y", flag, name)
        self.keep("data.csv", "select", "soft.csv", "--target", "y", "--model", "data.csv")
        self.keep("data.csv", "select", "soft.csv", "--target", "y", "--model", "hard.csv")

    def test_select_keeps_the_other_files_that_it_reads(self):
        self.keep("test.csv", "select", "data.csv", "--target", "y", "--test", "test.csv", "--model", "./test.csv")
        self.keep("test.csv", "select", "data.csv", "--target", "y", "--metric", "test.csv", "--json", "test.csv")
        search = ("select", "data.csv", "--target", "y", "--learner", "ridge", "--groups", "each")
        self.succeed(*search, "--json", "start.json")
        self.keep("start.json", *search, "--start", "start.json", "--json", "start.json")

    def test_a_metric_that_has_a_name_is_no_file(self):
        for _ in range(2):  # the second time there is a file "train"
            self.succeed("select", "data.csv", "--target", "y", "--metric", "train", "--json", "train")

    def test_the_data_need_not_be_good(self):
        """The refusal comes before any work: nothing of the file has been read."""
        self.write("bad.csv", "no header 1")
        self.keep("bad.csv", "select", "bad.csv", "--target", "y", "--model", "bad.csv")

    def test_predict_keeps_model_and_data(self):
        self.keep("test.csv", "predict", "fit.gnomon", "test.csv", "-o", "./test.csv")
        self.keep("fit.gnomon", "predict", "fit.gnomon", "test.csv", "-o", "folder/fit.gnomon")

    def test_predict_keeps_the_file_behind_standard_input(self):
        path = self.folder / "test.csv"
        before = path.read_bytes()
        with path.open() as data:
            done = subprocess.run([COMMAND, "predict", "fit.gnomon", "-", "-o", "test.csv"], stdin=data, cwd=self.folder,
                                  capture_output=True, timeout=300)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"would write over", done.stderr)
        self.assertEqual(path.read_bytes(), before)

    def test_weights_keeps_both_samples(self):
        weights = ("weights", "data.csv", "--test", "test.csv", "--target", "y")
        self.keep("data.csv", *weights, "--append", "-o", "soft.csv")
        self.keep("test.csv", *weights, "--json", "./test.csv")

    def test_reproduce_keeps_its_data(self):
        self.write("table.csv", "x\n1\n")
        self.keep("table.csv", "reproduce", "shift-abalone", "--data", "table.csv", "-o", ".")

    def test_demo_gives_each_output_its_own_file(self):
        (self.folder / "demo").mkdir()
        (self.folder / "demo" / "data.csv").write_text("old")
        (self.folder / "demo" / "result.json").symlink_to("data.csv")
        self.refuse(2, ["two outputs"], "demo", "-o", "demo")
        self.assertEqual((self.folder / "demo" / "data.csv").read_text(), "old")

    def test_demo_keeps_data_that_it_did_not_make(self):
        self.write("data.csv", "x,y\n1,2\n")
        self.refuse(1, ["'./data.csv' exists", "-o"], "demo", "-o", ".")
        self.write("result.json", "{}")
        self.refuse(1, ["was not made by gnomon demo"], "demo", "-o", ".")
        for seed in ("1", "1", "2"):  # its own it makes anew
            self.succeed("demo", "-o", "own", "--seed", seed)
        (self.folder / "own" / "result.json").unlink()
        self.succeed("demo", "-o", "own", "--seed", "2")  # the same data


class TerminalTest(CommandTest):
    def run_on_terminal(self, *arguments):
        """(exit code, what a terminal on standard error received)"""
        ours, theirs = pty.openpty()
        process = subprocess.Popen([COMMAND, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=theirs)
        os.close(theirs)
        received = b""
        while select.select([ours], [], [], 300)[0]:
            try:
                part = os.read(ours, 4096)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            received += part
        os.close(ours)
        return process.wait(timeout=300), received.decode()

    def test_progress_of_long_work(self):
        self.write("data.csv", smooth_sample(800, 3))
        for repeats in (12, 48, 192, 768):  # until it takes longer than work without a bar, on any processor
            long = ("select", "data.csv", "--target", "y", "--criterion", "cv:10", "--repeats", str(repeats),
                    "--lambda", "1e-3:100:100")
            code, shown = self.run_on_terminal(*long)
            self.assertEqual(code, 0)
            if shown:
                break
        self.assertIn("[", shown)
        self.assertTrue(shown.endswith("\r\033[K"), "the bar is wiped at the end")
        self.assertEqual(self.run_on_terminal(*long, "--quiet"), (0, ""))

    def test_no_progress_for_short_work(self):
        self.write("data.csv", smooth_sample(20))
        self.assertEqual(self.run_on_terminal("select", "data.csv", "--target", "y"), (0, ""))

    def test_table_fits_eighty_columns(self):
        sample = smooth_sample(30, 2)
        self.write("plain.csv", {**sample, "w": [1, 2] * 15, "z": sample["x1"]})
        long = "a column with quite a long name that goes on and on until nobody remembers how it began"
        self.write("long.csv", {long: sample["x1"], long + " 2": sample["x2"], long + " 3": sample["y"],
                                "kind": ["red " * 20, "blue " * 20] * 15})
        cases = [("plain.csv", "--target", "y,z", "--weights", "w", "--criterion", "all"),
                 ("plain.csv", "--target", "y", "--width", "0.5,1,2", "--criterion", "gcv,loo"),
                 ("plain.csv", "--target", "y", "--learner", "ridge", "--basis", "gaussian:10", "--criterion", "all"),
                 ("plain.csv", "--target", "y", "--noise", "residual", "--test", "plain.csv", "--criterion", "all"),
                 ("long.csv", "--target", long + " 3"),
                 ("long.csv", "--target", f"{long} 3,{long}")]
        for case in cases:
            with self.subTest(case):
                table = self.succeed("select", *case)
                widest = max(table.splitlines(), key=len)
                self.assertLessEqual(len(widest), 80, widest)


if __name__ == "__main__":
    unittest.main()
