"""Comparisons and experiments: the numbers and the files of the command."""
import json
import pickle

import numpy as np
import pytest

import gnomon


def without_times(value):
    if isinstance(value, dict):
        return {name: without_times(part) for name, part in value.items() if name != "seconds"}
    return [without_times(part) for part in value] if isinstance(value, list) else value


CASES = {
    "one learner": ({"learner": "ridge", "criteria": ["loo", "sic", "gcv"], "trials": 12, "random_state": 3},
                    ["--learner", "ridge", "--criterion", "loo,sic,gcv", "--trials", 12, "--seed", 3]),
    "splits": ({"learner": "ridge", "basis": "polynomial:2", "criteria": "loo,evidence", "trials": 0, "splits": 4},
               ["--learner", "ridge", "--basis", "polynomial:2", "--criterion", "loo,evidence", "--trials", 0, "--splits", 4]),
    "learners": ({"learner": ["ridge", "lasso"], "criteria": "cv:5", "trials": 4},
                 ["--learner", "ridge,lasso", "--criterion", "cv:5", "--trials", 4]),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_comparison_is_that_of_the_command(case, data, csv, command, tmp_path):
    X, y = data
    keywords, flags = CASES[case]
    path = csv("data.csv", x0=X[:, 0], x1=X[:, 1], x2=X[:, 2], y=y)
    command("compare", path, "--target", "y", *flags, "-o", tmp_path / "theirs", "--quiet")
    theirs = json.loads((tmp_path / "theirs" / "result.json").read_text(encoding="utf-8"))
    found = gnomon.compare(X, y, **keywords)
    assert without_times(found.data) == without_times(theirs)
    assert found.recommendation == theirs["recommendation"] and found.ranking == theirs["ranking"]
    assert pickle.loads(pickle.dumps(found)).data == found.data
    assert "<table>" in found._repr_html_() and "|" in found.text()


def test_test_inputs(data, rng, csv, command, tmp_path):
    X, y = data
    new = rng.normal(0.5, 0.7, size=(40, 3))
    names = ["x0", "x1", "x2"]
    paths = csv("data.csv", **dict(zip(names, X.T)), y=y), csv("test.csv", **dict(zip(names, new.T)))
    command("compare", paths[0], "--target", "y", "--test", paths[1], "--learner", "ridge", "--trials", 6, "-o", tmp_path / "o", "--quiet")
    theirs = json.loads((tmp_path / "o" / "result.json").read_text(encoding="utf-8"))
    ours = gnomon.compare(X, y, "ridge", X_test=new, trials=6).data
    for result in (ours, theirs):  # where the file was, and what was said of it
        result.pop("notes"), result.pop("settings"), result.pop("measured")
    assert without_times(ours) == without_times(theirs)


def test_trials_are_kept_and_gone_on_from(data, tmp_path):
    X, y = data
    few = gnomon.compare(X, y, "ridge", criteria="loo", trials=4, output=tmp_path / "kept")
    assert {"result.json", "report.html", "trials.csv"} <= {path.name for path in (tmp_path / "kept").iterdir()}
    more = gnomon.compare(X, y, "ridge", criteria="loo", trials=8, output=tmp_path / "kept", resume=True)
    assert few.data["trials"] == 4 and without_times(more.data) == without_times(gnomon.compare(X, y, "ridge", criteria="loo", trials=8).data)


@pytest.mark.parametrize(
    ("keywords", "raised", "says"),
    [
        ({"trials": 1}, ValueError, "trials 1 is too few"),
        ({"trials": 0}, ValueError, "trials 0 leaves nothing to compare by; give splits too"),
        ({"learner": "rigde"}, ValueError, "did you mean 'ridge'"),
        ({"learner": ["ridge", "ridge"]}, ValueError, "learner names ridge twice"),
        ({"colour": 1}, TypeError, "colour"),
        ({"criteria": "looo"}, ValueError, "loo"),
    ],
)
def test_messages(keywords, raised, says, data):
    with pytest.raises(raised) as error:
        gnomon.compare(*data, **{"learner": "ridge", **keywords})
    assert says in str(error.value) and "--" not in str(error.value)


def test_stopping(data):
    def stop(what, fraction):
        raise RuntimeError(what)

    with pytest.raises(RuntimeError, match="simulated data"):
        gnomon.compare(*data, trials=100000, progress=stop)


def test_folders_are_outputs(data, tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    for folder, says in ((file, "file' is not a folder; choose another as output"), (file / "in", "choose another as output")):
        with pytest.raises(ValueError, match=says):
            gnomon.reproduce("shift-toy", folder, trials=2)
        with pytest.raises(ValueError, match=says):
            gnomon.compare(*data, "ridge", criteria="loo", trials=2, output=folder)
    gnomon.reproduce("shift-toy", tmp_path / "kept", trials=2)
    with pytest.raises(ValueError, match="choose another folder as output, or leave resume out to start over"):
        gnomon.reproduce("shift-toy", tmp_path / "kept", trials=2, random_state=3, resume=True)


def test_experiments(command, tmp_path):
    names = [row["name"] for row in gnomon.reproduce.list()]
    assert "shift-toy" in names and command("reproduce", "--list").count("\n") == len(names)
    found = gnomon.reproduce("shift-toy", tmp_path / "ours", trials=20, random_state=4)
    command("reproduce", "shift-toy", "-o", tmp_path / "theirs", "--trials", 20, "--seed", 4, "--quiet")
    for name in ("result.json", "trials.csv", "table.csv"):
        assert (tmp_path / "ours" / name).read_bytes() == (tmp_path / "theirs" / name).read_bytes()
    assert sum(found.verdicts.values()) == len(found.rows) and "<table>" in found._repr_html_() and found.text()
    with pytest.raises(ValueError, match="did you mean 'shift-toy'"):
        gnomon.reproduce("shift-tow", tmp_path)
    with pytest.raises(ValueError, match="makes its own data; leave data out"):
        gnomon.reproduce("shift-toy", tmp_path, data=tmp_path)
    with pytest.raises(ValueError, match="trials 1 is too few"):
        gnomon.reproduce("shift-toy", tmp_path, trials=1)


def test_reproduce_all(command, tmp_path):
    heard = []
    found = gnomon.reproduce("all", tmp_path / "ours", trials=2, random_state=4, progress=lambda what, fraction: heard.append(what))
    command("reproduce", "all", "-o", tmp_path / "theirs", "--trials", 2, "--seed", 4, "--quiet")
    for name in ("result.json", "summary.md"):
        assert (tmp_path / "ours" / name).read_bytes() == (tmp_path / "theirs" / name).read_bytes()
    names = {row["name"] for row in gnomon.reproduce.list()}
    assert set(found.files) - {"summary.md", "result.json"} <= names and {row["experiment"] for row in found.rows} <= names
    assert "Together" in found.text() and "shift-toy: " in found._repr_html_() and heard
    with pytest.raises(ValueError, match="with all, data names a folder"):
        gnomon.reproduce("all", tmp_path, data=tmp_path / "ours" / "result.json")
    with pytest.raises(ValueError, match="trials 1 is too few"):
        gnomon.reproduce("all", tmp_path, trials=1)


@pytest.mark.parametrize(
    ("keywords", "says"),
    [
        ({"trials": 2.5}, "trials 2.5 is not allowed; give a whole number"),
        ({"splits": "3"}, "splits '3' is not allowed; give a whole number"),
        ({"trials": 2, "criterion": "loo"}, "'criterion'; say criteria"),
        ({"trials": 2, "seed": 1, "random_state": 1}, "'seed' and 'random_state', which are the same"),
        ({"trials": 2, "learner": gnomon.Ridge()}, "Ridge is the learner 'ridge'"),
    ],
)
def test_arguments_of_the_wrong_kind(keywords, says, data):
    with pytest.raises(TypeError) as raised:
        gnomon.compare(*data, **{"learner": "ridge", **keywords})
    assert says in str(raised.value)


def test_seed_is_random_state(data):
    ours, theirs = (gnomon.compare(*data, "ridge", criteria=["loo", "gcv"], trials=2, **{name: 5}) for name in ("seed", "random_state"))
    other = gnomon.compare(*data, "ridge", criteria=["loo", "gcv"], trials=2)
    regret = lambda found: [found.criteria[name]["regret"]["mean"] for name in ("loo", "gcv")]  # noqa: E731
    assert regret(ours) == regret(theirs) != regret(other)
