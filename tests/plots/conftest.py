"""Pictures are drawn without a screen, and no figure outlives its test."""

import matplotlib
import pytest

matplotlib.use("Agg")


@pytest.fixture(autouse=True)
def no_figure_left():
    import matplotlib.pyplot as plt

    before = dict(matplotlib.rcParams)
    assert plt.get_fignums() == []
    yield
    plt.close("all")
    assert dict(matplotlib.rcParams) == before
