"""Hashes of terms agree with scikit-learn's, of terms that are written out."""

import numpy as np
import pytest
from sklearn.utils import murmurhash3_32

from aprendiz.preprocessing.text.hashes import hashes_of, hashes_of_runs

WORDS = ["", "a", "of", "cat", "four", "cinco", "árbol", "日本語", "x" * 17, "\0", "🙂b"]


def written(codes, ends, joint, shortest, longest):
    """The terms of each document, in the order of their first tokens."""
    for start, end in zip([0, *ends[:-1]], ends, strict=True):
        tokens = [WORDS[code] for code in codes[start:end]]
        yield [
            joint.join(tokens[i : i + n])
            for i in range(len(tokens))
            for n in range(shortest, longest + 1)
            if i + n <= len(tokens)
        ]


def test_words():
    assert hashes_of(WORDS).tolist() == [murmurhash3_32(word.encode(), 0) for word in WORDS]
    assert hashes_of([]).tolist() == []


@pytest.mark.parametrize("joint", [" ", ""])
@pytest.mark.parametrize(("shortest", "longest"), [(1, 1), (1, 2), (2, 2), (2, 5), (1, 40), (30, 40)])
def test_runs(joint, shortest, longest):
    """All lengths, letters of one to four bytes, empty documents and documents that are too short."""
    rng = np.random.default_rng(0)
    lengths = np.array([0, 1, 2, 3, 7, 0, 25, 4])
    codes, ends = rng.integers(len(WORDS), size=lengths.sum()), np.cumsum(lengths)
    hashes, until = hashes_of_runs(codes, ends, WORDS, joint, shortest, longest)
    terms = list(written(codes, ends, joint, shortest, longest))
    assert until.tolist() == np.cumsum([*map(len, terms)]).tolist()
    assert hashes.tolist() == [murmurhash3_32(term.encode(), 0) for some in terms for term in some]
