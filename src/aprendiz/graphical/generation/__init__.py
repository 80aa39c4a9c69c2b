"""Rows drawn from a network."""
