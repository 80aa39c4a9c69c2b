"""What the tests of the command line share."""

import shutil
import signal

import matplotlib
import pytest

from .calls import QUICK, call, columns_of, scores, tree, written
from .processes import Fork, start_parent

matplotlib.use("Agg")


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """Each test has a folder of its own, for passing files too, and is spoken to in English unless it asks otherwise."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "passing").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "passing"))
    for name in ("LC_MESSAGES", "LANG", "PYTHONIOENCODING", "PYTHONUNBUFFERED"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    return tmp_path


@pytest.fixture
def table(here):
    """table.csv: size, age, code and kind of 40 rows."""
    return written(here / "table.csv", columns_of())


@pytest.fixture
def no_pictures(monkeypatch):
    """Neither pictures nor a learning curve, where they are not the point: they take most of a small run."""
    monkeypatch.setattr("aprendiz.lab.report.folder.maps_of_rows", lambda outcome: (None, None))
    monkeypatch.setattr("aprendiz.lab.report.folder.pictures", lambda outcome, plane, of_rows: {})
    monkeypatch.setattr("aprendiz.lab.outcome.LONGEST_CURVE", -1.0)


@pytest.fixture
def refused(here):
    """A call that must be refused: code 2, certain words on the stream for errors, no traceback, and the folder as it was."""

    def check(*arguments, words):
        before = tree(here)
        said = call(*arguments)
        assert said.code == 2, said.err
        assert "Traceback" not in said.err
        assert [word for word in words if word.lower() not in said.err.lower()] == [], said.err
        assert tree(here) == before

    return check


@pytest.fixture(scope="session")
def whole_run(tmp_path_factory):
    """A quick run of the table from its beginning to its end, with everything it writes."""
    folder = tmp_path_factory.mktemp("whole")
    written(folder / "table.csv", columns_of())
    said = call("run", folder / "table.csv", "--out", folder / "out", "--lang", "en", *QUICK)
    assert said.code == 0, said.err
    return folder


@pytest.fixture
def model(whole_run, here):
    """model.apz of the quick run."""
    return shutil.copy(whole_run / "out" / "model.apz", here / "model.apz")


@pytest.fixture
def whole_scores(whole_run):
    """The scores of a run that nobody has stopped."""
    return scores(whole_run / "out")


# ---- processes ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def parent():
    process = start_parent()
    yield process
    process.stdin.close()
    process.wait(timeout=10)
    process.stdout.close()


@pytest.fixture
def fork(parent, here):
    """`fork("run", "table.csv")`: a command in a process of its own; `script` is run instead, if it is given."""

    started = []

    def start(*arguments, script="", pictures=False, slow=0.0, dies_at=0):
        wanted = {"arguments": list(arguments), "script": str(script), "folder": str(here)}
        started.append(Fork(parent, {**wanted, "pictures": pictures, "slow": slow, "dies_at": dies_at}))
        return started[-1]

    yield start
    for process in started:
        if not process.ended:
            process.send(signal.SIGKILL)
            process.code()
