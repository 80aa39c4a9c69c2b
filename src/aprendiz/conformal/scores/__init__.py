"""Conformity scores: how far a target lies from what a model says of its row."""
