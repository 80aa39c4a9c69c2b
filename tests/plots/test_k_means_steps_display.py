"""Steps of k-means: panels, colours and paths are those of the states."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex
from pictures import X, texts

from aprendiz import KMeans, MiniBatchKMeans
from aprendiz.plots import KMeansStepsDisplay
from aprendiz.plots.shared.style import PALETTE

MODEL = KMeans(3, init=X[:3], n_init=1, tol=0)


@pytest.fixture(scope="module")
def states():
    """All steps of a fit."""
    return list(MODEL.steps(X))


def test_panels_are_states(states):
    """The start, the first passes and the last one; rows in the colour of their nearest centre, paths since the start."""
    display = KMeansStepsDisplay(X, states).plot()
    assert display.drawn.tolist() == [0, 1, 2, len(states) - 1]
    assert [ax.get_title("left") for ax in display.ax_] == ["start", "pass 1", "pass 2", f"pass {len(states) - 1}"]
    for ax, number in zip(display.ax_, display.drawn, strict=True):
        centers = states[number].centers
        nearest = ((X[:, None] - centers) ** 2).sum(axis=2).argmin(axis=1)
        for j in range(3):
            rows, path, mark = ax.lines[3 * j : 3 * j + 3]
            np.testing.assert_array_equal(rows.get_xydata(), X[nearest == j][:, :2])
            np.testing.assert_array_equal(path.get_xydata(), [state.centers[j, :2] for state in states[: number + 1]])
            np.testing.assert_array_equal(mark.get_xydata(), centers[j : j + 1, :2])
            assert to_hex(rows.get_color()) == to_hex(mark.get_color()) == PALETTE[j].lower()


def test_other_columns_and_few_states():
    """Chosen columns by name; no more panels than states; a learner is asked for its states and not fitted."""
    frame = pd.DataFrame(X[:, :3], columns=["a", "b", "c"])
    display = KMeansStepsDisplay.from_estimator(KMeans(2, max_iter=1, random_state=0), frame, columns=("c", "a"), panels=6)
    assert len(display.ax_) == 2
    assert (display.ax_[0].get_xlabel(), display.ax_[0].get_ylabel()) == ("c", "a")
    np.testing.assert_array_equal(
        np.sort(np.concatenate([line.get_xdata() for line in display.ax_[0].lines[::3]])), np.sort(X[:, 2])
    )


def test_last_of_several_starts():
    """Of several starts the last one is drawn; batches have no number of a start and are all drawn."""
    model = KMeans(3, init="random", n_init=3, random_state=0)
    states = list(model.steps(X))
    last = [state.centers for state in states if state.start == 2]
    np.testing.assert_array_equal(KMeansStepsDisplay(X, states).centers, last)
    batches = list(MiniBatchKMeans(3, random_state=0).steps(X))
    assert len(KMeansStepsDisplay(X, batches).centers) == len(batches)


def test_given_axes_and_refusals(states):
    """As many axes as panels; at least one state; a plane needs two columns."""
    with pytest.raises(ValueError, match="states is empty"):
        KMeansStepsDisplay(X, [])
    with pytest.raises(ValueError, match="2 columns"):
        KMeansStepsDisplay(X[:, :1], states)
    with pytest.raises(ValueError, match="panels"):
        KMeansStepsDisplay(X, states, panels=0)
    display = KMeansStepsDisplay(X, states, panels=1).plot()
    assert display.drawn.tolist() == [len(states) - 1]
    with pytest.raises(ValueError, match="4 axes are needed"):
        KMeansStepsDisplay(X, states).plot(display.ax_)
    assert texts(display)
