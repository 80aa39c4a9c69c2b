"""Solvers of linear support vector machines: planes that leave every row on its side of a margin, or in its tube."""
