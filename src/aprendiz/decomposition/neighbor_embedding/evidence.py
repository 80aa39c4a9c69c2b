"""How well a map is known: its divergence and its forces from all pairs, without a grid.

    C = KL(P‖Q),     ‖∂C/∂Y‖,     ‖A − R/Z‖ / ‖A‖                                                             (1)

with A and R/Z of forces.py. The last of them is the part of the attraction that no repulsion meets: 0 where the map is at rest,
1 where it flies apart or together. It has no units, and does not depend on n as the gradient does.

P is known as well as the distances are: where a row is so far from all others that their distances agree in all digits but the
last, or has more twins than its perplexity, nothing is claimed.

A gradient of 0 does not tell a minimum from other points of rest, and there are many minima: nothing is claimed about those.
Nor about a map that is a single point, where all forces vanish.

Cost: O(n²) time, O(n) memory, when it is asked for.
"""

from __future__ import annotations

import numpy as np

from aprendiz.core.certificate import Certificate
from aprendiz.core.rows import Array
from aprendiz.decomposition.neighbor_embedding.descent import MapState
from aprendiz.decomposition.neighbor_embedding.forces import CALM, Forces

ERROR = 1e-3  # of C, by which the descent may have been mistaken
EXPONENT = 1e-5  # by how much rounding may change an exponent of P
REACHED = 1e-9  # of the perplexity


def evidence(state: MapState, forces: Forces) -> Certificate:
    """That every row has its perplexity, that attraction and repulsion of all pairs balance to 5 %, and that the descent knew C
    to 10⁻³. A fit that was stopped while it exaggerated has far too little repulsion."""
    Y: Array = np.array(state.embedding)
    exact = forces.of_all_pairs().at(Y, True)
    share = exact.left_over()
    error = abs(exact.divergence - state.objective)
    reached = forces.P.perplexities
    known = np.abs(reached / forces.P.wanted - 1.0).max() <= REACHED and forces.P.rounding <= EXPONENT
    calm = share <= CALM and error <= ERROR * max(1.0, exact.divergence) and bool(np.ptp(Y, axis=0).any())
    return Certificate(
        "every row has its perplexity, and attraction and repulsion balance in the map",
        bool(known and calm),
        {
            "objective": exact.divergence,
            "error": error,
            "gradient": forces.factor * float(np.linalg.norm(exact.attraction - exact.repulsion)),
            "left_over": share,
            "lowest_perplexity": float(reached.min()),
            "highest_perplexity": float(reached.max()),
            "rounding": forces.P.rounding,
            "exaggerated": state.exaggerated,
        },
    )
