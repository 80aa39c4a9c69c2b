"""Eigenvectors of the scatter of the rows, by routes for tables of different shapes."""
