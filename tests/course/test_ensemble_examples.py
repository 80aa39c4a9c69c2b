"""Worked examples of ensembles: the majority of independent classifiers (A-34)."""

import pytest

from aprendiz.ensemble import majority_error


def test_majority_of_twenty_one():
    """A-34."""
    assert majority_error(21, 0.3) == pytest.approx(0.026390, abs=5e-7)
    assert majority_error(21, 0.6) == pytest.approx(0.825622, abs=5e-7)
