"""The seam of the laws: blocks of a few rows, so that a table of some hundred has many of them."""

import pytest

from aprendiz.cluster import large_blocks
from aprendiz.core import rows

SHORT = 32  # rows of a block: a power of two, as always


@pytest.fixture
def short_blocks(monkeypatch):
    """Blocks of 32 rows, whatever the number of columns: of arrays, files and partitions, in all threads of this process and
    in the children that it forks. The passes of k-means, which have blocks of their own, have several too."""
    monkeypatch.setattr(rows, "FEWEST_ROWS", SHORT)
    monkeypatch.setattr(rows, "MOST_ROWS", SHORT)
    monkeypatch.setattr(large_blocks, "SMALL", 0)
    return SHORT


@pytest.fixture(params=["one block", "many blocks"])
def blocks(request):
    """The usual blocks, of which a small table is one; then blocks of 32 rows."""
    if request.param == "many blocks":
        request.getfixturevalue("short_blocks")
    return request.param
