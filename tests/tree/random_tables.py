"""Small random data frames for the tests of trees: numbers, ties, words, levels in an order, yes and no, with missing cells."""

import numpy as np
import pandas as pd


def random_table(rng, n=40, missing=0.0, words=4):
    """A frame of five columns."""
    codes = rng.integers(0, words, n)
    codes[:words] = np.arange(words)
    grades = pd.Categorical.from_codes(rng.integers(0, 4, n), ["A", "B", "C", "D"], ordered=True)
    frame = pd.DataFrame(
        {
            "height": rng.normal(size=n).round(2),
            "rooms": rng.integers(1, 6, n).astype(float),
            "town": np.array([f"town {k:02d}" for k in range(words)], dtype=object)[codes],
            "grade": grades,
            "smokes": np.array(["no", "yes"], dtype=object)[rng.integers(0, 2, n)],
        }
    )
    return frame.mask(rng.uniform(size=frame.shape) < missing)


def random_classes(rng, n, classes):
    """Labels of some classes, each of which occurs."""
    y = rng.integers(0, classes, n)
    y[:classes] = np.arange(classes)
    return np.array(["ant", "bee", "cat", "dog"])[y]
