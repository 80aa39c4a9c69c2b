"""Columns of lists in the laboratory: recognised by the rows, coded inside the fit, read again and kept in model files."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.preprocessing import MultiLabelBinarizer

import aprendiz
from aprendiz import persistence
from aprendiz.cli.prediction_checks import PredictionChecks
from aprendiz.core.cells import Column
from aprendiz.core.columns import Columns
from aprendiz.lab import TableModel, ask, prepared, read
from aprendiz.lab.columns import ListColumns
from aprendiz.lab.columns.list_cells import items_of, lists_in
from aprendiz.lab.report.columns_used import columns_used_of
from aprendiz.lab.report.numbers import numbers_of
from aprendiz.lab.report.page import page_of

COLOURS = ("red", "blue", "green", "yellow", "black", "white")
SCHEMA = Columns((Column("colours", "list", (";", *COLOURS)), Column("x", "numeric")))
WRITTEN = {
    "; ": "; ".join,
    ",": ",".join,
    "|": "|".join,
    "JSON": json.dumps,
    "Python": lambda items: repr([str(one) for one in items]),
    "braces": lambda items: "{" + ",".join(items) + "}",
}


def lists(rng, n, colours=COLOURS, shuffled=True):
    """Lists of colours, of which each is there or not."""
    share = rng.uniform(0.1, 0.5, len(colours))
    found = [[one for one, p in zip(colours, share, strict=True) if rng.random() < p] for _ in range(n)]
    return [[str(one) for one in rng.permutation(items)] for items in found] if shuffled else found


def table_of(tmp_path, columns, name="table.csv", **options):
    path = tmp_path / name
    pd.DataFrame(columns).to_csv(path, index=False)
    return read(path, **options)


# ---- what is recognised -----------------------------------------------------------------------------------------------------


def test_found_in_generated_tables():
    """In 95 of 100 columns: any way to write them, in a fixed order or not, of 60 to 400 rows with missing cells."""
    found = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        write = [*WRITTEN.values()][seed % len(WRITTEN)]
        some = lists(rng, int(rng.integers(60, 400)), COLOURS[: rng.integers(4, 7)], shuffled=bool(seed % 2))
        cells = [write(items) or None for items in some]
        told = lists_in("x", pd.Series(cells, dtype="str"))
        found += told is not None and {*told.items} == {one for items in some for one in items}
    assert found >= 95


PEOPLE = [("James", "Mary", "Thomas", "Ana", "Carlos"), ("Smith", "García", "Thomas", "Brown", "Moore", "Davis")]
CLEAN = {  # a cell of a column that holds no lists
    "names": lambda of, rng: f"{of(PEOPLE[1])}, {of(PEOPLE[0])}",
    "names with titles": lambda of, rng: f"{of(PEOPLE[1])}, {of(PEOPLE[0])}" + of(["", "", ", Jr.", ", MD"]),
    "addresses": lambda of, rng: f"{rng.integers(1, 99)} {of(PEOPLE[1])} St, {of(['Boston', 'Austin'])}, {of(['MA', 'TX'])}",
    "cities": lambda of, rng: of(["Austin, Texas, USA", "Madrid, Spain", "Lugo, Spain", "Texas, USA", "Lyon, France", "Spain"]),
    "prose": lambda of, rng: ", ".join(" ".join(of(["the", "room", "was", "bed", "nice"]) for _ in range(6)) for _ in range(2)),
    "decimal commas": lambda of, rng: f"{rng.integers(10)},{rng.integers(10)}",
    "some decimal commas": lambda of, rng: f"{rng.integers(10)}" + of(["", f",{rng.integers(10)}"]),
    "thousands": lambda of, rng: f"{rng.integers(1, 9)},{rng.integers(100, 120)}" + of(["", f",{rng.integers(100, 120)}"]),
    "answers": lambda of, rng: of(["yes, very much so", "no, not at all", "yes", "no, never", "no"]),
    "intervals": lambda of, rng: of(["[0, 10]", "[10, 20]", "[20, 30]", "[30, 40]"]),
    "vectors": lambda of, rng: f"{rng.integers(1, 6)}|{rng.integers(1, 6)}|{rng.integers(1, 6)}",
    "paths": lambda of, rng: of(["Animals|Cats|Siamese", "Animals|Dogs", "Animals", "Plants|Trees|Oak", "Plants|Trees"]),
    "products": lambda of, rng: f"{of(['Shirt', 'Hat', 'Shoe'])}, " + of(["", f"{of(['red', 'blue'])}, "]) + of([*"SML"]),
    "objects": lambda of, rng: f'{{"a": {rng.integers(3)}, "b": {rng.integers(3)}}}',
}


@pytest.mark.parametrize("kind", CLEAN)
def test_not_invented(kind):
    """In none of 100 columns of other things with separators inside."""
    invented = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        cells = [CLEAN[kind](lambda some: some[rng.integers(len(some))], rng) for _ in range(rng.integers(60, 200))]  # noqa: B023
        invented += lists_in("x", pd.Series(cells, dtype="str")) is not None
    assert invented == 0


@pytest.mark.parametrize(
    ("cell", "separator", "items"),
    [
        ("red; blue;;red ", ";", ("red", "blue")),
        ('["a, b", "c", null, 3]', ",", ("a, b", "c", "3")),
        ("['a, b', c]", ",", ("a, b", "c")),
        ('{"New York",Lugo}', ",", ("New York", "Lugo")),
        ("[]", ",", ()),
        ("{}", ";", ()),
        ("the dog's tail|5\"", "|", ("the dog's tail", '5"')),
        (["x", "y", "x"], ";", ("x", "y")),
        ("赤、青", "、", ("赤", "青")),
    ],
    ids=str,
)
def test_single_cells(cell, separator, items):
    assert items_of(cell, separator) == items


# ---- what is made of them ---------------------------------------------------------------------------------------------------


def test_coding_is_that_of_scikit_learn():
    """Items as MultiLabelBinarizer codes them; rare, frequent and unseen items; sizes; missing cells."""
    rng = np.random.default_rng(0)
    some = lists(rng, 80)
    frame = pd.DataFrame({"colours": [";".join(items) for items in some], "x": 0.0})
    model = ListColumns(Columns((SCHEMA["colours"],)), least=1).fit(frame)
    names, found = list(model.get_feature_names_out()), model.transform(frame)
    peer = MultiLabelBinarizer().fit(some)
    for k, item in enumerate(peer.classes_):
        np.testing.assert_array_equal(found[:, names.index(f"colours: {item}")], peer.transform(some)[:, k])
    np.testing.assert_array_equal(found[:, names.index("colours: number of items")], [len({*items}) for items in some])
    assert len(names) == len(peer.classes_) + 1
    new = pd.DataFrame({"colours": [None, "[]", "mauve;red", ["red", "blue"], "red;red"]})
    table = pd.DataFrame(model.transform(new), columns=names)
    assert table.iloc[0].isna().all()
    assert (table.iloc[1] == 0).all()
    assert table["colours: number of items"].tolist()[1:] == [0, 2, 2, 1]
    assert table["colours: red"].tolist()[1:] == [0, 1, 1, 1]
    assert table.iloc[2].sum() == 3  # mauve counts, but has no column


def test_items_of_the_fit():
    """Only items of enough training rows get a column, the most frequent ones; a size that never varies has none."""
    frame = pd.DataFrame({"colours": ["red;blue"] * 5 + ["red;green"] * 3 + ["red;black"] * 2})
    one = Columns((SCHEMA["colours"],))
    assert list(ListColumns(one).fit(frame).get_feature_names_out()) == ["colours: red", "colours: blue", "colours: green"]
    assert list(ListColumns(one, most=1).fit(frame).get_feature_names_out()) == ["colours: red"]
    assert list(ListColumns(one).fit(frame[-2:]).get_feature_names_out()) == ["colours: number of items"]
    assert ListColumns(one).fit(frame[:3].assign(colours=None)).transform(frame).shape == (10, 1)


NAMES = ["LogisticRegression", "DecisionTreeClassifier", "GaussianNB", "CategoricalNB", "KNeighborsClassifier", "MultinomialNB"]


@pytest.mark.parametrize("name", NAMES)
def test_a_planted_item_decides(name, tmp_path):
    """A class that depends on an item is predicted, by any method; the model comes back from its file."""
    rng = np.random.default_rng(1)
    some = lists(rng, 240)
    some = [[*(one for one in items if one != "red"), *(["red"] * (k % 2))] for k, items in enumerate(some)]
    y = np.where(["red" in items for items in some], "yes", "no")
    table = table_of(tmp_path, {"colours": ["|".join(items) for items in some], "x": rng.random(240), "y": y})
    question = ask(table, target="y")
    assert question.features == ("colours", "x")
    X, target, _groups = question.data(table)
    model = prepared(getattr(aprendiz, name)(), X, columns=question.columns(table)).fit(X[:160], target[:160])
    assert model.score(X[160:], target[160:]) > 0.8
    assert len(model[:-1].get_feature_names_out()) == model[-1].n_features_in_
    persistence.save(model, tmp_path / "model.apz")
    new = pd.DataFrame({"colours": ["red", None, "mauve|red", "[]"], "x": [0.1, None, 0.3, 0.4]})
    np.testing.assert_array_equal(persistence.load(tmp_path / "model.apz").predict(new), model.predict(new))


def test_names_like_items():
    """A column that is called as an item would be does not clash with it."""
    frame = pd.DataFrame({"colours": ["red;blue", "red", "blue"] * 10, "colours: red": range(30)})
    schema = Columns((SCHEMA["colours"], Column("colours: red", "numeric")))
    model = prepared(aprendiz.LogisticRegression(), frame, columns=schema).fit(frame, ["a", "b", "c"] * 10)
    names = list(model[:-1].get_feature_names_out())
    assert len({*names}) == len(names) == 4


# ---- reading and telling ----------------------------------------------------------------------------------------------------


def test_told_and_overruled(tmp_path):
    """The card and a note say it; a type keeps the text, or makes lists of what the rows do not speak for."""
    rng = np.random.default_rng(0)
    cells = ["; ".join(items) or None for items in lists(rng, 100)]
    codes = [f"A{k};B{k}" for k in range(100)]
    table = table_of(tmp_path, {"colours": cells, "code": codes})
    assert [role.role for role in table.roles] == ["list", "identifier"]
    assert "colours  list" in table.card()
    assert any("column 'colours' holds lists:" in note and "types['colours']='text'" in note for note in table.notes)
    assert dict(table.dialect.lists) == {"colours": ";"}
    kept = read(table.path, types={"colours": "text", "code": "list"})
    assert {one.name: one.kind for one in kept.facts} == {"colours": "text", "code": "list"}
    assert kept.facts[1].separator == ";"
    again = read(table.path, like=table.dialect)
    assert again.columns == table.columns
    assert not any("lists" in note for note in again.notes)


def test_another_file(tmp_path):
    """A later file of single items or none is read as lists still; items that are new are told."""
    rng = np.random.default_rng(0)
    some = lists(rng, 100)
    numbers = [";".join(str(COLOURS.index(one)) for one in items) for items in some]
    table = table_of(tmp_path, {"codes": numbers, "x": rng.random(100), "y": [len(items) for items in some]})
    question = ask(table, target="y", task="regression")
    X, y, _groups = question.data(table)
    learner = prepared(aprendiz.Ridge(), X, columns=question.columns(table)).fit(X, y)
    model = TableModel.of(learner, "y", "regression", question.columns(table), table.dialect)
    later = table_of(tmp_path, {"codes": ["1", "", "3", "7"], "x": [0.1] * 4}, "later.csv", like=model.of_dialect())
    assert np.isfinite(model.predict(tmp_path / "later.csv")).all()
    np.testing.assert_array_equal(
        model.predict(tmp_path / "later.csv"), model.predict({"codes": ["1", None, "3", "7"], "x": [0.1] * 4})
    )
    checks = PredictionChecks(model, None)
    checks.add(later, {})
    assert [*checks.sentences()] == ["column 'codes': 1 list has an item not seen in training, '7'"]


def test_names_in_the_report(concluded):
    """Coefficients and importance name the column and the item."""
    rng = np.random.default_rng(2)
    some = lists(rng, 120)
    y = ["yes" if "green" in items else "no" for items in some]
    method = aprendiz.lab.Method("LogisticRegression", aprendiz.LogisticRegression(), {})
    outcome = concluded({"colours": [",".join(items) for items in some], "x": rng.random(120).round(3), "y": y}, [method])
    numbers = numbers_of(outcome)
    assert numbers["model"]["coefficients"][0]["largest"][0]["column"] == "colours: green"


@pytest.mark.parametrize("by_class", [True, False])
def test_lists_and_places_among_the_columns_used(by_class, concluded):
    """The report counts the rows of each item by class, or has the quartiles of the target; places by their distance."""
    rng = np.random.default_rng(3)
    some = lists(rng, 120)
    place = [f"{a:.4f}, {b:.4f}" for a, b in rng.uniform(-3, 3, (120, 2))]
    has = [int("green" in items) for items in some]
    y = [["no", "yes"][k] for k in has] if by_class else has + rng.random(120)
    method = "GaussianNB" if by_class else "Ridge"
    outcome = concluded({"colours": [",".join(items) for items in some], "where": place, "y": y}, [method])
    columns = {one["name"]: one for one in columns_used_of(outcome)["columns"]}
    green = next(level for level in columns["colours"]["levels"] if level["level"] == "green")
    known = sum("green" in items for items in some)
    assert green["rows"] == known
    assert green.get("counts", [0, known]) == [0, known]
    assert columns["colours"]["treatment"][0] == "items"
    assert (columns["where"]["treatment"][0], columns["where"]["kind"]) == ("kilometres", "place")
    assert 0 < columns["where"]["high"] < 500
    assert "a column of zeros and ones for each item" in page_of(numbers_of(outcome), {}, outcome.experiment.table)
