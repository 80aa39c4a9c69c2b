"""Where the training of a network stands."""

from __future__ import annotations

from dataclasses import dataclass

from aprendiz.core.iteration import State
from aprendiz.core.rows import Array


@dataclass(frozen=True)
class NetworkState(State):
    """θ and what the next epoch needs beside it."""

    theta: Array
    memory: Array  # of the optimizer, one vector like θ in each row; of L-BFGS, its pairs
    gradient: Array  # of L-BFGS at θ
    updates: int  # steps so far
    visits: int  # rows visited so far
    rate: float  # η
    curve: Array  # the loss of each epoch, as met along the way
    scores: Array  # on rows set aside, after each epoch
    best: float  # the lowest loss, or minus the highest score
    best_theta: Array  # after the epoch with the highest score, or before the one with the lowest loss
    idle: int  # epochs since the best one by `tol`
    seed: int
