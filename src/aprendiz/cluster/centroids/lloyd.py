"""A step of k-means: every row to its nearest centre, every centre to the mean of its rows.

    a(x) = argmin_j ‖x − c_j‖              found by centre_search.py, or known by row_bounds.py                (1)
    c_j ← mean of the rows with a(x) = j   from sums that only the rows that changed touch (exact_sums.py)      (2)

Rows in memory are remembered from step to step; rows of files are searched and summed anew each time. The sums are exact, so
both give the same centres, and a step depends on the centres alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from aprendiz.cluster.centroids.centre_search import CentreSearch
from aprendiz.cluster.centroids.exact_sums import ExactSums, RoundingGrid, in_large_blocks, join, move, weights_of
from aprendiz.cluster.centroids.nearest import Farthest, costs, farthest
from aprendiz.cluster.centroids.row_bounds import CentreGaps, RowBounds
from aprendiz.core.rows import Array, Block, Rows


@dataclass(frozen=True)
class LloydStep:
    """The centres after a step; the cost and the weight of each cluster before them, at the centres that rows were sent to."""

    rows: Rows
    before: Array
    labels: Array | None
    centers: Array
    weight: Array
    cost: float

    def farthest(self, count: int) -> Farthest:
        """The rows farthest from their centres."""
        return self.rows.sum(farthest, self.before, self.labels, count)


@dataclass
class Lloyd:
    """Steps, one after the other."""

    rows: Rows
    grid: RoundingGrid
    memory: RowBounds | None
    sums: ExactSums
    large: Rows
    centers: Array | None = None  # of the last step, that the bounds speak of

    @classmethod
    def start(cls, rows: Rows, grid: RoundingGrid, centers: Array) -> Lloyd:
        k = len(centers)
        return cls(rows, grid, RowBounds.of(rows, k), grid.nothing(k), in_large_blocks(rows, k))

    def step(self, centers: Array) -> LloydStep:
        """(1) and (2) from these centres."""
        search, memory = CentreSearch.of(centers), self.memory
        if memory is None:
            self.sums = self.rows.sum(send, search, self.grid)
        elif self.centers is None:
            self.sums = self.large.sum(send_first, search, self.grid, memory)
        else:
            memory.follow(self.centers, centers)
            self.sums = self.sums + self.large.sum(send_again, search, self.grid, memory, CentreGaps.of(search, memory))
        self.centers = centers
        labels = None if memory is None else memory.labels
        cost = self.grid.cost(self.sums, centers)
        if cost is None:
            cost = self.sums.cost if labels is None else self.rows.sum(costs, centers, labels).cost
        return LloydStep(self.rows, centers, labels, self.grid.centers(self.sums, centers), self.sums.weight, cost)


def send(search: CentreSearch, grid: RoundingGrid, block: Block) -> ExactSums:
    """Every row searches, nothing is remembered."""
    labels, squares = search.nearest(block.X)
    return sum_block(search, grid, labels, float(squares @ block.weights), block)


def send_first(search: CentreSearch, grid: RoundingGrid, memory: RowBounds, block: Block) -> ExactSums:
    """Every row searches."""
    return sum_block(search, grid, memory.begin(search, block), 0.0, block)


def send_again(search: CentreSearch, grid: RoundingGrid, memory: RowBounds, gaps: CentreGaps, block: Block) -> ExactSums:
    """Rows whose bounds do not settle it search: what that changes in the sums."""
    changed, before = memory.review(search, gaps, block)
    record = grid.nothing(len(search.centers))
    labels = memory.labels[block.start : block.start + len(block)]
    move(block.X, weights_of(block), changed, before, labels, grid.mean, grid.coarse, grid.fine, record.high, record.low)
    return record


def sum_block(search: CentreSearch, grid: RoundingGrid, labels: Array, cost: float, block: Block) -> ExactSums:
    """The sums of all rows of a block."""
    record = grid.nothing(len(search.centers))
    join(block.X, weights_of(block), labels, grid.mean, grid.coarse, grid.fine, record.high, record.low)
    return ExactSums(record.high, record.low, cost)
