"""Interpreting a fitted forest: permutation importance, conditional permutation, proximities."""
