"""Text as codes: the same as arrow's dictionary, for words of all lengths."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aprendiz.core.columns import Columns
from aprendiz.core.frames import as_frame, words_by_code
from aprendiz.core.word_codes import MOST_WORDS, few_words

WORDS = st.text("a\0é", max_size=20)  # one, one and two bytes long: prefixes of each other, and some of them longer than 16


@given(st.lists(WORDS, max_size=40), st.booleans(), st.integers(0, 3), st.integers(0, 3))
def test_same_as_the_dictionary_of_arrow(words, large, skipped, dropped):
    """Codes and words, of parts of a column as well, to its last byte."""
    whole = pa.array(words, pa.large_string() if large else pa.string())
    cells = whole.slice(skipped, max(0, len(whole) - skipped - dropped))
    codes, found = few_words(cells)
    expected = cells.dictionary_encode()
    assert codes.tolist() == expected.indices.to_pylist()
    assert found == expected.dictionary.to_pylist()


def test_long_words_that_differ_in_the_middle():
    words = [f"{'b' * 9}{c}{'e' * 9}" for c in "xyxz"]
    assert few_words(pa.array(words))[0].tolist() == [0, 1, 0, 2]


def test_what_is_left_to_arrow():
    """Missing cells, many words, and what is no text."""
    many = [str(i) for i in range(MOST_WORDS + 1)]
    assert few_words(pa.array(many[1:]))[0].tolist() == list(range(MOST_WORDS))
    for cells in (pa.array(many), pa.array(["a", None]), pa.array([1, 2]), pa.array(["a"]).dictionary_encode()):
        assert few_words(cells) is None


@pytest.mark.parametrize("missing", [False, True])
def test_a_long_column(missing):
    """The codes of a column stand for its words, whoever reads it."""
    words = np.array(["no", "yes", "perhaps, or not"], dtype=object)[np.random.default_rng(0).integers(0, 3, 5000)]
    words[7] = None if missing else "no"
    codes, known = words_by_code(as_frame(pd.DataFrame({"a": words}, dtype="str"))["a"])
    assert sorted(known) == ["no", "perhaps, or not", "yes"]
    assert np.array([*known, None], dtype=object)[codes].tolist() == words.tolist()


def test_a_dictionary_with_the_narrowest_codes():
    """128 words have the codes 0 to 127, the largest of a byte."""
    codes = np.arange(5000) % 128
    column = pa.DictionaryArray.from_arrays(pa.array(codes, pa.int8()), [f"{i:03}" for i in range(128)])
    found = Columns.of(pa.table({"a": column}))
    assert len(found["a"].levels) == 128
    assert np.array_equal(found.encode(pa.table({"a": column})).codes[:, 0], codes)
