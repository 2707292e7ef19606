"""Behaviour towards the rest of the process: Ctrl-C, threads, forks, frames of other libraries."""
import decimal
import functools
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import gnomon

INTERRUPTED = """
import sys, threading
import numpy as np
import gnomon
rng = np.random.default_rng(0)
X, y = rng.normal(size=(1500, 4)), rng.normal(size=1500)
print("ready", flush=True)
try:
    gnomon.SupportVectorRegressor(criterion="basic", n_bootstrap=10**6, alphas=[0.1, 1.0]).fit(X, y)
except KeyboardInterrupt:
    print("interrupted", flush=True)
print(gnomon.Ridge().fit(X, X[:, 0]).score(X, X[:, 0]) > 0.9)
"""


def test_ctrl_c_stops_a_fit_and_leaves_python_sane():
    # A job in the background of a shell inherits that Ctrl-C is ignored; the one here must hear it.
    heard = functools.partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    child = subprocess.Popen([sys.executable, "-c", INTERRUPTED], stdout=subprocess.PIPE, text=True, preexec_fn=heard)
    try:
        assert child.stdout.readline() == "ready\n"
        time.sleep(1)
        child.send_signal(signal.SIGINT)
        said, _ = child.communicate(timeout=60)
    finally:
        child.kill()
    assert said == "interrupted\nTrue\n" and child.returncode == 0


def test_progress_is_told_and_may_stop(data):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(400, 4)), rng.normal(size=400)
    heard = []

    def listen(what, fraction):
        heard.append((what, fraction))
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        gnomon.select(X, y, "svr", criterion="basic", n_bootstrap=10**6, progress=listen)
    assert len(heard) == 1 and isinstance(heard[0][0], str) and 0 <= heard[0][1] <= 1


def test_number_of_threads_is_as_before(data):
    threadpoolctl = pytest.importorskip("threadpoolctl")
    counts = lambda: [pool["num_threads"] for pool in threadpoolctl.threadpool_info()]  # noqa: E731
    before = counts()
    gnomon.Ridge(n_jobs=1).fit(*data).predict(data[0])
    gnomon.Ridge(n_jobs=-1).fit(*data).predict(data[0])
    assert counts() == before
    with threadpoolctl.threadpool_limits(1):
        gnomon.Ridge().fit(*data)
        assert all(count == 1 for count in counts())


def test_number_of_threads_is_as_before_calls_that_overlap(data):
    threadpoolctl = pytest.importorskip("threadpoolctl")
    from concurrent.futures import ThreadPoolExecutor

    counts = lambda: [pool["num_threads"] for pool in threadpoolctl.threadpool_info()]  # noqa: E731
    before = counts()
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda jobs: gnomon.KernelRidge(n_jobs=jobs).fit(*data), [1, 3, 1, 2] * 10))
    assert counts() == before


def test_fit_after_a_fork(data):
    X, y = data
    expected = gnomon.KernelRidge().fit(X, y).predict(X)
    child = os.fork()
    if child == 0:
        os._exit(0 if (gnomon.KernelRidge().fit(X, y).predict(X) == expected).all() else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_several_python_threads(data):
    from concurrent.futures import ThreadPoolExecutor

    X, y = data
    expected = gnomon.KernelRidge(n_jobs=1).fit(X, y).predict(X)
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda _: gnomon.KernelRidge(n_jobs=1).fit(X, y).predict(X), range(8)):
            np.testing.assert_allclose(found, expected, rtol=1e-9)


MEMORY = """
import resource, sys
import numpy as np
import gnomon
rng = np.random.default_rng(0)
X = np.empty((60000, 100), order=sys.argv[1])
for rows in np.array_split(np.arange(60000), 60):
    X[rows] = rng.normal(size=(1000, 100))
y = X[:, 0] + rng.normal(size=60000)
gnomon.Ridge(n_jobs=1).fit(X[:5000], y[:5000])
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
gnomon.Ridge(n_jobs=1).fit(X, y)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024 / X.nbytes)
"""


@pytest.mark.parametrize("order", ["C", "F"])
def test_a_tall_array_is_not_copied(order):
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", MEMORY, order], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) < 0.6  # a copy would be 1; vectors as long as y are 0.01 each


def said_by(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)


@pytest.mark.parametrize("before", ["", "import gnomon"])
def test_a_sub_interpreter_is_refused(before):
    interpreters = pytest.importorskip("_xxsubinterpreters")
    assert hasattr(interpreters, "run_string")
    code = f"{before}\nimport _xxsubinterpreters as i\ni.run_string(i.create(), 'import gnomon')"
    done = said_by(code)
    assert done.returncode == 1
    assert "ImportError" in done.stderr and "main interpreter only, not in a sub-interpreter" in done.stderr.splitlines()[-1]


def test_a_python_without_its_lock_is_refused():
    done = said_by("import sys\nsys._is_gil_enabled = lambda: False\nimport gnomon")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("ImportError: gnomon needs the global interpreter lock")


@pytest.fixture
def table(data, rng):
    X, y = data
    towns = rng.choice(["Bonn", "Aachen", "a name longer than twelve bytes", None], size=60)
    return {"a": X[:, 0], "town": towns.tolist(), "count": rng.integers(0, 9, size=60), "flag": X[:, 2] > 0}, y


def same_as_pandas(table, frame):
    columns, y = table
    pd = pytest.importorskip("pandas")
    theirs = pd.DataFrame({**columns, "flag": columns["flag"].astype(float)})
    expected = gnomon.Ridge(missing="mean").fit(theirs, y)
    model = gnomon.Ridge(missing="mean").fit(frame, y)
    assert model.result_.data["chosen"] == expected.result_.data["chosen"]
    assert list(model.feature_names_in_) == list(columns) and model.n_features_in_ == 4
    np.testing.assert_array_equal(model.predict(frame), expected.predict(theirs))


def test_polars(table):
    pl = pytest.importorskip("polars")
    same_as_pandas(table, pl.DataFrame(table[0]))
    same_as_pandas(table, pl.DataFrame(table[0]).with_columns(pl.col("town").cast(pl.Categorical)))


def test_pyarrow(table):
    pa = pytest.importorskip("pyarrow")
    whole = pa.table(table[0])
    same_as_pandas(table, whole)
    chunked = pa.concat_tables([whole.slice(0, 11), whole.slice(11, 30), whole.slice(41)])
    coded = chunked.set_column(1, "town", chunked.column(1).dictionary_encode())
    same_as_pandas(table, coded)
    with pytest.raises(ValueError, match="column 'when' holds neither numbers nor texts"):
        gnomon.Ridge().fit(pa.table({"when": pa.array([1, 2, 3], pa.timestamp("s"))}), [1.0, 2.0, 4.0])


def test_pandas_names_are_checked(data):
    pd = pytest.importorskip("pandas")
    X, y = data
    frame = pd.DataFrame(X, columns=["a", "b", "y"])  # a feature may be called like our target
    model = gnomon.Ridge().fit(frame, pd.Series(y, name="y"))
    assert list(model.feature_names_in_) == ["a", "b", "y"]
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame[["b", "a", "y"]])
    mixed = frame.assign(kind=np.where(X[:, 0] > 0, "p", "n"))
    fitted = gnomon.Ridge().fit(mixed, y)
    assert fitted.result_.model.features == ["a", "b", "y", "kind=n", "kind=p"]
    with pytest.raises(ValueError, match="did not occur in training"):
        fitted.predict(mixed.assign(kind="q"))


def test_a_frame_is_no_file(data):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(data[0], columns=["a", "b", "c"])
    lacking = frame.drop(columns="a")
    result = gnomon.select(frame, data[1], "ridge")
    with pytest.raises(ValueError, match="^X: column 'a' of the training rows is missing$"):
        result.predict(lacking)
    with pytest.raises(ValueError, match="^X_test: column 'a' of X_train is missing"):
        gnomon.density_ratio(frame, lacking)


def test_a_user_reads_of_a_text_column_in_his_words(data):
    pd = pytest.importorskip("pandas")
    X, y = data
    frame = pd.DataFrame({"a": X[:, 0], "id": [f"row {i}" for i in range(60)]})
    with pytest.raises(ValueError, match="different value in every row, like an identifier; drop it"):
        gnomon.Ridge().fit(frame, y)


def test_numbers_of_python_are_numbers(data):
    pd = pytest.importorskip("pandas")
    X, y = data
    frame = pd.DataFrame(X, columns=["a", "b", "c"]).round(1)
    expected = gnomon.Ridge().fit(frame, y)
    objects = frame.astype(object)
    decimals = frame.assign(b=[decimal.Decimal(repr(value)) for value in frame["b"]])
    for same in (objects, decimals, frame.assign(a=objects["a"])):
        np.testing.assert_array_equal(gnomon.Ridge().fit(same, y).coef_, expected.coef_)
        np.testing.assert_allclose(gnomon.select(same, y, "ridge").coef[0], expected.coef_, rtol=1e-12)
    np.testing.assert_array_equal(expected.predict(frame.loc[3].astype(object).to_frame().T), expected.predict(frame.iloc[3:4]))
    mixed = frame.assign(kind=np.where(X[:, 0] > 0, "p", "n"))
    fitted = gnomon.Ridge().fit(mixed, pd.Series(y).astype(object))
    assert fitted.result_.model.features == ["a", "b", "c", "kind=n", "kind=p"]
    np.testing.assert_array_equal(fitted.predict(mixed.loc[3].to_frame().T), fitted.predict(mixed.iloc[3:4]))


def test_missing_cells_among_numbers_of_python(data):
    pd = pytest.importorskip("pandas")
    X, y = data
    holes = pd.DataFrame(X, columns=["a", "b", "c"])
    holes.iloc[3, 0] = holes.iloc[4, 1] = holes.iloc[5, 2] = np.nan
    objects = holes.astype(object)
    objects.iloc[3, 0], objects.iloc[4, 1] = None, pd.NA
    expected = gnomon.Ridge(missing="mean").fit(holes, y)
    np.testing.assert_array_equal(gnomon.Ridge(missing="mean").fit(objects, y).coef_, expected.coef_)
    with pytest.raises(ValueError, match="NaN"):
        gnomon.Ridge().fit(objects, y)


def test_a_column_of_numbers_and_texts_stays_one_of_texts(data):
    pd = pytest.importorskip("pandas")
    X, y = data
    frame = pd.DataFrame({"a": X[:, 0], "code": [1, "x", 2.5] * 20})
    for fitted in (gnomon.Ridge().fit(frame, y), gnomon.select(frame, y, "ridge")):
        np.testing.assert_array_equal(fitted.predict(frame.iloc[[0, 2, 3]]), fitted.predict(frame)[[0, 2, 3]])  # 1 and 2.5 alone
    assert fitted.model.features == ["a", "code=1", "code=2.5", "code=x"]


@pytest.mark.parametrize("kind", ["when", "span", "lists", "complex", "bytes"])
def test_what_is_neither_number_nor_text_is_refused(kind, data):
    pd = pytest.importorskip("pandas")
    X, y = data
    cells = {
        "when": pd.date_range("2020-01-01", periods=60),
        "span": pd.to_timedelta(np.arange(60), unit="s"),
        "lists": [[1, 2]] * 60,
        "complex": X[:, 0] * 1j,
        "bytes": [b"a", b"b"] * 30,
    }  # fmt: skip
    frame = pd.DataFrame({"a": X[:, 0], kind: cells[kind]})
    says = f"column '{kind}' holds neither numbers nor texts"
    with pytest.raises(ValueError, match=says):
        gnomon.Ridge().fit(frame, y)
    with pytest.raises(ValueError, match=says):
        gnomon.select(frame, y, "ridge")
    with pytest.raises(ValueError, match=says):
        gnomon.Ridge().fit(frame.assign(**{kind: "t"}), y).predict(frame)
    if kind == "when":
        with pytest.raises(ValueError, match="y holds values of type datetime64.*not numbers"):
            gnomon.select(X, frame["when"], "ridge")
