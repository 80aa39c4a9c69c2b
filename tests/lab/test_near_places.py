"""Rows at near places in the laboratory: told of where their targets go together, not invented, kept together by --groups."""

import numpy as np
import pandas as pd
import pytest

from aprendiz.lab import ask, read
from aprendiz.lab.columns.places import unit_vectors
from aprendiz.lab.near_places import BLOCKS, likeness_of_neighbors, near_places
from aprendiz.lab.report.findings.all_findings import findings_of

LIMITS = {"lat": (36, 43), "lon": (-8, 3)}


def places(n, seed, bumps=20):
    """Random places, and a target of smooth hills, or of noise alone."""
    rng = np.random.default_rng(seed)
    lat, lon = (rng.uniform(*limits, n) for limits in LIMITS.values())
    tops, height = np.column_stack([rng.uniform(*limits, bumps) for limits in LIMITS.values()]), rng.normal(size=bumps)
    far = (lat[:, None] - tops[:, 0]) ** 2 + (lon[:, None] - tops[:, 1]) ** 2
    smooth = np.exp(-far) @ height + 0.2 * rng.normal(size=n)
    return lat.round(4), lon.round(4), smooth, rng.normal(size=n)


@pytest.mark.parametrize("by_class", [False, True])
def test_found_and_not_invented(by_class):
    """In 95 of 100 tables whose neighbours are alike; in none of 100 of random targets at random places."""
    found = np.zeros(2, int)
    for seed in range(100):
        lat, lon, *targets = places(150, seed)
        for k, y in enumerate(targets):
            y = np.where(y > np.median(y), "b", "a") if by_class else y
            likeness, chance = likeness_of_neighbors(unit_vectors(lat, lon), y)
            found[k] += likeness >= max(0.1, 4 * chance)
    assert found[0] >= 95
    assert found[1] == 0


def test_moran_by_hand():
    """Rows of one class beside each other: all neighbours are alike; classes are alike by chance at shuffled places."""
    points = unit_vectors(np.repeat([10.0, 50.0], 30) + np.tile(np.arange(30.0), 2) / 100, np.zeros(60))
    y = np.repeat(["a", "b"], 30)
    likeness, chance = likeness_of_neighbors(points, y)
    assert likeness == pytest.approx(1, abs=0.1)
    assert chance < 0.2
    assert likeness_of_neighbors(points, np.tile(["a", "b"], 30))[0] < 0.1
    assert likeness_of_neighbors(points, np.repeat("a", 60)) == (0.0, 1.0)
    assert likeness_of_neighbors(points[:30], y[:30]) == (0.0, 1.0)  # too few places


def test_the_report_proposes_blocks(concluded):
    """The finding names the column and the option, and what the score would be; with --groups there is none, and no block is
    on both sides."""
    lat, lon, y, _noise = places(240, 3)
    columns = {"lat": lat, "lon": lon, "x": np.arange(240) % 7, "y": y.round(4)}
    outcome = concluded(columns, ["Ridge"])
    finding = next(one for one in findings_of(outcome) if one.code == "near_places")
    assert "'lat'" in finding.sentence
    assert "--groups lat" in finding.remedy
    assert outcome.other_score("blocks") is not None
    assert "instead of" in finding.why
    again = concluded(columns, ["Ridge"], groups="lon")
    assert "near_places" not in {one.code for one in findings_of(again)}
    assert again.results.question.features == ("lat", "lon", "x")
    groups = again.experiment.groups
    assert len(np.unique(groups)) == BLOCKS
    assert all(not {*groups[train]} & {*groups[test]} for train, test in again.experiment.splits)


def test_places_in_the_schema(tmp_path):
    """The column is found among the others; a missing place is a block of its own."""
    lat, lon, y, noise = places(160, 1)
    path = tmp_path / "table.csv"
    where = [f"{a:.4f}, {b:.4f}" for a, b in zip(lat, lon, strict=True)]
    pd.DataFrame({"where": [None, None, *where[2:]], "y": y}).to_csv(path, index=False)
    table = read(path)
    question = ask(table, target="y", groups="where")
    X, target, groups = question.data(table)
    assert near_places(X, question.columns(table), target).name == "where"
    assert near_places(X, question.columns(table), noise) is None
    assert len(np.unique(groups)) == BLOCKS + 2
    assert dict(question.reasons)["groups"] == "blocks of near places"
