"""Tables with a fact planted in them, and clean ones: what the laboratory should find, and what it should not invent.

A clean table has columns of several kinds with some signal for its target: numbers (normal, with a long tail, rounded), words,
answers from 1 to 5, some missing cells; its size and its task depend on the seed. A plant changes it and leaves the rest alone.

    copy of the target       its labels in other words, one in 200 wrong; or the number with noise of 0.3 % of its spread
    known only afterwards    a number that is 0 for one class; a cell that is filled for one class; a number and its ranks
    repeated subjects        each with several rows, alike in all columns and mostly in the target
    repeated rows, columns   5 % of the rows again; a column in another unit, words in another language
    codes                    -999 in place of 4 % of the cells of a column
    identifiers, constants   as hospitals and exports write them

What is found is asked of `ask`, as `aprendiz run` does before anything is fitted, and of `explore`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from aprendiz.lab import ask, read
from aprendiz.lab.explore import explore

Random = np.random.Generator


def clean(seed: int) -> pd.DataFrame:
    """A table in which nothing is planted."""
    rng = np.random.default_rng([seed, 0])
    n = int(rng.choice([80, 150, 300, 600]))
    a, b, c = rng.normal(size=(3, n))
    ward, answer = rng.choice(["north", "south", "east"], n), rng.integers(1, 6, n)
    signal = a - 0.7 * b + 0.8 * (ward == "north") + 0.3 * answer + rng.uniform(0.5, 1.5) * rng.normal(size=n)
    frame = pd.DataFrame(
        {
            "pressure": (120 + 15 * a).round(),
            "marker": np.exp(b).round(3),
            "weight": (70 + 12 * c).round(1),
            "ward": ward,
            "answer": answer,
            "age": rng.integers(18, 90, n),
            "dose": rng.gamma(2.0, 10.0, n).round(2),
        }
    )
    frame.loc[rng.random(n) < 0.05, "weight"] = np.nan
    frame["result"] = np.where(signal > np.median(signal), "ill", "well") if seed % 2 else (10 + 3 * signal).round(2)
    return frame


def classes(frame: pd.DataFrame) -> bool:
    return not pd.api.types.is_numeric_dtype(frame["result"])


# ---- plants ----------------------------------------------------------------------------------------------------------------


def copy_of_the_target(frame: pd.DataFrame, rng: Random) -> pd.DataFrame:
    """Its labels in other words with some errors, or the number with noise."""
    y = frame["result"]
    if classes(frame):
        ill = (y == "ill") ^ (rng.random(len(y)) < 0.005)
        return frame.assign(outcome_code=np.where(ill, "A", "B"))
    return frame.assign(measured_again=(y + 0.003 * y.std() * rng.normal(size=len(y))).round(4))


def known_only_afterwards(frame: pd.DataFrame, rng: Random) -> pd.DataFrame:
    """Days in hospital, which only the ill have; a bill that grows with the result."""
    y = frame["result"]
    if classes(frame):
        days = rng.integers(1, 30, len(y)).astype(float)
        return frame.assign(days=np.where(y == "ill", days, np.nan if rng.random() < 0.5 else 0.0))
    return frame.assign(bill=np.exp((y - y.mean()) / y.std()).round(6))


def repeated_subjects(frame: pd.DataFrame, rng: Random) -> pd.DataFrame:
    """Subjects with four to eight rows, whose columns and results are near those of their first row."""
    first = frame.sample(n=max(12, len(frame) // 6), random_state=int(rng.integers(1 << 31))).reset_index(drop=True)
    rows = np.repeat(np.arange(len(first)), rng.integers(4, 9, len(first)))
    found = first.iloc[rows].reset_index(drop=True)
    for name in ("pressure", "marker", "weight", "dose"):
        found[name] = (found[name] + 0.1 * frame[name].std() * rng.normal(size=len(rows))).round(3)
    if classes(frame):
        other = rng.random(len(rows)) < 0.1
        found["result"] = np.where(other, np.where(found["result"] == "ill", "well", "ill"), found["result"])
    else:
        found["result"] = (found["result"] + 0.3 * frame["result"].std() * rng.normal(size=len(rows))).round(2)
    found.insert(0, "patient" if rng.random() < 0.5 else "code", [f"p{row:03d}" for row in rows])
    return found.sample(frac=1.0, random_state=int(rng.integers(1 << 31))).reset_index(drop=True)


def repeated_rows(frame: pd.DataFrame, rng: Random) -> pd.DataFrame:
    """Some rows again, somewhere."""
    again = frame.sample(frac=0.05, random_state=int(rng.integers(1 << 31)))
    return pd.concat([frame, again]).sample(frac=1.0, random_state=int(rng.integers(1 << 31))).reset_index(drop=True)


def repeated_column(frame: pd.DataFrame, rng: Random) -> pd.DataFrame:
    """A column in another unit, or words in another language."""
    if rng.random() < 0.5:
        return frame.assign(pounds=(frame["weight"] * 2.20462).round(1))
    return frame.assign(planta=frame["ward"].map({"north": "norte", "south": "sur", "east": "este"}))


def codes_of_missing_cells(frame: pd.DataFrame, rng: Random) -> pd.DataFrame:
    """-999, 9999 or -9 in place of some cells."""
    name, code = rng.choice(["pressure", "marker", "weight", "age"]), int(rng.choice([-999, 9999, -99]))
    hidden = rng.random(len(frame)) < 0.04
    hidden[:2] = True
    return frame.assign(**{name: frame[name].where(~hidden, code)})


def identifier(frame: pd.DataFrame, rng: Random) -> pd.DataFrame:
    """A number of the record, or its name."""
    numbers = rng.permutation(np.arange(10_000, 99_999))[: len(frame)]
    kind = rng.integers(3)
    cells: Any = [numbers, [f"MX-{one}" for one in numbers], np.arange(1, len(frame) + 1)][kind]
    named = frame.copy()
    named.insert(0, ["record", "sample", "nr"][kind], cells)
    return named


def constant(frame: pd.DataFrame, rng: Random) -> pd.DataFrame:
    """The same in every row."""
    return frame.assign(country="ES" if rng.random() < 0.5 else 1)


PLANTS: Mapping[str, tuple[Callable[[pd.DataFrame, Random], pd.DataFrame], tuple[str, ...]]] = {  # with what finds it
    "copy of the target": (copy_of_the_target, ("leak",)),
    "known only afterwards": (known_only_afterwards, ("leak",)),
    "repeated subjects": (repeated_subjects, ("groups", "groups named")),
    "repeated rows": (repeated_rows, ("duplicate_rows",)),
    "repeated column": (repeated_column, ("same_columns",)),
    "codes of missing cells": (codes_of_missing_cells, ("coded_missing",)),
    "identifier": (identifier, ("identifiers",)),
    "constant column": (constant, ("constant",)),
}


def planted(name: str, seed: int) -> pd.DataFrame:
    """A table with one fact in it."""
    return PLANTS[name][0](clean(seed), np.random.default_rng([seed, 1]))


def found_in(frame: pd.DataFrame, folder: Path) -> set[str]:
    """The codes of what `ask` and `explore` find."""
    path = folder / "table.csv"
    frame.to_csv(path, index=False)
    table = read(path)
    question = ask(table, target="result")
    found = {one.code for one in explore(table).findings} - {"groups"}
    if question.leaks:
        found.add("leak")
    if question.groups is not None:
        found.add("groups")
    elif question.subjects is not None:
        found.add("groups named")
    return found
