"""Small tables, matrices, sets and networks to learn with, each with its data card."""

from aprendiz.core.lazy import contents

__all__, __getattr__, __dir__ = contents(
    __name__,
    catalogue=["load", "names"],
    card=["Card", "ColumnCard"],
    dataset=["Dataset"],
    matrix=["Matrix"],
    hypotheses=["HypothesisSets"],
    network=["Network"],
)
