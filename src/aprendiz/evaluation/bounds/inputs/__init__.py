"""Checks of n, ε, δ and counts: every refusal names the argument, what it was and what it must be."""
