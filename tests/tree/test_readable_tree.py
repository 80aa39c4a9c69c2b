"""Readings of fitted trees: explanation, rules, JSON, Python and SQL say what `predict` says."""

import duckdb
import numpy as np
import pandas as pd
import pytest
from random_trees import STRANGE

from aprendiz.tree.decision_tree_classifier import DecisionTreeClassifier
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
