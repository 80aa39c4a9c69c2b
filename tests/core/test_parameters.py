"""Constraints of parameters, read from annotations."""

from collections.abc import Callable
from typing import Annotated, Any, Literal

import numpy as np
import pandas as pd
import pytest

from aprendiz import KMeans
from aprendiz.core.parameters import (
    ArrayLike,
    Count,
    Fraction,
    NonNegative,
    ParameterError,
    Positive,
    Seed,
    Whole,
    Within,
    check_parameters,
    described,
    fits,
)

NAN, INF = float("nan"), float("inf")

CASES = {
    "Count": (Count, [1, 10**9, 2**63 - 1, np.int64(3), np.uint8(1)], [0, -1, 2**63, 10**400, 1.0, True, "1", None, NAN, [1]]),
    "Whole": (Whole, [0, 1, np.int32(0)], [-1, 0.0, False, None, "0"]),
    "Positive": (Positive, [1e-300, 1, 2.5, 2**62, INF, np.float32(1)], [10**30, 10**400, 0, 0.0, -1.0, NAN, True, "1", None]),
    "NonNegative": (NonNegative, [0, 0.0, 1e-4, INF], [-1e-300, NAN, False, None]),
    "Fraction": (Fraction, [0, 1, 0.5, np.float64(0.25)], [-0.1, 1.0000001, NAN, True, "0.5"]),
    "bool": (bool, [True, False, np.True_], [0, 1, None, "True"]),
    "int or None": (int | None, [None, -1, np.int64(4)], [1.0, True, "None"]),
    "Seed": (
        Seed,
        [None, 0, 42, 2**32 - 1, np.uint64(7), np.random.RandomState(0)],
        [2**32, np.random.default_rng(0), -1, 1.5, "0", True],
    ),
    "Literal": (Literal["a", "b"], ["a", "b"], ["c", "A", 1, None, ["a"], b"a"]),
    "Count or Literal": (Count | Literal["auto"], [1, "auto"], [0, "Auto", True, None]),
    "Callable": (Callable | Literal["x"], [len, lambda: 0, "x"], ["y", 1, None]),
    "ArrayLike": (ArrayLike, [[[1]], (1, 2), np.ones(2), pd.DataFrame({"a": [1]})], ["x", 1, None, {1}]),
    "dict": (dict[Any, Any] | None, [{}, {1: 2}, None], [[], "x", 1]),
    "interval": (Annotated[float, Within(0, 1, above=True)], [1, 0.1], [0, 0.0, 1.1, NAN]),
    "Any": (Any, [None, 1, "x", NAN], []),
}


@pytest.mark.parametrize("name", CASES)
def test_fits(name):
    """Each annotation lets in what it describes and nothing else."""
    hint, good, bad = CASES[name]
    assert [value for value in good if not fits(value, hint)] == []
    assert [value for value in bad if fits(value, hint)] == []


def test_whole_numbers_without_end():
    """A whole number that compiled code cannot count to is refused with its limit, however many digits it has."""
    with pytest.raises(ParameterError, match=rf"max_iter of KMeans .* got {10**30}, which is larger than {2**63 - 1}"):
        KMeans(max_iter=10**30).fit([[0.0]])
    with pytest.raises(ParameterError, match="a number of 5001 digits, which is larger"):
        KMeans(n_clusters=10**5000).fit([[0.0]])
    with pytest.raises(ParameterError, match=r"random_state of KMeans .* at most 4294967295 .* got 4294967296"):
        KMeans(random_state=2**32).fit([[0.0]])


def test_arrays_beside_words():
    """An array is compared with a Literal without complaint about its truth."""
    hint = Literal["k-means++", "random"] | ArrayLike
    assert fits(np.ones((3, 2)), hint)
    assert not fits(3, hint)


@pytest.mark.parametrize(
    ("hint", "words"),
    [
        (Count, "a whole number of at least 1"),
        (Positive, "a number above 0"),
        (Fraction, "a number of at least 0 and at most 1"),
        (Count | Literal["auto"], "a whole number of at least 1 or 'auto'"),
        (Literal["a", "b"], "'a' or 'b'"),
        (bool, "True or False"),
        (int | None, "a whole number or None"),
        (ArrayLike, "an array"),
        (dict[Any, Any], "a dict"),
        (Callable, "a function"),
    ],
)
def test_described(hint, words):
    """Each annotation can be said in words."""
    assert described(hint) == words


class Example:
    def __init__(self, k: Count = 8, *, rate: Fraction = 0.5, mode: Literal["a", "b"] = "a", anything=None):
        self.k, self.rate, self.mode, self.anything = k, rate, mode, anything


def test_check_parameters():
    """Good values pass; parameters without an annotation are not judged."""
    check_parameters(Example())
    check_parameters(Example(1, rate=1, mode="b", anything=object()))


@pytest.mark.parametrize("change", [{"k": 0}, {"k": "eight"}, {"rate": 1.5}, {"rate": NAN}, {"mode": "c"}, {"mode": None}])
def test_refused(change):
    """The error is a ValueError and a TypeError, and names parameter, class and value."""
    (name, value), *_ = change.items()
    for kind in (ValueError, TypeError, ParameterError):
        with pytest.raises(kind) as error:
            check_parameters(Example(**change))
        message = str(error.value)
        assert message.startswith(f"{name} of Example must be ")
        assert repr(value) in message
