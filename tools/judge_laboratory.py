"""Judge the laboratory from outside, and print what docs/laboratory_checked.md shows.

python tools/judge_laboratory.py scores TABLE REPORT [TABLE REPORT …]    pipelines by hand, beside reports of `aprendiz run`
python tools/judge_laboratory.py facts [TABLES]                          planted facts, and clean tables (100 of each)
python tools/judge_laboratory.py groups [TABLES]                         one cloud, or groups (20 of each)
"""

from __future__ import annotations

import sys
import tempfile
import warnings
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from judgement import clouds, intervals, planted
from judgement.by_hand import ByHand

from aprendiz.core.columns import Columns
from aprendiz.lab.clustering.spread_columns import spread_columns
from aprendiz.lab.clustering.structure import find_structure


def scores(*paths: str) -> None:
    """Each method of each report, with the largest difference of a measure in a fold."""
    for table, report in zip(paths[::2], paths[1::2], strict=True):
        for one in ByHand(Path(table), Path(report)).compare():
            print(f"{Path(table).name}: {one.method}, {one.folds} folds, furthest {one.furthest:.1e}, ", end="")
            print(f"other folds {list(one.other_folds)}, other choices of tuning {one.other_choices}", flush=True)
        for drawn in ByHand(Path(table), Path(report)).draws():
            print(f"{Path(table).name}: {drawn.method}, {drawn.away:+.1f} deviations of {drawn.by_seed}", flush=True)


def facts(tables: str = "100") -> None:
    """How often each fact is found, and what is said of clean tables."""
    with tempfile.TemporaryDirectory() as folder:
        invented = Counter[str]()
        for seed in range(int(tables)):
            invented.update(planted.found_in(planted.clean(seed), Path(folder)))
        print(f"of {tables} clean tables:", dict(invented), flush=True)
        for name, (_plant, codes) in planted.PLANTS.items():
            seen = [planted.found_in(planted.planted(name, seed), Path(folder)) for seed in range(int(tables))]
            print(f"{name}: {sum(bool(found & {*codes}) for found in seen)} of {tables}", flush=True)


def groups(tables: str = "20") -> None:
    """In how many clouds groups are seen, and how many groups in tables of two to five."""
    for shape in clouds.SHAPES:
        found = Counter(found_groups(clouds.cloud(shape, seed)) for seed in range(int(tables)))
        print(f"one cloud, {shape}: groups found {dict(found)}", flush=True)
    for k in (2, 3, 4, 5):
        found = Counter(found_groups(clouds.groups(k, seed)[0]) for seed in range(int(tables)))
        print(f"{k} groups: groups found {dict(found)}", flush=True)


def coverage(tables: str = "200") -> None:
    """The mean share of new rows that are held, asked 90 %, with its standard error."""
    for rows in (60, 300, 2000):
        for kind in (*intervals.ERRORS, *intervals.CLASSES):
            shares = np.array([intervals.held(kind, rows, 0.9, seed) for seed in range(int(tables))])
            print(f"{kind}, {rows} rows: {shares.mean():.4f} ± {shares.std(ddof=1) / len(shares) ** 0.5:.4f}", flush=True)


def found_groups(X: clouds.Array) -> int:
    """The number of groups, as `aprendiz cluster` finds it."""
    frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])
    return find_structure(spread_columns(frame, Columns.of(frame))).k


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    {"scores": scores, "facts": facts, "groups": groups, "intervals": coverage}[sys.argv[1]](*sys.argv[2:])
