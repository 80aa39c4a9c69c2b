"""What a loaded model says is compared with what the stored one said: row by row, to rounding."""

import numpy as np
import pytest

from aprendiz.persistence.check_rows import agree

SAID = np.array([[1.0, 2.0], [3.0, np.nan], [np.inf, 4.0]])


def test_equal_to_rounding():
    """The same numbers, missing and infinite ones among them."""
    assert agree(SAID, SAID.copy())
    assert agree(SAID, SAID * (1.0 + 1e-12))


@pytest.mark.parametrize("cell", [(0, 0), (1, 0), (1, 1), (2, 0), (2, 1)])
def test_one_cell_is_enough_to_disagree(cell):
    """One number of many that differs."""
    other = SAID.copy()
    other[cell] = 2.5
    assert not agree(SAID, other)
