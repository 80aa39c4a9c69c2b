"""The axioms of a metric: what is warned of, and who is named; and what gives no numbers is refused."""

import numpy as np
import pytest

from aprendiz.neighbors.search.metric_axioms import check_axioms

X = np.arange(5.0)[:, None]


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda a, b: -abs(a - b)[0], r"negative: d\(row 0, row 1\) = -1"),
        (lambda a, b: abs(a - b)[0] + 1, r"not 0 from a row to itself: d\(row 0, row 0\) = 1"),
        (lambda a, b: max(a[0] - b[0], 0), r"not symmetric: d\(row 0, row 1\) = 0, but d\(row 1, row 0\) = 1"),
    ],
)
def test_no_metric(function, message):
    with pytest.warns(UserWarning, match=message):
        check_axioms(function, X)


def test_no_number():
    with pytest.raises(ValueError, match="NaN for rows 1 and 4"):
        check_axioms(lambda a, b: np.nan if a[0] + b[0] == 5 else abs(a - b)[0], X)
    with pytest.raises(TypeError, match="gives 'far' for rows 0 and 0"):
        check_axioms(lambda a, b: "far", X)


def test_the_triangle_is_named():
    """Squared distances: 0 to 4 is 16, by 2 it is 4 + 4."""
    with pytest.warns(UserWarning, match=r"d\(row 0, row 4\) = 16 exceeds d\(row 0, row 2\) \+ d\(row 2, row 4\) = 4 \+ 4"):
        check_axioms(lambda a, b: ((a - b) ** 2)[0], X)


@pytest.mark.parametrize("power", [1, 2, 3])
def test_true_metrics_pass(power):
    """Minkowski's distances break nothing (warnings are errors here)."""
    rows = np.random.default_rng(0).normal(size=(40, 3)) * 1e6
    check_axioms(lambda a, b: (np.abs(a - b) ** power).sum() ** (1 / power), rows)
