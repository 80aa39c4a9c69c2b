"""Counts of the families of a network, which add."""
