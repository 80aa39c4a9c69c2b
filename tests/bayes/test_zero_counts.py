"""A count of zero without smoothing: what follows is said, with the remedy."""

import warnings

import numpy as np
import pandas as pd
import pytest

from aprendiz import BernoulliNB, CategoricalNB, MultinomialNB, NaiveBayes

CODES = np.array([[0, 1], [0, 0], [1, 1], [1, 0], [0, 1], [1, 1]], dtype=float)
Y = np.array(["no", "no", "yes", "yes", "no", "yes"])
WORDS = pd.DataFrame({"sky": ["grey", "grey", "blue", "blue", "grey", "blue"], "wind": CODES[:, 1]})


@pytest.mark.parametrize(
    ("model", "X", "said"),
    [
        (CategoricalNB(alpha=0), CODES, "Column 0: 1 never occurs in class 'no'"),
        (CategoricalNB(alpha=0), WORDS, "Column 'sky': 'blue' never occurs in class 'no'"),
        (BernoulliNB(alpha=0), CODES, "Column 0: 1 never occurs in class 'no'"),
        (MultinomialNB(alpha=0), CODES, "Column 0 never occurs in class 'no'"),
        (NaiveBayes(estimate="ml"), WORDS, "Column 'sky': 'blue' never occurs in class 'no'"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_zero_is_explained(model, X, said):
    """Which value in which class, what it does, and what helps."""
    with pytest.warns(UserWarning, match=said) as found:
        model.fit(X, Y)
    assert "alpha > 0" in str(found[0].message)


@pytest.mark.parametrize("learner", [CategoricalNB, BernoulliNB, MultinomialNB, NaiveBayes])
def test_with_smoothing_there_is_nothing_to_say(learner):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        learner().fit(CODES, Y)


def test_a_class_without_weight_has_no_zeros():
    """It has no counts at all: its probability is zero, not that of its categories."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        CategoricalNB(alpha=0).fit(CODES[[0, 1, 1, 0]], Y[[0, 1, 2, 3]], sample_weight=[1, 1, 0, 0])
