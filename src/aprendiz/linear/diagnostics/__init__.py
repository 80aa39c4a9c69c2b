"""Diagnostics of a fit: standard errors and tests, bounds of its error, the best cut of known distributions."""
