"""Rows in memory in few blocks, for passes in which most rows are settled by a glance.

A pass that does little for each row is slowed down by handing over its blocks: then a few large ones are better, and one if
there is little to do at all. The size depends on the table alone, never on the number of threads.
"""

from __future__ import annotations

import numpy as np

from aprendiz.core.rows import Array, Block, Rows, read_only
from aprendiz.core.sources.arrays import in_memory

LARGEST_BLOCK, FEWEST_BLOCKS = 2**16, 4
SMALL = 2**22  # products of a pass, below which handing them to another thread takes as long
ENOUGH = 2**24  # products of a block, beside which handing it over does not count
ONES = read_only(np.ones(LARGEST_BLOCK))


def in_large_blocks(rows: Rows, clusters: int) -> Rows:
    """The same rows; for sums that do not depend on the blocks, or whose rounding may."""
    if not in_memory(rows) or not rows.dense or rows.count is None:
        return rows
    large = rows.like()
    of_a_row = rows.columns * clusters
    if rows.count * of_a_row <= SMALL:
        large.size = max(rows.count, 1)
    else:
        enough = min(LARGEST_BLOCK, ENOUGH // of_a_row, -(-rows.count // FEWEST_BLOCKS))
        large.size = max(rows.size, enough)
    return large


def weights_of(block: Block) -> Array:
    """The weights of a large block, ones where none were given."""
    return ONES[: len(block)] if block.weight is None and len(block) <= LARGEST_BLOCK else block.weights
