"""Matrices that are known in some cells: factors, residuals, and how far their objective is from the minimum."""
