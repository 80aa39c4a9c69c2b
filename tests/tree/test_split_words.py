"""Questions in words: what is said is what the tree asks."""

from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pytest
from random_trees import SCHEMA, random_labelled, random_rows, with_answers

from aprendiz.core.cells import Column
from aprendiz.core.columns import Columns
from aprendiz.locale import language
from aprendiz.tree.reading.cells import cells_of_row, encode
from aprendiz.tree.reading.split_words import (
    Condition,
    branch_words,
    conditions_of,
    digits_needed,
    format_prediction,
    list_levels,
    one_line,
    path_conditions,
    question,
    simplify_conditions,
)
from aprendiz.tree.shared.nodes import Tree

SIZES = ("large", "medium", "small", "tiny")


def stump(column, *, threshold=np.nan, levels=(), missing=None, weights=(6.0, 4.0), schema=SCHEMA):
    """A tree with one question."""
    branches = len(weights)
    extra = {} if missing is None else {"missing_branch": np.array([missing] + [0] * branches, np.int32)}
    tree = Tree.of(
        feature=np.array([column] + [-2] * branches),
        threshold=np.array([threshold] + [-2.0] * branches),
        child_start=np.array([0] + [branches] * (branches + 1)),
        children=np.arange(1, branches + 1),
        level_start=np.array([0] + [len(levels)] * (branches + 1)),
        level_branch=np.array(levels, np.int32),
        impurity=np.zeros(branches + 1),
        n_node_samples=np.array([sum(weights), *weights]).astype(int),
        weighted_n_node_samples=np.array([sum(weights), *weights]),
        value=np.full((branches + 1, 1, 2), 0.5),
        **extra,
    )
    return with_answers(tree, schema.names, schema, ("a", "b"))


@pytest.mark.parametrize(
    ("labelled", "asked", "answers"),
    [
        (stump(0, threshold=2.45), "height ≤ 2.45", ["yes", "no"]),
        (stump(4, threshold=-12345.678), "the age ≤ -12,346", ["yes", "no"]),
        (stump(1, levels=[0, 0, 1, 1]), "size is large or medium", ["yes", "no"]),
        (stump(1, levels=[0, 1, 0, 0]), "size is not medium", ["yes", "no"]),
        (stump(1, levels=[1, -1, 0, 0]), "size", ["small, tiny or another level", "large"]),
        (stump(1, levels=[1, -1, 0, 0], missing=-1), "size", ["small or tiny", "large"]),
        (
            stump(1, levels=[0, 1, -1, 1], missing=2, weights=(3.0, 4.0, 5.0)),
            "size",
            ["large", "medium or tiny", "missing or another level"],
        ),
        (stump(1, levels=[0, 1, 2, 2], weights=(3.0, 4.0, 5.0)), "size", ["large", "medium", "small or tiny"]),
        (stump(2, threshold=1.5), "grade ≤ B", ["yes", "no"]),
        (stump(3, threshold=0.5), "smokes is False", ["yes", "no"]),
        (stump(0, threshold=1.0, missing=1), "height ≤ 1", ["yes", "no or missing"]),
        (stump(0, threshold=1.0, missing=2, weights=(3.0, 4.0, 5.0)), "height", ["≤ 1", "> 1", "missing"]),
        (
            stump(1, levels=[0, 1, 1, 1], missing=2, weights=(3.0, 4.0, 5.0)),
            "size",
            ["large", "medium, small or tiny", "missing"],
        ),
        (stump(2, threshold=3.5, missing=2, weights=(3.0, 4.0, 5.0)), "grade", ["≤ D", "E", "missing"]),
    ],
)
def test_question_and_answers(labelled, asked, answers):
    """Numbers, levels with and without an order, several branches, a branch for missing cells."""
    conditions = conditions_of(labelled, 0)
    assert question(conditions) == asked
    assert branch_words(conditions) == answers


@pytest.mark.parametrize(
    ("known", "words"),
    [
        ({0}, "grade is A"),
        ({4}, "grade is E"),
        ({0, 1}, "grade ≤ B"),
        ({0, 1, 2}, "grade ≤ C"),
        ({3, 4}, "grade > C"),
        ({1, 2}, "A < grade ≤ C"),
        ({2}, "grade is C"),
        ({0, 2}, "grade is A or C"),
        ({0, 1, 3, 4}, "grade is not C"),
        ({0, 2, 4}, "grade is A, C or E"),
    ],
)
def test_levels_in_an_order(known, words):
    """Neighbours are an interval, others a list."""
    assert str(Condition(0, "grade", levels=frozenset(known), words=tuple("ABCDE"), ordinal=True)) == words


def test_neither_nor():
    """Where few levels are excluded, they are named."""
    condition = Condition(0, "size", levels=frozenset(range(2, 9)), words=tuple("abcdefghi"))
    assert str(condition) == "size is neither a nor b"
    many = Condition(0, "size", levels=frozenset(range(3, 12)), words=tuple("abcdefghijklmno"))
    assert str(many) == "size is one of {d, e, f, g, h, … (9)}"


def test_lists():
    assert list_levels(["a"]) == "a"
    assert list_levels(["a", "b"]) == "a or b"
    assert list_levels("abcdef") == "a, b, c, d, e or f"
    assert list_levels("abcdefg", most=3) == "one of {a, b, … (7)}"
    assert list_levels(["one\nline", 2, True]) == "one line, 2 or True"
    assert one_line("a\x00b") == "a�b"


def test_simplified():
    """Intervals are cut, levels intersected, columns stand in the order in which they were asked."""
    size = {"words": SIZES}
    path = [
        Condition(0, "x", low=2.45),
        Condition(1, "size", levels=frozenset({0, 1, 2}), **size),
        Condition(0, "x", high=4.75),
        Condition(1, "size", levels=frozenset({1, 2, 3}), **size),
        Condition(0, "x", high=5.5),
    ]
    assert list(map(str, simplify_conditions(path))) == ["2.45 < x ≤ 4.75", "size is medium or small"]


def test_as_few_digits_as_tell_thresholds_apart():
    """Four, unless two thresholds of the column would be written alike."""
    assert digits_needed(stump(0, threshold=1 / 3)) == [4] * 5
    tree = random_labelled(0, schema=Columns((Column("x", "numeric"),)))
    asks = np.flatnonzero(~tree.tree.is_leaf)
    threshold = tree.tree.threshold.copy()
    threshold[asks] = 1.0 + np.arange(len(asks)) * 1e-9
    close = replace(tree, tree=replace(tree.tree, threshold=threshold))
    shown = {question(conditions_of(close, node)) for node in asks}
    assert digits_needed(close) == [10]
    assert len(shown) == len(asks) > 2
    assert "x ≤ 1.000000001" in shown


@pytest.mark.parametrize("missing", ["branch", "own"])
@pytest.mark.parametrize("seed", range(8))
def test_conditions_are_those_of_the_nodes(seed, missing):
    """Every row, also with missing cells and unseen levels, meets exactly one branch of each node; simplifying changes no
    truth."""
    labelled = random_labelled(seed, missing=missing)
    tree = labelled.tree
    rows = [encode(labelled, row) for row in random_rows(seed, holes=0.3)]
    for node in np.flatnonzero(~tree.is_leaf):
        conditions = conditions_of(labelled, node)
        assert all(sum(c.holds(row[c.column]) for c in conditions) == 1 for row in rows)
    for leaf in np.flatnonzero(tree.is_leaf):
        path = path_conditions(labelled, leaf)
        assert len(path) == tree.depth[leaf]
        short = simplify_conditions(path)
        assert len({c.column for c in short}) == len(short)
        for row in rows:
            assert all(c.holds(row[c.column]) for c in path) == all(c.holds(row[c.column]) for c in short)


def test_answers():
    """Labels as they are, numbers with four digits."""
    assert format_prediction(np.str_("yes")) == "yes"
    assert format_prediction(np.float64(1 / 3)) == "0.3333"
    assert format_prediction(1 / 3, 2) == "0.33"
    assert format_prediction((1.5, 2.25)) == "(1.5; 2.25)"


def test_spanish_numbers():
    with language("es"):
        assert question(conditions_of(stump(0, threshold=2.45), 0)) == "height ≤ 2,45"


def test_rows_of_any_kind():
    """A dict, a sequence, a row of a frame and a table with one row are the same row."""
    labelled, cells = stump(0, threshold=1.0), [1.5, "large", "A", True, None]
    frame = pd.DataFrame([cells], columns=list(SCHEMA.names))
    named = dict(zip(SCHEMA.names, cells, strict=True))
    for row in (cells, tuple(cells), np.array(cells, dtype=object), np.array([cells], dtype=object), [cells], named, frame):
        assert cells_of_row(labelled, row) == cells
    assert cells_of_row(labelled, frame.iloc[0]) == cells
    assert cells_of_row(labelled, pl.DataFrame(frame.drop(columns="the age"))) == cells
    assert cells_of_row(labelled, {"size": "tiny"}) == [None, "tiny", None, None, None]
    with pytest.raises(
        ValueError, match="The row has a cell 'weight', which is not a column of the tree: use 'height', 'size'"
    ):
        cells_of_row(labelled, {"weight": 3.0})
    with pytest.raises(ValueError, match="One row is needed, got 2: pass them one by one"):
        cells_of_row(labelled, pd.concat([frame, frame]))


def test_bad_rows():
    """The refusal names the column."""
    labelled = stump(0, threshold=1.0)
    with pytest.raises(ValueError, match="The row has 2 cells, but the tree has 5 columns"):
        encode(labelled, [1.0, "large"])
    with pytest.raises(ValueError, match="Column 'height' holds 'tall': a number is needed there"):
        encode(labelled, ["tall", "large", "A", True, 3.0])
    assert np.isnan(encode(labelled, [float("nan"), "huge", None, None, None])).all()
