"""Data cards: complete, true where the data can tell, and readable as text and as Markdown."""

import re

import numpy as np
import pytest

from aprendiz.datasets import Dataset, load, names

CARDS = {name: load(name).card for name in names()}


@pytest.mark.parametrize("name", CARDS)
def test_nothing_is_missing(name):
    """Every card says what a row is, where the data come from, who may use them, and what to beware of."""
    card = CARDS[name]
    for text in (card.title, card.what, card.size, card.task, card.origin, card.licence, *card.used, *card.beware):
        assert text.strip() == text != ""
        assert "\n" not in text
    assert card.used
    assert card.beware
    assert all(column.meaning for column in card.columns)


@pytest.mark.parametrize("name", CARDS)
def test_columns_are_described(name):
    """The card describes the columns of the table, in their order; digits puts its 64 pixels in one entry."""
    record, card = load(name), CARDS[name]
    described = [column.name for column in card.columns]
    if name == "digits":
        assert described == ["pixel_i_j", "digit"]
    elif isinstance(record, Dataset):
        assert described == list(record.columns)
        assert card.size == f"{len(record)} rows × {len(described)} column{'s' if len(described) > 1 else ''}"
    elif card.kind == "matrix":
        rows, columns = card.columns
        assert (rows.levels, columns.levels) == (record.rows, record.columns)
        assert card.size.startswith(f"{len(rows.levels)} × {len(columns.levels)}, ")
    elif card.kind == "sets":
        assert described == list(record.sets) == list(record.weights)
        assert card.size.startswith(f"{len(record)} sets")
    else:
        assert described == list(record.nodes)
        assert card.size == f"{len(record)} variables, {len(record.edges)} arrows"


@pytest.mark.parametrize("name", CARDS)
def test_words_are_levels(name):
    """The words of a column are exactly its levels, without repetition; only levels have an order."""
    record, card = load(name), CARDS[name]
    for column in card.columns:
        assert len(set(column.levels)) == len(column.levels) != 1
        assert column.levels or not column.ordered
        if isinstance(record, Dataset) and column.levels:
            assert set(record.columns[column.name]) == set(column.levels)


@pytest.mark.parametrize("name", CARDS)
def test_targets_are_columns(name):
    """Targets are among the columns, and the task is one for such a target."""
    card = CARDS[name]
    described = {column.name: column for column in card.columns}
    assert set(card.targets) <= set(described)
    assert ("classification" in card.task) == any(described[target].levels for target in card.targets)
    assert ("regression" in card.task) == any(not described[target].levels for target in card.targets)


@pytest.mark.parametrize("name", CARDS)
def test_text(name):
    """The text holds all facts, within 100 columns."""
    card, text = CARDS[name], str(CARDS[name])
    flat = re.sub(r"\s+", " ", text)
    for fact in (card.what, card.origin, card.licence, card.size, *card.used, *card.beware):
        assert fact in flat
    for column in card.columns:
        assert f"{column.name} " in text
        assert column.meaning in flat
    assert max(map(len, text.splitlines())) <= 100


@pytest.mark.parametrize("name", CARDS)
def test_markdown(name):
    """A heading, all facts, and a table with four cells for each column."""
    card, text = CARDS[name], CARDS[name].markdown()
    assert text.startswith(f"## {card.title} (`{name}`)\n")
    for fact in (card.what, card.origin, card.licence, card.size, *card.used, *card.beware):
        assert fact in text
    rows = [line for line in text.splitlines() if line.startswith("| `")]
    assert len(rows) == len(card.columns)
    assert {line.count("|") for line in rows} == {5}


def test_ordered_levels_are_shown():
    """Levels with an order are joined by <, others by commas."""
    assert "small < medium < large" in str(CARDS["tumour"])
    assert "| no, yes |" in CARDS["tumour"].markdown()


# ---- what the cards claim, asked of the data -------------------------------------------------------------------------


def test_claims_on_iris():
    """Rows 101 and 142 are equal and the only such pair; one petal measure separates setosa."""
    iris = load("iris")
    assert (iris.X[101] == iris.X[142]).all()
    assert len(np.unique(iris.X, axis=0)) == 149
    petal = iris.columns["petal length (cm)"]
    assert petal[iris.y == 0].max() < petal[iris.y > 0].min()


def test_claims_on_wine():
    """Class sizes; rows sorted by class; scales three orders of magnitude apart."""
    wine = load("wine")
    assert np.bincount(wine.y).tolist() == [59, 71, 48]
    assert (np.diff(wine.y) >= 0).all()
    spread = wine.X.std(axis=0)
    assert 3 <= np.log10(spread.max() / spread.min()) < 4


def test_claims_on_breast_cancer():
    """Class sizes, correlations, scales, and concave points below 1."""
    cancer = load("breast_cancer")
    assert [(cancer.columns["diagnosis"] == word).sum() for word in ("malignant", "benign")] == [212, 357]
    like = [cancer.columns[f"mean {name}"] for name in ("radius", "perimeter", "area")]
    assert np.corrcoef(like).min() > 0.98
    spread = cancer.X.std(axis=0)
    assert 5 <= np.log10(spread.max() / spread.min()) < 6
    assert cancer.columns["worst concave points"].max() < 1


def test_claims_on_digits():
    """Counts of 0 to 16 dots; the named pixels, and only they, are empty in all rows."""
    digits = load("digits")
    assert (digits.X.min(), digits.X.max()) == (0, 16)
    empty = [name for name in digits.features if not digits.columns[name].any()]
    assert empty == ["pixel_0_0", "pixel_4_0", "pixel_4_7"]


def test_claims_on_diabetes():
    """Centred, sum of squares 1, two sexes, s1 and s2 correlated by 0.90, scores from 25 to 346."""
    diabetes = load("diabetes")
    np.testing.assert_allclose(diabetes.X.mean(axis=0), 0, atol=1e-14)
    np.testing.assert_allclose((diabetes.X**2).sum(axis=0), 1, rtol=1e-12)
    assert len(set(diabetes.columns["sex"])) == 2
    assert np.corrcoef(diabetes.columns["s1"], diabetes.columns["s2"])[0, 1] == pytest.approx(0.90, abs=0.005)
    assert (diabetes.y.min(), diabetes.y.max()) == (25, 346)


def test_claims_on_linnerud_boston_traffic_and_ratings():
    """The odd rows, the constant column, the gap, and where cells are known."""
    linnerud = load("linnerud").columns
    assert (linnerud["Weight"].argmax(), linnerud["Waist"].argmax(), linnerud["Jumps"].argmax()) == (13, 13, 9)
    assert (linnerud["Weight"][13], linnerud["Waist"][13], linnerud["Jumps"][9]) == (247, 46, 250)
    assert not load("boston_nine").columns["CHAS"].any()
    density = load("traffic").columns["density"]
    assert density[density < 80].max() < 36
    known = load("ratings").known
    assert known.any(axis=0).all()
    assert known.sum(axis=1).max() == 3
    assert np.linalg.matrix_rank(load("eyes_hair").values) == 1
