"""Selection bias: the trap is shown on noise, the two errors are those of a plain computation, and nothing is said where
there is nothing to say."""

import numpy as np
import pandas as pd
import pytest
from sklearn.feature_selection import SelectKBest as TheirSelection
from sklearn.feature_selection import f_regression
from sklearn.linear_model import LinearRegression as TheirRegression
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB as TheirNaiveBayes
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from aprendiz import GaussianNB, NearestMean
from aprendiz.evaluation import KFolds, Tuned, evaluate, selection_bias
from aprendiz.locale import language
from aprendiz.selection import SelectKBest, VariableRanking

RNG = np.random.default_rng(0)
NOISE, LABELS = RNG.normal(size=(50, 5000)), np.arange(50) % 2
TRAP = selection_bias(make_pipeline(VariableRanking(keep=20), NearestMean()), NOISE, LABELS, permutations=9)


def test_the_trap_on_pure_noise():
    """5 000 columns of noise: next to no error outside, half of the rows wrong inside; and so with labels in any order."""
    assert TRAP.outside <= 0.05
    assert 0.3 <= TRAP.inside <= 0.7
    assert TRAP.null_outside.max() <= 0.1
    assert abs(TRAP.null.mean() - 0.5) < 0.12
    assert TRAP.optimism == TRAP.inside - TRAP.outside
    assert TRAP.pvalue > 0.05
    assert (TRAP.columns, TRAP.chance) == (20, 0.5)


def test_both_errors_by_hand():
    """Outside: the folds see the columns that all rows chose. Inside: the pipeline as it is."""
    chosen = SelectKBest(k=20).fit(NOISE, LABELS).get_support()
    learner = make_pipeline(SelectKBest(k=20), StandardScaler(), TheirNaiveBayes())
    found = selection_bias(learner, NOISE, LABELS, protocol=KFolds(5), permutations=0)
    outside = evaluate(make_pipeline(StandardScaler(), TheirNaiveBayes()), NOISE[:, chosen], LABELS, protocol=KFolds(5))
    inside = evaluate(learner, NOISE, LABELS, protocol=KFolds(5))
    for mine, theirs in ((found.outside, outside), (found.inside, inside)):
        assert mine == pytest.approx(1 - theirs.score("accuracy").value, abs=1e-12)
    assert np.isnan(found.pvalue)
    assert "random order" not in str(found)


def test_what_is_there_stays_there():
    """Columns that know the labels: no optimism to speak of, and a small p-value."""
    X = NOISE[:, :30] + np.where(np.arange(30) < 5, 3.0, 0.0) * LABELS[:, None]
    found = selection_bias(make_pipeline(SelectKBest(k=5), GaussianNB()), X, LABELS, permutations=19)
    assert found.inside < 0.05
    assert found.optimism < 0.05
    assert found.pvalue == 0.05


def test_quantities_frames_and_searches():
    """A target of numbers, tables with names, selectors of scikit-learn, and searches over parameters."""
    y = RNG.normal(size=40)
    frame = pd.DataFrame(NOISE[:40, :400], columns=[f"gene {j}" for j in range(400)])
    learner = make_pipeline(TheirSelection(f_regression, k=5), TheirRegression())
    found = selection_bias(learner, frame, pd.Series(y), protocol=KFolds(4), permutations=2)
    assert found.task == "regression"
    assert found.outside < 1 < found.inside
    pipeline = make_pipeline(SelectKBest(k=5), NearestMean())
    for search in (
        Tuned(pipeline, {"selectkbest__k": (2, 5)}, folds=2),
        GridSearchCV(pipeline, {"selectkbest__k": [2, 5]}, cv=2),
    ):
        found = selection_bias(search, NOISE[:, :500], LABELS, protocol=KFolds(3), permutations=0)
        assert found.outside < found.inside
        assert found.columns in (2, 5)


def test_sentences():
    """In both languages, with the numbers in them."""
    assert "the first is too small by" in TRAP.sentence
    with language("es"):
        assert "puntos porcentuales" in TRAP.sentence
        assert "al azar" in TRAP.about_chance


def test_folds_name_the_columns_that_they_chose():
    """`Evaluation.selected` counts the folds of each column."""
    X = pd.DataFrame(NOISE[:, :20] + 4.0 * (np.arange(20) == 3) * LABELS[:, None], columns=[f"g{j}" for j in range(20)])
    found = evaluate(make_pipeline(StandardScaler(), SelectKBest(k=2), GaussianNB()), X, LABELS, protocol=KFolds(5))
    assert all(len(fold.columns) == 2 for fold in found.folds)
    assert next(iter(found.selected.items())) == ("g3", 5)
    assert sum(found.selected.values()) == 10
    assert evaluate(GaussianNB(), X, LABELS, protocol=KFolds(5)).selected == {}


def test_tuning_of_early_steps_is_that_of_plain_fits():
    """Steps before the first tuned one are fitted once: the scores are those of every candidate fitted by itself."""
    X = NOISE[:, :60] + 1.5 * (np.arange(60) < 4) * LABELS[:, None]
    pipeline = make_pipeline(StandardScaler(), SelectKBest(), GaussianNB())
    grid = {"selectkbest__k": (2, 4, 30), "var_smoothing": (1e-9, 0.1)}
    tuned = Tuned(pipeline, grid, folds=3).fit(X, LABELS)
    for parameters, scores in zip(tuned.candidates_, tuned.scores_, strict=True):
        one = evaluate(pipeline.set_params(**parameters), X, LABELS, protocol=KFolds(3))
        np.testing.assert_allclose(scores, one.score("accuracy").folds)


def test_bad_input():
    """What selects nothing, is no pipeline, or asks for half a permutation."""
    with pytest.raises(TypeError, match="GaussianNB is no pipeline"):
        selection_bias(GaussianNB(), NOISE, LABELS)
    with pytest.raises(TypeError, match=r"No step of the pipeline \(StandardScaler, GaussianNB\) selects columns"):
        selection_bias(make_pipeline(StandardScaler(), GaussianNB()), NOISE, LABELS)
    with pytest.raises(ValueError, match=r"permutations = 1\.5 must be a whole number"):
        selection_bias(make_pipeline(SelectKBest(), GaussianNB()), NOISE, LABELS, permutations=1.5)
