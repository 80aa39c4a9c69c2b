"""Error against the number of members: smaller ensembles, out-of-bag errors, test rows, words, bad input."""

import numpy as np
import pandas as pd
import pytest

from aprendiz import ExtraTreesClassifier, RandomForestClassifier, RandomForestRegressor, ensemble_curve

RNG = np.random.default_rng(11)
X, NEW = RNG.normal(size=(160, 4)), RNG.normal(size=(70, 4))
NUMBER, NEW_NUMBER = (np.column_stack([t[:, 0], t[:, 1] ** 2]) for t in (X, NEW))
KIND, NEW_KIND = (np.array(["low", "high"])[(t[:, 0] * t[:, 1] > 0).astype(int)] for t in (X, NEW))


def test_sizes_of_a_classifier():
    """Each size is an ensemble of its own: the errors are those of forests that stopped there."""
    model = RandomForestClassifier(12, random_state=0).fit(X, KIND)
    curve = ensemble_curve(model, X_test=NEW, y_test=NEW_KIND)
    assert curve.members.tolist() == list(range(1, 13))
    for M in (1, 2, 5, 12):
        smaller = RandomForestClassifier(M, random_state=0).fit(X, KIND)
        assert curve.train[M - 1] == pytest.approx(1 - smaller.score(X, KIND))
        assert curve.test[M - 1] == pytest.approx(1 - smaller.score(NEW, NEW_KIND))
    assert (curve.task, curve.name) == ("classification", "RandomForestClassifier")


@pytest.mark.parametrize("weight", [None, RNG.integers(0, 3, size=160)], ids=["plain", "weighted"])
@pytest.mark.parametrize(
    ("kind", "y"),
    [(RandomForestClassifier, KIND), (RandomForestRegressor, NUMBER), (RandomForestRegressor, NUMBER[:, 0])],
    ids=["classes", "numbers", "one number"],
)
def test_out_of_bag_errors_of_the_fit(kind, y, weight):
    """Found afterwards, they are those that a fit with oob_score keeps; rows given again give the same curve."""
    asked = kind(9, oob_score=True, random_state=0)
    with pytest.warns(UserWarning, match="in the bag of every member"):
        asked.fit(X, y, sample_weight=weight)
    later = kind(9, random_state=0).fit(X, y, sample_weight=weight)
    curve = ensemble_curve(later)
    np.testing.assert_allclose(curve.oob, asked.oob_errors_, rtol=1e-12)
    again = ensemble_curve(later, X, y)
    np.testing.assert_array_equal(again.train, curve.train)
    np.testing.assert_array_equal(again.oob, curve.oob)
    said = later.predict(X)
    loss = said != y if y is KIND else ((said - y) ** 2).reshape(160, -1).mean(axis=1)
    assert curve.train[-1] == pytest.approx(np.average(loss, weights=weight))


def test_what_is_not_known():
    """Without bags no out-of-bag error, without remembered rows no training error; the others stay."""
    bare = ensemble_curve(ExtraTreesClassifier(3, random_state=0).fit(X, KIND))
    assert (bare.oob, bare.test) == (None, None)
    assert list(bare.known) == ["train"]
    model = RandomForestClassifier(3, random_state=0).fit(X, KIND)
    model._table = None
    forgotten = ensemble_curve(model, X_test=NEW, y_test=NEW_KIND)
    assert list(forgotten.known) == ["test"]


def test_words_of_a_table():
    """Mixed tables go the same way."""
    frame = pd.DataFrame({"x": X[:, 0], "side": np.where(X[:, 1] > 0, "up", "down")})
    model = RandomForestClassifier(6, random_state=0).fit(frame, KIND)
    curve = ensemble_curve(model, X_test=frame[:50], y_test=pd.Series(KIND[:50]))
    assert curve.train[-1] == pytest.approx(1 - model.score(frame, KIND))
    assert curve.test[-1] == pytest.approx(1 - model.score(frame[:50], KIND[:50]))


def test_as_text():
    """A few sizes, the first and the last among them."""
    curve = ensemble_curve(RandomForestClassifier(40, random_state=0).fit(X, KIND), X_test=NEW, y_test=NEW_KIND)
    lines = str(curve).split("\n")
    assert lines[0].split() == ["members", "train", "oob", "test"]
    assert [int(line.split()[0]) for line in (lines[1], lines[-1])] == [1, 40]
    assert float(lines[-1].split()[3]) == pytest.approx(curve.test[-1], rel=1e-3)
    assert len(lines) <= 10


def test_bad_input():
    """Halves of pairs, and rows of other lengths."""
    model = RandomForestClassifier(3, random_state=0).fit(X, KIND)
    with pytest.raises(ValueError, match="X_test and y_test belong together: give both, or neither"):
        ensemble_curve(model, X_test=NEW)
    with pytest.raises(ValueError, match="X has 70 rows, y_test has 69"):
        ensemble_curve(model, X_test=NEW, y_test=NEW_KIND[1:])
    with pytest.raises(ValueError, match="X has 70 rows, but the fit had 160"):
        ensemble_curve(model, NEW, NEW_KIND)
