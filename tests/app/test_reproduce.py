"""reproduce: experiments of the literature, on a few trials."""
import csv
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest
from xml.etree import ElementTree

import numpy as np
from scipy import stats

from command import COMMAND, CommandTest, run

INPUTS = ["length", "diameter", "height", "whole_weight", "shucked_weight", "viscera_weight", "shell_weight"]
EXPONENTS = np.linspace(0, 1, 21)
FILES = ["report.html", "result.json", "table.csv", "table.md", "trials.csv"]
VERDICTS = {"agrees", "differs", "not comparable"}
SVG = "{http://www.w3.org/2000/svg}"


def like_abalone(rows=950, seed=0):
    """Columns of the same names, on the same lattice as the real ones: measurements in 0.0005, rings whole."""
    random = np.random.default_rng(seed)
    size = random.beta(3, 2, rows)
    columns = {name: np.round(size**(1 + j / 4) * random.uniform(0.6, 1, rows) * 2000) / 2000
               for j, name in enumerate(INPUTS)}
    rings = np.round(3 + 9 * size + 2 * size**3 + random.standard_normal(rows)).astype(int)
    return {"sex": random.choice(["M", "F", "I"], rows), **columns, "rings": rings}


def fann_text(data, rows):
    lines = [f"{len(rows)} 10 1"]
    for i in rows:
        sex = [str(int(data["sex"][i] == letter)) for letter in "MFI"]
        lines.append(" ".join(sex + [f"{data[name][i] / 2.8255:.7f}" for name in INPUTS]))
        lines.append(f"{(data['rings'][i] - 1) / 28:.7f}")
    return "\n".join(lines) + "\n"


class ReproduceTest(CommandTest):
    def reproduce(self, name, folder, *flags, trials=4):
        return self.succeed("reproduce", name, "-o", folder, "--trials", trials, *flags)

    def text(self, folder, name):
        return (self.folder / folder / name).read_text("utf-8")

    def trials(self, folder):
        """{curve: trials × exponents} of trials.csv."""
        lines = self.text(folder, "trials.csv").splitlines()
        self.assertTrue(lines[0].startswith("# "), lines[0])
        header = lines[1].split(",")
        rows = np.array([[float(cell) for cell in line.split(",")] for line in lines[2:]])
        np.testing.assert_array_equal(rows[:, 0], np.arange(len(rows)))
        places = {curve: [j for j, name in enumerate(header) if name.rsplit("_", 1)[0] == curve]
                  for curve in ("j", "error", "jhat", "cv", "iwcv")}
        return {curve: rows[:, at] for curve, at in places.items() if at}

    def same_answer(self, a, b):
        """Every byte of every file, the report and the figures included."""
        names = {folder: sorted(str(p.relative_to(self.folder / folder)) for p in (self.folder / folder).rglob("*")
                                if p.is_file()) for folder in (a, b)}
        self.assertEqual(names[a], names[b])
        for name in names[a]:
            self.assertEqual(self.text(a, name), self.text(b, name), name)

    def result(self, folder):
        return json.loads(self.text(folder, "result.json"))

    def check_files(self, folder, *more, charts):
        """The files of an experiment; figures are XML, one per chart of the page, with finite numbers."""
        names = sorted(p.name for p in (self.folder / folder).iterdir())
        figures = [name for name in names if name.endswith(".svg")]
        self.assertEqual([name for name in names if name not in figures], sorted({*FILES, *more}))
        self.assertEqual(self.text(folder, "report.html").count("<canvas"), charts)
        self.assertEqual(len(figures), charts)
        self.assertEqual(sorted(self.result(folder)["figures"]), figures)
        for n, name in enumerate(self.result(folder)["figures"], 1):
            self.assertTrue(name.startswith(f"figure-{n}-"), name)
            self.check_figure(folder, name)

    def check_figure(self, folder, name):
        root = ElementTree.fromstring(self.text(folder, name))
        self.assertEqual(root.tag, SVG + "svg")
        self.assertTrue(root.find(SVG + "title").text and root.find(SVG + "desc").text, name)
        self.assertGreater(len(root.findall(f".//{SVG}path")), 4, name)
        for element in root.iter():
            for value in element.attrib.values():
                self.assertNotRegex(value, r"\b(nan|inf)", name)

    def check_rows(self, folder):
        """Rows of result.json and table.csv are the same, their verdicts follow from their numbers."""
        result = self.result(folder)
        with (self.folder / folder / "table.csv").open(encoding="utf-8", newline="") as file:
            table = list(csv.DictReader(file))
        self.assertEqual([row["name"] for row in result["rows"]], [row["name"] for row in table])
        self.assertEqual(len({row["name"] for row in table}), len(table))
        for row, cells in zip(result["rows"], table, strict=True):
            self.assertIn(row["verdict"], VERDICTS)
            self.assertEqual(cells["verdict"], row["verdict"])
            self.assertEqual(cells["reason"], row["reason"])
            if row["ours"] is not None:
                self.assert_close(float(cells["ours"]), row["ours"], 1e-3)
            if row["verdict"] == "not comparable":
                self.assertIsNone(row["z"])
                self.assertTrue(row["reason"], row)
                continue
            error = np.hypot(row["se"], row["expected_se"])
            if error > 0:
                self.assert_close(row["z"], (row["ours"] - row["expected"]) / error, 1e-12)
            self.assertTrue(row["source"], row)
        for verdict in VERDICTS:
            self.assertEqual(result["verdicts"][verdict], sum(row["verdict"] == verdict for row in result["rows"]))
        return result["rows"]


class UsageTest(CommandTest):
    def test_list(self):
        lines = self.succeed("reproduce", "--list").splitlines()
        self.assertEqual([line.split()[0] for line in lines][:3], ["shift-toy", "shift-abalone", "adaptive-linear"])
        self.assertTrue(all("--quick" in line for line in lines))

    @unittest.skipUnless(pathlib.Path("/dev/full").exists(), "a device that is always full")
    def test_a_list_that_cannot_be_written(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([COMMAND, "reproduce", "--list"], stdout=full, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"No space left", done.stderr)

    def test_bad_usage(self):
        self.refuse(2, ["name an experiment", "shift-toy"], "reproduce", "-o", "out")
        self.refuse(2, ["shift-toi", "did you mean 'shift-toy'"], "reproduce", "shift-toi", "-o", "out")
        self.refuse(2, ["-o DIR"], "reproduce", "shift-toy")
        for name in ("shift-toy", "all"):
            for trials in (0, 1):
                self.refuse(2, [f"--trials {trials} is too few"], "reproduce", name, "-o", "out", "--trials", trials)
        self.refuse(2, ["--trials: must be a whole number"], "reproduce", "shift-toy", "-o", "out", "--trials", "few")
        self.refuse(2, ["--threads -1"], "reproduce", "shift-toy", "-o", "out", "--threads=-1")
        self.refuse(1, ["--data"], "reproduce", "shift-toy", "-o", "out", "--data", "x.csv")
        self.refuse(1, ["x.csv", "folder"], "reproduce", "all", "-o", "out", "--data", "x.csv")
        self.refuse(2, ["--quick"], "reproduce", "shift-toy", "-o", "out", "--quick", "--trials", 5)
        self.write("file", "x")
        self.refuse(1, ["'file' is not a folder"], "reproduce", "shift-toy", "-o", "file")


class ToyTest(ReproduceTest):
    def test_files(self):
        said = self.reproduce("shift-toy", "out")
        self.check_files("out", charts=8)  # densities, three fits, four error curves
        self.assertIn(self.text("out", "table.md").split("\n\n")[2].strip(), said)
        page = self.text("out", "report.html")
        self.assertTrue(page.startswith("<!DOCTYPE html>"))
        self.assertNotIn("<script src", page)

    def test_table_follows_from_the_trials(self):
        self.reproduce("shift-toy", "out", trials=40)
        trials = self.trials("out")
        result = json.loads(self.text("out", "result.json"))["results"]
        np.testing.assert_allclose(result["flattening"], EXPONENTS, atol=1e-15)
        for curve, values in trials.items():
            self.assertEqual(values.shape, (40, 21))
            self.assert_close(result["curves"][curve]["mean"], values.mean(axis=0), 1e-12)
            self.assert_close(result["curves"][curve]["sd"], values.std(axis=0, ddof=1), 1e-9)
            chosen = trials["j"][np.arange(40), values.argmin(axis=1)]
            name = "oracle" if curve == "j" else curve
            self.assert_close(result["chosen"][name]["mean_j"], chosen.mean(), 1e-12)
        # Forty trials tell cross-validation from the criteria that know of the shift.
        self.assertGreater(result["chosen"]["cv"]["mean_j"], 5 * result["chosen"]["jhat"]["mean_j"])
        self.assertLess(result["chosen"]["oracle"]["mean_j"], result["chosen"]["jhat"]["mean_j"])
        rows = self.check_rows("out")
        self.assertEqual(len(rows), 4 * 7 + 4)
        self.assertEqual(rows[0]["name"], "J, flattening 0")
        self.assert_close(rows[0]["ours"], trials["j"][:, 0].mean(), 1e-12)
        self.assert_close(rows[0]["se"], trials["j"][:, 0].std(ddof=1) / 40**0.5, 1e-9)
        self.assertEqual(rows[0]["expected"], 0.295)
        self.assertTrue(all(abs(row["z"]) < 4.5 for row in rows))

    def test_constant(self):
        self.reproduce("shift-toy", "out")
        x, weight = np.polynomial.hermite_e.hermegauss(60)
        expected = np.sum(weight * np.sinc(2 + x / 4)**2) / np.sum(weight)
        self.assert_close(json.loads(self.text("out", "result.json"))["results"]["constant"], expected, 1e-12)

    def test_resumed_equals_one_go(self):
        self.reproduce("shift-toy", "whole", trials=7)
        self.reproduce("shift-toy", "parts", trials=3)
        self.reproduce("shift-toy", "parts", "--resume", trials=7)
        self.same_answer("whole", "parts")
        torn = self.folder / "parts" / "trials.csv"
        torn.write_text(torn.read_text()[:-300])  # the last line was being written
        self.reproduce("shift-toy", "parts", "--resume", trials=7)
        self.same_answer("whole", "parts")
        self.reproduce("shift-toy", "fewer", trials=3)
        self.reproduce("shift-toy", "parts", "--resume", trials=3)
        for name in ("table.csv", "table.md", "result.json"):
            self.assertEqual(self.text("fewer", name), self.text("parts", name), name)
        self.assertEqual(self.text("parts", "trials.csv"), self.text("whole", "trials.csv"))  # nothing is dropped

    def test_resume_takes_what_is_there(self):
        self.reproduce("shift-toy", "out", trials=3)
        path = self.folder / "out" / "trials.csv"
        lines = path.read_text().splitlines()
        cells = lines[2].split(",")
        cells[1] = "1000"
        lines[2] = ",".join(cells)
        path.write_text("\n".join(lines) + "\n")
        self.reproduce("shift-toy", "out", "--resume", trials=3)
        self.assertEqual(self.trials("out")["j"][0, 0], 1000)
        self.reproduce("shift-toy", "out", trials=3)  # without --resume: from the start
        self.assertNotEqual(self.trials("out")["j"][0, 0], 1000)

    def test_resume_refuses_other_settings(self):
        self.reproduce("shift-toy", "out", "--seed", 5)
        before = self.text("out", "trials.csv")
        self.refuse(1, ["other settings", "--resume", "seed 6"], "reproduce", "shift-toy", "-o", "out", "--resume",
                    "--seed", 6)
        self.assertEqual(self.text("out", "trials.csv"), before)

    def test_threads_and_seed(self):
        self.reproduce("shift-toy", "one", "--threads", 1)
        self.reproduce("shift-toy", "two", "--threads", 2)
        self.same_answer("one", "two")
        self.reproduce("shift-toy", "other", "--seed", 2)
        self.assertNotEqual(self.text("one", "table.csv"), self.text("other", "table.csv"))

    def test_interrupted_run_goes_on(self):
        process = subprocess.Popen([COMMAND, "reproduce", "shift-toy", "-o", "out", "--trials", "10000000"],
                                   cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            path, start = self.folder / "out" / "trials.csv", time.monotonic()
            while not (path.exists() and path.stat().st_size > 100000) and time.monotonic() - start < 60:
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            _, error = process.communicate(timeout=60)
        finally:
            process.kill()
        self.assertEqual(process.returncode, 130, error)
        self.assertIn("--resume", error)
        self.assertEqual(sorted(p.name for p in (self.folder / "out").iterdir()), ["trials.csv"])
        self.reproduce("shift-toy", "out", "--resume", trials=100)
        self.reproduce("shift-toy", "whole", trials=100)
        for name in ("table.csv", "table.md", "result.json"):
            self.assertEqual(self.text("whole", name), self.text("out", name), name)
        self.assertTrue(self.text("out", "trials.csv").startswith(self.text("whole", "trials.csv")))


class AbaloneTest(ReproduceTest):
    def setUp(self):
        super().setUp()
        self.data = like_abalone()
        self.write("abalone.csv", self.data)

    def test_table_follows_from_the_trials(self):
        self.reproduce("shift-abalone", "out", "--data", "abalone.csv", trials=5)
        self.check_files("out", "details.csv", charts=6)
        rows = self.check_rows("out")
        self.assertEqual(len(rows), 6 * 2 * 2)  # settings, Ĵ and 10CV, the reference and the paper
        self.assertEqual({row["verdict"] for row in rows}, {"not comparable"})  # these are no abalones
        trials = self.trials("out")
        settings = json.loads(self.text("out", "result.json"))["results"]["settings"]
        self.assertEqual([(s["input"], s["n"]) for s in settings], [(v, n) for v in (4, 6) for n in (50, 200, 800)])
        for s, setting in enumerate(settings):
            own = {curve: values[s::6] for curve, values in trials.items()}
            chosen = {}
            for curve, values in own.items():
                self.assertEqual(values.shape, (5, 21))
                self.assert_close(setting["curves"][curve]["mean"], values.mean(axis=0), 1e-12)
                best = values.argmin(axis=1)
                chosen[curve] = own["error"][np.arange(5), best]
                got = setting["chosen"]["oracle" if curve == "error" else curve]
                self.assert_close(got["mean_error"], chosen[curve].mean(), 1e-12)
                self.assert_close(got["sd_error"], chosen[curve].std(ddof=1), 1e-9)
                self.assert_close(got["mean_exponent"], EXPONENTS[best].mean(), 1e-12)
            for curve in ("jhat", "iwcv"):
                p = setting[f"p_{curve}_against_cv"]
                if np.any(chosen[curve] != chosen["cv"]):
                    self.assert_close(p["paired"], stats.ttest_rel(chosen[curve], chosen["cv"]).pvalue, 1e-8)
                self.assert_close(p["unpaired"],
                                  stats.ttest_ind(chosen[curve], chosen["cv"], equal_var=False).pvalue, 1e-8)
            self.assertTrue(1 <= setting["effective_sample_size"] <= setting["n"])

    def test_the_source_does_not_matter(self):
        order = np.random.default_rng(3).permutation(950)
        (self.folder / "fann").mkdir()
        self.write("fann/abelone.train", fann_text(self.data, order[:400]))
        self.write("fann/abelone.test", fann_text(self.data, order[400:]))
        self.reproduce("shift-abalone", "csv", "--data", "abalone.csv", trials=2)
        self.reproduce("shift-abalone", "decoded", "--data", "fann", trials=2)
        for name in ("trials.csv", "table.csv"):
            self.assertEqual(self.text("csv", name), self.text("decoded", name), name)

    def test_resumed_equals_one_go(self):
        self.reproduce("shift-abalone", "whole", "--data", "abalone.csv", trials=3)
        self.reproduce("shift-abalone", "parts", "--data", "abalone.csv", trials=2)
        self.reproduce("shift-abalone", "parts", "--data", "abalone.csv", "--resume", trials=3)
        self.same_answer("whole", "parts")
        self.write("other.csv", like_abalone(seed=1))
        self.refuse(1, ["other settings"], "reproduce", "shift-abalone", "-o", "parts", "--data", "other.csv", "--resume")

    def test_bad_data(self):
        def refused(says, data):
            self.refuse(1, says, "reproduce", "shift-abalone", "-o", "out", "--data", data)
        refused(["nothere.csv"], "nothere.csv")
        missing = {name: column for name, column in self.data.items() if name != "height"}
        refused(["'height'"], self.write("missing.csv", missing))
        texts = {**self.data, "height": ["tall"] * 950}
        refused(["'height'", "numbers"], self.write("texts.csv", texts))
        refused(["899 rows"], self.write("short.csv", {name: c[:899] for name, c in self.data.items()}))
        (self.folder / "empty").mkdir()
        refused(["abalone.csv", "abelone.train"], "empty")
        (self.folder / "torn").mkdir()
        self.write("torn/abelone.train", fann_text(self.data, range(40))[:-40])
        self.write("torn/abelone.test", fann_text(self.data, range(40)))
        refused(["ends early"], "torn")

    @unittest.skipIf(pathlib.Path("/usr/share/doc/libfann-dev/examples/datasets/abelone.train").exists(),
                     "libfann-doc is installed")
    def test_no_data(self):
        self.refuse(1, ["--data FILE", "libfann-doc"], "reproduce", "shift-abalone", "-o", "out")


class DataTest(ReproduceTest):
    """Data are found in a folder by their names, and are never written over."""

    def setUp(self):
        super().setUp()
        (self.folder / "sets").mkdir()
        self.write("sets/abalone.csv", like_abalone())
        self.before = self.text("sets", "abalone.csv")

    def test_a_folder_is_as_good_as_a_file(self):
        self.reproduce("shift-abalone", "file", "--data", "sets/abalone.csv", trials=2)
        self.reproduce("shift-abalone", "folder", "--data", "sets", trials=2)
        for name in ("trials.csv", "table.csv"):
            self.assertEqual(self.text("file", name), self.text("folder", name), name)

    def test_results_may_go_beside_the_data(self):
        self.reproduce("shift-abalone", "sets", "--data", "sets", trials=2)
        self.reproduce("shift-abalone", "sets", "--data", "sets", "--resume", trials=2)
        self.assertEqual(self.text("sets", "abalone.csv"), self.before)

    def test_results_do_not_go_over_the_data(self):
        (self.folder / "out" / "shift-abalone").mkdir(parents=True)
        for name in ("out/result.json", "out/summary.md", "out/shift-abalone/table.csv", "out/shift-abalone/trials.csv",
                     "out/shift-abalone/details.csv"):
            for link in (os.symlink, os.link):
                link(self.folder / "sets" / "abalone.csv", self.folder / name)
                if name.count("/") == 1:
                    self.refuse(2, ["would write over"], "reproduce", "all", "-o", "out", "--data", "sets", "--trials", 2)
                else:
                    self.refuse(2, ["would write over"], "reproduce", "shift-abalone", "-o", "out/shift-abalone", "--data",
                                "sets", "--trials", 2)
                (self.folder / name).unlink()
        self.assertEqual(self.text("sets", "abalone.csv"), self.before)

    def test_figures_do_not_go_over_the_data(self):
        (self.folder / "out").mkdir()
        os.symlink(self.folder / "sets" / "abalone.csv", self.folder / "out" / "figure-1-n-50.svg")
        done = self.run_command("reproduce", "shift-abalone", "-o", "out", "--data", "sets", "--trials", 2)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("would write over", done.stderr)
        self.assertEqual(self.text("sets", "abalone.csv"), self.before)


class KilledTest(ReproduceTest):
    """A run that is killed at any instant goes on with --resume to the same bytes."""

    def kill_after(self, seconds, *arguments):
        """SIGKILL; whether it was still running."""
        process = subprocess.Popen([COMMAND, *map(str, arguments)], cwd=self.folder, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        try:
            process.wait(timeout=seconds)
            return False
        except subprocess.TimeoutExpired:
            return True
        finally:
            process.kill()
            process.wait()

    def check_killed(self, *arguments, seconds=(0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.6)):
        self.succeed(*arguments, "-o", "whole")
        killed = sum(self.kill_after(after, *arguments, "-o", "parts", "--resume") for after in seconds)
        self.assertGreater(killed, 1)
        left = [p for p in (self.folder / "parts").rglob("*") if p.suffix not in (".csv", ".md", ".json", ".html", ".svg")
                and p.is_file()]
        self.succeed(*arguments, "-o", "parts", "--resume")
        for path in left:  # what was being written when it was killed
            path.unlink()
        self.same_answer("whole", "parts")

    def test_one_experiment(self):
        self.check_killed("reproduce", "shift-toy", "--trials", 400)

    def test_cost_experiment(self):
        self.check_killed("reproduce", "adaptive-cost", "--trials", 3)

    def test_all(self):
        (self.folder / "sets").mkdir()
        self.write("sets/abalone.csv", like_abalone())
        self.check_killed("reproduce", "all", "--trials", 2, "--data", "sets", seconds=(0.1, 0.3, 0.6, 1, 1.5, 2))


class AllTest(ReproduceTest):
    """The folder `shared`/out holds a run of every experiment with an empty folder of data."""

    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory(prefix="gnomon-test-")
        cls.addClassCleanup(holder.cleanup)
        cls.shared = pathlib.Path(holder.name)
        (cls.shared / "none").mkdir()
        cls.done = run("reproduce", "all", "-o", "out", "--trials", 2, "--data", "none", cwd=cls.shared)

    def setUp(self):
        super().setUp()
        self.assertEqual(self.done.returncode, 0, self.done.stderr)
        self.folder = self.shared
        self.names = [line.split()[0] for line in self.succeed("reproduce", "--list").splitlines()]

    def test_every_experiment_has_a_folder(self):
        skipped = "shift-abalone"
        self.assertEqual(sorted(p.name for p in (self.folder / "out").iterdir()),
                         sorted({*self.names, "result.json", "summary.md"} - {skipped}))
        for name in self.names:
            if name != skipped:
                self.assertEqual(self.result(f"out/{name}")["experiment"], name)
                self.check_rows(f"out/{name}")
                for figure in self.result(f"out/{name}")["figures"]:
                    self.check_figure(f"out/{name}", figure)

    def test_what_is_missing_is_said(self):
        why = "'none' has neither abalone.csv nor FANN's abelone.train"
        self.assertIn(f"skipped: {why}", self.done.stdout)
        self.assertIn(f"skipped: {why}", self.text("out", "summary.md"))
        entry = next(e for e in self.result("out")["experiments"] if e["experiment"] == "shift-abalone")
        self.assertEqual(entry["skipped"], why)

    def test_the_summary_counts_the_rows_of_all(self):
        result = self.result("out")
        self.assertEqual([e["experiment"] for e in result["experiments"]], self.names)
        rows = []
        for entry in result["experiments"]:
            if "skipped" in entry:
                continue
            own = self.result(f"out/{entry['experiment']}")
            self.assertEqual(entry["verdicts"], own["verdicts"])
            self.assertEqual(entry["trials"], 2)
            rows += [{**row, "experiment": entry["experiment"]} for row in own["rows"]]
        self.assertEqual(result["rows"], rows)
        for verdict in VERDICTS:
            self.assertEqual(result["verdicts"][verdict], sum(row["verdict"] == verdict for row in rows))
        for row in rows:
            said = f"- {row['experiment']}: {row['name']}: " in self.text("out", "summary.md")
            self.assertEqual(said, row["verdict"] == "differs", row)


class CostTest(ReproduceTest):
    def test_claims(self):
        self.succeed("reproduce", "adaptive-cost", "-o", "out", "--quick")
        result = self.result("out")
        self.assertEqual(result["trials"], 10)
        self.check_files("out", "details.csv", charts=4)
        for row in self.check_rows("out"):
            self.assertNotEqual(row["verdict"], "differs", row)
        costs = {step["scheme"]: step for step in result["results"]["steps"]}
        self.assertEqual({name: c["trainings"] for name, c in costs.items() if c["trainings"] > 1},
                         {"10-fold": 10, "LOO": 40})
        self.assertLess(costs["evidence"]["flops"], costs["GEN"]["flops"])
        self.assertLess(10 * costs["GEN"]["flops"], costs["LOO"]["flops"])
        for condition in result["results"]["conditions"]:  # a search that a wide spread slows down
            if condition["spread"] == "high4" and condition["noise_to_signal"] == 0.1:
                self.assertGreater(condition["gen"]["unfinished"], 0.5)
                self.assertEqual(condition["evidence"]["unfinished"], 0)
        self.assertEqual([note.split(": ")[-1].split(".")[0] for note in result["notes"] if note.startswith("Claim")],
                         ["holds"] * 3)


class AdaptiveLinearTest(ReproduceTest):
    METHODS = ["optimal", "gen", "gen_eq14", "loo", "evidence", "gcv", "cp", "10-fold", "fper"]

    def rows(self, folder):
        """details.csv as a list of dicts."""
        header, *rows = [line.split(",") for line in self.text(folder, "details.csv").splitlines()]
        self.assertEqual(len(set(header)), len(header))
        return [dict(zip(header, row, strict=True)) for row in rows]

    def conditions(self, folder):
        """{(spread, NSR): {method: numbers}} of result.json."""
        results = json.loads(self.text(folder, "result.json"))["results"]["conditions"]
        return {(c["spread"], c["noise_to_signal"]): {m["method"]: m for m in c["methods"]} for c in results}

    def test_files(self):
        said = self.reproduce("adaptive-linear", "out", trials=40)
        self.write("out/trials.csv", "")  # the one file that it does not write
        self.check_files("out", "details.csv", charts=8)  # P_imp and MRGI per spread, κ at two NSRs per spread
        self.assertNotIn("trials.csv", said)
        self.assertIn(self.text("out", "table.md").split("\n\n")[2].strip(), said)
        page = self.text("out", "report.html")
        self.assertNotIn("<script src", page)

    def test_every_condition_and_method(self):
        self.reproduce("adaptive-linear", "out", trials=40)
        conditions = self.conditions("out")
        levels = (0.1, 0.2, 0.5, 1, 1.5, 2)
        self.assertEqual(list(conditions), [(s, nsr) for s in ("low", "high4") for nsr in levels])
        for (_, nsr), methods in conditions.items():
            self.assertEqual(list(methods), self.METHODS)
            best = methods["optimal"]
            for name, method in methods.items():
                for quantity in ("improved", "gain"):
                    self.assertLessEqual(method[quantity]["value"], best[quantity]["value"] + 1e-6)
                    self.assertEqual("expected" in method[quantity], nsr not in (0.2, 1.5))
                excess = method["kappa_minus_optimal"]
                quantiles = [excess[q] for q in ("q05", "q25", "q50", "q75", "q95")]
                self.assertEqual(quantiles, sorted(quantiles))
                if abs(excess["above_zero"] - 0.75) > 1 / 40:
                    self.assertEqual(excess["above_zero"] > 0.75, excess["q25"] > 0, name)
                # Forty data sets: P_imp is a multiple of 1/40, and its error that of a fraction.
                p = method["improved"]["value"]
                self.assert_close(40 * p, round(40 * p), 1e-12)
                self.assert_close(method["improved"]["se"], max(p * (1 - p), 1 / 40)**0.5 / 40**0.5, 1e-12)

    def test_verdicts_follow_from_the_table(self):
        trials = 600
        self.reproduce("adaptive-linear", "out", trials=trials)
        rows = self.rows("out")
        self.assertEqual(len(rows), 2 * 6 * 9)
        judged = [row for row in rows if row["verdict"]]
        self.assertEqual({row["NSR"] for row in judged}, {"0.1", "0.5", "1", "2"})
        self.assertEqual(len(judged), 2 * 4 * 9)
        methods = [m for c in self.conditions("out").values() for m in c.values()]
        for row, method in zip(rows, methods, strict=True):
            if not row["verdict"]:
                self.assertEqual([row["P expected"], row["P z"], row["M expected"], row["M z"]], [""] * 4)
                continue
            accepted = True
            for quantity, letter in (("improved", "P"), ("gain", "M")):
                cell = method[quantity]
                # The expected values come from 5000 data sets of the same spread.
                z = (cell["value"] - cell["expected"]) / (cell["se"] * (1 + trials / 5000)**0.5)
                self.assert_close(cell["z"], z, 1e-9)
                self.assertEqual(row[letter + " z"], f"{cell['z']:+.2f}")
                self.assertEqual(float(row[letter + " expected"]), cell["expected"])
                accepted = accepted and abs(z) <= 4
            self.assertEqual(method["accepted"], accepted)
            self.assertEqual(row["verdict"], "accepted" if accepted else "differs")
        acceptance = json.loads(self.text("out", "result.json"))["results"]["acceptance"]
        found = self.check_rows("out")
        self.assertEqual(len(found), 2 * len(judged) + 6)  # P_imp and MRGI of a cell; six tails of κ
        for row in found:  # 4 standard errors: the rule of the reference
            self.assertEqual(row["verdict"], "agrees" if abs(row["z"]) <= 4 else "differs", row)
        self.assertEqual(acceptance["cells"], len(judged))
        self.assertEqual(acceptance["accepted"], len(judged))
        self.assertLessEqual(acceptance["largest_z"], 4)

    def test_claims(self):
        self.reproduce("adaptive-linear", "out", trials=600)
        for (spread, nsr), methods in self.conditions("out").items():
            improved = {name: methods[name]["improved"]["value"] for name in ("gen", "loo", "evidence")}
            self.assertEqual(max(improved, key=improved.get), "gen", (spread, nsr))
            if spread == "high4":
                self.assertEqual(min(improved, key=improved.get), "evidence", nsr)
        above = {name: method["kappa_minus_optimal"]["above_zero"]
                 for name, method in self.conditions("out")["high4", 0.1].items()}
        self.assertGreater(above["evidence"], 0.9)
        self.assertTrue(0.4 < above["gen"] < 0.6 and 0.4 < above["loo"] < 0.7, above)

    def test_threads_seed_and_resume(self):
        same = self.same_answer
        self.reproduce("adaptive-linear", "one", "--threads", 1, trials=150)
        self.reproduce("adaptive-linear", "two", "--threads", 2, trials=150)
        same("one", "two")
        self.reproduce("adaptive-linear", "two", "--resume", "--seed", 2, trials=150)  # starts afresh
        self.assertNotEqual(self.text("one", "table.csv"), self.text("two", "table.csv"))
        self.reproduce("adaptive-linear", "two", "--resume", trials=150)
        same("one", "two")
        self.assertIn("starts afresh", " ".join(self.succeed("reproduce", "--help").split()))

    def test_bad_usage(self):
        self.refuse(1, ["--data"], "reproduce", "adaptive-linear", "-o", "out", "--data", "x.csv")
        self.assertFalse((self.folder / "out").exists())
        self.write("file", "x")
        self.refuse(1, ["'file' is not a folder"], "reproduce", "adaptive-linear", "-o", "file")
        self.refuse(1, ["cannot make the folder"], "reproduce", "adaptive-linear", "-o", "file/out")
        self.refuse(2, ["did you mean 'adaptive-linear'"], "reproduce", "adaptive-linea", "-o", "out")


if __name__ == "__main__":
    unittest.main()
