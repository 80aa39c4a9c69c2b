"""Readings of fitted trees: explanation, rules, JSON, Python and SQL say what `predict` says."""

import duckdb
import numpy as np
import pandas as pd
import pytest
from random_trees import STRANGE

from aprendiz.tree.decision_tree_classifier import DecisionTreeClassifier
from aprendiz.tree.id3 import ID3
from aprendiz.tree.reading.as_json import from_json
from aprendiz.tree.reading.explanation import explain

RNG = np.random.default_rng(5)


def mixed_table(count, holes):
    """Numbers, words and truth values, some of them missing, and a class that depends on them."""
    frame = pd.DataFrame(
        {
            "height": RNG.normal(size=count),
            "size": RNG.choice(["large", "medium", "small", "tiny", "huge"], count),
            "smokes": RNG.choice([True, False], count),
            "age": RNG.integers(20, 80, count).astype(float),
        }
    )
    score = frame["height"] + frame["size"].isin(["large", "tiny"]) + (frame["age"] > 50) * frame["smokes"]
    y = np.array(["a", "b", "c"])[np.digitize(score + RNG.normal(scale=0.3, size=count), [0.3, 1.2])]
    frame = frame.astype(object)
    frame = frame.mask(RNG.uniform(size=frame.shape) < holes, None)
    return frame.astype({"height": float, "age": float}), y


TABLE, Y = mixed_table(300, 0.1)
NEW, _ = mixed_table(60, 0.3)
NEW.loc[NEW.index[::7], "size"] = STRANGE


@pytest.mark.parametrize(
    ("missing", "categories"),
    [("own", "subsets"), ("surrogate", "subsets"), ("fractional", "subsets"), ("own", "multiway"), ("fractional", "multiway")],
)
def test_all_say_the_same(missing, categories):
    """For new rows with missing cells and a level not seen in the fit."""
    model = DecisionTreeClassifier(missing=missing, categories=categories, min_samples_leaf=5).fit(TABLE, Y)
    with pytest.warns(UserWarning, match="a level not seen in the fit"):
        wanted, probabilities = model.predict(NEW).tolist(), model.predict_proba(NEW)
    rows = [[None if pd.isna(cell) else cell for cell in row] for row in NEW.to_numpy(dtype=object)]
    labelled = model.label_tree()
    told = [explain(labelled, row) for row in rows]
    assert [one.prediction for one in told] == wanted
    np.testing.assert_allclose([list(one.probabilities.values()) for one in told], probabilities, atol=1e-12)
    assert [explain(from_json(model.to_json()), row).prediction for row in rows] == wanted
    module = {}
    exec(model.to_python(), module)
    assert [module["predict"](row) for row in rows] == wanted
    rules = model.rules()
    met = [rules.of_row(row) for row in rows]
    assert all(rule is None or rule.answer == answer for rule, answer in zip(met, wanted, strict=True))
    assert any(rule is not None for rule in met)
    if missing == "own":
        assert None not in met
    if missing != "fractional":
        answers = duckdb.from_df(NEW.astype({"size": "string", "smokes": "boolean"})).project(model.to_sql()).fetchall()
        assert answers == [(answer,) for answer in wanted]


def test_text_and_predict_agree_on_levels_that_a_node_never_had():
    """Every way that the text shows, followed by hand, ends at the answer of `predict`, for all combinations of levels."""
    table = pd.DataFrame({"a": list("xxxxyyyyzzzz"), "b": list("pqpqprprpppq")})
    y = np.array([0, 1, 0, 1, 0, 1, 1, 1, 0, 0, 0, 0])
    every = pd.DataFrame([(a, b) for a in "xyz" for b in "pqr"], columns=["a", "b"])
    model = ID3().fit(table, y)
    text = model.to_text()
    assert "x or another level: 1" in text  # of the rows with q, none had y
    followed = [followed_by_hand(text, row) for _, row in every.iterrows()]
    assert followed == [str(label) for label in model.predict(every)]
    for (_, row), said in zip(every.iterrows(), followed, strict=True):
        assert f"prediction: {said}" in str(model.explain(pd.DataFrame([row])))


def followed_by_hand(text, row):
    """The answer of a tree of columns with several branches, as a reader finds it in its text."""
    lines = [line.replace("│", " ").replace("├─", "  ").replace("└─", "  ") for line in text.splitlines()]
    column, depth, at = lines[0].split()[0], 0, 1
    while True:
        branches = []
        for number, line in enumerate(lines[at:], at):
            indent = len(line) - len(line.lstrip())
            if indent <= 3 * depth:
                break
            if indent == 3 * (depth + 1):
                branches.append((number, *line.strip().split(": ", 1)))
        named = [branch for branch in branches if row[column] in branch[1].replace(",", " ").split()]
        at, _, rest = (named or [branch for branch in branches if "another level" in branch[1]])[0]
        depth, at, column = depth + 1, at + 1, rest.split()[0]
        if column not in row:
            return column
