"""The seam of the laws: blocks of a few rows, so that a table of some hundred has many of them."""

import pytest

from aprendiz.cluster import k_means
from aprendiz.cluster.centroids import exact_sums
from aprendiz.core import rows
from aprendiz.tree.growth import sampled_codes
from aprendiz.tree.shared import decision_tree

SHORT = 32  # rows of a block, unless a module has another number: a power of two, as always


@pytest.fixture
def short_blocks(request, monkeypatch):
    """Blocks of a few rows, whatever the number of columns: of arrays, files and partitions, in all threads of this process
    and in the children that it forks. The passes of k-means, which have blocks of their own, have several too."""
    size = getattr(request.module, "SHORT", SHORT)
    monkeypatch.setattr(rows, "FEWEST_ROWS", size)
    monkeypatch.setattr(rows, "MOST_ROWS", size)
    monkeypatch.setattr(exact_sums, "SMALL", 0)
    return size


@pytest.fixture(params=["one block", "many blocks"])
def blocks(request):
    """The usual blocks, of which a small table is one; then blocks of 32 rows."""
    if request.param == "many blocks":
        request.getfixturevalue("short_blocks")
    return request.param


@pytest.fixture(params=["codes", "levels"])
def large_tables(request, monkeypatch):
    """A table of a few hundred rows is large: what is done to those of millions of cells is done to it. Trees grow on codes,
    or level by level; bins and starts come from a sample."""
    monkeypatch.setattr(decision_tree, "GATHERED", 0)
    monkeypatch.setattr(decision_tree, "CODED", 0 if request.param == "levels" else 2**31)
    monkeypatch.setattr(sampled_codes, "SAMPLE", 0)
    monkeypatch.setattr(sampled_codes, "FEWEST_ROWS", 100)
    monkeypatch.setattr(sampled_codes, "MOST_RARE", 10)
    monkeypatch.setattr(k_means, "SAMPLE", 64)
    return request.param
