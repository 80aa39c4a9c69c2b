"""Runs that end too early, by Ctrl-C, a full disk or a kill: what is there is whole, and --resume leads to the same scores."""

import errno
import io
import os
import signal
import time

import numpy as np
import pytest

from .calls import QUICK, WRITES, assert_whole, call, parts, results, scores, tree

RUN = ("run", "table.csv", "--out", "out", *QUICK)
FITS = 4  # of a quick run: two folds by the baseline and by GaussianNB


def go_on(folder):
    """The same run again: from what is there, or from the beginning if nothing is."""
    said = call(*RUN, *(["--resume"] if (folder / "out" / "folds").is_dir() else []))
    assert said.code == 0, said.err


# ---- Ctrl-C ----------------------------------------------------------------------------------------------------------------


def interrupt_at(number, monkeypatch):
    """Ctrl-C while the n-th fit of the folds is going on."""
    from aprendiz.lab import experiment

    done, left = experiment.run, iter(range(1, 100))

    def run(*given, **more):
        if next(left) == number:
            raise KeyboardInterrupt
        return done(*given, **more)

    monkeypatch.setattr(experiment, "run", run)


@pytest.mark.parametrize("fit", range(2, FITS + 1))
def test_ctrl_c_writes_the_report(table, no_pictures, monkeypatch, whole_scores, fit):
    """Code 0, and a report that says so; methods are compared over the folds that all of them have done."""
    with monkeypatch.context() as patch:
        interrupt_at(fit, patch)
        said = call(*RUN)
    assert said.code == 0, said.err
    assert "Stopped" in said.out
    assert_whole("out")
    found = results("out")
    assert found["stopped"] == "interrupted"
    assert "stopped" in [finding["code"] for finding in found["findings"]]
    assert "interrupted" in (table.parent / "out" / "report.html").read_text(encoding="utf-8")
    assert {len(one["chosen"]) for one in found["leaderboard"]} == {1}
    go_on(table.parent)
    assert scores("out") == whole_scores


def test_ctrl_c_between_two_fits(table, no_pictures, monkeypatch, whole_scores):
    """While the scores are shown: as during a fit, and the fit that was done counts."""
    from aprendiz.cli.board import Board

    def interrupted(board, step):
        if step.method == "GaussianNB":
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Board, "step", interrupted)
        said = call(*RUN)
    assert said.code == 0, said.err
    assert results("out")["stopped"] == "interrupted"
    assert results("out")["folds"]["done"] == {"DummyClassifier": [0], "GaussianNB": [0]}
    go_on(table.parent)
    assert scores("out") == whole_scores


def test_ctrl_c_before_the_first_fold_is_done(table, no_pictures, monkeypatch, whole_scores):
    """There is nothing to report: code 130, said in a sentence; the run can be gone on with."""
    with monkeypatch.context() as patch:
        interrupt_at(1, patch)
        said = call(*RUN)
    assert said.code == 130
    assert "No fold was finished" in said.err
    assert "Traceback" not in said.err
    assert not (table.parent / "out" / "report.html").exists()
    go_on(table.parent)
    assert scores("out") == whole_scores


@pytest.mark.parametrize("stage", ["conclude", "write_outcome"])
def test_ctrl_c_after_the_folds(table, no_pictures, monkeypatch, whole_scores, stage):
    """Nothing is written any more: code 130, and how to go on."""

    def interrupted(*given, **more):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(f"aprendiz.cli.running.{stage}", interrupted)
        said = call(*RUN)
    assert said.code == 130
    assert "out" in said.err
    assert "--resume" in said.err
    assert "Traceback" not in said.err
    assert sorted(name for name in tree("out") if name != "folds") == sorted(f"folds/{name}" for name in WRITES[:5])
    go_on(table.parent)
    assert scores("out") == whole_scores


def test_ctrl_c_while_the_table_is_read(table, monkeypatch):
    """Code 130, a word, and no folder."""

    def interrupted(*given, **more):
        raise KeyboardInterrupt

    before = tree(table.parent)
    monkeypatch.setattr("aprendiz.cli.running.read_with_progress", interrupted)
    said = call(*RUN)
    assert said.code == 130
    assert said.err.strip() == "aprendiz: Stopped."
    assert tree(table.parent) == before


def wait_for(words, process, seconds=20):
    """Until a process has said some words."""
    end = time.monotonic() + seconds
    while words not in process.out:
        assert time.monotonic() < end, process.out
        time.sleep(0.01)


def test_ctrl_c_in_a_process(table, no_pictures, fork, whole_scores):
    """The signal itself, after the line of the first fold; then the code that reproduces the scores; then the rest."""
    process = fork(*RUN, slow=0.5)
    wait_for("fold 1 of 2", process)
    process.send(signal.SIGINT)
    assert process.code() == 0
    assert "Stopped" in process.out
    assert process.err == ""
    assert results("out")["stopped"] == "interrupted"
    assert results("out")["folds"]["done_by_all"] == 1
    script = fork(script=table.parent / "out" / "experiment.py")
    assert script.code() == 0, script.err
    assert "All scores are those of results.json." in script.out
    go_on(table.parent)
    assert scores("out") == whole_scores


def test_ctrl_c_in_a_process_before_the_first_fold(table, fork):
    """The signal itself, while the first fit is going on, or just before it."""
    process = fork(*RUN, slow=5.0)
    wait_for("protocol", process)
    process.send(signal.SIGINT)
    assert process.code() == 130
    assert "No fold was finished" in process.err or "Stopped" in process.err
    assert "Traceback" not in process.err


# ---- a full disk -----------------------------------------------------------------------------------------------------------


class FullFile(io.FileIO):
    """A file for the half of whose bytes there is room."""

    def write(self, content):
        super().write(bytes(content)[: len(content) // 2])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def fill_disk_at(number, monkeypatch):
    """The disk is full while the n-th file is written."""
    left = iter(range(1, 100))

    def opened(path, mode, **more):
        return FullFile(path, mode.replace("b", "")) if next(left) == number else open(path, mode, **more)

    monkeypatch.setattr("aprendiz.core.atomic.open", opened, raising=False)


@pytest.mark.parametrize("write", range(1, len(WRITES) + 1), ids=WRITES)
def test_full_disk(table, no_pictures, monkeypatch, whole_scores, write):
    """Whichever file it hits: it is named, code 2, no half of it is there, and there is no page of what is not there."""
    with monkeypatch.context() as patch:
        fill_disk_at(write, patch)
        said = call(*RUN)
    assert said.code == 2
    assert WRITES[write - 1] in said.err
    assert "disk is full" in said.err
    assert "--resume" in said.err
    assert "Traceback" not in said.err
    assert {os.path.basename(name) for name in tree("out")} == {"folds", *WRITES[: write - 1]}
    assert_whole("out")
    go_on(table.parent)
    assert scores("out") == whole_scores
    assert parts("out") == []


# ---- a kill ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "write",
    [pytest.param(number, id=name) for number, name in enumerate(WRITES, start=1) if not 2 < number < 6],  # a fold is a fold
)
def test_killed_at_a_write(table, no_pictures, fork, whole_scores, write):
    """At the moment when a file is to get its name: the others are whole, and what was beside is gone in the end."""
    process = fork(*RUN, dies_at=write)
    assert process.code() == -signal.SIGKILL
    assert {os.path.basename(name) for name in tree("out") if not name.endswith(".part")} == {"folds", *WRITES[: write - 1]}
    assert len(parts("out")) == 1
    assert_whole("out")
    go_on(table.parent)
    assert scores("out") == whole_scores
    assert parts("out") == []


@pytest.mark.parametrize("share", ((np.arange(4) + np.random.default_rng(0).uniform(size=4)) / 4).round(2))
def test_killed_at_any_moment(table, no_pictures, fork, whole_scores, share):
    """After some share of the time of a run with all its pictures; wherever that is, nothing is broken."""
    process = fork(*RUN, pictures=True)
    time.sleep(1.2 * share)
    process.send(signal.SIGKILL)
    assert process.code() in (-signal.SIGKILL, 0)
    assert_whole("out")
    go_on(table.parent)
    assert scores("out") == whole_scores
