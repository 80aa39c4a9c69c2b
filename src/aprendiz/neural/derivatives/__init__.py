"""Derivatives along a graph: paths, backward, forward."""
