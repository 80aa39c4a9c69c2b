"""Distances along a graph of neighbours, from the rows of a fit and from new rows."""
