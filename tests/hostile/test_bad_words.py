"""Words, categories and missing cells where they mean something: what is strange among them is named, not guessed."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

import aprendiz
from aprendiz.ensemble.members.ensemble import Ensemble
from hostile.attack import CODES, LEARNERS, NOISE, N, answers, changed, differs, framed, good, learners, make, target
from hostile.bad_tables import spoiled

WORDS = pd.DataFrame(
    {
        "height": np.array(["low", "medium", "high"])[np.arange(N) % 3],
        "weight": np.where(NOISE > 0, "heavy", "light"),
        "age": np.arange(N) % 4,
    }
)


@learners(
    lambda cls: "missing" in cls.allows and not issubclass(cls, Ensemble) and cls is not aprendiz.BayesianNetwork
)  # those draw columns: one more changes the draw; a network says what each cell may hold, and asks for the levels
@pytest.mark.filterwarnings("ignore:Skipping features")  # below
def test_columns_that_are_missing_throughout(cls):
    """A column without any known cell disturbs no other one: the rest is answered as without it."""
    X = good(cls)[:, [0, 1, 2, 2]].copy()
    X[:, 3] = np.nan
    found, expected = answers(make(cls).fit(X, target(cls)), X), answers(make(cls).fit(good(cls), target(cls)), good(cls))
    for name, said in found.items():
        if said.ndim == 2 and said.shape[1] == 4:
            assert np.isnan(said[:, 3]).all()
            found[name] = said[:, :3]
    assert differs(found, expected, 1e-12) is None


def test_columns_that_are_missing_throughout_are_reported():
    """Where such a column is left out, or is one of words, a warning names it."""
    frame = framed(aprendiz.SimpleImputer).assign(weight=np.nan)
    with pytest.warns(UserWarning, match=r"'weight'.*keep_empty_features"):
        aprendiz.SimpleImputer().fit_transform(frame)
    nothing = WORDS.assign(weight=pd.Series([None] * N, dtype=object))
    with pytest.warns(UserWarning, match="'weight': every cell is missing"):
        aprendiz.CategoricalNB().fit(nothing, target(aprendiz.CategoricalNB))


def test_unseen_categories_are_reported():
    """Codes and words that the fit did not see: left out, with a warning that names column and category."""
    cls = aprendiz.CategoricalNB
    words = make(cls).fit(WORDS, target(cls))
    new = WORDS.assign(height=np.where(np.arange(N) == 9, "enormous", WORDS["height"]))
    for method in ("predict", "predict_proba"):
        with pytest.warns(UserWarning, match=r"'height'.*'enormous'.*row 9"):
            found = getattr(words, method)(new)
        left_out = new.assign(height=new["height"].where(new["height"] != "enormous", None))
        assert np.array_equal(found, getattr(words, method)(left_out))
    codes = make(cls).fit(CODES, target(cls))
    with pytest.warns(UserWarning, match="category 17"):
        P = codes.predict_proba(spoiled(CODES, 17.0))
    assert np.array_equal(P, codes.predict_proba(spoiled(CODES, np.nan)))


def test_levels_that_look_alike_are_reported():
    """Levels that differ by spaces or case only are counted as they are, with a warning that lists them."""
    cls = aprendiz.CategoricalNB
    table = WORDS.assign(weight=WORDS["weight"].where(np.arange(N) % 5 > 0, "Heavy "))
    for form in (table, pl.from_pandas(table), table.astype({"weight": "category"})):
        with pytest.warns(UserWarning, match=r"'weight'.*'Heavy ', 'heavy'.*merge them"):
            make(cls).fit(form, target(cls))


def test_words_where_numbers_are_meant():
    """The mean of words is refused with column, word and remedy; measurements among categories with the remedy."""
    with pytest.raises(ValueError, match=r"mean.*'height'.*'low'"):
        aprendiz.SimpleImputer().fit(WORDS)
    with pytest.raises(ValueError, match=r"(?i)'age'.*0\.5.*bin"):
        aprendiz.CategoricalNB().fit(WORDS.assign(age=np.arange(N) + 0.5), target(aprendiz.CategoricalNB))


@pytest.mark.parametrize("name", ["CategoricalNB", "SimpleImputer"])
def test_infinity_beside_words(name):
    """Infinity is refused with row and column in a table of words as elsewhere."""
    age = np.where(np.arange(N) == 5, np.inf, np.arange(N) % 4)
    cls = LEARNERS[name]
    model = cls(strategy="auto") if name == "SimpleImputer" else cls()
    with pytest.raises(ValueError, match=r"'age'.*inf.*row 5"):
        model.fit(WORDS.assign(age=age), target(cls))


@pytest.mark.parametrize("name", ["CategoricalNB", "SimpleImputer"])
def test_other_columns_of_words(name):
    """Tables of words have the columns of the fit too."""
    cls = LEARNERS[name]
    model = (cls(strategy="auto") if name == "SimpleImputer" else cls()).fit(WORDS, target(cls))
    before = dict(vars(model))
    for table, word in (
        (WORDS.rename(columns={"age": "shoe size"}), "shoe size"),
        (WORDS[["age", "height", "weight"]], "order"),
        (WORDS[["height", "weight"]], "age"),
        (WORDS.assign(extra=1), "extra"),
    ):
        with pytest.raises(ValueError, match=word):
            answers(model, table)
    assert changed(model, before) == []
