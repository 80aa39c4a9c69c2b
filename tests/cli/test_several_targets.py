"""`aprendiz run --target a --target b`: a folder for each, no target a feature of another, a page that leads to them."""

import json
import re

import numpy as np
import pytest

from aprendiz.cli import several_targets

from .calls import call, tree, written

ASKED = ("--target", "y", "--target", "the z/1", "--methods", "Ridge", "--folds", "3", "--out", "out")


@pytest.fixture
def two(here):
    rng = np.random.default_rng(0)
    a, noise = rng.normal(size=(2, 60)).round(4)
    y = (a + noise).round(4)
    return written(here / "table.csv", {"a": a.tolist(), "y": y.tolist(), "the z/1": (2 * y + 0.01 * a).round(4).tolist()})


def numbers(folder):
    return json.loads((folder / "results.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("speech", ["en", "es"])
def test_a_run_for_each(two, here, no_pictures, speech):
    said = call("run", "table.csv", *ASKED, "--lang", speech)
    assert said.code == 0, said.err
    found = {folder.name: numbers(folder) for folder in (here / "out").iterdir() if folder.is_dir()}
    assert {name: one["question"]["target"] for name, one in found.items()} == {"y": "y", "the_z_1": "the z/1"}
    assert all(one["question"]["features"] == ["a"] for one in found.values())
    page = (here / "out" / "index.html").read_text(encoding="utf-8")
    links = re.findall(r'href="([^"]+)"', page)
    assert links == ["y/report.html", "the_z_1/report.html"]
    assert all((here / "out" / link).is_file() for link in links)
    for one in found.values():
        score = next(m for m in one["leaderboard"] if m["method"] == one["best"])["scores"]["r2"]["value"]
        assert f"{score:.4f}".replace(".", "," if speech == "es" else ".") in page
    assert {"en": "target 2 of 2: 'the z/1'", "es": "objetivo 2 de 2: 'the z/1'"}[speech] in said.out


def test_the_same_as_alone(two, here, no_pictures):
    """The scores of a run with the other target left out."""
    call("run", "table.csv", *ASKED)
    alone = ("--target", "y", "--leave-out", "the z/1", "--methods", "Ridge", "--folds", "3", "--out", "alone")
    assert call("run", "table.csv", *alone).code == 0
    assert numbers(here / "out" / "y")["leaderboard"][0]["scores"] == numbers(here / "alone")["leaderboard"][0]["scores"]


def test_resume_takes_what_is_there(two, here, no_pictures):
    """Finished folds of one target are kept, the other is begun."""
    assert call("run", "table.csv", *ASKED).code == 0
    before = numbers(here / "out" / "y")["leaderboard"][0]["scores"]
    for path in sorted((here / "out" / "the_z_1").rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    said = call("run", "table.csv", *ASKED, "--resume")
    assert said.code == 0, said.err
    assert numbers(here / "out" / "y")["leaderboard"][0]["scores"] == before
    assert (here / "out" / "the_z_1" / "report.html").is_file()


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (("--target", "w"), ["no column 'w'"]),
        (("--keep", "y"), ["'y'", "one role"]),
        (("--metric", "auc"), ["'auc' is not a measure for regression"]),
        (("--methods", "GaussianNB"), ["no method GaussianNB for regression"]),
    ],
)
def test_nothing_begins_if_one_is_wrong(two, refused, more, words):
    refused("run", "table.csv", *ASKED, *more, words=words)


def test_stopped_between_two_targets(two, here, no_pictures, monkeypatch):
    """Before the second one has begun: the first is whole, and the command that goes on is told."""
    whole = several_targets.run

    def stopped(*given, target, **more):
        if target == "the z/1":
            raise KeyboardInterrupt
        return whole(*given, target=target, **more)

    monkeypatch.setattr(several_targets, "run", stopped)
    said = call("run", "table.csv", *ASKED, "--lang", "en")
    assert said.code == 130
    assert "Finished targets are kept in out: continue with aprendiz run" in said.err
    assert (here / "out" / "y" / "report.html").is_file()
    monkeypatch.setattr(several_targets, "run", whole)
    assert call("run", "table.csv", *ASKED, "--resume").code == 0
    assert (here / "out" / "the_z_1" / "report.html").is_file()


def test_a_folder_that_is_taken(two, here, no_pictures):
    (here / "out").mkdir()
    (here / "out" / "mine.txt").write_text("mine")
    before = tree(here)
    said = call("run", "table.csv", *ASKED)
    assert said.code == 2
    assert "not empty" in said.err
    assert tree(here) == before
