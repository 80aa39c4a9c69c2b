"""`aprendiz cluster`: groups, in both languages, written back and given to new rows."""

import numpy as np
import pytest

from .calls import call, cells_of, tree, written


@pytest.fixture(autouse=True)
def few_clouds(monkeypatch):
    """Eight clouds of each kind are enough where the groups are far apart."""
    monkeypatch.setattr("aprendiz.lab.clustering.structure.CLOUDS", 8)
    monkeypatch.setattr("aprendiz.lab.clustering.page.pictures", lambda found: [])


def two_groups(here):
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1], 30)
    columns = {"size": rng.normal(size=60) + 8 * labels, "age": rng.normal(size=60) - 8 * labels}
    return written(here / "table.csv", {name: [f"{one:.3f}" for one in cells] for name, cells in columns.items()})


def test_groups_are_found_and_written(here):
    two_groups(here)
    said = call("cluster", "table.csv", "--methods", "KMeans", "--lang", "es")
    assert (said.code, said.err) == (0, "")
    assert "La tabla contiene 2 grupos." in said.out
    assert set(tree("table-groups")) == {"report.html", "results.json", "groups.csv", "model.apz"}
    *_columns, (name, groups) = cells_of("table-groups/groups.csv")
    assert (name, groups.count("1"), groups.count("2")) == ("grupo", 30, 30)
    said = call("predict", "table-groups/model.apz", "table.csv", "-o", "new.csv")
    assert said.code == 0
    assert cells_of("new.csv")[-1] == ("predicted_group", groups)


def test_no_groups(here):
    rng = np.random.default_rng(0)
    written(here / "cloud.csv", {name: [f"{one:.3f}" for one in rng.normal(size=60)] for name in ("a", "b")})
    said = call("cluster", "cloud.csv", "--out", "out")
    assert said.code == 0
    assert "No groups were found" in said.out
    assert set(tree("out")) == {"report.html", "results.json"}


def test_refusals(refused, here):
    two_groups(here)
    refused("cluster", "table.csv", "--k", "1", words=("--k", "from 2"))
    refused("cluster", "table.csv", "--methods", "trees", words=("no method 'trees'", "KMeans"))
    refused("cluster", "table.csv", "--leave-out", "sizes", words=("no column 'sizes'",))
    refused("cluster", "table.csv", "--leave-out", "size", "--leave-out", "age", words=("no column is left",))
    refused("cluster", "nothing.csv", words=("nothing.csv",))
