"""Exports: JSON comes back bit by bit or is refused, Python and SQL answer as the tree does."""

import json
from dataclasses import replace

import duckdb
import numpy as np
import pytest
from random_trees import SCHEMA, answer_of, chain, from_scikit_learn, random_labelled, random_rows
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from aprendiz.core.cells import Column
from aprendiz.core.columns import Columns
from aprendiz.tree.reading.as_json import from_json, to_json
from aprendiz.tree.reading.as_python import to_python
from aprendiz.tree.reading.as_sql import to_sql
from aprendiz.tree.shared.nodes import ARRAYS

COSTS = [[0, 1, 5], [1, 0, 1], [2, 1, 0]]
HOSTILE = ("it's", 'a "b"', "line\nbreak", "'; DROP TABLE rows; --")
LABELS = {"words": ("a", "b'c", 'd"e'), "numbers": (0, 1, 7), "truth": (False, True), "target": None}
some_trees = pytest.mark.parametrize("seed", range(5))
some_labels = pytest.mark.parametrize("classes", LABELS.values(), ids=list(LABELS))


def made(seed, classes, **options):
    return random_labelled(seed, classes=classes, costs=COSTS if classes and len(classes) == 3 else None, **options)


# ---- JSON ----------------------------------------------------------------------------------------------------------------


@some_labels
@pytest.mark.parametrize("missing", ["branch", "own", "fractional"])
def test_round_trip(classes, missing):
    """Every array has its bits and its type, every word is the same."""
    for seed in range(4):
        labelled = made(seed, classes, missing=missing, surrogates=True)
        again = from_json(to_json(labelled, indent=1))
        for name in ARRAYS:
            ours, theirs = getattr(again.tree, name), getattr(labelled.tree, name)
            assert ours.dtype == theirs.dtype, name
            np.testing.assert_array_equal(ours, theirs)
        assert (again.names, again.schema, again.classes) == (labelled.names, labelled.schema, labelled.classes)
        assert again.answers == labelled.answers
        assert list(map(type, again.answers)) == list(map(type, labelled.answers))
        np.testing.assert_array_equal(again.costs, labelled.costs)
        assert to_json(again) == to_json(labelled)


def test_numbers_without_a_schema():
    """A tree of numbers, of one target or several."""
    X, y = load_iris(return_X_y=True)
    for target in (y, np.column_stack([y, -y])):
        model = DecisionTreeRegressor(max_depth=3).fit(X, target)
        labelled = from_scikit_learn(model)
        if target.ndim == 2:
            labelled = replace(labelled, answers=tuple(map(tuple, labelled.tree.value[:, :, 0].tolist())))
        again = from_json(to_json(labelled))
        assert again.schema is None
        assert again.answers == labelled.answers


def broken(change, *, seed=0, **options):
    """The text of a tree with one thing changed."""
    content = json.loads(to_json(random_labelled(seed, **{"surrogates": True, **options})))
    change(content)
    return json.dumps(content)


def put(array, at, value):
    """Change one entry of an array of nodes."""

    def change(content):
        content["nodes"][array][at] = value

    return change


def node_that(labelled, wanted):
    """The first node that asks about levels, or about numbers."""
    tree = labelled.tree
    asks = ~tree.is_leaf & (np.isnan(tree.threshold) if wanted == "levels" else tree.feature == 0)
    return int(np.flatnonzero(asks)[0])


NODE = node_that(random_labelled(0, surrogates=True), "levels")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda c: c.update(format="other"), '"format" is not "aprendiz tree"'),
        (lambda c: c.update(version=2), "version 2 of its format, but only 1 can be read"),
        (lambda c: c.pop("answers"), "The tree has no 'answers'"),
        (lambda c: c.update(names="abc"), "'names' of the tree must be a list, got str"),
        (lambda c: c.update(nodes=[]), '"nodes" of the tree must hold arrays by name, got list'),
        (lambda c: c["nodes"].pop("value"), "The nodes of the tree have no array 'value'"),
        (lambda c: c["columns"][0].pop("kind"), "Column 0 of the tree must have a name, a kind"),
        (lambda c: c["columns"][0].update(kind="colour"), "Column 'height' is of the unknown kind 'colour'"),
        (lambda c: c["columns"][1]["levels"].append("large"), "Column 'size' has a level twice"),
        (lambda c: c["columns"][1]["levels"].append(None), "Column 'size' has a level that is neither a word nor a number"),
        (lambda c: c["names"].pop(), "The schema has 5 columns, but there are 4 names"),
        (put("feature", 0, 1.5), "'feature' of the tree must be a list of whole numbers"),
        (put("feature", 0, True), "'feature' of the tree must be a list of whole numbers"),
        (put("impurity", 0, "x"), "'impurity' of the tree must be a list of numbers"),
        (put("feature", 0, 2**70), "'feature' of the tree must be a list of whole numbers"),
        (put("feature", 0, 99), "Node 0 splits on column 99, but there are 5"),
        (put("feature", 0, -1), "Node 0 splits on column -1, but there are 5"),
        (put("feature", 0, -2), "Node 0 is a leaf with a split, or the opposite"),
        (put("children", 0, 0), "Branch 0 of node 0 does not lead to node 1"),
        (put("children", 0, 10**9), "Branch 0 of node 0 does not lead to node 1"),
        (put("child_start", 1, 10**9), "'child_start' does not divide"),
        (put("level_start", 0, -1), "'level_start' does not divide"),
        (put("level_branch", 0, 99), f"Node {NODE} sends a level to a branch that it does not have"),
        (put("level_branch", 0, -2), f"Node {NODE} sends a level to a branch that it does not have"),
        (put("missing_branch", 0, 9), "Node 0 sends missing cells to branch 9"),
        (put("missing_branch", 0, -2), "Node 0 sends missing cells to branch -2"),
        (put("threshold", NODE, 1.0), f"Node {NODE} has a threshold and branches for levels"),
        (put("weighted_n_node_samples", 1, 0.0), "A node has no weight"),
        (put("impurity", 1, None), "'impurity' holds a number that is not finite"),
        (put("surrogate_feature", 0, 99), "Surrogate 0 splits on column 99"),
        (put("surrogate_start", 1, 10**9), "'surrogate_start' does not divide"),
        (put("surrogate_level_start", 1, 10**9), "'surrogate_level_start' does not divide"),
        (put("surrogate_first", 0, 7), "Surrogate 0 sends x ≤ threshold to neither branch 0 nor 1"),
        (lambda c: c["nodes"]["impurity"].pop(), "'impurity' has shape"),
        (lambda c: c["nodes"]["surrogate_first"].pop(), "'surrogate_first' has shape"),
        (lambda c: c["answers"].pop(), "answers for"),
        (lambda c: c["answers"].__setitem__(0, "z"), "The answer of node 0 is 'z', which is no class"),
        (lambda c: c["classes"].append("z"), "'value' has shape"),
        (lambda c: c["classes"].__setitem__(0, "b"), "A class stands twice"),
        (lambda c: c["costs"].pop(), "The costs of 3 classes have shape"),
    ],
)
def test_refused(change, sentence):
    """Whatever leads outside an array, or does not fit to the rest."""
    with pytest.raises(ValueError, match=sentence.replace("(", r"\(").replace("[", r"\[")):
        from_json(broken(change))


def test_other_refusals():
    with pytest.raises(ValueError, match="The text is not JSON"):
        from_json("{")
    with pytest.raises(ValueError, match="The answer of node 0 is 'z', not a number for each target"):
        from_json(broken(lambda c: c["answers"].__setitem__(0, "z"), classes=None))
    with pytest.raises(TypeError, match="a class, is of type tuple: only words and numbers can be written"):
        to_json(random_labelled(0, classes=(("a",), ("b",))))


def test_no_change_of_an_index_is_followed_outside():
    """Whatever whole number stands at whatever place: the tree is refused, or all its rows are answered."""
    rng, rows = np.random.default_rng(0), random_rows(0, 5, holes=0.3)
    text = to_json(random_labelled(2, depth=3, surrogates=True))
    whole = [name for name in ARRAYS if json.loads(text)["nodes"][name] and name not in ("value",)]
    for _ in range(300):
        content = json.loads(text)
        array = content["nodes"][str(rng.choice(whole))]
        array[rng.integers(len(array))] = int(rng.choice([-3, -2, -1, 0, 1, 2, 5, 10**6]))
        try:
            again = from_json(json.dumps(content))
        except ValueError:
            continue
        assert all(answer_of(again, row) in again.classes for row in rows)


# ---- Python --------------------------------------------------------------------------------------------------------------


def compiled(labelled):
    """The function that the source defines, in a module without anything else."""
    module = {}
    exec(to_python(labelled), module)
    return module["predict"]


@some_labels
@some_trees
@pytest.mark.parametrize("missing", ["branch", "own", "fractional"])
def test_python_answers_as_the_tree(seed, missing, classes):
    """For sequences and dicts of cells, with missing cells, unseen levels, surrogates, parted rows and costs."""
    labelled = made(seed, classes, missing=missing, surrogates=seed % 2 == 0)
    predict = compiled(labelled)
    for row in random_rows(seed, 40, holes=0.35):
        wanted = answer_of(labelled, row)
        named = {name: cell for name, cell in zip(labelled.names, row, strict=True) if cell is not None}
        holes = [float("nan") if cell is None else cell for cell in row]
        for given in (row, named, tuple(holes)):
            answer = predict(given)
            assert answer == (wanted if classes else pytest.approx(wanted, rel=1e-12))
            assert type(answer) is type(wanted)


def test_python_of_hostile_words():
    """Names that would end a string or a comment."""
    labelled = hostile()
    predict = compiled(labelled)
    for row in random_rows(0, 20, holes=0.2, schema=labelled.schema):
        assert predict(row) == answer_of(labelled, row)


def test_python_refuses():
    with pytest.raises(ValueError, match="The row has 1 cells, but the tree has 5 columns"):
        compiled(random_labelled(0))([1.0])
    X, y = load_iris(return_X_y=True)
    several = from_scikit_learn(DecisionTreeRegressor(max_depth=2).fit(X, np.column_stack([y, y])))
    with pytest.raises(ValueError, match="The tree predicts 2 targets, but Python code is written for one"):
        to_python(several)
    with pytest.raises(ValueError, match="The tree predicts 2 targets, but SQL code is written for one"):
        to_sql(several)


# ---- SQL -----------------------------------------------------------------------------------------------------------------

TYPES = {"numeric": "DOUBLE", "categorical": "VARCHAR", "ordinal": "VARCHAR", "binary": "BOOLEAN"}


def asked(labelled, rows):
    """What a database answers."""
    with duckdb.connect() as base:
        quoted = ['"' + str(name).replace('"', '""') + '"' for name in labelled.names]
        kinds = [TYPES[column.kind] for column in labelled.schema.columns]
        base.execute(f"CREATE TABLE cells (row_number INTEGER, {', '.join(map(' '.join, zip(quoted, kinds, strict=True)))})")
        marks = ", ".join("?" * (len(quoted) + 1))
        base.executemany(f"INSERT INTO cells VALUES ({marks})", [[i, *row] for i, row in enumerate(rows)])
        return [answer for (answer,) in base.execute(f"SELECT {to_sql(labelled)} FROM cells ORDER BY row_number").fetchall()]


@some_labels
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("missing", ["branch", "own"])
def test_sql_answers_as_the_tree(seed, missing, classes):
    """With NULL, unseen levels and surrogates."""
    labelled = made(seed, classes, missing=missing, surrogates=seed % 2 == 0)
    rows = random_rows(seed, 12, holes=0.35)
    assert asked(labelled, rows) == [answer_of(labelled, row) for row in rows]


def hostile():
    """A tree whose columns, levels and classes hold quotes, line breaks and commands."""
    columns = tuple(
        replace(column, name=name, levels=tuple(f"{level}{name}" for level in column.levels) if j != 3 else column.levels)
        for j, (column, name) in enumerate(zip(SCHEMA.columns, [*HOSTILE, "\\"], strict=True))
    )
    return random_labelled(3, schema=Columns(columns), classes=HOSTILE, missing="own")


def test_sql_of_hostile_words():
    """Quotes are doubled: the words stay words."""
    labelled = hostile()
    rows = random_rows(1, 12, holes=0.2, schema=labelled.schema)
    assert asked(labelled, rows) == [answer_of(labelled, row) for row in rows]


def test_sql_thresholds_are_exact():
    """A row on a threshold takes the first branch, and one just above it the second."""
    X, y = load_iris(return_X_y=True)
    labelled = from_scikit_learn(DecisionTreeClassifier(random_state=0).fit(X, y))
    labelled = replace(labelled, schema=Columns(tuple(Column(name, "numeric") for name in labelled.names)))
    tree, rows = labelled.tree, []
    for node in np.flatnonzero(~tree.is_leaf):
        for value in (tree.threshold[node], np.nextafter(tree.threshold[node], np.inf)):
            row = X[node].tolist()
            row[tree.feature[node]] = float(value)
            rows.append(row)
    assert asked(labelled, rows) == [answer_of(labelled, row) for row in rows]


def test_sql_refuses_fractions():
    labelled = next(
        one for one in (random_labelled(seed, missing="fractional") for seed in range(9)) if -1 in one.tree.missing_branch
    )
    with pytest.raises(ValueError, match=r"Node \d+ parts rows with missing cells among its branches"):
        to_sql(labelled)


def test_sql_refuses_deep_trees():
    """Python source has no such limit."""
    labelled = chain(301)
    with pytest.raises(ValueError, match="The tree has depth 301, and a CASE nests at most 300"):
        to_sql(labelled)
    assert compiled(labelled)([1000.0]) == 1.0
